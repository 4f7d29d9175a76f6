// Tests that memory stays bounded for long lines, many records, and output that is not read.
// Also memory for the rules of only one origin.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeFolder, makeTestFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { appArguments, recordsOf, root } from "./run.ts";

const saved = ["--agent", "bingbot", "--robots", "examples/robots"];
const row = '{"url":"https://shop.example/cart/1"}\n';
const mebibyte = 1_048_576;

/** Reports the peak memory of the process, in KiB, as the last line of stderr. */
const telling = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from "node:fs";
  process.on("exit", () => writeSync(2, "peak " + process.resourceUsage().maxRSS + "\\n"));`)}`;

interface Run {
  readonly child: ChildProcess;
  /** Writes a piece; resolves when the app can take more. */
  write(text: string | Uint8Array): Promise<void>;
  end(): Promise<{ code: number | null; stderr: string; peakMiB: number }>;
}

function start(args: readonly string[], nodeArguments: readonly string[] = []): Run {
  const command = ["--import", telling, ...nodeArguments, ...appArguments, ...saved, ...args];
  const child = spawn(process.execPath, command, { cwd: root, stdio: "pipe" });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.on("error", () => undefined);
  const ended = once(child, "close");
  return {
    child,
    write: (text) => new Promise((resolve) => void child.stdin.write(text, () => resolve())),
    async end() {
      child.stdin.end();
      const [code] = (await ended) as [number | null];
      const [, peak = ""] = /peak (\d+)\n$/.exec(stderr) ?? [];
      return { code, stderr: stderr.replace(/peak \d+\n$/, ""), peakMiB: Number(peak) / 1_024 };
    },
  };
}

