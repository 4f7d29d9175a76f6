// The documented lines of every kind of text log in, in parts and damaged; the kind out, or that it is not known: never another one.
import { lineLogFormats } from "@robots-stream/logs";
import { expect, test } from "vitest";
import { UsageError } from "../errors.ts";
import { detect } from "./detect.ts";

const logs = lineLogFormats.flatMap(({ name, samples }) =>
  samples.log === undefined ? [] : [{ name, log: samples.log }],
);

/** What is detected of some lines: the name of a kind, or "not known". */
function seen(lines: readonly string[]): string {
  try {
    return detect("stdin", Buffer.from(`${lines.join("\n")}\n`, "latin1"), { isAll: true }).format.name;
  } catch (error) {
    if (error instanceof UsageError) return "not known";
    throw error;
  }
}

/** Ways in which a first line may be damaged: cut at either end, empty of sense, overwritten. */
const damages: readonly (readonly [what: string, damage: (line: string) => string])[] = [
  ["its first half is missing", (line) => line.slice(line.length >> 1)],
  ["its second half is missing", (line) => line.slice(0, line.length >> 1)],
  ["a few bytes at its beginning are missing", (line) => line.slice(3)],
  ["it is other text", () => "-- MARK --"],
  ["bytes in it were overwritten", (line) => line.slice(0, 10) + "\0".repeat(10) + line.slice(20)],
];

const counts = { right: 0, notKnown: [] as string[] };

test.each(logs)("$name: whole, and after any number of lines from three on", ({ name, log }) => {
  for (let lines = 3; lines <= log.length; lines++) expect([lines, seen(log.slice(0, lines))]).toEqual([lines, name]);
  counts.right += log.length - 2;
});

test.each(logs)("$name: with a damaged first line", ({ name, log }) => {
  for (const [what, damage] of damages) {
    for (let lines = 3; lines <= log.length; lines++) {
      const found = seen([damage(log[0]!), ...log.slice(1, lines)]);
      if (found === "not known") counts.notKnown.push(`${name}, ${lines} lines: ${what}`);
      else counts.right++;
      expect([what, lines, [name, "not known"].includes(found) ? name : found]).toEqual([what, lines, name]);
    }
  }
});

test("without its first lines, a log without a heading is still its kind", () => {
  for (const { name, log } of logs) {
    if (log[0]!.startsWith("#")) continue;
    for (let from = 1; from <= log.length - 3; from++)
      expect([name, from, seen(log.slice(from))]).toEqual([name, from, name]);
  }
});

test("few are not known", () => {
  const of = counts.right + counts.notKnown.length;
  console.info(`not known: ${counts.notKnown.length} of ${of}${counts.notKnown.map((each) => `\n  ${each}`).join("")}`);
  expect(counts.notKnown.length).toBeLessThan(of / 20);
});

const agent = "Mozilla/5.0 (compatible; bingbot/2.0)";
const rest = `[17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1 "-" "${agent}"`;

test.each<[what: string, line: string, kind: string, others: readonly string[]]>([
  ["two addresses", `203.0.113.9 192.0.2.1 - - ${rest}`, "combined", ["vhost_combined"]],
  ["one address", `203.0.113.9 - - ${rest}`, "combined", []],
  ["two names", `a.example b.example - ${rest}`, "combined", ["lighttpd"]],
  ["a name and a domain", `192.0.2.1 b.example - ${rest}`, "lighttpd", []],
  ["a domain and an address", `b.example 192.0.2.1 - - ${rest}`, "vhost_combined", []],
  ["a path that begins with a host", `192.0.2.1 - - ${rest.replace("/a", "/a.example/b")} "-"`, "combined", ["akamai"]],
  ["the same with cookies", `192.0.2.1 - - ${rest.replace("/a", "/a.example/b")} "a=b"`, "akamai", []],
  ["an address after the agent", `192.0.2.1 - - ${rest} "203.0.113.9"`, "combined", []],
  ["a number after the agent", `192.0.2.1 - - ${rest} 0.003`, "combined", []],
  ["a host after the agent", `192.0.2.1 - - ${rest} "a.example"`, "combined_host", []],
  [
    "a time of ISO 8601",
    `192.0.2.1 - - ${rest.replace("17/May/2015:10:05:03 +0000", "2015-05-17T10:05:03+00:00")}`,
    "combined",
    [],
  ],
])("%s: where two kinds fit, both are told", (_what, line, kind, others) => {
  const { format, certainty } = detect("stdin", Buffer.from(`${line}\n`.repeat(3)), { isAll: true });
  expect([format.name, certainty.others.map(({ name }) => name), certainty.lines]).toEqual([
    kind,
    others,
    { certain: 3, of: 3 },
  ]);
});
