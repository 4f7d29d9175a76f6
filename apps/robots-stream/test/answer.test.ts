// Tests robots-stream answer: it answers the rows of each frame, in order, with the command's decisions. A damaged frame ends the run.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { bytesHere } from "./here.ts";
import { recordsOf, startApp } from "./run.ts";

const folder = makeFolder();
const robots = "User-agent: *\nDisallow: /private\nDisallow: /a,b\n\nUser-agent: GPTBot\nDisallow: /\n";
writeFileSync(join(folder, "shop.example.txt"), robots);

type Text = string | null;

function columnOf(values: readonly Text[], hasBitmap = values.includes(null)): Buffer {
  const bitmap = Buffer.alloc(hasBitmap ? Math.ceil(values.length / 8) : 0);
  const texts = values.map((value) => Buffer.from(value ?? ""));
  const head = Buffer.alloc(4);
  head.writeUInt32LE(bitmap.length);
  const offsets = Buffer.alloc((values.length + 1) * 4);
  let at = 0;
  for (const [row, text] of texts.entries()) {
    if (values[row] !== null && hasBitmap) bitmap[row >> 3]! |= 1 << (row & 7);
    at += text.length;
    offsets.writeInt32LE(at, (row + 1) * 4);
  }
  return Buffer.concat([head, bitmap, offsets, ...texts]);
}

function frameOf(...columns: readonly (readonly Text[])[]): Buffer {
  const body = Buffer.concat(columns.map((values) => columnOf(values)));
  const head = Buffer.alloc(12);
  head.writeUInt32LE(8 + body.length, 0);
  head.writeUInt32LE(columns[0]!.length, 4);
  head.writeUInt32LE(columns.length, 8);
  return Buffer.concat([head, body]);
}

interface Answered {
  readonly rows: number;
  readonly lines: readonly string[];
}

function answersOf(bytes: Buffer): Answered[] {
  const answers: Answered[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 4 + bytes.readUInt32LE(at);
    const lines = bytes
      .toString("utf8", at + 12, end)
      .split("\n")
      .slice(0, -1);
    expect(lines).toHaveLength(bytes.readUInt32LE(at + 8));
    answers.push({ rows: bytes.readUInt32LE(at + 4), lines });
    at = end;
  }
  return answers;
}

const answer = (argv: readonly string[], ...stdin: readonly Uint8Array[]): ReturnType<typeof bytesHere> =>
  bytesHere(["answer", "--stdio", ...argv], stdin);
const decide = ["--robots", folder, "--agent", "bingbot"];
const none = ",,,,,,,";
const home = "bingbot,true,no-rule,*,,,https://shop.example,";

const hostile: readonly Text[] = [
  "https://shop.example/",
  null,
  "https://shop.example/private",
  "",
  "https://shop.example/pri\nvate",
  "https://shop.example/\u0000",
  "mailto:x@shop.example",
  null,
  `https://shop.example/${"x".repeat(1_048_576)}`,
  'https://shop.example/a,b"c',
  "https://SHOP.example:443/private#x",
  "https://shop.example/é",
  "\ud800",
];

test("a URL may have any bytes: one answer for each row, in order", async () => {
  const { code, stdout, stderr } = await answer(decide, frameOf(hostile));
  expect([code, stderr]).toEqual([0, ""]);
  const [{ rows, lines } = { rows: 0, lines: [] }] = answersOf(stdout);
  expect(rows).toBe(hostile.length);
  expect(lines).toEqual([
    home,
    none,
    "bingbot,false,rule,*,disallow: /private,2,https://shop.example,",
    expect.stringMatching(/^bingbot,,[a-z-]+,,,,,$/),
    expect.stringMatching(/^bingbot,(?:false|true),(?:no-)?rule,\*,/),
    home,
    "bingbot,,unsupported-scheme,,,,,",
    none,
    "bingbot,,url-too-long,,,,,",
    'bingbot,false,rule,*,"disallow: /a,b",3,https://shop.example,',
    "bingbot,false,rule,*,disallow: /private,2,https://shop.example,",
    home,
    expect.stringMatching(/^bingbot,,[a-z-]+,,,,,$/),
  ]);
});

