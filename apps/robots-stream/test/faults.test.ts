// Tests faults around a process: readers that close the output, signals, full disks, and inputs that are removed, truncated or extended.
import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { type Server, createServer } from "node:http";
import type { Readable, Writable } from "node:stream";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { appArguments, recordsOf, root, runApp, startApp } from "./run.ts";
import { portOf } from "./servers.ts";

const saved = ["--agent", "bingbot", "--robots", "examples/robots"];

const isUnix = process.platform !== "win32" && existsSync("/bin/sh");

const folder = makeFolder();
let manyUrls = "";
let server: Server;
let origin = "";
let requests: string[] = [];

beforeAll(async () => {
  manyUrls = join(folder, "many.ndjson");
  writeFileSync(manyUrls, '{"url":"https://shop.example/cart/1"}\n'.repeat(200_000));
  server = createServer((request, response) => {
    requests.push(request.headers.host ?? "");
    // Requests to "localhost" never get a response; requests to 127.0.0.1 do.
    if (request.headers.host?.startsWith("127.0.0.1") === true) response.end("");
  });
  origin = `http://127.0.0.1:${await portOf(server)}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A process whose stdout is not read until the test reads it. */
function startUnread(args: readonly string[]): ChildProcessByStdio<Writable, Readable, Readable> {
  return spawn(process.execPath, [...appArguments, ...args], { cwd: root, stdio: ["pipe", "pipe", "pipe"] });
}

async function endOf(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
): Promise<[code: number | null, stderr: string]> {
  const chunks: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  const [code] = (await once(child, "exit")) as [number | null];
  return [code, Buffer.concat(chunks).toString()];
}

test("when the reader closes the output, the run ends without a message", async () => {
  const child = startUnread([...saved, "--summary", manyUrls]);
  const ended = endOf(child);
  await once(child.stdout, "readable");
  expect(String(child.stdout.read())).toMatch(/^\{"url"/);
  child.stdout.destroy();
  expect(await ended).toEqual([0, ""]);
});

/** These flags avoid detection, so that input that arrives line by line is decided at once. */
const asLines = ["--input", "lines"];

test("when the reader closes the output, the run does not wait for an idle input", async () => {
  const child = startUnread([...saved, ...asLines]);
  const ended = endOf(child);
  child.stdin.write("https://shop.example/\n");
  await once(child.stdout, "readable");
  child.stdout.destroy();
  await once(child.stdout, "close");
  child.stdin.write("https://shop.example/again\n");
  expect(await ended).toEqual([0, ""]);
});

test("when the reader closes the output, no more origins are fetched", async () => {
  requests = [];
  const child = startUnread([
    ...asLines,
    "--agent",
    "bingbot",
    "--allow-private",
    "--concurrency",
    "1",
    "--timeout",
    "600",
  ]);
  const ended = endOf(child);
  child.stdin.on("error", () => undefined);
  child.stdin.write(`${origin}/\n`);
  await once(child.stdout, "readable");
  child.stdout.destroy();
  child.stdin.write(`${origin.replace("127.0.0.1", "localhost")}/\n`);
  // Writing the next row reveals that the output is closed, even while other origins are loading.
  const writing = setInterval(() => child.stdin.write(`${origin}/again\n`), 20);
  expect(await ended).toEqual([0, ""]);
  clearInterval(writing);
  expect(requests.filter((host) => host.startsWith("127.0.0.1"))).toHaveLength(1);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s: decided records are written, the others are counted", async (signal, code) => {
  requests = [];
  const child = startApp([
    ...asLines,
    "--agent",
    "bingbot",
    "--allow-private",
    "--timeout",
    "600",
    "--connect-timeout",
    "600",
    "--summary",
  ]);
  const waiting = origin.replace("127.0.0.1", "localhost");
  child.stdin?.write(`${origin}/1\n${waiting}/2\n${waiting}/3\n${origin}/4\n`);
  let written = "";
  child.stdout?.on("data", (chunk: Buffer) => (written += chunk.toString()));
  // Both origins were requested, and the rows of the origin that responded are written.
  while (requests.length < 2 || recordsOf(written).length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  child.kill(signal);
  const ended = await child.ended;
  expect(ended.code).toBe(code);
  expect(recordsOf(ended.stdout).map(({ url }) => url)).toEqual([`${origin}/1`, `${origin}/4`]);
  expect(ended.stdout.endsWith("\n")).toBe(true);
  expect(ended.stderr).toContain("records       4\ndecided       2\nrejects       0\nnot decided   2\n");
  expect(ended.stderr).toContain(
    `robots-stream: stopped by ${signal} after 2 records were decided; 2 records that were read are not decided\n`,
  );
});

test("a second SIGINT does not wait for the reader", async () => {
  const child = startUnread([...saved, manyUrls]);
  const ended = endOf(child);
  await once(child.stdout, "readable");
  child.kill("SIGINT");
  // The output is not read, so the decided rows cannot be written: the process waits, and would report the lost rows. Signals are sent
  // repeatedly, because two signals that arrive before the process is scheduled count as one.
  const again = setInterval(() => child.kill("SIGINT"), 50);
  expect(await ended.finally(() => clearInterval(again))).toEqual([130, ""]);
});

test.skipIf(!isUnix)("a response that arrived while the process was suspended counts", async () => {
  const asleep = createServer((_request, response) => {
    child.kill("SIGSTOP");
    setTimeout(() => response.end("User-agent: *\nDisallow: /private\n"), 100);
    setTimeout(() => child.kill("SIGCONT"), 2_500);
  });
  const port = await portOf(asleep);
  const child = startApp(["--agent", "bingbot", "--allow-private", "--timeout", "2"]);
  child.stdin?.end(`http://127.0.0.1:${port}/private\n`);
  const { code, stdout } = await child.ended;
  asleep.closeAllConnections();
  asleep.close();
  expect([code, recordsOf(stdout)[0]?.["robots"]]).toMatchObject([0, { because: "rule", line: 2 }]);
});

