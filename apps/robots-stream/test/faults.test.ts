// What goes wrong around a process: readers that leave, signals, full disks, inputs that vanish.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Readable, Writable } from "node:stream";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { appArguments, recordsOf, root, runApp, startApp } from "./run.ts";

const saved = ["--agent", "bingbot", "--robots", "examples/robots"];

let folder = "";
let manyUrls = "";
let server: Server;
let origin = "";
let requests: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "robots-stream-faults-"));
  manyUrls = join(folder, "many.ndjson");
  writeFileSync(manyUrls, '{"url":"https://shop.example/cart/1"}\n'.repeat(200_000));
  server = createServer((request, response) => {
    requests.push(request.headers.host ?? "");
    // "localhost" never gets an answer, the address does.
    if (request.headers.host?.startsWith("127.0.0.1") === true) response.end("");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

/** A process whose stdout nobody reads until the test does. */
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

test("a reader that leaves: a quiet end", async () => {
  const child = startUnread([...saved, "--summary", manyUrls]);
  const ended = endOf(child);
  await once(child.stdout, "readable");
  expect(String(child.stdout.read())).toMatch(/^\{"url"/);
  child.stdout.destroy();
  expect(await ended).toEqual([0, ""]);
});

test("a reader that leaves: no more fetches", async () => {
  requests = [];
  const child = startUnread(["--agent", "bingbot", "--allow-private", "--concurrency", "1", "--timeout", "600"]);
  const ended = endOf(child);
  child.stdin.on("error", () => undefined);
  child.stdin.write(`${origin}/\n`);
  await once(child.stdout, "readable");
  child.stdout.destroy();
  child.stdin.write(`${origin.replace("127.0.0.1", "localhost")}/\n`);
  // It is noticed with the next row, whatever else is still waited for.
  const writing = setInterval(() => child.stdin.write(`${origin}/again\n`), 20);
  expect(await ended).toEqual([0, ""]);
  clearInterval(writing);
  expect(requests.filter((host) => host.startsWith("127.0.0.1"))).toHaveLength(1);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s: what is decided is written, the rest is counted", async (signal, code) => {
  requests = [];
  const child = startApp(["--agent", "bingbot", "--allow-private", "--timeout", "600", "--summary"]);
  const waiting = origin.replace("127.0.0.1", "localhost");
  child.stdin?.write(`${origin}/1\n${waiting}/2\n${waiting}/3\n${origin}/4\n`);
  let written = "";
  child.stdout?.on("data", (chunk: Buffer) => (written += chunk.toString()));
  // Both origins are asked, and the answered one's rows are out.
  while (requests.length < 2 || recordsOf(written).length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  child.kill(signal);
  const ended = await child.ended;
  expect(ended.code).toBe(code);
  expect(recordsOf(ended.stdout).map(({ url }) => url)).toEqual([`${origin}/1`, `${origin}/4`]);
  expect(ended.stdout.endsWith("\n")).toBe(true);
  expect(ended.stderr).toContain("records       4\ndecided       2\nrejects       0\nnot decided   2\n");
  expect(ended.stderr).toContain(`robots-stream: stopped by ${signal}; 2 records that were read are not decided\n`);
});

test("a second SIGINT does not wait for the reader", async () => {
  const child = startUnread([...saved, manyUrls]);
  const ended = endOf(child);
  await once(child.stdout, "readable");
  child.kill("SIGINT");
  // Nobody reads, so the rows that are decided cannot be written and the process has to wait.
  const first = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 500, "still waiting"))]);
  expect(first).toBe("still waiting");
  child.kill("SIGINT");
  expect(await ended).toEqual([130, ""]);
});

test.skipIf(!existsSync("/dev/full"))("a full disk: exit 3, and how far it came", async () => {
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

test.skipIf(!existsSync("/proc/self/mem"))("an input that fails while it is read: exit 3", async () => {
  // It can be opened, but there is nothing to read at its beginning.
  const { code, stdout, stderr } = await runApp([
    ...saved,
    "--input",
    "lines",
    "examples/urls.ndjson",
    "/proc/self/mem",
  ]);
  expect([code, stdout.split("\n").length - 1, stderr]).toEqual([
    3,
    17,
    "robots-stream: /proc/self/mem: i/o error (EIO) after 17 records were decided\n",
  ]);
});
