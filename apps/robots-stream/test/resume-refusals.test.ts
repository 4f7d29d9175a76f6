// States from which a run must not resume: the run reports them with exit code 2 and leaves all files unchanged. Also states after
// errors, from which a run may resume.
import fs, { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { whileLocked } from "../src/commands/decide/checkpoint/lock.ts";
import { beginPieces, endPieces, runPieces, totalsOf } from "./pieces.ts";
import { root } from "./run.ts";

const folder = mkdtempSync(join(tmpdir(), "robots-stream-refused-"));
const at = (name: string): string => join(folder, name);
beforeAll(beginPieces);
afterAll(() => {
  endPieces();
  rmSync(folder, { recursive: true, force: true });
});

const saved = ["--robots", join(root, "examples/robots")];
const bingbot = ["--agent", "bingbot", ...saved];
const ndjson = Array.from(
  { length: 900 },
  (_, i) => `${i % 100 === 37 ? "oops\n" : ""}{"url":"https://shop.example/cart/${i}","n":"ü"}\n`,
).join("");

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

describe("states that are refused", () => {
  const source = at("urls.ndjson");
  const [output, rejects, checkpoint] = ["output", "rejects", "checkpoint"].map(at) as [string, string, string];
  const keeping = ["--output-file", output, "--rejects", rejects, "--checkpoint", checkpoint, "--resume"];
  const usual = [...bingbot, ...keeping, source];
  let stopped: readonly [output: string, rejects: string, checkpoint: string];
  const files = (): typeof stopped => [output, rejects, checkpoint].map((path) => readFileSync(path, "utf8")) as never;

  /** Creates the files of a run that was stopped midway. */
  async function stopInTheMiddle(): Promise<void> {
    for (const path of [source, output, rejects, checkpoint]) rmSync(path, { force: true, recursive: true });
    writeFileSync(source, ndjson);
    utimesSync(source, 1_700_000_000, 1_700_000_000);
    expect((await runPieces(usual, "", () => sizeOf(output) > 0)).code).toBe(130);
    stopped = files();
    expect(stopped[0].length).toBeGreaterThan(0);
  }

  const cases: readonly (readonly [
    what: string,
    change: (() => void) | undefined,
    args: readonly string[],
    stderr: RegExp,
  ])[] = [
    [
      "another agent",
      undefined,
      ["--agent", "bingbot", "--agent", "GPTBot", ...saved, ...keeping, source],
      /was written by a run with --agent bingbot, and this run has --agent bingbot --agent GPTBot\n/,
    ],
    [
      "another output format",
      undefined,
      [...usual, "--output", "csv"],
      /was written by a run with no --output, and this run has --output csv\n/,
    ],
    [
      "another source",
      undefined,
      [...bingbot, ...keeping, source, source],
      /was written by a run with input .*urls.ndjson, and this run has input .*urls.ndjson .*urls.ndjson\n/,
    ],
    [
      "another version",
      () => writeCheckpointOf(stopped[2].replace('"version":"', '"version":"9.')),
      usual,
      /was written by a run with version 9\.[\d.]+ of robots-stream, and this run has version \d/,
    ],
    ...(
      [
        ["counters under other names", ['"notDecided"', '"dropped"'], ['"noCrawler"', '"strangers"']],
        ["an additional counter", ['"records":', '"others":0,"records":']],
        ["a missing counter", [/"noCrawler":\d+,?|,"noCrawler":\d+/, ""]],
        ["a counter that is not a number", [/"decided":(\d+)/, '"decided":"$1"']],
        ["no counts", ['"counts"', '"tallies"']],
        ["no description of its run", ['{"run"', '{"made"']],
      ] as readonly (readonly [string, ...(readonly [string | RegExp, string])[]])[]
    ).map(
      ([what, ...changes]) =>
        [
          `a checkpoint with ${what}`,
          () => writeCheckpointOf(changes.reduce((text, [from, to]) => text.replace(from, to), stopped[2])),
          usual,
          /is a checkpoint in the format of another version of robots-stream\n/,
        ] as const,
    ),
    [
      "a source that grew",
      () => fs.appendFileSync(source, ndjson),
      usual,
      /urls\.ndjson: has \d+ bytes by now, and had \d+, so the checkpoint does not match it\n/,
    ],
    [
      "a source with another modification time",
      () => utimesSync(source, 1, 1),
      usual,
      /urls\.ndjson: was written to meanwhile/,
    ],
    [
      "a source with a different beginning",
      () => {
        writeFileSync(source, ndjson.replace("shop", "stop"));
        utimesSync(source, 1_700_000_000, 1_700_000_000);
      },
      usual,
      /urls\.ndjson: has different content now/,
    ],
    [
      "a source that is now a folder",
      () => (rmSync(source), mkdirSync(source)),
      usual,
      /urls\.ndjson: is a folder without a file to read/,
    ],
    ["a missing source", () => rmSync(source), usual, /urls\.ndjson: no such file or directory/],
    [
      "a shorter output",
      () => fs.truncateSync(output, 100),
      usual,
      /--output-file .*output: has 100 bytes, and had \d+, so the checkpoint does not match it\n/,
    ],
    [
      "a different output",
      () => writeFileSync(output, stopped[0].toUpperCase()),
      usual,
      /--output-file .*output: has different content now/,
    ],
    ["a missing output", () => rmSync(output), usual, /--output-file .*output: has 0 bytes, and had \d+/],
    ["missing rejects", () => rmSync(rejects), usual, /--rejects .*rejects: has 0 bytes, and had \d+/],
    [
      "an output without a checkpoint",
      () => rmSync(checkpoint),
      usual,
      /--output-file .*output: has \d+ bytes that no checkpoint accounts for/,
    ],
    ["a truncated checkpoint", () => fs.truncateSync(checkpoint, 300), usual, /is a truncated or changed checkpoint\n/],
    [
      "a modified checkpoint",
      () => writeFileSync(checkpoint, stopped[2].replace('"records":', '"records":1')),
      usual,
      /is a truncated or changed checkpoint\n/,
    ],
    [
      "another file instead of a checkpoint",
      () => writeFileSync(checkpoint, "my letters\n"),
      usual,
      /is not a checkpoint, and would be overwritten\n/,
    ],
    [
      "another file instead of a checkpoint, without --resume",
      () => writeFileSync(checkpoint, "my letters\n"),
      usual.filter((each) => each !== "--resume"),
      /is not a checkpoint, and would be overwritten\n/,
    ],
    [
      "a folder instead of a checkpoint",
      () => (rmSync(checkpoint), mkdirSync(checkpoint)),
      usual,
      /is not a regular file\n/,
    ],
    [
      "a checkpoint in a missing folder",
      undefined,
      [...bingbot, "--output-file", output, "--checkpoint", at("none/checkpoint"), source],
      /no such file or directory \(ENOENT\)\n/,
    ],
    [
      "rejects that are not a file",
      undefined,
      [...bingbot, "--output-file", at("x"), "--checkpoint", at("y"), "--rejects", "/dev/null", source],
      /--rejects \/dev\/null: is not a regular file\n/,
    ],
    [
      "an output that is not a file",
      undefined,
      [...bingbot, "--output-file", "/dev/null", source],
      /--output-file \/dev\/null: is not a regular file\n/,
    ],
    [
      "an output that is the source",
      undefined,
      [...bingbot, "--output-file", source, source],
      /--output-file .*urls\.ndjson: is the same file as .*urls\.ndjson, which is an input, and would be overwritten\n/,
    ],
    [
      "rejects that are the output",
      undefined,
      [...bingbot, "--output-file", output, "--rejects", output, source],
      /--rejects .*output: is the same file as --output-file .*output, and each would overwrite the other\n/,
    ],
    [
      "a checkpoint that is the output",
      undefined,
      [...bingbot, "--output-file", at("same"), "--checkpoint", at("same"), source],
      /--checkpoint .*same: is the same file as --output-file .*same, and each would overwrite the other\n/,
    ],
    [
      "rejects that are the checkpoint",
      undefined,
      [...bingbot, "--output-file", at("z"), "--checkpoint", at("same-too"), "--rejects", at("same-too"), source],
      /--checkpoint .*same-too: is the same file as --rejects .*same-too, and each would overwrite the other\n/,
    ],
    [
      "--checkpoint without --output-file",
      undefined,
      [...bingbot, "--checkpoint", checkpoint, source],
      /--checkpoint needs --output-file FILE/,
    ],
    ["--resume without --checkpoint", undefined, [...bingbot, "--resume", source], /--resume needs --checkpoint FILE/],
  ];

  /** Writes a checkpoint with this text and a correct checksum. */
  function writeCheckpointOf(text: string): void {
    const crc = crc32(text.slice(text.indexOf('"checkpoint":{') + '"checkpoint":'.length, text.lastIndexOf("}")))
      .toString(16)
      .padStart(8, "0");
    writeFileSync(checkpoint, text.replace(/"crc32":"\w+"/, `"crc32":"${crc}"`));
  }

  test.skipIf(process.platform === "darwin")("a checkpoint that another run is writing", async () => {
    await stopInTheMiddle();
    const before = contentsOf();
    const { code, stderr } = await whileLocked(checkpoint, () => runPieces(usual));
    expect([code, stderr]).toEqual([2, `robots-stream: --checkpoint ${checkpoint}: another run is writing it\n`]);
    expect(contentsOf()).toEqual(before);
    expect((await runPieces(usual)).code).toBe(0);
  });

  test("a stream with other content", async () => {
    const piped = [...bingbot, "--output-file", at("o"), "--checkpoint", at("c"), "--resume"];
    expect((await runPieces(piped, ndjson, () => sizeOf(at("o")) > 10_000)).code).toBe(130);
    const before = readFileSync(at("c"), "utf8");
    for (const [other, how] of [
      [ndjson.replace("shop", "stop"), /has different content now/],
      [ndjson.replaceAll("ü", "ö"), /has different content now/],
      [ndjson.slice(0, 5_000), /ends after \d+ bytes of text/],
    ] as const) {
      const { code, stderr } = await runPieces(piped, other);
      expect([code, stderr]).toEqual([2, expect.stringMatching(how) as string]);
      expect(readFileSync(at("c"), "utf8")).toBe(before);
    }
    expect((await runPieces(piped, ndjson)).code).toBe(0);
    expect((await runPieces([...bingbot, "--output-file", at("o2")], ndjson)).code).toBe(0);
    expect(readFileSync(at("o"), "utf8")).toBe(readFileSync(at("o2"), "utf8"));
  });

  test.each(cases)("%s", async (_what, change, args, stderr) => {
    await stopInTheMiddle();
    change?.();
    const before = contentsOf();
    const ended = await runPieces(args);
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringMatching(stderr) as string]);
    expect(contentsOf()).toEqual(before);
  });

  /** The content of the files; empty for a missing file and for a folder. */
  function contentsOf(): string[] {
    return [source, output, rejects, checkpoint].map((path) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat?.isFile() === true ? readFileSync(path, "utf8") : "";
    });
  }
});