test("SIGINT at twelve times: no incomplete row, no stack trace, and never the exit code of a finished run", async () => {
  const delaysMs = Array.from({ length: 12 }, (_, i) => i * 40);
  const ends = delaysMs.map(async (delayMs) => {
    const child = startUnread([...saved, manyUrls]);
    const stderr = textOf(child.stderr);
    let written = "";
    child.stdout.on("data", (rows: Buffer) => {
      written += rows.toString();
      // Reading slowly keeps the app at work until the last signal arrives.
      child.stdout.pause();
      setTimeout(() => child.stdout.resume(), 10);
    });
    setTimeout(() => child.kill("SIGINT"), delayMs);
    // Wait for "close", not "exit": after "exit" Node discards unread output.
    const [exitCode, signal] = (await once(child, "close")) as [number | null, string | null];
    return { delayMs, code: exitCode ?? signal, written, stderr: await stderr };
  });
  for (const { delayMs, code, written, stderr } of await Promise.all(ends)) {
    // Before the program's first line runs, no signal handler exists, so the signal ends the process directly.
    expect([delayMs, code === 130 || code === "SIGINT"]).toEqual([delayMs, true]);
    expect(stderr).toMatch(
      /^(robots-stream: stopped by SIGINT after [\d,]+ records? (was|were) decided(?: \((?:less than )?\d+ % of the input was read\))?(; [\d,]+ records? that (was|were) read (is|are) not decided)?\n)?$/,
    );
    expect(written === "" || written.endsWith("\n")).toBe(true);
  }
});

