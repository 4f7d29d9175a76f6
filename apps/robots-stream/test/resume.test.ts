// Tests runs with a checkpoint that end early and are resumed: in many ways to read, decide and write, killed at changes of files, with a full
// disk. The output must equal that of an uninterrupted run, byte for byte. Also the states from which a run must not resume.
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs, {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import promises from "node:fs/promises";
import { type Server, createServer } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { crc32, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { whileLocked } from "../src/commands/decide/checkpoint/lock.ts";
import { makeFolder } from "./folder.ts";
import { afterPieces, beginPieces, endPieces, runPieces, totalsOf } from "./pieces.ts";
import { type Ended, appArguments, root, startApp } from "./run.ts";
import { portOf } from "./servers.ts";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;
const folder = makeFolder();
const at = (name: string): string => join(folder, name);

let server: Server;
let port = 0;
beforeAll(async () => {
  await beginPieces();
  server = createServer(({ headers }, response) => {
    const host = headers.host ?? "";
    // The origins respond after different times, so that the order of the responses differs from the order of the input.
    setTimeout(() => response.end(`User-agent: *\nDisallow: /${host.slice(0, 2)}\n`), (host.charCodeAt(1) * 7) % 10);
  });
  port = await portOf(server);
});
afterAll(async () => {
  endPieces();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const saved = ["--robots", join(root, "examples/robots")];
const bingbot = ["--agent", "bingbot", ...saved];
const hosts = ["shop", "news", "wiki", "down", "nobody"];
const urlsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `https://${hosts[i % 5]}.example/cart/${i}`);
const urls = urlsOf(900);
const linesOf = (lineOf: (url: string, i: number) => string, lineEnd = "\n"): string =>
  urls.map((url, i) => (i % 100 === 37 ? `oops${lineEnd}` : "") + lineOf(url, i) + lineEnd).join("");
const ndjson = linesOf((url, i) => `{"url":"${url}","n${i % 90 === 50 ? i : ""}":"ü"}`);
const crawlers = ["Mozilla/5.0 (compatible; bingbot/2.0)", "GPTBot/1.2", "curl/8.0", "Googlebot/2.1"];

/** The messages about records. Messages about origins are left out, because a resumed run counts an origin again. */
function toldOf(stderr: string): string {
  return stderr
    .split("\n")
    .filter(
      (line) =>
        !/^(?:origins|fetches|  unavailable|  unreachable) |rejects written to|: continuing after \d+ records$/.test(
          line,
        ),
    )
    .join("\n");
}

const network = Array.from({ length: 3_000 }, (_, i) => `http://a${Math.floor(i / 30)}.localhost:PORT/a${i % 7}`);

/** Options for gzip without compression, so that the file is about as large as its content. */
const stored = { level: 0 };

/** The sources by name, the arguments, and the content of stdin. */
const modes: readonly (readonly [
  what: string,
  sources: Record<string, string | Buffer>,
  args: readonly string[],
  stdin?: string,
])[] = [
  ["NDJSON", { "a.ndjson": ndjson }, bingbot],
  [
    "several sources, of several kinds",
    { "a.ndjson": ndjson, "b.csv": `url,n\n${linesOf((url, i) => `${url},"x\n${i}"`)}`, "c.txt": urls.join("\r\n") },
    bingbot,
  ],
  ["NDJSON to CSV, with members that are left out", { "a.ndjson": ndjson }, [...bingbot, "--output", "csv"]],
  [
    "CSV to CSV, over several lines",
    { "a.csv": linesOf((url, i) => (i === 0 ? "url;text" : `${url};"a ""b""\n${i}"`)) },
    [...bingbot, "--output", "csv"],
  ],
  [
    "gzip of several members",
    // Larger than the amount that is read ahead of the decoder.
    { "a.ndjson.gz": Buffer.concat(Array.from({ length: 6 }, () => gzipSync(ndjson, stored))) },
    bingbot,
  ],
  ["UTF-16", { "a.csv": Buffer.from(`\ufeffurl,n\r\n${linesOf((url) => `${url},ü`, "\r\n")}`, "utf16le") }, bingbot],
  ["stdin", {}, [...bingbot, "--input", "ndjson", "-"], ndjson],
  [
    "a file and stdin",
    { "a.ndjson": ndjson },
    [...bingbot, "-"],
    linesOf((url, i) => `{"at":{"url":"${url}"},"url":"${url}?${i}"}`),
  ],
  [
    "several agents and dialects",
    { "a.txt": urls.join("\n") },
    [...bingbot, "--agent", "GPTBot", "--dialect", "google,rfc9309"],
  ],
  [
    "one row for each record, for several agents",
    { "a.ndjson": ndjson },
    [...bingbot, "--agent", "GPTBot,Googlebot,ClaudeBot", "--rows", "record"],
  ],
  [
    "only differences",
    { "a.ndjson": ndjson },
    ["--agent", "bingbot", "--robots", "TYPO", "--dialect", "google,rfc9309", "--only-differences"],
  ],
  ["a shard", { "a.ndjson": ndjson }, [...bingbot, "--shard", "1/2"]],
  [
    "a log, for the crawlers of its requests",
    {
      "a.log": linesOf(
        (_url, i) =>
          `192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /cart/${i} HTTP/1.1" 200 1 "-" "${crawlers[i % 4]}"`,
      ),
    },
    [...saved, "--base", "https://shop.example", "--agent-field", "user_agent"],
  ],
  [
    "a log with a pattern of the user",
    { "a.log": linesOf((url, i) => `${new URL(url).host} "GET /cart/${i} HTTP/1.1" 200`) },
    [...bingbot, "--log-format", '$host "$request" $status'],
  ],
  [
    "a log whose fields change",
    {
      "a.log": linesOf((_url, i) =>
        i % 200 === 0
          ? `#Fields: x-host-header cs-uri-stem${i % 400 === 0 ? " sc-status" : ""}`
          : `shop.example\t/cart/${i}/${"x".repeat(40)}${i % 400 < 200 ? "\t200" : ""}`,
      ),
    },
    bingbot,
  ],
  [
    "the network",
    // The reader is ahead of the decisions, so that rejects of later records are written already.
    { "a.ndjson": network.map((url, i) => `${i % 50 === 9 ? "oops\n" : ""}{"url":"${url}"}\n`).join("") },
    ["--agent", "bingbot", "--allow-private", "--concurrency", "64"],
  ],
];

/** Pseudorandom numbers, the same in every run of the tests. */
function createChance(): (most: number) => number {
  let state = 1;
  return (most) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % most;
  };
}

test.each(modes.map(([what, sources, args, stdin = ""]) => [what, sources, args, stdin] as const))(
  "the resumed run equals an uninterrupted run: %s",
  async (what, sources, given, stdin) => {
    const own = join(folder, what.replaceAll(" ", "-"));
    mkdirSync(own);
    const paths = Object.entries(sources).map(([name, content]) => {
      const path = join(own, name);
      writeFileSync(path, typeof content === "string" ? content.replaceAll("PORT", String(port)) : content);
      return path;
    });
    // The rfc9309 dialect does not accept such misspellings.
    const typo = join(own, "typo.txt");
    writeFileSync(typo, "User-agent: *\nDisalow: /cart/1\n");
    const args = [...given.map((each) => (each === "TYPO" ? typo : each)), "--summary"];
    const filesOf = (name: string): [string, string] => [join(own, `${name}-output`), join(own, `${name}-rejects`)];
    const writing = ([output, rejects]: readonly string[]): string[] => [
      "--output-file",
      output!,
      "--rejects",
      rejects!,
    ];
    const whole = filesOf("whole");
    const unbroken = await runPieces([...paths, ...args, ...writing(whole), "--ordered"], stdin);
    expect(unbroken.code).toBe(0);
    expect(statSync(whole[0]).size).toBeGreaterThan(0);

    const parts = filesOf("parts");
    const checkpoint = join(own, "checkpoint");
    const chance = createChance();
    const older: string[] = [];
    const offsets = new Set<string>();
    let stops = 0;
    // A source that can only be read from its beginning needs more pieces after each resumption. With few pieces, a run of the log of
    // crawlers would mostly end at the checkpoint at which it began.
    const growth = what.startsWith("gzip") ? 16 : /UTF-16|stdin|crawlers|network/.test(what) ? 4 : 1;
    let last: Awaited<ReturnType<typeof runPieces>>;
    for (;;) {
      const keeping = [...paths, ...args, ...writing(parts), "--checkpoint", checkpoint, "--resume"];
      last = await runPieces(keeping, stdin, afterPieces(2 + chance(5) + Math.floor(stops * growth)));
      if (last.code !== 130) break;
      stops++;
      if (!existsSync(checkpoint)) continue;
      older.push(readFileSync(checkpoint, "utf8"));
      offsets.add(/"offset":\d+/.exec(older.at(-1)!)?.[0] ?? "none");
      // Restoring an older checkpoint is like a kill: the files are longer than the checkpoint says.
      if (chance(3) === 0) {
        older.length = 1 + chance(older.length);
        writeFileSync(checkpoint, older.at(-1)!);
      }
    }
    expect([last.code, toldOf(totalsOf(last.stderr))]).toEqual([0, toldOf(totalsOf(unbroken.stderr))]);
    expect(stops).toBeGreaterThan(2);
    expect(offsets.size).toBeGreaterThan(1);
    for (const [index, path] of parts.entries())
      expect(readFileSync(path, "utf8")).toBe(readFileSync(whole[index]!, "utf8"));
  },
);

/** Code for the process: it reads sources slowly in small pieces, and kills itself at file change number DIE_AT. */
const hook = `
  import fs from "node:fs";
  import promises from "node:fs/promises";
  import { syncBuiltinESMExports } from "node:module";
  const { readSync, writeSync } = fs;
  const clock = new Int32Array(new SharedArrayBuffer(4));
  fs.readSync = (...args) => {
    // A read of this size reads a source. After such a slow read the reader yields to the event loop.
    if (args[3] === 65_536) {
      Atomics.wait(clock, 0, 0, 5);
      args[3] = 6_000;
    }
    return readSync(...args);
  };
  let left = Number(process.env.DIE_AT ?? 0);
  const step = () => {
    if (--left === 0) process.kill(process.pid, "SIGKILL");
  };
  fs.writeSync = (fd, buffer, from, length, position) => {
    // The process dies after writing half of the data.
    if (left === 1) writeSync(fd, buffer, from, length >> 1, position);
    step();
    return writeSync(fd, buffer, from, length, position);
  };
  const stepBefore = (object, name) => {
    const own = object[name];
    object[name] = function (...args) {
      step();
      return own.apply(this, args);
    };
  };
  for (const name of ["fdatasync", "ftruncateSync"]) stepBefore(fs, name);
  for (const name of ["open", "rename"]) stepBefore(promises, name);
  const handle = await promises.open(process.execPath);
  for (const name of ["writeFile", "sync", "close"]) stepBefore(Object.getPrototypeOf(handle), name);
  await handle.close();
  left = Number(process.env.DIE_AT ?? 0);
  syncBuiltinESMExports();`;
const hooked = ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, ...appArguments];

describe("processes that end early", () => {
  const source = at("killed.ndjson");
  const text = urlsOf(6_000).map((url, i) => `{"n":${i},"url":"${url}"}\n${i % 500 === 7 ? "oops\n" : ""}`);
  const whole = [at("killed-whole"), at("killed-whole-rejects")];
  const contentsOf = (paths: readonly string[]): string[] => paths.map((path) => readFileSync(path, "utf8"));
  const argumentsOf = ([output, rejects]: readonly string[]): string[] => [
    ...bingbot,
    "--output-file",
    output!,
    "--rejects",
    rejects!,
    "--summary",
    source,
  ];
  beforeAll(async () => {
    writeFileSync(source, text.join(""));
    await startApp(argumentsOf(whole)).ended;
  });

  test("killed at every seventh change of a file, or at each in thorough runs", { timeout: 300_000 }, async () => {
    const files = [at("killed"), at("killed-rejects")];
    mkdirSync(at("keeping"));
    const args = [...argumentsOf(files), "--checkpoint", at("keeping/checkpoint"), "--resume"];
    let died = 0;
    let last: Ended;
    do {
      last = await startApp(args, { DIE_AT: String(1 + died * (isThorough ? 1 : 7)) }, hooked).ended;
    } while (last.code === null && ++died < 10_000);
    expect([last.code, last.stderr]).toEqual([0, expect.stringContaining("records       6012\n") as string]);
    expect(died).toBeGreaterThan(5);
    expect(contentsOf(files)).toEqual(contentsOf(whole));
    // No temporary file of a half-written checkpoint is left.
    expect(readdirSync(at("keeping"))).toEqual(["checkpoint"]);
  });

  const isUnix = process.platform !== "win32" && existsSync("/bin/sh");
  test.skipIf(!isUnix)("a limit on file sizes that is raised for each resumption", { timeout: 300_000 }, async () => {
    const files = [at("limited"), at("limited-rejects")];
    const args = [...argumentsOf(files), "--checkpoint", at("limited.json"), "--resume"];
    for (const kilobytes of [100, 300, 500, 10_000]) {
      const limited = ["-c", `ulimit -f ${kilobytes * 2}; exec "$0" "$@"`, process.execPath, ...appArguments];
      const child = spawn("/bin/sh", [...limited, ...args], { stdio: "ignore" });
      const [code] = (await once(child, "close")) as [number | null];
      expect([kilobytes, code]).toEqual([kilobytes, kilobytes < 10_000 ? 3 : 0]);
    }
    expect(contentsOf(files)).toEqual(contentsOf(whole));
  });
});

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

  /** The states: the message, a change of the files, and the arguments if they are not the usual ones. */
  const cases: readonly (readonly [
    what: string,
    stderr: RegExp,
    change?: (() => void) | undefined,
    args?: readonly string[],
  ])[] = [
    [
      "another agent",
      /was written by a run with --agent bingbot, and this run has --agent bingbot --agent GPTBot\n/,
      undefined,
      ["--agent", "bingbot", "--agent", "GPTBot", ...saved, ...keeping, source],
    ],
    [
      "another output format",
      /was written by a run with no --output, and this run has --output csv\n/,
      undefined,
      [...usual, "--output", "csv"],
    ],
    [
      "another dialect",
      /was written by a run with no --dialect, and this run has --dialect rfc9309\n/,
      undefined,
      [...usual, "--dialect", "rfc9309"],
    ],
    [
      "another source",
      /was written by a run with input .*urls.ndjson, and this run has input .*urls.ndjson .*urls.ndjson\n/,
      undefined,
      [...usual, source],
    ],
    [
      "another version",
      /was written by a run with version 9\.[\d.]+ of robots-stream, and this run has version \d/,
      () => writeCheckpointOf(stopped[2].replace('"version":"', '"version":"9.')),
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
          /is a checkpoint in the format of another version of robots-stream\n/,
          () => writeCheckpointOf(changes.reduce((text, [from, to]) => text.replace(from, to), stopped[2])),
        ] as const,
    ),
    [
      "a source that grew",
      /urls\.ndjson: has \d+ bytes by now, and had \d+, so the checkpoint does not match it\n/,
      () => fs.appendFileSync(source, ndjson),
    ],
    [
      "a source with another modification time",
      /urls\.ndjson: was written to meanwhile/,
      () => utimesSync(source, 1, 1),
    ],
    [
      "a source with a different beginning",
      /urls\.ndjson: has different content now/,
      () => {
        writeFileSync(source, ndjson.replace("shop", "stop"));
        utimesSync(source, 1_700_000_000, 1_700_000_000);
      },
    ],
    [
      "a source that is now a folder",
      /urls\.ndjson: is a folder without a file to read/,
      () => (rmSync(source), mkdirSync(source)),
    ],
    ["a missing source", /urls\.ndjson: no such file or directory/, () => rmSync(source)],
    [
      "a shorter output",
      /--output-file .*output: has 100 bytes, and had \d+, so the checkpoint does not match it\n/,
      () => fs.truncateSync(output, 100),
    ],
    [
      "a different output",
      /--output-file .*output: has different content now/,
      () => writeFileSync(output, stopped[0].toUpperCase()),
    ],
    ["a missing output", /--output-file .*output: has 0 bytes, and had \d+/, () => rmSync(output)],
    ["missing rejects", /--rejects .*rejects: has 0 bytes, and had \d+/, () => rmSync(rejects)],
    [
      "an output without a checkpoint",
      /--output-file .*output: has \d+ bytes that no checkpoint accounts for/,
      () => rmSync(checkpoint),
    ],
    ["a truncated checkpoint", /is a truncated or changed checkpoint\n/, () => fs.truncateSync(checkpoint, 300)],
    [
      "a modified checkpoint",
      /is a truncated or changed checkpoint\n/,
      () => writeFileSync(checkpoint, stopped[2].replace('"records":', '"records":1')),
    ],
    [
      "another file instead of a checkpoint, without --resume",
      /is not a checkpoint, and would be overwritten\n/,
      () => writeFileSync(checkpoint, "my letters\n"),
      usual.filter((each) => each !== "--resume"),
    ],
    ["a folder instead of a checkpoint", /is not a regular file\n/, () => (rmSync(checkpoint), mkdirSync(checkpoint))],
    [
      "a checkpoint in a missing folder",
      /no such file or directory \(ENOENT\)\n/,
      undefined,
      [...bingbot, "--output-file", output, "--checkpoint", at("none/checkpoint"), source],
    ],
    [
      "rejects that are not a file",
      /--rejects \/dev\/null: is not a regular file\n/,
      undefined,
      [...bingbot, "--output-file", at("x"), "--checkpoint", at("y"), "--rejects", "/dev/null", source],
    ],
    [
      "--checkpoint without --output-file",
      /--checkpoint needs --output-file FILE/,
      undefined,
      [...bingbot, "--checkpoint", checkpoint, source],
    ],
    ["--resume without --checkpoint", /--resume needs --checkpoint FILE/, undefined, [...bingbot, "--resume", source]],
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

  test("what a killed run wrote after its last checkpoint is removed", async () => {
    await stopInTheMiddle();
    for (const path of [output, rejects]) fs.appendFileSync(path, "half a row".repeat(50_000));
    expect((await runPieces(usual)).code).toBe(0);
    const whole = [at("unbroken"), at("unbroken-rejects")] as const;
    await runPieces([...bingbot, "--output-file", whole[0], "--rejects", whole[1], source]);
    expect([output, rejects].map((path) => readFileSync(path, "utf8"))).toEqual(
      whole.map((path) => readFileSync(path, "utf8")),
    );
  });

  test.each(cases.map(([what, stderr, change, args = usual]) => [what, stderr, change, args] as const))(
    "%s",
    async (_what, stderr, change, args) => {
      await stopInTheMiddle();
      change?.();
      const before = contentsOf();
      const ended = await runPieces(args);
      expect([ended.code, ended.stderr]).toEqual([2, expect.stringMatching(stderr) as string]);
      expect(contentsOf()).toEqual(before);
    },
  );

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
