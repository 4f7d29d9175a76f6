// Tests the app as a process with few file descriptors: an origin that was not requested is not decided, and all other origins are.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { type Server, createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeFolder, makeTestFolder } from "./folder.ts";
import { appArguments, recordsOf, root } from "./run.ts";
import { portOf } from "./servers.ts";

let server: Server;
let port = 0;
/** Called for each request to a slow origin, whose response waits for `answersSlow`. */
let onAsked = (): void => undefined;
let answersSlow: Promise<void> = Promise.resolve();
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.headers.host?.startsWith("slow") === true) {
      onAsked();
      void answersSlow.then(() => response.end("User-agent: *\nDisallow: /private\n"));
      return;
    }
    // Long enough for the connections of all origins to be open at the same time.
    setTimeout(() => response.end("User-agent: *\nDisallow: /private\n"), 20);
  });
  port = await portOf(server, 1_024);
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const hasUlimit = process.platform !== "win32" && existsSync("/bin/sh");

/** Starts the app under `ulimit -n 64`; `nodeArguments` precede the app's arguments. */
function startShort(nodeArguments: readonly string[], args: readonly string[]) {
  const command = ["-c", 'ulimit -n 64; exec "$0" "$@"', process.execPath, ...nodeArguments, ...appArguments, ...args];
  const child = spawn("/bin/sh", command, { cwd: root, stdio: "pipe" });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.on("error", () => undefined);
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return { child, ended, rows: () => stdout.split("\n").length - 1, told: () => stderr };
}

test.skipIf(!hasUlimit)(
  "600 healthy origins and 64 descriptors: all are decided correctly, and the shortage is reported once",
  async () => {
    const { child, ended } = startShort([], ["--agent", "bingbot", "--allow-private", "--per-address", "256"]);
    child.stdin.end(Array.from({ length: 600 }, (_, i) => `http://a${i}.localhost:${port}/private/x\n`).join(""));
    const { code, stdout, stderr } = await ended;
    const answers = recordsOf(stdout).map(({ robots }) => robots as Record<string, unknown>);
    expect(answers).toHaveLength(600);
    expect(answers.filter(({ because, line }) => because !== "rule" || line !== 2)).toEqual([]);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^robots-stream: out of sockets \(EMFILE\): \d+ origins are fetched at the same time instead of 256; .*\n$/,
    );
  },
);

/** Code that opens all remaining descriptors when the process receives SIGUSR2, and then writes EMFILE to stderr. */
const hog = `
  import { openSync, writeSync } from "node:fs";
  process.on("SIGUSR2", () => {
    try {
      for (;;) openSync("/dev/null", "r");
    } catch (error) {
      writeSync(2, error.code + "\\n");
    }
  });`;
const hogging = `data:text/javascript,${encodeURIComponent(hog)}`;

/** Flags that disable detection, so that input that arrives line by line is decided at once. */
const asLines = ["--input", "lines"];

test.skipIf(!hasUlimit)("no descriptor left: records that exceed the memory still wait in the spill file", async () => {
  let answer = (): void => undefined;
  answersSlow = new Promise((resolve) => (answer = resolve));
  const asked = new Promise<void>((resolve) => (onAsked = resolve));
  const flags = [...asLines, "--agent", "bingbot", "--allow-private", "--cache", "none", "--park-bytes", "1000"];
  const { child, ended, told } = startShort(["--import", hogging], flags);
  child.stdin.write(`http://slow.localhost:${port}/private/x\n`);
  await asked;
  child.kill("SIGUSR2");
  while (!told().startsWith("EMFILE\n")) await new Promise((resolve) => setTimeout(resolve, 20));
  child.stdin.end(`http://slow.localhost:${port}/private/y\n`.repeat(20_000), answer);
  const { code, stdout, stderr } = await ended;
  expect([code, stderr]).toEqual([0, "EMFILE\n"]);
  expect(stdout.match(/"line":2,/g)).toHaveLength(20_001);
});

test.skipIf(!hasUlimit)("no descriptor at all: exit 3, and no origin is decided without a request", async () => {
  const { child, ended, rows, told } = startShort(
    ["--import", hogging],
    [...asLines, "--agent", "bingbot", "--allow-private"],
  );
  child.stdin.write(`http://first.localhost:${port}/private/x\n`);
  while (rows() < 1) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill("SIGUSR2");
  while (!told().startsWith("EMFILE\n")) await new Promise((resolve) => setTimeout(resolve, 20));
  child.stdin.end(`http://second.localhost:${port}/x\n`);
  const { code, stdout, stderr } = await ended;
  expect([code, recordsOf(stdout).map(({ url }) => url)]).toEqual([3, [`http://first.localhost:${port}/private/x`]]);
  expect(stderr).toContain(`robots-stream: http://second.localhost:${port}: no file descriptors, ports or memory left`);
});

test.skipIf(!hasUlimit)(
  "100 files that are not read to their end, and 64 descriptors: each file is closed",
  async () => {
    const folder = makeTestFolder();
    const packed = join(folder, "packed");
    writeFileSync(packed, `PK\u0003\u0004\n${"x".repeat(100_000)}`);
    const { ended } = startShort([], ["detect", ...Array.from({ length: 100 }, () => packed)]);
    const { stderr } = await ended;
    expect(stderr.match(/ZIP/g)).toHaveLength(100);
  },
);

/** Code that, once the app has set its signal handlers, leaves only this number of descriptors for later imports and opens. */
const leaving = (left: number): string =>
  `data:text/javascript,${encodeURIComponent(`
  import { closeSync, openSync } from "node:fs";
  process.once("newListener", () => {
    const taken = [];
    try {
      for (;;) taken.push(openSync("/dev/null", "r"));
    } catch {}
    for (const fd of taken.slice(0, ${left})) closeSync(fd);
  });`)}`;

const cacheFolder = makeFolder();
writeFileSync(join(cacheFolder, "names"), "bingbot\n");

const commands: Readonly<Record<string, readonly string[]>> = {
  "a run over saved files": ["--agent", "bingbot", "--robots", "examples/robots", "examples/urls.ndjson"],
  "a run with all its files": [
    "--agents",
    join(cacheFolder, "names"),
    ..."--robots examples/robots --summary=/dev/null --rejects /dev/null".split(" "),
    "examples/urls.ndjson",
  ],
  "a run over the network": ["--agent", "bingbot", "--offline", "--cache", cacheFolder, "examples/urls.ndjson"],
  agents: ["agents"],
  explain: "explain https://shop.example/ --agent bingbot --robots examples/robots".split(" "),
  lint: ["lint", "examples/robots/shop.example.txt"],
  detect: ["detect", "examples/urls.ndjson"],
  cache: ["cache", "ls", "--cache", "examples"],
};

test
  .skipIf(!hasUlimit)
  .concurrent.each(Object.keys(commands).flatMap((what) => [0, 1, 3].map((left) => [what, left] as const)))(
  "%s with %i descriptors: a shortage is reported as such, with exit code 3",
  async (what, left) => {
    const flags = ["--import", leaving(left), ...appArguments, ...commands[what]!];
    const child = spawn("/bin/sh", ["-c", 'ulimit -n 64; exec "$0" "$@"', process.execPath, ...flags], {
      cwd: root,
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, ROBOTS_STREAM_CACHE: "none" },
    });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = (await once(child, "close")) as [number];
    expect(stderr).not.toMatch(/a bug|^ +at |node:/m);
    // With a few descriptors, the run may succeed.
    if (code !== 0 || left === 0) expect([code, stderr]).toEqual([3, expect.stringMatching(/EMFILE/)]);
  },
);
