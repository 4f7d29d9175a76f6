// Tests that a run whose snapshot or cache has damaged entries ends with exit code 3 and a sentence, and that other runs do not.
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { bytesHere, runHere } from "./here.ts";

const folder = makeFolder();

const snapshot = join(folder, "snapshot");
const originOf = (number: number): string => `https://host-${number}.example`;
const body = "User-agent: *\nDisallow: /private\n";
const fetchedAt = Date.UTC(2026, 10, 1);
/** Numbers of an origin whose entry is damaged, and of one whose entry is whole. */
let [lost, kept] = [-1, -1];

beforeAll(async () => {
  const origins = Array.from({ length: 300 }, (_, number) => originOf(number));
  const entry = { fetchedAt, freshUntil: fetchedAt + 1, access: "successful", code: "ok", status: 200, body, hops: [] };
  const lines = origins.map((origin) => `${JSON.stringify({ origin, ...entry })}\n`).join("");
  const cache = join(folder, "cache");
  await runHere(["cache", "import", "--cache", cache], lines);
  await runHere(["cache", "export", "--cache", cache, "--snapshot", snapshot]);
  const part = readdirSync(snapshot).find((name) => name.endsWith(".robots"));
  const bytes = readFileSync(join(snapshot, part!));
  // A bit of the texts behind some names, which are in rows and in indexes.
  for (let number = 100; number < 130; number++) {
    for (let at = bytes.indexOf(originOf(number)); at >= 0; at = bytes.indexOf(originOf(number), at + 1)) {
      bytes[at + originOf(number).length + 15]! ^= 4;
    }
  }
  writeFileSync(join(snapshot, part!), bytes);
  const urls = origins.map((origin) => `${origin}/private\n`).join("");
  const { stdout } = await runHere(["--agent", "bingbot", "--robots", snapshot, "-o", "ndjson"], urls);
  const codes = stdout.split("\n").map((line) => /not-readable/.test(line));
  [lost, kept] = [codes.indexOf(true), codes.indexOf(false)];
});

const sentence = "the saved robots.txt of 1 origin could not be read, because entries are damaged";
const log = (number: number): string =>
  `${JSON.stringify({ httpRequest: { requestUrl: `${originOf(number)}/private`, userAgent: "bingbot/2.0" }, timestamp: "2026-11-01T00:00:00Z" })}\n`;

test("decide: the rows are written, and the run fails", async () => {
  expect(Math.min(lost, kept)).toBeGreaterThanOrEqual(0);
  const given = ["--agent", "bingbot", "--robots", snapshot];
  const whole = await runHere(given, `${originOf(kept)}/private\n`);
  expect([whole.code, whole.stderr]).toEqual([0, ""]);
  const ran = await runHere(given, `${originOf(lost)}/private\n${originOf(kept)}/\n${originOf(lost)}/\n`);
  expect([ran.code, ran.stdout.trimEnd().split("\n")]).toEqual([3, expect.objectContaining({ length: 3 })]);
  expect(ran.stderr.split("\n").at(-2)).toBe(
    `robots-stream: ${sentence}; records of such origins were decided as unreachable`,
  );
});

test("a checkpoint keeps the origins whose entries are damaged: a resumed run fails as the uninterrupted one", async () => {
  const names = ["urls.txt", "more.txt.gz", "rows.ndjson", "run.json"] as const;
  const [urls, more, output, checkpoint] = names.map((name) => join(folder, name)) as [string, string, string, string];
  writeFileSync(urls, `${originOf(lost)}/private\n${originOf(kept)}/\n`);
  const packed = gzipSync(`${originOf(kept)}/\n`.repeat(5_000), { level: 0 });
  const keeping = ["--output-file", output, "--checkpoint", checkpoint, "--resume", urls, more];
  const given = ["--agent", "bingbot", "--robots", snapshot, ...keeping];
  const told = `robots-stream: ${sentence}; records of such origins were decided as unreachable\n`;
  const shown = `robots-stream: ${checkpoint}:`;
  const write = (content: Uint8Array): void => {
    writeFileSync(more, content);
    utimesSync(more, 1, 1);
  };
  // The checksum of the second file is wrong, so the run does not finish.
  write(packed.with(packed.length - 5, packed.at(-5)! ^ 1));
  expect((await runHere(given)).code).toBe(3);
  write(packed);
  const resumed = await runHere(given);
  expect(resumed.code).toBe(3);
  expect(resumed.stderr.replace(/\d+ records/, "N records")).toBe(`${shown} continuing after N records\n${told}`);
  const again = await runHere(given);
  expect([again.code, again.stderr]).toEqual([
    3,
    `${shown} the run is finished, 5002 records; nothing is left to do\n${told}`,
  ]);
});