test.each<[what: string, file: string, before: string, after: string, args: readonly string[], stderr: RegExp]>([
  [
    "--log-format @FILE",
    "server.conf",
    `log_format main '$host $upstream_addr "$request" $status';\n`,
    `log_format main '$upstream_addr $host "$request" $status';\n`,
    ["--agent", "bingbot", "--log-format", `@${at("server.conf")}:main`],
    / a run with the input format log-format \$host .*, and this run has the input format log-format \$upstream_addr /,
  ],
  [
    "--agents FILE",
    "agents.txt",
    "bingbot\n",
    "GPTBot\n",
    ["--agents", at("agents.txt"), "--input", "lines"],
    /was written by a run with agents bingbot, and this run has agents GPTBot\n/,
  ],
  [
    "--crawlers FILE",
    "crawlers.ndjson",
    `{"productToken":"ourbot"}\n`,
    `{"productToken":"theirbot"}\n`,
    ["--agent", "bingbot", "--crawlers", at("crawlers.ndjson"), "--input", "lines"],
    /was written by a run with agents bingbot .*ourbot.*, and this run has agents bingbot .*theirbot/,
  ],
])("a changed file is refused: %s", async (what, file, before, after, flags, stderr) => {
  const isLog = what.startsWith("--log-format");
  const source = at("changed.txt");
  const lines = Array.from({ length: 3_000 }, (_, i) =>
    isLog ? `shop.example wiki.example "GET /w/${i} HTTP/1.1" 200\n` : `https://shop.example/w/${i}\n`,
  );
  writeFileSync(source, lines.join(""));
  for (const name of ["changed.ndjson", "changed.json"]) rmSync(at(name), { force: true });
  const output = at("changed.ndjson");
  const args = [...flags, ...saved, "--output-file", output, "--checkpoint", at("changed.json"), "--resume", source];
  writeFileSync(at(file), before);
  expect((await runPieces(args, "", () => sizeOf(output) > 0)).code).toBe(130);
  const kept = [output, at("changed.json")].map((path) => readFileSync(path, "utf8"));
  writeFileSync(at(file), after);
  const refused = await runPieces(args);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(stderr) as string]);
  expect([output, at("changed.json")].map((path) => readFileSync(path, "utf8"))).toEqual(kept);
  // A change that does not change what is read is accepted.
  writeFileSync(at(file), isLog ? `# again\n${before}` : `${before}\n`);
  expect((await runPieces(args)).code).toBe(0);
  expect(readFileSync(output, "utf8").split("\n")).toHaveLength(3_001);
});

