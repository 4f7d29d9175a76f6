// Tests that a damaged archive is never read as a robots.txt, which would allow everything, that an entry that lost its checksum is damaged,
// and that the changed bytes of an export that changes while it is open decide nothing.
import { mkdtempSync, rmSync, writeFileSync, appendFileSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import type { StoredRobots } from "@robots-stream/fetch";
import { afterAll, expect, test } from "vitest";
import { UsedFiles } from "../../files/used-files.ts";
import { readHistory } from "../history/open.ts";
import { openSavedSource } from "../saved/open.ts";
import type { SourcedRobots } from "../in-force.ts";
import { entriesOf, lineOfEntry } from "./entries.ts";

const folder = mkdtempSync(join(tmpdir(), "robots-stream-damaged-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const entry = (host: string): StoredRobots => ({
  origin: `https://${host}.example`,
  fetchedAt: Date.UTC(2026, 10, 21),
  freshUntil: Date.UTC(2026, 10, 22),
  access: "successful",
  code: "ok",
  status: 200,
  hops: [],
  body: Buffer.from("User-agent: *\nDisallow: /\n"),
});
const lines = ["a", "b", "c"].map((host) => lineOfEntry(entry(host)));
const exported = Buffer.from(lines.join(""));
const warc = Buffer.from(
  "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://a.example/robots.txt\r\nWARC-Date: 2026-11-21T06:00:00Z\r\n" +
    "Content-Type: application/http; msgtype=response\r\nContent-Length: 44\r\n\r\nHTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /\r\n\r\n",
);
const historyOptions = {
  from: "robotsHistory" as const,
  maxBytes: 512_000,
  origin: undefined,
  used: new UsedFiles([]),
  say: () => undefined,
};
let count = 0;

function saved(name: string, content: Uint8Array): string {
  const path = join(folder, `${count++}-${name}`);
  writeFileSync(path, content);
  return path;
}

function flipped(content: Uint8Array, at: number): Uint8Array {
  const bytes = Uint8Array.from(content);
  bytes[at]! ^= 1;
  return bytes;
}

/** Whether the source allows a path for each of three origins; "refused" if it cannot be opened. */
async function answersOf(path: string): Promise<readonly (boolean | string)[] | "refused"> {
  const open = openSavedSource(path, { maxBytes: 512_000, warn: () => undefined });
  const source = await open.catch((error: unknown) => (error as { code: string }).code);
  if (typeof source === "string") return "refused";
  const { signal } = new AbortController();
  const answers = ["a", "b", "c"].map((host) => {
    const robots = source.load(`https://${host}.example`, signal) as SourcedRobots;
    return robots.access === "unreachable" ? robots.code : robots.matcherOf("bot").decideTarget("/x").allowed;
  });
  await source.close();
  return answers;
}

const damaged: readonly (readonly [name: string, content: Uint8Array])[] = [
  ...[0, 1, 3, 9].map((at) => ["export.ndjson", flipped(exported, at)] as const),
  ["export", flipped(exported, 0)],
  ["cut-beginning", exported.subarray(40)],
  ["cut.ndjson", exported.subarray(exported.length - 40)],
  ["words.ndjson", Buffer.from("oops\n")],
  ["lost-sector.ndjson", Buffer.concat([Buffer.alloc(5_000, "~"), exported])],
  ["cache.sqlite", Buffer.from("Sqlite format 3, not")],
  ["robots.warc", Buffer.from("oops\n")],
  ...[0, 3].map((at) => ["robots.warc", flipped(warc, at)] as const),
  ["robots", flipped(warc, 0)],
  ...[0, 1].map((at) => ["export.ndjson.gz", flipped(gzipSync(exported), at)] as const),
  ...[0, 1, 2, 3].map((at) => ["export", flipped(zstdCompressSync(exported), at)] as const),
];

test.each(damaged)("a damaged %s is refused, or its damaged entries are", async (name, content) => {
  const path = saved(name, content);
  const answers = await answersOf(path);
  for (const answer of answers === "refused" ? [] : answers) expect(answer).not.toBe(true);
  const found = await readHistory([path], historyOptions).then(
    ({ observations }) => observations.length,
    (error: unknown) => (error as { code: string }).code,
  );
  expect(found).toBe(answers === "refused" ? "ERR_UNUSABLE_ROBOTS" : 2);
});

test.each(["robots.txt", "robots", "robots.txt.gz", "json.txt", "x.ndjson", "x.warc", "x.sqlite"])(
  "a robots.txt named %s is read",
  async (name) => {
    expect(await answersOf(saved(name, Buffer.from("User-agent: *\nDisallow: /\n")))).toEqual([false, false, false]);
  },
);

test.each([0, 1, 2])("line %d lost its checksum, the others have one: it is damaged", async (lost) => {
  const damage = lines.map((line, at) => (at === lost ? line.replace('"checksum"', '"checksun"') : line));
  const answers = await answersOf(saved("export.ndjson", Buffer.from(damage.join(""))));
  expect(answers).toEqual([0, 1, 2].map((at) => (at === lost ? "not-readable" : false)));
  const rejected: string[] = [];
  const origins: string[] = [];
  const chunks = (async function* () {
    yield await Promise.resolve(Buffer.from(damage.join("")));
  })();
  for await (const { origin } of entriesOf(chunks, (where, why) => rejected.push(`${where} ${why}`)))
    origins.push(origin);
  expect(rejected).toEqual([`line ${lost + 1} is damaged: it has no checksum, as other lines have`]);
  expect(origins).toHaveLength(2);
});

test("a line that another program has written with blanks has a checksum", async () => {
  const spaced = lines.map((line) => line.replaceAll('":"', '": "'));
  expect(await answersOf(saved("export.ndjson", Buffer.from(spaced.join(""))))).toEqual([false, false, false]);
  const damage = [spaced[0]!.replace(/,"checksum": "\w+"/, ""), ...lines.slice(1)];
  expect(await answersOf(saved("export.ndjson", Buffer.from(damage.join(""))))).toEqual(["not-readable", false, false]);
});

test("an export without any checksum is read", async () => {
  const text = lines.map((line) => line.replace(/,"checksum":"\w+"/, "")).join("");
  expect(await answersOf(saved("export.ndjson", Buffer.from(text)))).toEqual([false, false, false]);
});

const lineOf = (origin: string, code: string): string => {
  const unavailable = { origin, fetchedAt: 1, freshUntil: 2, access: "unavailable", code, status: 404, hops: [] };
  return `${JSON.stringify(unavailable)}\n`;
};
const exportText = lineOf("https://a.example", "http-404") + lineOf("https://b.example", "http-404");

test.each<readonly [what: string, change: (path: string) => void, code: string, told: number]>([
  ["not changed", () => undefined, "http-404", 0],
  ["replaced by another file", (path) => renameSync(writeOther(path), path), "http-404", 0],
  ["appended to", (path) => appendFileSync(path, "{}\n"), "not-readable", 1],
  ["cut", (path) => writeFileSync(path, exportText.slice(0, 20)), "not-readable", 1],
])("an open export that is %s", async (_what, change, code, told) => {
  const path = join(folder, "export.ndjson");
  writeFileSync(path, exportText);
  const warnings: string[] = [];
  const source = await openSavedSource(path, { maxBytes: 100, warn: (sentence) => warnings.push(sentence) });
  change(path);
  const robots = source.load("https://b.example", new AbortController().signal) as SourcedRobots;
  expect(robots.code).toBe(code);
  expect(warnings).toHaveLength(told);
  for (const warning of warnings)
    expect(warning).toContain("export.ndjson: it was changed while it was read; https://b.example");
  await source.close();
});

function writeOther(path: string): string {
  writeFileSync(`${path}.new`, exportText.replaceAll("404", "410"));
  return `${path}.new`;
}
