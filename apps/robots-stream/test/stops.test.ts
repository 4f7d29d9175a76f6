// Tests what other processes do to a run: signals that arrive while the app is blocked, unread outputs, and a changed mode of stdin.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, writeFileSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { appArguments, root, runApp } from "./run.ts";
import { portOf } from "./servers.ts";

const folder = makeFolder();

const saved = ["--agent", "bingbot", "--robots", "examples/robots"];
const many = join(folder, "many.ndjson");
writeFileSync(many, '{"url":"https://shop.example/cart/1"}\n'.repeat(100_000));
const [robotsTxt, tests] = [join(folder, "robots.txt"), join(folder, "tests.txt")];
writeFileSync(robotsTxt, "User-agent: *\nDisallow: /cart\n");
writeFileSync(tests, "allow bingbot /\n");

function start(args: readonly string[]) {
  const child = spawn(process.execPath, [...appArguments, ...args], { cwd: root, stdio: "pipe" });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(child, "exit").then(([code]) => [code as number | null, stderr] as const);
  return { child, ended };
}

/** Opens the write end of a named pipe once the app has opened the read end; from then on the app handles signals. */
async function whenRead(pipe: string): Promise<number> {
  let writer: number | undefined;
  await expect
    .poll(
      () => {
        try {
          writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
        } catch {
          // The app has not opened the pipe yet; try again.
        }
        return writer;
      },
      { timeout: 50_000 },
    )
    .toBeDefined();
  return writer!;
}

test("a run ends when its last messages are in the pipe", async () => {
  const count = 5_000;
  const urls = Array.from({ length: count }, (_, number) => `https://host-${number}.example/`).join("\n");
  const { code, stderr } = await runApp([...saved, "--verbose", "--output-file", join(folder, "rows.csv")], urls);
  expect([code, stderr.match(/^robots-stream: https:\/\/host-/gm)?.length]).toEqual([0, count]);
});

test("unread output: SIGTERM ends the run soon and reports lost records", async () => {
  const { child, ended } = start([...saved, many]);
  await once(child.stdout, "readable");
  child.kill("SIGTERM");
  expect(await ended).toEqual([
    143,
    expect.stringMatching(
      /^robots-stream: stopped by SIGTERM after [\d,]+ records? (?:was|were) decided(?: \((?:less than )?\d+ % of the input was read\))?(?:; [\d,]+ records? that (?:was|were) read (?:is|are) not decided)?\nrobots-stream: the last decided records are lost: the reader of the output stopped reading\n$/,
    ) as string,
  ]);
});

const canMakePipes = process.platform !== "win32";

test.skipIf(!canMakePipes)(
  "Ctrl-C ends the writer of stdin, too: the run ends as stopped, not as complete",
  // The system may pass the signal of a stopped process to a thread that a busy machine runs after the main thread. The app then sees the
  // end of the pipe first. The signal of a terminal, which reaches a process that is not stopped, goes to the main thread.
  { retry: 3 },
  async () => {
    const { child, ended } = start([...saved, "--input", "ndjson"]);
    child.stdin.write('{"url":"https://shop.example/cart/1"}\n');
    await once(child.stdout, "data");
    // The signal and the end of the pipe reach the app at the same time, when it continues.
    child.kill("SIGSTOP");
    child.kill("SIGINT");
    child.stdin.end();
    await once(child.stdin, "close");
    child.kill("SIGCONT");
    expect(await ended).toEqual([130, "robots-stream: stopped by SIGINT after 1 record was decided\n"]);
  },
);

test.skipIf(!canMakePipes)("unread rejects in a named pipe: SIGTERM ends the run", async () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const { child, ended } = start([...saved, "--input", "ndjson", "--rejects", pipe]);
  child.stdin.write('{"url":"https://shop.example/cart/1"}\n');
  await once(child.stdout, "data");
  child.stdin.write("no\n".repeat(20_000));
  // Give the app time to fill the pipe and block.
  await new Promise((resolve) => setTimeout(resolve, 300));
  child.kill("SIGTERM");
  expect(await ended).toEqual([143, expect.stringMatching(/^robots-stream: stopped by SIGTERM[,;] .*\n$/) as string]);
});

