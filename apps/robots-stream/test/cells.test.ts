// Tests robots-stream answer --cells and merge: any program may add up the cells of any split of the requests, and the report equals that
// of audit over all requests.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import type { AuditDocument } from "@robots-stream/audit";
import { afterAll, expect, test } from "vitest";
import { main } from "../src/main.ts";

const folder = mkdtempSync(join(tmpdir(), "robots-stream-cells-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function ended(argv: readonly string[], stdin: Buffer): Promise<readonly [number, string, Buffer]> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const outputs = Promise.all([stdout, stderr].map(async (stream) => Buffer.concat(await stream.toArray())));
  const env = { ROBOTS_STREAM_CACHE: "none" };
  const code = await main({ argv, env, stdin: Readable.from([stdin]), stdout, stderr });
  stdout.end();
  stderr.end();
  const [out, error] = await outputs;
  return [code, error!.toString(), out!];
}

async function run(argv: readonly string[], stdin: Buffer = Buffer.alloc(0)): Promise<Buffer> {
  const [code, error, out] = await ended(argv, stdin);
  expect([code, error]).toEqual([0, ""]);
  return out;
}

/** The history of two origins: one changes its file on 13 November, the other never does. */
const day = (number: number): number => Date.UTC(2026, 10, number);
const seen = join(folder, "seen.ndjson");
const entryOf = (origin: string, number: number, body: string): string =>
  JSON.stringify({
    origin,
    fetchedAt: day(number),
    freshUntil: day(number + 1),
    access: "successful",
    code: "ok",
    status: 200,
    body,
    hops: [],
  });
const first = "User-agent: *\nDisallow: /private\n";
writeFileSync(
  seen,
  `${[1, 6, 12].map((number) => entryOf("https://shop.example", number, first)).join("\n")}
${[13, 20, 29].map((number) => entryOf("https://shop.example", number, `${first}Disallow: /search\n\nUser-agent: GPTBot\nDisallow: /\n`)).join("\n")}
${entryOf("https://other.example", 3, "User-agent: *\nDisallow: /*?q=\n")}
`,
);

type Request = readonly [
  url: string | null,
  agent: string | null,
  time: string | null,
  method: string | null,
  status: string | null,
  bytes: string | null,
  referer: string | null,
];

const agents = [
  "GPTBot/1.2",
  "GPTBot/1.3",
  "ClaudeBot/1.0",
  "Mozilla/5.0 (compatible; bingbot/2.0)",
  "Googlebot/2.1",
  "Amzn-SearchBot/0.1",
  "Mozilla/5.0 Firefox/130.0",
  "SomeNewBot/0.1",
  "ChatGPT-User/1.0",
  "Google-Extended",
  null,
];
/** A pseudorandom number less than `below`, the same in every run. */
const dice = (number: number, of: number, below: number): number =>
  (((Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(of, 0x85ebca6b)) >>> 0) % 65_537) % below;

const targets = (number: number): string => {
  if (dice(number, 1, 4) > 0) return `/${number % 100}/a${number}/x`;
  const parameters = `q=${number}&p${number}=1&r${number}=1&s=1`;
  return ["/", "/private/x?token=secret", "/robots.txt", `/search/${number}?${parameters}`, "/*", `/é"\\${number}`][
    dice(number, 2, 6)
  ]!;
};

const everything: readonly Request[] = Array.from({ length: 8_000 }, (_row, number): Request => {
  const host = ["other", "shop", "shop", "shop", "shop", "shop", `forged-${number}`, `forged-${number}`][
    dice(number, 3, 8)
  ]!;
  const time =
    dice(number, 4, 97) === 0 ? null : new Date(day(1) + ((number * 7_919) % 2_500_000) * 1_000).toISOString();
  const method = ["GET", "GET", "HEAD", "POST", "OPTIONS", "CONNECT", null][dice(number, 5, 7)]!;
  const status = ["200", "304", "404", "301", "503", null][dice(number, 6, 6)]!;
  const referer = dice(number, 7, 13) === 0 ? "https://chatgpt.com/" : null;
  const url =
    dice(number, 8, 501) === 7
      ? null
      : dice(number, 8, 501) === 8
        ? "no URL"
        : `https://${host}.example${targets(number)}`;
  const bytes = dice(number, 9, 9) === 0 ? null : String(number % 1_000);
  return [url, agents[dice(number, 10, agents.length)]!, time, method, status, bytes, referer];
});

/** The requests as a Google Cloud log, whose records have whole URLs. */
const logOf = (rows: readonly Request[]): string =>
  rows
    .map(([requestUrl, userAgent, timestamp, requestMethod, status, responseSize, referer]) => {
      const all = { requestUrl, userAgent, requestMethod, status, responseSize, referer };
      const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
      return JSON.stringify({ httpRequest: given, ...(timestamp === null ? {} : { timestamp }) });
    })
    .map((text) => `${text}\n`)
    .join("");

function columnOf(values: readonly (string | null)[]): Buffer {
  const bitmap = Buffer.alloc(Math.ceil(values.length / 8));
  const offsets = Buffer.alloc((values.length + 1) * 4);
  const texts = values.map((value) => Buffer.from(value ?? ""));
  let end = 0;
  for (const [row, text] of texts.entries()) {
    if (values[row] !== null) bitmap[row >> 3]! |= 1 << (row & 7);
    offsets.writeInt32LE((end += text.length), (row + 1) * 4);
  }
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bitmap.length);
  return Buffer.concat([length, bitmap, offsets, ...texts]);
}