/** Runs a shell command in which `$APP` is the app. */
function runShell(command: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const app = [process.execPath, ...appArguments].map((part) => `'${part}'`).join(" ");
  const child = spawn("/bin/sh", ["-c", command.replaceAll("$APP", app)], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return Promise.all([once(child, "close"), textOf(child.stdout), textOf(child.stderr)]).then(
    ([[code], stdout, stderr]) => ({
      code: code as number | null,
      stdout,
      stderr,
    }),
  );
}

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Shell commands with the app, and the expected exit code, stderr, and lines of the file `$OUT`, which is new. */
const shellCases: readonly (readonly [
  what: string,
  command: string,
  code: number,
  stderr: RegExp,
  lines: (lines: readonly string[]) => void,
])[] = [
  [
    "a limit on file sizes: whole rows, and a message with the progress",
    "ulimit -f 100; $APP $ARGS $MANY > $OUT",
    3,
    /^robots-stream: output: file too large \(EFBIG\) after \d+ records were decided\n$/,
    (lines) => {
      expect(lines.length).toBeGreaterThan(100);
      for (const line of lines) expect((JSON.parse(line) as { robots: object }).robots).toMatchObject({ line: 3 });
    },
  ],
  [
    "a limit on file sizes, when rows are appended to a file",
    "echo before > $OUT; ulimit -f 100; $APP $ARGS $MANY >> $OUT",
    3,
    /EFBIG/,
    ([first, ...rows]) => {
      expect(first).toBe("before");
      for (const row of rows) expect(JSON.parse(row)).toHaveProperty("robots");
    },
  ],
  [
    "a limit on file sizes, for rejects",
    `ulimit -f 8; (echo '{"url":"x:1"}'; yes no | head -20000) | $APP $ARGS --input ndjson --rejects $OUT - 2>&1 >/dev/null | tail -1 >&2; exit 3`,
    3,
    /file too large \(EFBIG\)/,
    (lines) => {
      for (const line of lines) expect(JSON.parse(line)).toMatchObject({ code: "not-json", text: "no" });
    },
  ],
  ["a closed stdin is an empty input", "$APP $ARGS > $OUT <&-", 0, /^$/, (lines) => expect(lines).toEqual([])],
  [
    "stderr on a full disk loses only the messages",
    "$APP $ARGS --summary examples/urls.ndjson > $OUT 2> /dev/full",
    0,
    /^$/,
    (lines) => expect(lines.length).toBeGreaterThan(5),
  ],
  [
    "a closed stderr loses only the messages",
    "$APP $ARGS --summary examples/urls.ndjson > $OUT 2>&-",
    0,
    /^$/,
    (lines) => expect(lines.length).toBeGreaterThan(5),
  ],
  [
    "a source that is removed while it is read is read to its end",
    "cp $MANY $OUT.source; $APP $ARGS $OUT.source | { head -c 1; rm $OUT.source; cat; } > $OUT",
    0,
    /^$/,
    (lines) => expect(lines).toHaveLength(200_000),
  ],
];

test.skipIf(!isUnix || !existsSync("/dev/full")).each(shellCases)("%s", async (_what, command, code, stderr, check) => {
  const out = join(mkdtempSync(join(folder, "shell-")), "out");
  const filled = command.replaceAll("$ARGS", saved.join(" ")).replaceAll("$MANY", manyUrls).replaceAll("$OUT", out);
  const ended = await runShell(filled);
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringMatching(stderr) as string]);
  const text = readFileSync(out, "utf8");
  expect(text === "" || text.endsWith("\n")).toBe(true);
  check(text.split("\n").slice(0, -1));
});

test("a source that is truncated while it is read: exit 3, and the records read so far are decided", async () => {
  const source = join(folder, "cut.ndjson");
  writeFileSync(source, '{"url":"https://shop.example/cart/1"}\n'.repeat(400_000));
  const child = startUnread([...saved, source]);
  const ended = endOf(child);
  await once(child.stdout, "readable");
  // The output is no longer read, so the app pauses in the middle of its source.
  truncateSync(source, 100);
  const written = await textOf(child.stdout);
  const [code, stderr] = await ended;
  expect(code).toBe(3);
  const rows = written.split("\n").length - 1;
  expect(rows).toBeLessThan(400_000);
  expect(written.endsWith("\n")).toBe(true);
  expect(stderr).toMatch(
    /cut\.ndjson: was truncated while it was read: \d+ of 15200000 bytes were read after \d+ records were decided\n$/,
  );
  expect(stderr).toContain(`after ${rows} records`);
});

/** Resolves when a run has opened its spill file; without /proc, when one of its requests has arrived. */
async function spillFileOf({ pid }: { readonly pid?: number | undefined }): Promise<void> {
  const fds = `/proc/${pid}/fd`;
  const isOpen = (): boolean =>
    !existsSync(fds) || readdirSync(fds).some((fd) => (linkAt(join(fds, fd)) ?? "").includes(".spill"));
  await expect.poll(() => requests.length > 0 && isOpen(), { timeout: 50_000 }).toBe(true);
}

/** The target of a link; undefined when the descriptor was closed meanwhile. */
function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

test("a source that grows while it is read: the original records are decided", async () => {
  const source = join(folder, "grown.ndjson");
  writeFileSync(source, '{"url":"https://shop.example/cart/1"}\n'.repeat(400_000));
  const child = startUnread([...saved, source]);
  const ended = endOf(child);
  await once(child.stdout, "readable");
  appendFileSync(source, '{"url":"https://shop.example/cart/2"}\n');
  const written = await textOf(child.stdout);
  expect(await ended).toEqual([0, ""]);
  expect(written.split("\n").length - 1).toBeGreaterThanOrEqual(400_000);
});