test("the decisions equal those of the command", async () => {
  const urls = hostile.filter((url) => url !== null && !url.startsWith("\ud800"));
  const { stdout } = await answer(decide, frameOf(urls));
  const ndjson = urls.map((url) => JSON.stringify({ url })).join("\n");
  const argv = [...decide, "--ordered", "-o", "ndjson", "--max-line-bytes", "4M"];
  const usual = await bytesHere(argv, [Buffer.from(ndjson)]);
  const expected = recordsOf(usual.stdout.toString()).map(({ robots: answered }) => {
    const { agent, allowed, because, group, rule, line, origin, code } = answered as Record<
      string,
      string | boolean | undefined
    >;
    const cells = [agent, allowed, because, group, rule, line, origin, code].map((cell) => String(cell ?? ""));
    return cells.map((cell) => (cell.includes(",") ? `"${cell}"` : cell)).join(",");
  });
  expect(expected).toHaveLength(urls.length);
  expect(answersOf(stdout)[0]!.lines).toEqual(expected);
});

test.each<[what: string, argv: string[], frames: Text[][][], expected: string[][]]>([
  ["no rows", decide, [[[]]], [[]]],
  [
    "frames without a URL between others",
    decide,
    [[["https://shop.example/"]], [[null, null]], [[]], [["https://shop.example/"]], [[null]]],
    [[home], [none, none], [], [home], [none]],
  ],
  [
    "several agents",
    ["--robots", folder, "--agent", "bingbot,GPTBot"],
    [[["https://shop.example/", null]]],
    [[home, "GPTBot,false,rule,,disallow: /,6,https://shop.example,", none, none]],
  ],
  [
    "agents by row",
    ["--robots", folder, "--user-agents"],
    [
      [
        ["https://shop.example/", "https://shop.example/", "https://shop.example/", null, "https://shop.example/"],
        ["Mozilla/5.0 (compatible; GPTBot/1.2)", "Mozilla/5.0 Firefox/1", null, "GPTBot/1.2", "SomeNewBot/0.1"],
      ],
    ],
    [
      [
        "GPTBot,false,rule,,disallow: /,6,https://shop.example,",
        ",,not-a-crawler,,,,,",
        ",,not-a-crawler,,,,,",
        none,
        "SomeNewBot,true,unknown-crawler,*,,,https://shop.example,",
      ],
    ],
  ],
  [
    "origins",
    ["--origins"],
    [[["https://A.example:443/x?y", null, "", "ftp://b.example", "no URL"]], [[]]],
    [["https://a.example", "", "", "ftp://b.example", ""], []],
  ],
  [
    "an origin without a file",
    decide,
    [[["https://other.example/"]]],
    [["bingbot,false,unreachable,,,,https://other.example,not-saved"]],
  ],
])("%s", async (_what, argv, frames, expected) => {
  const bytes = Buffer.concat(frames.map((columns) => frameOf(...columns)));
  // Send the bytes in one piece, and in pieces of seven bytes.
  for (const size of [bytes.length, 7]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
    const { code, stdout, stderr } = await answer(argv, ...pieces);
    expect([code, stderr]).toEqual([0, ""]);
    expect(answersOf(stdout).map(({ lines }) => lines)).toEqual(expected);
  }
});

test("many frames: each answer has the rows of its frame", async () => {
  const frames = Array.from({ length: 300 }, (_, frame) =>
    Array.from({ length: (frame * 7) % 90 }, (__, row) =>
      row % 11 === 3 ? null : `https://shop.example/${frame}/${row}`,
    ),
  );
  const { code, stdout } = await answer(decide, ...frames.map((urls) => frameOf(urls)));
  expect(code).toBe(0);
  expect(answersOf(stdout).map(({ lines }) => lines)).toEqual(
    frames.map((urls) => urls.map((url) => (url === null ? none : home))),
  );
});

