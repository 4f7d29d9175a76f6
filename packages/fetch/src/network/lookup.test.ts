// The direct resolver against a name server on loopback that the test runs.
import { type Socket, createSocket } from "node:dgram";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeOf } from "../common/failures.ts";
import { type DirectLookupOptions, type Lookup, createDirectLookup, hostsOf, systemLookup } from "./lookup.ts";

const typeA = 1;
const typeAAAA = 28;
type Answer = readonly string[] | "NXDOMAIN" | "SERVFAIL" | "silence";

/** The records of the name server, by "name type". */
const zone = new Map<string, Answer>([
  ["one.example 1", ["192.0.2.1"]],
  ["both.example 1", ["192.0.2.2", "192.0.2.3"]],
  ["both.example 28", ["2001:db8::2"]],
  ["six.example 28", ["2001:db8::6"]],
  ["slowsix.example 1", ["192.0.2.4"]],
  ["slowsix.example 28", "silence"],
  ["broken.example 1", "SERVFAIL"],
  ["broken.example 28", "SERVFAIL"],
  ["silent.example 1", "silence"],
  ["silent.example 28", "silence"],
  ["empty.example 1", []],
  ["empty.example 28", []],
]);

let server: Socket;
let folder: string;
const questions: string[] = [];
let open = 0;
let most = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "robots-stream-hosts-"));
  writeFileSync(join(folder, "hosts"), "192.0.2.77 pinned.example Other.Example # of the test\n");
  server = createSocket("udp4");
  server.on("message", (message, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
      labels.push(message.toString("latin1", at + 1, at + 1 + length));
      at += length + 1;
    }
    const type = message.readUInt16BE(at + 1);
    const name = labels.join(".").toLowerCase();
    questions.push(`${name} ${type}`);
    most = Math.max(most, ++open);
    const many = /^n\d+\.many\.example$/.test(name);
    const answer = many && type === typeA ? ["192.0.2.9"] : (zone.get(`${name} ${type}`) ?? "NXDOMAIN");
    if (answer === "silence") return;
    const reply = (): void => {
      open--;
      server.send(replyTo(message.subarray(0, at + 5), answer, type), port, address);
    };
    if (many) setTimeout(reply, 5);
    else reply();
  });
  await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

function replyTo(question: Buffer, answer: Exclude<Answer, "silence">, type: number): Buffer {
  const head = Buffer.from(question);
  const code = answer === "NXDOMAIN" ? 3 : answer === "SERVFAIL" ? 2 : 0;
  const addresses = typeof answer === "string" ? [] : answer;
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8); // no authority, no additional records
  return Buffer.concat([
    head,
    ...addresses.map((address) => {
      const data = type === typeAAAA ? bytesOfIPv6(address) : Buffer.from(address.split(".").map(Number));
      const record = Buffer.alloc(12);
      record.writeUInt16BE(0xc00c, 0); // the name asked
      record.writeUInt16BE(type, 2);
      record.writeUInt16BE(1, 4);
      record.writeUInt32BE(1, 6);
      record.writeUInt16BE(data.length, 10);
      return Buffer.concat([record, data]);
    }),
  ]);
}

function bytesOfIPv6(address: string): Buffer {
  const [before = "", after = ""] = address.split("::");
  const groups = (text: string): string[] => text.split(":").filter((group) => group !== "");
  const zeros = 8 - groups(before).length - groups(after).length;
  const all = [...groups(before), ...Array.from({ length: zeros }, () => "0"), ...groups(after)];
  return Buffer.concat(all.map((group) => Buffer.from(group.padStart(4, "0"), "hex")));
}

function direct(options: DirectLookupOptions = {}): Lookup {
  const servers = [`127.0.0.1:${server.address().port}`];
  return createDirectLookup({ servers, hostsFile: join(folder, "hosts"), ipv6: true, timeoutMs: 500, ...options });
}

const textOf = async (lookup: Lookup, name: string): Promise<string> =>
  lookup(name).then(
    (list) => list.map(({ address, family }) => `${address}/${family}`).join(" "),
    (error: unknown) => codeOf(error),
  );

