// Tests generated logs in seven formats, in which each kind of damage has hit about one line in a hundred: all other records are decided.
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startApp } from "./run.ts";
import { makeTestFolder } from "./folder.ts";

/** Number of lines; `npm run fuzz` sets a million. */
const usual = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined ? 100_000 : 8_000;
const count = Number(process.env["ROBOTS_STREAM_FUZZ_LINES"] ?? usual);
const seed = Number(process.env["ROBOTS_STREAM_FUZZ_SEED"] ?? 1);

/** Maximum length of a line; longer lines are rejects. */
const maxLineBytes = 4_096;

type Random = () => number;

/** A small generator of pseudorandom numbers less than 1; the same seed gives the same numbers (mulberry32). */
function createRandom(start: number): Random {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Inserts bytes at a random position of a line. */
const inserting =
  (bytes: string) =>
  (line: string, random: Random): string => {
    const at = Math.floor(random() * (line.length + 1));
    return line.slice(0, at) + bytes + line.slice(at);
  };

/** Kinds of damage: functions of a line, a Latin-1 string, that return the damaged line with its line end, unless the line end is lost. */
const damages: Readonly<Record<string, (line: string, random: Random) => string>> = {
  "a byte changed": (line, random) => {
    const at = Math.floor(random() * line.length);
    const code = Math.floor(random() * 255);
    return `${line.slice(0, at)}${String.fromCharCode(code < 10 ? code : code + 1)}${line.slice(at + 1)}\n`;
  },
  "cut short": (line, random) => `${line.slice(0, Math.floor(random() * line.length))}\n`,
  "a lost line end": (line) => line,
  "a NUL": (line, random) => `${inserting("\0")(line, random)}\n`,
  "a quote": (line, random) => `${inserting('"')(line, random)}\n`,
  "a quoted field that stays open": (line, random) => `${inserting(',"')(line, random)}\n`,
  "a quoted field that was never opened": (line, random) => `${inserting('",')(line, random)}\n`,
  "a backslash": (line, random) => `${inserting("\\")(line, random)}\n`,
  "invalid UTF-8": (line, random) => `${inserting("\xff\xc3\xfe")(line, random)}\n`,
  "a carriage return": (line, random) => `${inserting("\r")(line, random)}\n`,
  "a line end": (line, random) => `${inserting("\n")(line, random)}\n`,
  "a byte order mark": (line) => `\xef\xbb\xbf${line}\n`,
  "too long": (line, random) => `${inserting("x".repeat(maxLineBytes))(line, random)}\n`,
  "bytes of any kind": (_line, random) =>
    `${String.fromCharCode(...Array.from({ length: 80 }, () => Math.floor(random() * 256))).replaceAll("\n", "")}\n`,
};

/** A path with a number that damage does not produce by chance. */
const pathOf = (id: number): string => `/cart/${id}-${(Math.imul(id, 2_654_435_761) >>> 0).toString(36)}`;

const formats: readonly (readonly [name: string, header: string, lineOf: (id: number) => string])[] = [
  ["ndjson", "", (id) => `{"n":${id},"url":"https://shop.example${pathOf(id)}","title":"a \\"b\\" c"}`],
  [
    "csv",
    "id,url,title",
    (id) =>
      `${id},https://shop.example${pathOf(id)},${["plain", '"quoted, with ""quotes"""', '""', '"over\ntwo lines"'][id % 4]}`,
  ],
  ["tsv", "url\ttitle", (id) => `https://shop.example${pathOf(id)}\tplain, with commas`],
  ["lines", "", (id) => `https://shop.example${pathOf(id)}`],
  [
    "combined",
    "",
    (id) =>
      `192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET ${pathOf(id)} HTTP/1.1" 200 1 "-" "Mozilla/5.0 (compatible)"`,
  ],
  ["cloudfront", "#Fields: cs-protocol x-host-header cs-uri-stem", (id) => `https\tshop.example\t${pathOf(id)}`],
  [
    "cloudflare",
    "",
    (id) =>
      `{"RayID":"${id}","ClientRequestHost":"shop.example","ClientRequestURI":"${pathOf(id)}","EdgeResponseStatus":200}`,
  ],
];

test.each(formats)(
  `%s: ${count} lines, about one in a hundred with each of ${Object.keys(damages).length} kinds of damage`,
  { timeout: 180_000 + count },
  async (name, header, lineOf) => {
    const folder = makeTestFolder();
    const path = join(folder, "log");
    const isDamaged = new Uint8Array(count);
    await writeLog(path, header, lineOf, isDamaged);

    const app = startApp([
      "--agent",
      "bingbot",
      "--robots",
      "examples/robots",
      "--base",
      "https://shop.example",
      "--summary",
      "--input",
      name,
      "--max-line-bytes",
      String(maxLineBytes),
      "--rejects",
      join(folder, "rejects"),
      path,
    ]);
    const { seen, rows } = await idsOf(app.stdout!);
    const { code, stderr } = await app.ended;

    expect(code).toBe(0);
    const [records = 0, decided = 0, rejects = 0] = ["records", "decided", "rejects"].map((what) =>
      Number(new RegExp(`^${what} +(\\d+)$`, "m").exec(stderr)?.[1]),
    );
    expect([records, decided]).toEqual([decided + rejects, rows]);
    const wrong: number[] = [];
    for (let id = 0; id < count; id++) if (isDamaged[id] === 0 && seen[id] !== 1) wrong.push(id);
    expect(wrong).toEqual([]);
    expect(rejects).toBeGreaterThan(0);
  },
);

/** Writes the log and marks the records with a damaged line. The first ten records stay undamaged. */
async function writeLog(
  path: string,
  header: string,
  lineOf: (id: number) => string,
  isDamaged: Uint8Array,
): Promise<void> {
  const random = createRandom(seed);
  const kinds = Object.values(damages);
  const file = createWriteStream(path);
  let text = header === "" ? "" : `${header}\n`;
  let isJoined = false;
  for (let id = 0; id < count; id++) {
    const kind = id < 10 ? undefined : kinds[Math.floor(random() * 100)];
    const line = lineOf(id);
    const written = kind === undefined ? `${line}\n` : kind(line, random);
    isDamaged[id] = kind === undefined && !isJoined ? 0 : 1;
    isJoined = !written.endsWith("\n");
    text += written;
    if (text.length > 1_048_576) {
      if (!file.write(Buffer.from(text, "latin1"))) await once(file, "drain");
      text = "";
    }
  }
  file.end(Buffer.from(text, "latin1"));
  await once(file, "close");
}

/** The number of rows for each numbered URL, and the number of all rows. */
async function idsOf(stdout: AsyncIterable<Uint8Array>): Promise<{ seen: Uint8Array; rows: number }> {
  const seen = new Uint8Array(count);
  let rows = 0;
  let rest = "";
  for await (const chunk of stdout) {
    const lines = (rest + Buffer.from(chunk).toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    rows += lines.length;
    for (const line of lines) {
      const [, path, digits] = /(\/cart\/(\d{1,9})-[0-9a-z]+)"/.exec(line) ?? [];
      const id = Number(digits);
      if (path === pathOf(id) && id < count) seen[id] = (seen[id] ?? 0) + 1;
    }
  }
  return { seen, rows };
}