function frameOf(columns: readonly (readonly (string | null)[])[]): Buffer {
  const body = Buffer.concat(columns.map(columnOf));
  const head = Buffer.alloc(12);
  head.writeUInt32LE(8 + body.length, 0);
  head.writeUInt32LE(columns[0]!.length, 4);
  head.writeUInt32LE(columns.length, 8);
  return Buffer.concat([head, body]);
}

const framesOf = (rows: readonly Request[], size: number): Buffer[] =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_frame, frame) => {
    const taken = rows.slice(frame * size, (frame + 1) * size);
    return frameOf(Array.from({ length: 7 }, (_column, column) => taken.map((row) => row[column]!)));
  });
const end = frameOf(Array.from({ length: 7 }, () => []));

type Cell = readonly [origin: string, cell: string, key: string, example: string | null, ...(number | null)[]];

/** The cells in all answers, which are CSV with quoted texts. */
function cellsOf(answers: Buffer): Cell[] {
  const cells: Cell[] = [];
  for (let start = 0; start < answers.length;) {
    const next = start + 4 + answers.readUInt32LE(start);
    const lines = answers
      .toString("utf8", start + 12, next)
      .split("\n")
      .slice(0, -1);
    expect(lines).toHaveLength(answers.readUInt32LE(start + 8));
    for (const line of lines) {
      const fields = [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^",]*))(?:,|$)/gu)].slice(0, 8);
      const values = fields.map(([, text, plain], field) =>
        text !== undefined ? text.replaceAll('""', '"') : plain === "" ? null : field < 4 ? plain! : Number(plain),
      );
      cells.push(values as unknown as Cell);
    }
    start = next;
  }
  return cells;
}

/** Adds up cells as Spark does: equal cells become one, and a cell keeps its three smallest examples. */
function addedUp(cells: readonly Cell[]): Cell[] {
  const groups = new Map<string, Cell>();
  for (const cell of cells) {
    const [origin, name, key, example, requests, bytes, low, high] = cell;
    const group = JSON.stringify([origin, name, key, example]);
    const [, , , , a = null, b = null, c = null, d = null] = groups.get(group) ?? [];
    const one = (x: number | null, y: number | null, act: (x: number, y: number) => number): number | null =>
      x === null ? y : y === null ? x : act(x, y);
    const sum = (x: number, y: number): number => x + y;
    groups.set(group, [
      origin,
      name,
      key,
      example,
      one(a, requests as number | null, sum),
      one(b, bytes as number | null, sum),
      one(c, low as number | null, Math.min),
      one(d, high as number | null, Math.max),
    ]);
  }
  const kept = new Map<string, number>();
  return [...groups]
    .toSorted(([, one], [, other]) => ((one[3] ?? "") < (other[3] ?? "") ? -1 : 1))
    .flatMap(([, cell]) => {
      const of = JSON.stringify(cell.slice(0, 3));
      kept.set(of, (kept.get(of) ?? 0) + 1);
      return kept.get(of)! > 4 ? [] : [cell];
    });
}

const names = ["origin", "cell", "key", "example", "requests", "bytes", "first", "last"];

/** Counts an equal share of the rows for each frame size, in a run of its own; writes the cells as Spark writes JSON. */
async function cellFolder(name: string, rows: readonly Request[], sizes: readonly number[]): Promise<string> {
  const each = Math.ceil(rows.length / sizes.length);
  const answer = (...frames: readonly Buffer[]): Promise<Buffer> =>
    run(["answer", "--stdio", "--cells", "--robots", seen], Buffer.concat(frames));
  const counted = await Promise.all(
    sizes.map(async (size, at) =>
      cellsOf(await answer(...framesOf(rows.slice(at * each, (at + 1) * each), size), end)),
    ),
  );
  const cells = addedUp(counted.flat());
  const origins = cells.flatMap(([origin, cell]) => (cell === "origin" ? [origin] : []));
  const told = cellsOf(await answer(frameOf([[null, ...origins]])));
  const path = join(folder, name);
  mkdirSync(path);
  const lines = [...cells, ...told].map((cell) =>
    JSON.stringify(Object.fromEntries(names.flatMap((member, at) => (cell[at] === null ? [] : [[member, cell[at]]])))),
  );
  const half = lines.length >> 1;
  for (const [at, part] of [lines.slice(0, half), lines.slice(half)].entries())
    writeFileSync(join(path, `part-0000${at}.json`), `${part.join("\n")}\n`);
  writeFileSync(join(path, "_SUCCESS"), "");
  return path;
}

async function auditOf(name: string, rows: readonly Request[]): Promise<string> {
  const log = join(folder, `${name}.ndjson`);
  writeFileSync(log, logOf(rows));
  const path = join(folder, `${name}.json`);
  await run(["audit", log, "--robots-history", seen, "-o", "json", "--output-file", path]);
  return path;
}

const mergedOf = async (...parts: readonly string[]): Promise<AuditDocument> =>
  JSON.parse((await run(["merge", ...parts, "-o", "json"])).toString()) as AuditDocument;

test("it is an error if stdin ends before a frame without rows has requested the counts", async () => {
  const [code, error] = await ended(
    ["answer", "--stdio", "--cells", "--robots", seen],
    framesOf(everything.slice(0, 2), 2)[0]!,
  );
  expect([code > 2, error]).toEqual([true, expect.stringContaining("the counts of 2 rows")]);
});

test("the merged cells of several parts equal the report of audit", { timeout: 60_000 }, async () => {
  const { inputs: read, ...expected } = await mergedOf(await auditOf("whole", everything));
  const cells = await cellFolder("cells", everything, [10_000, 7, 500]);
  const { inputs, ...counts } = await mergedOf(cells);
  expect(JSON.stringify(counts)).toBe(JSON.stringify(expected));
  expect(inputs).toEqual([
    {
      ...inputs[0],
      name: cells,
      lines: everything.length,
      rejects: { "no-url": Object.values(read[0]!.rejects).reduce((sum, count) => sum + count, 0) },
    },
  ]);
  // Check that the requests are varied enough: every table of the report must have rows.
  const shop = expected.origins.find(({ origin }) => origin === "https://shop.example")!;
  expect([shop.folded.directories, shop.folded.parameters]).toEqual([1, 1]);
  expect(new Set(shop.decisions.map(([, , , , state]) => state))).toEqual(
    new Set(["allowed", "violation", "grace", "not-bound:allowed", "not-bound:violation", "not-bound:grace"]),
  );
  const { crossings, graceMinutes, firstFetches, sizes, referrals, pace } = shop;
  const tables = { crossings, graceMinutes, firstFetches, sizes, referrals, pace, agents: expected.otherAgents };
  expect(Object.entries(tables).flatMap(([name, rows]) => (rows.length === 0 ? [name] : []))).toEqual([]);
  expect(expected.origins.map(({ origin }) => origin)).toContain("…");
  // Merge a part that was counted in cells with a part that `audit` counted, in both orders.
  const [half, rest] = [
    await cellFolder("half", everything.slice(0, 2_500), [100]),
    await auditOf("rest", everything.slice(2_500)),
  ];
  for (const parts of [
    [half, rest],
    [rest, half],
  ]) {
    const { inputs: _inputs, ...both } = await mergedOf(...parts);
    expect(JSON.stringify(both)).toBe(JSON.stringify(expected));
  }
});

test("the README of the Spark package shows the cells of its requests", async () => {
  const readme = readFileSync(new URL("../../../integrations/spark/README.md", import.meta.url), "utf8");
  const rows = [...readme.matchAll(/^\|(https:\S+)\s*\|(\[0,.*\])\s*\|(\d+)\s*\|$/gm)].map(([, ...values]) => values);
  const robots = join(folder, "readme.ndjson");
  const body = "User-agent: *\nDisallow: /private\nUser-agent: GPTBot\nDisallow: /\n";
  writeFileSync(robots, `${entryOf("https://1.shop.example", 1, body)}\n`);
  const bingbot = "Mozilla/5.0 (compatible; bingbot/2.0)";
  const requests: Request[] = [
    ["https://1.shop.example/private", bingbot, "2026-11-01T08:00:00Z", null, "200", null, null],
    ["https://1.shop.example/private", bingbot, "2026-11-01T09:30:00Z", null, "200", null, null],
    ["https://1.shop.example/", "GPTBot/1.2", "2026-11-01T10:00:00Z", null, "403", null, null],
  ];
  const frames = Buffer.concat([...framesOf(requests, 3), end]);
  const counted = cellsOf(await run(["answer", "--stdio", "--cells", "--robots", robots], frames));
  const shown = counted.flatMap(([origin, name, key, , count]) =>
    name === "decisions" ? [[origin, key, String(count)]] : [],
  );
  expect(shown.toSorted(([, key], [, other]) => (key! < other! ? -1 : 1))).toEqual(rows);
});

const cell = (members: object): string => `${JSON.stringify(members)}\n`;

test.each([
  ["two equal parts", ["half", "half"], /half and \S+half hold the same \d+ bytes/],
  ["an unfinished job", ["unfinished"], /is not complete: the job that writes it is running or has failed/],
  ["no files", ["empty"], /has no cells/],
  ["files of another kind", ["parquet"], /part-0\.parquet, which is not a file of cells/],
  [
    "cells of an older version",
    ["old"],
    /schemaVersion is 1, not 3: an older version made this audit; make the audit again/,
  ],
  ["no settings", ["headless"], /have no settings: they are incomplete/],
  ["other settings", ["mixed"], /counted with different settings/],
  ["no JSON", ["damaged"], /has a line that is not a cell/],
  ["an unknown table", ["unknown"], /have an unknown table: "x"/],
  [
    "tables that contradict one another",
    ["alone"],
    /origins\[0\]: 0 requests in directories, and 1 in times \(bingbot/,
  ],
  ["a value that no table has", ["wrong"], /times\[0\]\.verification is not what schema version 3 says/],
])("merge refuses %s", async (_, parts, message) => {
  const [[, , settings] = []] = cellsOf(
    await run(["answer", "--stdio", "--cells", "--robots", seen], frameOf([[null]])),
  );
  const head = cell({ cell: "settings", key: settings });
  const files: Record<string, Record<string, string>> = {
    unfinished: { "part-0.json": head, _temporary: "" },
    empty: { _SUCCESS: "" },
    parquet: { "part-0.parquet": "PAR1" },
    headless: { "part-0.json": cell({ cell: "totals", key: "requests", requests: 1 }) },
    old: { "part-0.json": head.replace(String.raw`{\"schemaVersion\":3,`, "{") },
    mixed: { "part-0.json": head + cell({ cell: "counted", key: "[]" }) },
    damaged: { "part-0.json": `${head}{` },
    unknown: { "part-0.json": head + cell({ cell: "x", key: "" }) },
    alone: {
      "part-0.json":
        head +
        cell({
          cell: "times",
          origin: "https://a.example",
          key: '[null,"bingbot","no-check","undecidable:no-file","served"]',
          requests: 1,
          bytes: 0,
        }),
    },
    wrong: {
      "part-0.json":
        head +
        cell({
          cell: "times",
          origin: "https://a.example",
          key: '[null,"bingbot","sure","allowed","served"]',
          requests: 1,
          bytes: 0,
        }),
    },
  };
  const name = parts[0]!;
  if (files[name] !== undefined) mkdirSync(join(folder, name));
  for (const [file, text] of Object.entries(files[name] ?? {})) writeFileSync(join(folder, name, file), text);
  if (files[name] === undefined) await cellFolder(name, everything.slice(0, 50), [50]).catch(() => undefined);
  const stderr = new PassThrough();
  const said = stderr.toArray();
  const argv = ["merge", ...parts.map((part) => join(folder, part)), "-o", "json"];
  expect(await main({ argv, env: {}, stdin: Readable.from([]), stdout: new PassThrough(), stderr })).toBe(2);
  stderr.end();
  expect(Buffer.concat(await said).toString()).toMatch(message);
});
