// Tests runs whose clock is set a year back or forty days forward, and runs that are resumed a year earlier or later: the decisions, the
// retry waits and the progress stay the same.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type Server, type ServerResponse, createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { beginPieces, endPieces, runPieces } from "./pieces.ts";
import { appArguments, recordsOf, root, runApp } from "./run.ts";
import { portOf } from "./servers.ts";

const folder = makeFolder();
const day = 86_400_000;
const file = "User-agent: *\nDisallow: /private\n";
let server: Server;
let port: number;
const asked: string[] = [];
/** Responses that the test sends after the clock change. */
let waiting: ServerResponse[] = [];

beforeAll(async () => {
  server = createServer(({ headers: { host = "" } }, response) => {
    const [name = ""] = host.split(".");
    asked.push(name);
    if (name === "soon") response.end(file);
    else if (name === "down") response.writeHead(503, { "retry-after": "1" }).end();
    else waiting.push(response);
  });
  port = await portOf(server);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked.length = 0;
  waiting = [];
});

/** Code that the process preloads: a message from the parent sets the clock's offset. */
const hook = `
  const now = Date.now;
  let shift = 0;
  Date.now = () => now() + shift;
  process.on("message", (ms) => {
    shift = ms;
    process.channel.unref();
    process.send("set");
  });
  process.channel.unref();`;

function start(args: readonly string[]) {
  const hooked = ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, ...appArguments];
  const child = spawn(process.execPath, [...hooked, ...args], { cwd: root, stdio: ["pipe", "pipe", "pipe", "ipc"] });
  const texts = [child.stdout, child.stderr].map((stream) => {
    const chunks: Buffer[] = [];
    stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
    return () => Buffer.concat(chunks).toString();
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, stdout: texts[0]!(), stderr: texts[1]!() }));
  });
  const setClock = async (ms: number): Promise<void> => {
    const isSet = new Promise((resolve) => child.once("message", resolve));
    child.send(ms);
    await isSet;
  };
  return { child, ended, setClock, printed: texts[0]! };
}

const stdinOf = (...names: string[]): string =>
  names.map((name) => `{"url":"http://${name}.localhost:${port}/private"}\n`).join("");

test.each([
  ["a year back", -365 * day],
  ["forty days forward", 40 * day],
])("%s, while requests are in flight", async (_what, ms) => {
  const args = ["--agent", "bingbot", "--allow-private", "--cache", join(folder, `${ms}`), "--timeout", "20"];
  const more = ["--access-policy", "google-2024", "--ordered"];
  const { child, ended, setClock, printed } = start([...args, ...more]);
  child.stdin?.end(stdinOf("soon", "late", "down"));
  await expect.poll(() => [...asked].toSorted(), { timeout: 20_000 }).toEqual(["down", "late", "soon"]);
  // The row is there, so the origin was fetched and stored with the correct time.
  await expect.poll(printed, { timeout: 20_000 }).toContain("//soon.localhost");
  await setClock(ms);
  for (const response of waiting) response.end(file);
  const { code, stdout, stderr } = await ended;
  expect([code, stderr]).toEqual([0, ""]);
  // No real time has passed, so there must be neither a response timeout nor an outage of thirty days.
  expect(recordsOf(stdout).map(({ robots }) => robots)).toMatchObject([
    { allowed: false, because: "rule", line: 2 },
    { allowed: false, because: "rule", line: 2 },
    { allowed: false, because: "unreachable", code: "http-503" },
  ]);
  // The clock is correct again: an entry with a stale time or a time in the future is fetched again.
  asked.length = 0;
  waiting = [];
  const second = runApp([...args, ...more], stdinOf("soon", "late"));
  await expect.poll(() => asked, { timeout: 20_000 }).toEqual(["late"]);
  for (const response of waiting) response.end(file);
  expect((await second).code).toBe(0);
});

test("a year back: checkpoints are still written", async () => {
  const [output, checkpoint] = [join(folder, "output"), join(folder, "checkpoint")];
  const stats = join(folder, "stats");
  const files = ["--output-file", output, "--checkpoint", checkpoint, "--input", "lines", `--stats-json=${stats}`];
  const { child, ended, setClock } = start(["--agent", "bingbot", "--robots", "examples/robots", ...files]);
  const lines = "https://shop.example/cart/1\n".repeat(20_000);
  /** Number of records covered by the checkpoint. */
  const kept = (): number => {
    const text = existsSync(checkpoint) ? readFileSync(checkpoint, "utf8") : "";
    return Number(/"records":(\d+)/.exec(text)?.[1] ?? 0);
  };
  child.stdin?.write(lines);
  await expect.poll(kept, { timeout: 20_000 }).toBeGreaterThan(0);
  await setClock(-365 * day);
  // A checkpoint may already be in progress; the next one is written with the new time.
  for (let round = 0; round < 3; round++) {
    const before = kept();
    child.stdin?.write(lines);
    await expect.poll(kept, { timeout: 20_000 }).toBeGreaterThan(before);
  }
  child.stdin?.end();
  expect((await ended).code).toBe(0);
  // The reported duration must be the real one, unaffected by the clock change.
  const told = JSON.parse(readFileSync(stats, "utf8")) as Record<"startedAt" | "endedAt" | "seconds", string | number>;
  const seconds = (Date.parse(String(told.endedAt)) - Date.parse(String(told.startedAt))) / 1_000;
  expect(told.seconds).toBe(seconds);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThan(3_600);
});

test.each([-365, 365])("the clock is set by %i days between a run and its resumption", async (days) => {
  const source = join(folder, `urls-${days}`);
  const output = join(folder, `rows-${days}`);
  writeFileSync(source, '{"url":"https://shop.example/cart/1"}\n'.repeat(900));
  const args = ["--agent", "bingbot", "--robots", join(root, "examples/robots"), "--output-file"];
  const whole = [...args, `${output}-whole`, source];
  const kept = [...args, output, "--checkpoint", `${output}-checkpoint`, "--resume", source];
  await beginPieces();
  const { now } = Date;
  try {
    expect((await runPieces(whole)).code).toBe(0);
    expect((await runPieces(kept, "", () => existsSync(output) && statSync(output).size > 0)).code).toBe(130);
    const before = statSync(output).size;
    Date.now = () => now() + days * day;
    const { code, stderr } = await runPieces([...kept, "--stats-json"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("continuing after")]);
    const { seconds } = JSON.parse(stderr.trimEnd().split("\n").at(-1)!) as { seconds: number };
    expect(seconds).toBeGreaterThanOrEqual(0);
    expect(statSync(output).size).toBeGreaterThan(before);
    expect(readFileSync(output)).toEqual(readFileSync(`${output}-whole`));
  } finally {
    Date.now = now;
    endPieces();
  }
});