/** Sends pieces until the app stops reading for a while. Returns whether it read everything, and a promise for sending the rest. */
async function sendUntilStuck(
  run: Run,
  piece: string,
  count: number,
): Promise<{ isDone: boolean; rest: Promise<void> }> {
  let sent = 0;
  let isDone = false;
  const rest = (async () => {
    for (; sent < count; sent++) await run.write(piece);
    isDone = true;
  })();
  for (let before = -1; before !== sent;) {
    before = sent;
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
  return { isDone, rest };
}

function collect(child: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

/** Length of the long line in MiB; 1 GiB in thorough runs. */
const lineMebibytes = process.env["ROBOTS_STREAM_THOROUGH"] === undefined ? 256 : 1_024;

/** Inputs: a beginning, a piece that is repeated, and an end. */
const longLines: readonly (readonly [what: string, begin: string, piece: string, end: string])[] = [
  [`a line of ${lineMebibytes} MiB`, `${row}{"url":"`, "x".repeat(mebibyte), `"}\n${row}`],
  [
    `a CSV field of ${lineMebibytes} MiB`,
    `url,n\nhttps://shop.example/cart/1,1\n"`,
    "y".repeat(mebibyte),
    `",2\nhttps://shop.example/cart/1,3\n`,
  ],
];

test.each(longLines)("%s is one lost record and uses little memory", async (_what, begin, piece, end) => {
  const run = start([]);
  const written = collect(run.child);
  await run.write(begin);
  for (let i = 0; i < lineMebibytes; i++) await run.write(piece);
  await run.write(end);
  const { code, stderr, peakMiB } = await run.end();
  expect(code).toBe(0);
  expect(recordsOf(written()).map(({ robots }) => (robots as { line: number }).line)).toEqual([3, 3]);
  expect(stderr).toContain("is longer than 1048576 bytes");
  expect(peakMiB).toBeLessThan(250);
});

test("1,000,000 records are decided with a heap of 128 MB", async () => {
  const run = start(["--summary"], ["--max-old-space-size=128"]);
  let rows = 0;
  run.child.stdout?.on("data", (chunk: Buffer) => {
    for (const byte of chunk) if (byte === 0x0a) rows++;
  });
  const piece = row.repeat(10_000);
  for (let i = 0; i < 100; i++) await run.write(piece);
  const { code, stderr } = await run.end();
  expect([code, rows]).toEqual([0, 1_000_000]);
  expect(stderr).toContain("records       1000000\ndecided       1000000\n");
});

test("while its output is not read, the app waits and buffers few rows", async () => {
  const run = start([]);
  // The input is 38 MB; the whole output is 178 MB.
  const { isDone, rest } = await sendUntilStuck(run, row.repeat(10_000), 100);
  expect(isDone).toBe(false);
  const written = collect(run.child);
  await rest;
  const { code, peakMiB } = await run.end();
  expect(code).toBe(0);
  expect(written().split("\n")).toHaveLength(1_000_001);
  expect(peakMiB).toBeLessThan(250);
});

test.skipIf(process.platform === "win32")(
  "while the rejects are not read, the app waits and buffers few of them",
  async () => {
    const folder = makeTestFolder();
    const path = join(folder, "rejects");
    execFileSync("mkfifo", [path]);
    // The pipe is opened at the beginning, but is read only on demand.
    const reader = spawn("sh", ["-c", 'exec 3<"$0"; read -r line; exec wc -l <&3', path], { stdio: "pipe" });
    onTestFinished(() => void reader.kill());
    const counted = collect(reader);
    const closed = once(reader, "close");
    const run = start(["--input", "ndjson", "--rejects", path, "--quiet"]);
    run.child.stdout?.resume();
    await run.write(row);
    const { isDone, rest } = await sendUntilStuck(run, `{"url":"${"x".repeat(400)}\n`.repeat(1_000), 200);
    expect(isDone).toBe(false);
    reader.stdin.write("go\n");
    await rest;
    const { code } = await run.end();
    await closed;
    expect([code, counted().trim()]).toEqual([0, "200000"]);
  },
);

describe("memory for the rules of one origin", () => {
  const folder = makeFolder();

  mkdirSync(join(folder, "robots"));
  for (let site = 0; site < 50; site++) {
    const text = `User-agent: bingbot\nDisallow: /${site}\n\nUser-agent: *\nDisallow: /all/${site}\n`;
    writeFileSync(join(folder, "robots", site % 7 === 0 ? `${site}.example.404` : `${site}.example.txt`), text);
  }
  const agents = ["Mozilla/5.0 (compatible; bingbot/2.0)", "Mozilla/5.0 (compatible; Googlebot/2.1)", "curl/8"];
  const records = Array.from({ length: 3_000 }, (_, at) => {
    const site = (at * 17) % 50;
    const url =
      at % 100 === 99
        ? "mailto:a@b"
        : `https://${at % 3 === 0 ? "user@" : ""}${site}.example/${at % 4 === 0 ? "all/" : ""}${site}`;
    return JSON.stringify({ url, n: at, agent: agents[at % 3] });
  });

  test.each([
    ["one crawler", ["--agent", "bingbot"]],
    ["several, in order", ["--agent", "bingbot", "--agent", "Googlebot-Image", "--ordered"]],
    ["differences of dialects", ["--agent", "bingbot", "--dialect", "google,rfc9309", "--only-differences"]],
    ["each record's crawler", ["--agent-field", "agent"]],
    ["one shard", ["--agent", "bingbot", "--shard", "2/3"]],
  ])("the same rows and counts: %s", async (_what, args) => {
    const run = (more: string[]): ReturnType<typeof runHere> =>
      runHere(["--robots", join(folder, "robots"), "--summary", ...args, ...more], records.join("\n"));
    const [roomy, crowded] = await Promise.all([run([]), run(["--matcher-bytes", "1"])]);
    // The complete summary, except its times.
    const told = ({ stderr }: typeof roomy): string => stderr.replace(/^took .*$/m, "");
    expect([crowded.code, told(crowded)]).toEqual([roomy.code, told(roomy)]);
    expect(crowded.stdout).toBe(roomy.stdout);
    expect(roomy.stderr).toContain("records");
  });
});