test("audit, and decide by a history: the report is written, and the run fails", async () => {
  const given = ["audit", "-", "--robots", snapshot, "-o", "json"];
  const whole = await runHere(given, log(kept));
  expect([whole.code, whole.stderr]).toEqual([0, ""]);
  const ran = await runHere(given, log(lost));
  expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining(sentence)]);
  expect(JSON.parse(ran.stdout)).toMatchObject({ totals: { requests: 1 } });
  const asOf = ["--agent-field", "user_agent", "--as-of-record", "--robots-history", snapshot];
  const decided = await runHere(asOf, log(lost));
  expect([decided.code, decided.stderr]).toEqual([3, expect.stringContaining(sentence)]);
});

test("answer: the run ends before the answer to the frame", async () => {
  const frameOf = (url: string): Buffer => {
    const frame = Buffer.alloc(24 + url.length);
    [20 + url.length, 1, 1, 0, 0, url.length].forEach((value, at) => frame.writeUInt32LE(value, at * 4));
    frame.write(url, 24);
    return frame;
  };
  const given = ["answer", "--stdio", "--agent", "bingbot", "--robots", snapshot];
  const [whole, damaged] = [frameOf(`${originOf(kept)}/`), frameOf(`${originOf(lost)}/`)];
  const [one, ran] = [await bytesHere(given, whole), await bytesHere(given, damaged)];
  expect([one.code, one.stdout.length > 0]).toEqual([0, true]);
  expect([ran.code, ran.stdout.length, ran.stderr]).toEqual([3, 0, expect.stringMatching(/--robots \S+: .*damaged/)]);
});

test("a cache with damaged rows: an audit by it and an export of it name the origin, and fail", async () => {
  const cache = join(folder, "cache");
  const database = new DatabaseSync(join(cache, "robots.sqlite"));
  database.exec(
    "UPDATE fetches SET code = 'ok2' WHERE id IN (SELECT latest FROM origins WHERE origin LIKE '%host-7.%')",
  );
  database.close();
  const audited = await runHere(["audit", "-", "--robots-history", cache, "-o", "json"], log(kept));
  expect([audited.code, audited.stderr]).toEqual([3, expect.stringMatching(/host-7\.example: is damaged\n/)]);
  expect(audited.stderr).toContain(sentence);
  expect(JSON.parse(audited.stdout)).toMatchObject({ totals: { requests: 1 } });
  for (const flags of [[], ["--newest"], ["--snapshot", join(folder, "exported")]]) {
    const { code, stdout, stderr } = await runHere(["cache", "export", "--cache", cache, ...flags]);
    expect([code, stderr]).toEqual([3, expect.stringContaining(`${originOf(7)}: left out: its row is damaged\n`)]);
    expect(stderr).toContain("1 damaged row is left out\n");
    if (!flags.includes("--snapshot")) expect(stdout.trimEnd().split("\n")).toHaveLength(299);
  }
  const one = await runHere(["cache", "export", "--cache", cache, originOf(7)]);
  expect([one.code, one.stdout]).toEqual([3, ""]);
  const other = await runHere(["cache", "export", "--cache", cache, originOf(8)]);
  expect([other.code, other.stderr]).toEqual([0, ""]);
});