test("a finished run is not repeated", async () => {
  const source = at("finished.ndjson");
  writeFileSync(source, ndjson);
  const args = ["--output-file", at("finished"), "--checkpoint", at("finished.json"), "--resume", "--summary"];
  const first = await runPieces([...bingbot, ...args, source]);
  rmSync(at("finished"));
  const again = await runPieces([...bingbot, ...args, "--fail-on", "disallowed", source]);
  expect([first.code, again.code]).toEqual([0, 1]);
  const said = `robots-stream: ${at("finished.json")}: the run is finished, 909 records; nothing is left to do\n`;
  expect(totalsOf(again.stderr)).toBe(said + totalsOf(first.stderr.slice(first.stderr.indexOf("records "))));
  expect(fs.existsSync(at("finished"))).toBe(false);
});

test("a finished run whose source grew is refused; the source of a finished run may be removed", async () => {
  const source = at("later.ndjson");
  const whole = Buffer.byteLength(ndjson);
  const args = [...bingbot, "--output-file", at("later"), "--checkpoint", at("later.json"), "--resume", source];
  writeFileSync(source, ndjson);
  expect((await runPieces(args)).code).toBe(0);
  fs.appendFileSync(source, ndjson);
  const refused = await runPieces(args);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining(`later.ndjson: has ${whole * 2} bytes by now, and had ${whole} when the run was finished`),
  ]);
  rmSync(source);
  expect((await runPieces(args)).stderr).toContain("nothing is left to do");
});

test("no disk space for a checkpoint: exit 3; with space, the run resumes", async () => {
  const source = at("full.ndjson");
  writeFileSync(source, ndjson);
  const args = [...bingbot, "--output-file", at("full"), "--rejects", at("full.rejects"), source];
  expect((await runPieces(args)).code).toBe(0);
  const whole = readFileSync(at("full"), "utf8");
  rmSync(at("full"));
  const { rename } = promises;
  for (const most of [0, 1, 1]) {
    let left = most;
    promises.rename = (from, to) =>
      left-- > 0
        ? rename(from, to)
        : Promise.reject(Object.assign(new Error("ENOSPC: no space left on device, rename"), { code: "ENOSPC" }));
    syncBuiltinESMExports();
    const { code, stderr } = await runPieces([...args, "--checkpoint", at("full.json"), "--resume"]);
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining("full.json: no space left on device (ENOSPC)") as string,
    ]);
  }
  promises.rename = rename;
  syncBuiltinESMExports();
  expect((await runPieces([...args, "--checkpoint", at("full.json"), "--resume"])).code).toBe(0);
  expect(readFileSync(at("full"), "utf8")).toBe(whole);
});
