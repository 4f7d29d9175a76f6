// A part of a snapshot gives back what was added; a flipped bit anywhere in its file never gives another entry, or none.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { StoredRobots } from "../common/types.ts";
import { createPartWriter, openPartReader, type PartFacts, type PartReader } from "./sqlite-part.ts";

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "robots-stream-part-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Every bit of the file takes minutes. */
const step = process.env["ROBOTS_STREAM_THOROUGH"] === undefined ? 61 : 7;
const at = Date.UTC(2026, 10, 21);
const origins = ["a", "b", "c", "d"].map((name) => `https://${name}.example`);

function goneAt(origin: string, fetchedAt: number): StoredRobots {
  const hops = [{ url: `${origin}/robots.txt`, status: 404 }];
  return { origin, fetchedAt, freshUntil: fetchedAt, access: "unavailable", code: "http-404", status: 404, hops };
}

function foundAt(origin: string, fetchedAt: number, body = `User-agent: *\nDisallow: /${origin}\n`): StoredRobots {
  const hops = [{ url: `${origin}/robots.txt`, status: 200 }];
  const known = { origin, fetchedAt, freshUntil: fetchedAt + 5, headers: { etag: "x" }, hops, body: Buffer.from(body) };
  return { ...known, access: "successful", code: "ok", status: 200 };
}

function redirectedAt(origin: string, fetchedAt: number, to: string): StoredRobots {
  const found = foundAt(origin, fetchedAt, "# there\n");
  return {
    ...found,
    hops: [
      { url: `${origin}/robots.txt`, status: 302 },
      { url: to, status: 200 },
    ],
  };
}

/** The id of an older entry differs in one bit from that of the newest entry of its origin. */
const entries: readonly StoredRobots[] = [
  ...origins.map((origin) => goneAt(origin, at - 10)),
  ...origins.map((origin) => foundAt(origin, at)),
  goneAt(origins[0]!, at - 20),
  redirectedAt(origins[2]!, at - 30, `${origins[3]!}/robots.php`),
  redirectedAt(origins[1]!, at - 40, `${origins[3]!}/robots.txt`),
  foundAt(origins[1]!, at - 30, "# long\n".repeat(500)),
];

function write(added: readonly StoredRobots[]): { readonly path: string; readonly facts: PartFacts } {
  const path = join(folder, `part-${Math.random()}`);
  writeFileSync(path, "");
  const writer = createPartWriter(path, 1_000_000);
  for (const entry of added) expect(writer.add(entry)).toBe(true);
  const facts = writer.finish(1, 1);
  writer.close();
  return { path, facts };
}

/** The members in one order, so that texts of equal entries are equal. */
function textOf(entry: StoredRobots | undefined): string | undefined {
  if (entry === undefined) return undefined;
  const members = { ...entry, body: entry.body && Buffer.from(entry.body).toString("hex") };
  return JSON.stringify(
    Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

test("the newest entry is found; an entry that is added twice counts once", () => {
  const { path, facts } = write([...entries, ...entries]);
  expect(facts).toEqual({
    number: 1,
    parts: 1,
    entries: entries.length,
    digest: write(entries.toReversed()).facts.digest,
  });
  const part = openPartReader(path, 1_000_000);
  for (const origin of origins) {
    const all = entries
      .filter((entry) => entry.origin === origin)
      .toSorted((one, other) => other.fetchedAt - one.fetchedAt);
    expect(textOf(part.get(origin))).toBe(textOf(all[0]));
  }
  expect(part.get("https://none.example")).toBeUndefined();
  expect([...part.entries()].flatMap((page) => page.entries.map(textOf))).toEqual(entries.map(textOf));
  part.close();
});

test("of two entries with the latest time, the one that was added last is the newest", () => {
  const [one, other] = [foundAt(origins[0]!, at, "# one\n"), foundAt(origins[0]!, at, "# other\n")];
  for (const added of [
    [one, other],
    [other, one],
  ]) {
    const part = openPartReader(write(added).path, 1_000_000);
    expect(textOf(part.get(origins[0]!))).toBe(textOf(added[1]));
    part.close();
  }
  expect(write([one, other]).facts.digest).not.toBe(write([other, one]).facts.digest);
});

test("with a flipped bit anywhere in the file, a look-up gives the same entries or throws", () => {
  const { path, facts } = write(entries);
  const bytes = readFileSync(path);
  const named = [...origins, "https://none.example"];
  const asked = ["newest", "all", "redirects"].flatMap((what) => named.map((origin) => `${what} ${origin}`));
  const answerOf = (part: PartReader, question: string): string => {
    const [what, origin = ""] = question.split(" ");
    if (what === "newest") return textOf(part.get(origin)) ?? "none";
    if (what === "redirects") return part.redirectingTo(origin).join(" ");
    const { entries: all, damaged } = part.entriesOf(origin);
    return damaged > 0 ? "refused" : all.map(textOf).toSorted().join(" ");
  };
  const answersOf = (): string[] => {
    const part = openPartReader(path, 1_000_000);
    try {
      // The manifest has the facts, too: an archive with other facts is refused.
      if (JSON.stringify(part.facts) !== JSON.stringify(facts)) return asked.map(() => "refused");
      return asked.map((question) => {
        try {
          return answerOf(part, question);
        } catch {
          return "refused";
        }
      });
    } finally {
      part.close();
    }
  };
  const expected = answersOf();
  expect(expected[13]).toBe(origins[2]);
  const file = openSync(path, "r+");
  const wrong: string[] = [];
  let refused = 0;
  for (let bit = 0; bit < bytes.length * 8; bit += step) {
    writeSync(file, Buffer.of(bytes[bit >> 3]! ^ (1 << (bit & 7))), 0, 1, bit >> 3);
    let answers: string[];
    try {
      answers = answersOf();
    } catch {
      answers = asked.map(() => "refused");
    }
    for (const [index, answer] of answers.entries()) {
      if (answer === "refused") refused++;
      else if (answer !== expected[index]) wrong.push(`bit ${bit}: ${asked[index]}`);
    }
    writeSync(file, Buffer.of(bytes[bit >> 3]!), 0, 1, bit >> 3);
  }
  closeSync(file);
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(10);
}, 600_000);