describe("a reader that takes few bytes at a time", () => {
  const nulls = frameOf(Array.from<null>({ length: 200_000 }).fill(null));
  const urls = frameOf(Array.from({ length: 20_000 }, (_, row) => `https://shop.example/${row}`));
  const noUrls = frameOf(Array.from({ length: 20_000 }, () => `mailto:${"x".repeat(40)}@shop.example`));
  const mostUnanswered = 20;
  test.each([
    ["nulls", [nulls]],
    ["URLs", [urls]],
    ["texts that are no URL", [noUrls]],
    ["all of them", [nulls, urls, noUrls]],
  ])("frames of %s: all answers are written, and few frames are read ahead", async (_what, frames) => {
    let [read, written, mostAhead] = [0, 0, 0];
    /** The offset of the end of each answer in the output. */
    const ends: number[] = [];
    const stdin = Readable.from(
      (function* () {
        for (; read < 3 * mostUnanswered; read++) {
          mostAhead = Math.max(mostAhead, read - ends.filter((end) => end <= written).length);
          yield frames[read % frames.length]!;
        }
      })(),
      { highWaterMark: 1 },
    );
    let bytes: Buffer = Buffer.alloc(0);
    const stdout = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _encoding, callback) {
        bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
        while (bytes.length >= 4 && bytes.length >= 4 + bytes.readUInt32LE(0)) {
          const length = 4 + bytes.readUInt32LE(0);
          ends.push((ends.at(-1) ?? 0) + length);
          bytes = bytes.subarray(length);
        }
        // Each write takes several turns of the event loop.
        const take = (turns: number): void => {
          if (turns > 0) {
            setImmediate(() => take(turns - 1));
            return;
          }
          written += chunk.length;
          callback();
        };
        take(50);
      },
    });
    const { code } = await bytesHere(["answer", "--stdio", ...decide], stdin, {}, { stdout });
    expect([code, read, written, bytes.length]).toEqual([0, ends.length, ends.at(-1), 0]);
    expect(read).toBe(3 * mostUnanswered);
    expect(mostAhead).toBeLessThan(mostUnanswered);
  });
});

describe("mistakes and damage", () => {
  const good = frameOf(["https://shop.example/"]);
  const changed = (at: number, value: number): Buffer => {
    const copy = Buffer.from(good);
    copy.writeInt32LE(value, at);
    return copy;
  };
  test.each<[what: string, stdin: Buffer, stderr: string]>([
    ["cut short", Buffer.concat([good, good.subarray(0, 20)]), "frame 2 is cut short"],
    ["no head", Buffer.from([4, 0, 0, 0, 1, 0, 0, 0]), "frame 1 has no head"],
    ["too long", Buffer.from([255, 255, 255, 255]), "has 4294967295 bytes"],
    ["more rows than offsets", changed(4, 1_000_000), "ends before its last column"],
    ["another number of columns", frameOf(["https://shop.example/"], ["x"]), "has 2 columns instead of 1"],
    ["offsets that go backwards", changed(20, -1), "has offsets that go back"],
    ["values outside the frame", changed(20, 1_000), "has values outside the frame"],
    ["bytes after the last column", changed(20, 3), "bytes after its last column"],
    ["a short bitmap", Buffer.concat([changed(4, 100)]), "ends before"],
  ])("%s: a message and exit code 3", async (_what, stdin, stderr) => {
    const ran = await answer(decide, stdin);
    expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining(stderr)]);
  });

  test.each<[argv: string[], stderr: string]>([
    [["answer"], "--stdio"],
    [["answer", "--stdio"], "--robots is missing: answer fetches nothing"],
    [["answer", "--stdio", "--agent", "x", "--robots", join(folder, "none")], join(folder, "none")],
    [["answer", "--stdio", "--robots", folder], "--agent is missing"],
    [["answer", "--stdio", "--robots", folder, "--user-agents", "--agent", "x"], "cannot be combined"],
    [["answer", "--stdio", "--origins", "--agent", "x"], "cannot be combined"],
    [["answer", "--stdio", "--origins", "--max-bytes", "9"], "--origins and --max-bytes cannot be combined"],
    [["answer", "--stdio", "--robots", folder, "--agent", "x", "--dialect", "google,rfc9309"], "one --dialect"],
    [["answer", "--stdio", "--origins", "x"], "no files"],
  ])("%j is wrong usage", async (argv, stderr) => {
    const ran = await bytesHere(argv, []);
    expect([ran.code, ran.stdout.length, ran.stderr]).toEqual([2, 0, expect.stringContaining(stderr)]);
  });
});

test("a process answers each frame without waiting for the next, and exits when stdin ends", async () => {
  const child = startApp(["answer", "--stdio", ...decide]);
  const chunks = child.stdout![Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (let time = 0; time < 3; time++) {
    child.stdin!.write(frameOf(["https://shop.example/"]));
    const { value } = await chunks.next();
    expect(answersOf(value as Buffer)).toEqual([{ rows: 1, lines: [home] }]);
  }
  child.stdin!.end();
  expect((await child.ended).code).toBe(0);
});