const hasScript = isUnix && spawnSync("script", ["--version"]).status === 0;

test.skipIf(!hasScript)("a terminal gets no control sequences from the input; a pipe gets every byte", async () => {
  const odd = join(folder, "odd.csv");
  writeFileSync(odd, "url,title\nhttps://shop.example/,\u001b[31mred\u009b0m \u202eback\u0007\n");
  const args = [...saved, "--output", "csv", odd].join(" ");
  const app = [process.execPath, ...appArguments].join(" ");
  const shown = await runShell(`script -qec "${app} ${args}" /dev/null < /dev/null`);
  expect(shown.stdout).toContain("\\x1b[31mred\\x9b0m \\u202eback\\x07");
  // The output must have no control characters except line ends, in any encoding.
  expect(shown.stdout.replaceAll("\r\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
  const piped = await runShell(`${app} ${args}`);
  expect(piped.stdout).toContain("\u001b[31mred\u009b0m \u202eback\u0007");
});

test.skipIf(!existsSync("/dev/full"))("a full disk: exit 3, and a message with the progress", async () => {
  const child = spawn(process.execPath, [...appArguments, ...saved, manyUrls], {
    cwd: root,
    stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
  });
  const chunks: Buffer[] = [];
  child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
  const [code] = (await once(child, "close")) as [number | null];
  expect(code).toBe(3);
  expect(Buffer.concat(chunks).toString()).toMatch(
    /^robots-stream: output: no space left on device \(ENOSPC\) after \d+ records were decided\n$/,
  );
});

test.skipIf(!existsSync("/dev/full"))("a full disk under the rejects file: exit 3", async () => {
  const child = startApp([...saved, "--rejects", "/dev/full"]);
  child.stdin?.end('{"url":"https://shop.example/"}\nno\n');
  const { code, stderr } = await child.ended;
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/^robots-stream: \/dev\/full: no space left on device/) as string,
  ]);
});

test.skipIf(!existsSync("/proc/self/mem"))("an input whose reading fails: exit 3", async () => {
  // /proc/self/mem can be opened, but a read at its beginning fails.
  const { code, stdout, stderr } = await runApp([
    ...saved,
    "--input",
    "ndjson",
    "examples/urls.ndjson",
    "/proc/self/mem",
  ]);
  expect([code, stdout.split("\n").length - 1, stderr]).toEqual([
    3,
    17,
    "robots-stream: /proc/self/mem: i/o error (EIO) after 17 records were decided\n",
  ]);
});

test.skipIf(!isUnix)(
  "the spill file is removed when the run is stopped or killed, and a full disk is reported",
  async () => {
    const temporary = mkdtempSync(join(folder, "temporary-"));
    const waiting = JSON.stringify({ url: `${origin.replace("127.0.0.1", "localhost")}/x` });
    const urls = join(folder, "waiting.ndjson");
    writeFileSync(urls, `${waiting}\n`.repeat(20_000));
    const args = ["--agent", "bingbot", "--allow-private", "--cache", "none", "--park-bytes", "1000", urls];
    for (const order of [[], ["--ordered"]]) {
      requests = [];
      const child = startApp([...args, ...order], { TMPDIR: temporary });
      await spillFileOf(child);
      child.kill("SIGINT");
      const { code, stderr } = await child.ended;
      expect([code, readdirSync(temporary)]).toEqual([130, []]);
      expect(stderr).toMatch(
        /^robots-stream: stopped by SIGINT after [\d,]+ records? (?:was|were) decided(?: \((?:less than )?\d+ % of the input was read\))?; [\d,]+ records that were read are not decided\n$/,
      );
      requests = [];
      const killed = startApp([...args, ...order], { TMPDIR: temporary });
      await spillFileOf(killed);
      killed.kill("SIGKILL");
      expect([(await killed.ended).code, readdirSync(temporary)]).toEqual([null, []]);
      requests = [];
      // A file size limit simulates a full disk.
      const command = 'ulimit -f 100; exec "$@"';
      const full = spawnSync("sh", ["-c", command, "sh", process.execPath, ...appArguments, ...args, ...order], {
        cwd: root,
        env: { ...process.env, TMPDIR: temporary },
        encoding: "utf8",
        timeout: 60_000,
      });
      expect([full.status, readdirSync(temporary)]).toEqual([3, []]);
      expect(full.stderr).toContain(`robots-stream: ${temporary}: file too large (EFBIG) after 0 records were decided`);
    }
  },
);