test.skipIf(!canMakePipes)("another program changes the mode of stdin: later records are still decided", async () => {
  // The processes share stdin. When the other process exits, Node restores the mode of stdin.
  const gone = join(folder, "gone");
  const other = `exec 3<&0; { "$0" -e "process.stdin; setTimeout(() => process.exit(), 300)" <&3; : > '${gone}'; } & sleep 0.3`;
  const until = `until [ -e '${gone}' ]; do sleep 0.1; done`;
  const records = `echo '{"url":"https://shop.example/1"}'; ${until}; echo '{"url":"https://shop.example/2"}'; exec sleep 100`;
  const shell = ["-c", `(${records}) | { ${other}; exec "$0" "$@"; }`, process.execPath, ...appArguments, ...saved];
  const child = spawn("sh", shell, { cwd: root, stdio: ["ignore", "pipe", "ignore"], detached: true });
  onTestFinished(() => void process.kill(-child.pid!, "SIGKILL"));
  let rows = "";
  for await (const chunk of child.stdout) {
    rows += String(chunk);
    // The writer keeps running; waiting for its end would exceed the time of the test.
    if (rows.includes("example/2")) break;
  }
  expect(rows.match(/"because"/g)).toHaveLength(2);
});

test.skipIf(!canMakePipes)(
  "detect, stopped in the middle of a line: partial input is not shown as if it were complete",
  async () => {
    const pipe = join(folder, "slow");
    execFileSync("mkfifo", [pipe]);
    const { child, ended } = start(["detect", pipe]);
    let stdout = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    const writer = await whenRead(pipe);
    writeSync(writer, '{"url":"https://shop.exam');
    // Gives the app time to read the line. An app that has not read the line shows nothing either.
    await new Promise((resolve) => setTimeout(resolve, 500));
    child.kill("SIGINT");
    expect(await ended).toEqual([130, expect.stringContaining("stopped by SIGINT") as string]);
    expect(stdout).toBe("");
    closeSync(writer);
  },
);

/** Command lines that read a named pipe without a writer, which is named in many ways. */
const pipeReaders: readonly (readonly string[])[] = [
  [...saved, "PIPE"],
  ["--agents", "PIPE", "--robots", "examples/robots", many],
  ["--agent", "bingbot", "--robots", "PIPE", many],
  ["--agent", "bingbot", "--ca", "PIPE", many],
  ["explain", "https://a.example/", "--agents", "PIPE"],
  ["explain", "https://a.example/", "--agent", "bingbot", "--robots", "PIPE"],
  ["explain", "https://a.example/", "--agent", "bingbot", "--ca", "PIPE"],
  ["lint", "PIPE"],
  ["detect", "PIPE"],
  ["test", "PIPE", tests],
  ["test", robotsTxt, "PIPE"],
  ["diff", robotsTxt, "PIPE"],
  ["test", robotsTxt, tests, "--agents", "PIPE"],
  ["diff", robotsTxt, robotsTxt, "--agents", "PIPE"],
  ["merge", "PIPE"],
  ["cache", "import", "--cache", folder, "PIPE"],
];

test.skipIf(!canMakePipes).concurrent.each(pipeReaders.map((words) => [words.join(" "), words] as const))(
  "a pipe without a writer: SIGTERM ends %s",
  async (_what, words) => {
    const pipe = join(folder, `read-${pipeReaders.indexOf(words)}`);
    execFileSync("mkfifo", [pipe]);
    const args = words.map((word) => (word === "PIPE" ? pipe : word));
    const child = spawn(process.execPath, [...appArguments, ...args], {
      cwd: root,
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, ROBOTS_STREAM_CACHE: "none" },
      timeout: 55_000,
      killSignal: "SIGKILL",
    });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    const ended = once(child, "close");
    const writer = await whenRead(pipe);
    child.kill("SIGTERM");
    const [code] = (await ended) as [number | null];
    closeSync(writer);
    expect([code, stderr]).toEqual([143, expect.stringContaining("stopped by SIGTERM")]);
  },
);

test("2,000 origins that never respond, many at once: SIGINT ends the run, and the message has the counts", async () => {
  const server = createServer();
  const port = await portOf(server);
  const busy = once(server, "connection");
  const { child, ended } = start(["--agent", "bingbot", "--allow-private", "--cache", "none", "--per-address", "64"]);
  child.stdin.write(Array.from({ length: 2_000 }, (_, i) => `http://a${i}.localhost:${port}/\n`).join(""));
  await busy;
  child.kill("SIGINT");
  expect(await ended).toEqual([
    130,
    expect.stringMatching(
      /^robots-stream: stopped by SIGINT after [\d,]+ records? (?:was|were) decided(?: \((?:less than )?\d+ % of the input was read\))?(?:; [\d,]+ records? that (?:was|were) read (?:is|are) not decided)?\n$/,
    ) as string,
  ]);
  server.close();
});