test.each([
  ["one.example", "192.0.2.1/4"],
  ["ONE.example.", "192.0.2.1/4"],
  ["both.example", "2001:db8::2/6 192.0.2.2/4 192.0.2.3/4"],
  ["six.example", "2001:db8::6/6"],
  ["slowsix.example", "192.0.2.4/4"],
  ["missing.example", "ENOTFOUND"],
  ["broken.example", "ESERVFAIL"],
  ["empty.example", "ENODATA"],
  ["silent.example", "ETIMEOUT"],
])("%s: %s", async (name, expected) => {
  expect(await textOf(direct(), name)).toBe(expected);
});

describe("names for which no query is sent", () => {
  test.each([
    ["pinned.example", "192.0.2.77/4"],
    ["other.EXAMPLE.", "192.0.2.77/4"],
    ["localhost", "127.0.0.1/4"],
    ["a.localhost", "127.0.0.1/4"],
  ])("%s: %s", async (name, expected) => {
    const before = questions.length;
    expect(await textOf(direct(), name)).toBe(expected);
    expect(questions.length).toBe(before);
  });
});

test("without IPv6 no AAAA query is sent", async () => {
  const before = questions.length;
  expect(await textOf(direct({ ipv6: false }), "both.example")).toBe("192.0.2.2/4 192.0.2.3/4");
  expect(questions.slice(before)).toEqual(["both.example 1"]);
});

test("simultaneous lookups of a name share one query", async () => {
  const before = questions.length;
  const lookup = direct({ ipv6: false });
  await Promise.all([lookup("one.example"), lookup("one.example"), lookup("one.example")]);
  expect(questions.slice(before)).toEqual(["one.example 1"]);
  await lookup("one.example");
  expect(questions.length).toBe(before + 2);
});

test("at most `concurrency` queries are pending at once", async () => {
  open = 0;
  most = 0;
  const lookup = direct({ ipv6: false, concurrency: 4, timeoutMs: 2_000 });
  const all = await Promise.all(Array.from({ length: 60 }, (_, i) => textOf(lookup, `n${i}.many.example`)));
  expect(new Set(all)).toEqual(new Set(["192.0.2.9/4"]));
  expect(most).toBeLessThanOrEqual(4);
});

test("a holder's timers stop while its query waits for others, and run again once the query is sent", async () => {
  const lookup = direct({ ipv6: false, concurrency: 1 });
  const waits: [name: string, isOver: boolean][] = [];
  const ask = (name: string): Promise<unknown> =>
    lookup(name, {
      async hold(wait) {
        const note: [string, boolean] = [name, false];
        waits.push(note);
        await wait;
        note[1] = true;
      },
    }).catch(codeOf);
  const first = ask("silent.example");
  const others = [ask("one.example"), ask("one.example")];
  await expect.poll(() => waits).toHaveLength(2);
  expect(waits).toEqual([
    ["one.example", false],
    ["one.example", false],
  ]);
  expect(await first).toBe("ETIMEOUT");
  expect(await Promise.all(others)).toEqual(Array.from({ length: 2 }, () => [{ address: "192.0.2.1", family: 4 }]));
  expect(waits.map(([, isOver]) => isOver)).toEqual([true, true]);
});

test("close cancels pending and waiting queries", async () => {
  const lookup = direct({ timeoutMs: 60_000, concurrency: 1 });
  const before = questions.length;
  const asking = [textOf(lookup, "silent.example"), textOf(lookup, "one.example")];
  await expect.poll(() => questions.length).toBe(before + 2);
  lookup.close?.();
  expect(await Promise.all(asking)).toEqual(["ECANCELLED", "ECANCELLED"]);
  expect(questions.length).toBe(before + 2);
});

test("an unreadable hosts file counts as empty", async () => {
  expect(await textOf(direct({ hostsFile: join(folder, "none") }), "one.example")).toBe("192.0.2.1/4");
});

test("hosts files with comments, tabs and invalid lines", () => {
  const hosts = hostsOf(
    "127.0.0.1\tlocalhost\r\n# 10.0.0.1 no\n::1 localhost ip6\nnonsense x\n10.0.0.1\n\n1.2.3.4 a b#c\n",
  );
  expect([...hosts.keys()]).toEqual(["localhost", "ip6", "a", "b"]);
  expect(hosts.get("localhost")).toEqual([
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ]);
});

test("the system's resolver resolves localhost", async () => {
  const addresses = await systemLookup("localhost");
  expect(addresses.some(({ address }) => address === "127.0.0.1" || address === "::1")).toBe(true);
});
