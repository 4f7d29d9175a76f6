// Tests named pipes that another process writes to, and files: all bytes arrive, and reading can be ended.
import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { prepare } from "./prepare.ts";
import { DirectInput, PipeInput } from "./direct.ts";
import { openSource, type Source } from "./source.ts";

/** The source that reads a pipe to which the shell command writes. */
function pipeFrom(command: string, ...args: readonly string[]): Source {
  return openedFrom(command, args, (path) => openSource(path, process.stdin));
}

/** A pipe to which the shell command writes, as a `PipeInput`, whose descriptor is known. */
function inputFrom(command: string): PipeInput {
  return openedFrom(
    command,
    [],
    (path) => new PipeInput(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), true),
  );
}

function openedFrom<T>(command: string, args: readonly string[], open: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-pipe-"));
  const path = join(folder, "pipe");
  execFileSync("mkfifo", [path]);
  const opened = open(path);
  const writer = spawn("sh", ["-c", `(${command}) >"$0"`, path, ...args], { stdio: "ignore", detached: true });
  onTestFinished(() => {
    // Also ends the processes that the shell started; they may have ended already.
    try {
      process.kill(-writer.pid!, "SIGKILL");
    } catch {}
    rmSync(folder, { recursive: true, force: true });
  });
  return opened;
}

const bytesOf = (source: Source): AsyncIterable<Uint8Array> => source.chunks as AsyncIterable<Uint8Array>;

async function textOf(chunks: AsyncIterable<Uint8Array | string>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += Buffer.from(chunk as Uint8Array).toString("latin1");
  return text;
}

describe.skipIf(process.platform === "win32")("a pipe", () => {
  const long = "seq 1 200000";
  const longText = Array.from({ length: 200_000 }, (_, at) => `${at + 1}\n`).join("");

  test("all bytes of a long output arrive", async () => {
    expect(await textOf(pipeFrom(long).chunks)).toBe(longText);
  });

  test.each([
    ["one byte after another", "printf a; sleep 0.05; printf b; sleep 0.05; printf c", "abc"],
    ["nothing", ":", ""],
    ["a writer that comes late", "sleep 0.2; echo x", "x\n"],
  ])("%s", async (_what, command, text) => {
    expect(await textOf(pipeFrom(command).chunks)).toBe(text);
  });

  test.each([
    ["gzip", gzipSync(longText)],
    ["UTF-16", Buffer.from(`\ufeff${longText}`, "utf16le")],
  ])("%s is unpacked when its first 40 bytes arrive one by one", async (_what, bytes) => {
    const head = bytes.subarray(0, 40).toString("base64");
    const rest = bytes.subarray(40).toString("base64");
    // The bytes examined before the run come in many chunks.
    const single = "for byte in $(echo $1 | base64 -d | od -An -v -to1); do printf \\\\$byte; sleep 0.01; done";
    const read = async (command: string, ...args: readonly string[]): Promise<string> =>
      textOf(
        (
          await prepare("-", bytesOf(pipeFrom(command, ...args)), {
            format: undefined,
            urlField: undefined,
            isLive: true,
          })
        ).chunks,
      );
    const folder = mkdtempSync(join(tmpdir(), "robots-stream-pipe-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    execFileSync("sh", ["-c", 'base64 -d >"$0"', join(folder, "rest")], { input: rest });
    expect(await read(`${single}; cat "$2"`, head, join(folder, "rest"))).toBe(longText);
  });

  test("`destroy` ends the waiting, also before anything was read", async () => {
    const quiet = pipeFrom("echo x; exec sleep 60");
    const chunks = quiet.chunks[Symbol.asyncIterator]();
    await chunks.next();
    setTimeout(() => quiet.destroy(), 20);
    expect((await chunks.next().catch(() => undefined))?.done ?? true).toBe(true);
    const unread = pipeFrom("exec sleep 60");
    unread.destroy();
    expect(await textOf(unread.chunks).catch(() => "")).toBe("");
  });

  test("its chunks can be kept, unless they were requested with pieces()", async () => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of inputFrom(long)) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe(longText);
    const pieces: Uint8Array[] = [];
    for await (const piece of inputFrom(long).pieces()) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(1);
    expect(new Set(pieces.map(({ buffer }) => buffer)).size).toBe(1);
  });

  test("nothing is read while no chunk is requested, and then all bytes arrive", async () => {
    const folder = mkdtempSync(join(tmpdir(), "robots-stream-pipe-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const written = join(folder, "written");
    const { chunks } = pipeFrom(`${long}; : >"${written}"`);
    const pieces = chunks[Symbol.asyncIterator]();
    const first = Buffer.from((await pieces.next()).value as Uint8Array);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(existsSync(written)).toBe(false);
    expect(first.toString() + (await textOf({ [Symbol.asyncIterator]: () => pieces }))).toBe(longText);
  });

  test("a pending read ends with the given error; the descriptor is closed, even when it was never read", async () => {
    const failing = inputFrom("echo x; exec sleep 60");
    const rest = failing.pieces();
    await rest.next();
    setTimeout(() => failing.destroy(new Error("no more")), 20);
    await expect(rest.next()).rejects.toThrow("no more");
    const unread = inputFrom("exec sleep 60");
    unread.destroy();
    unread.destroy();
    expect(() => fstatSync(unread.fd)).toThrow("EBADF");
    expect(await textOf(unread.pieces())).toBe("");
  });
});

describe("a file", () => {
  const text = "0123456789".repeat(20_000);
  const open = (): number => {
    const folder = mkdtempSync(join(tmpdir(), "robots-stream-file-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, "file"), text);
    return openSync(join(folder, "file"), "r");
  };

  test.each([0, 7, 150_000, 200_000, 300_000])("is read from byte %i on, and then closed", async (start) => {
    const fd = open();
    expect(await textOf(new DirectInput(fd, { start, isOwn: true }).pieces())).toBe(text.slice(start));
    expect(() => fstatSync(fd)).toThrow("EBADF");
  });

  test("whose descriptor belongs to the caller: it is read from the descriptor's position, and stays open", async () => {
    const fd = open();
    readSync(fd, Buffer.alloc(3), 0, 3, null);
    expect(await textOf(new DirectInput(fd, { isOwn: false }))).toBe(text.slice(3));
    closeSync(fd);
  });

  test("kept: it is read again from the same byte, until it is destroyed", async () => {
    const fd = open();
    const input = new DirectInput(fd, { start: 7, isOwn: true, isKept: true });
    for (let time = 0; time < 2; time++) expect(await textOf(input.pieces())).toBe(text.slice(7));
    input.destroy();
    expect(() => fstatSync(fd)).toThrow("EBADF");
    expect(await textOf(input.pieces())).toBe("");
  });

  test("timers run while it is read", async () => {
    const fd = open();
    let turns = 0;
    const clock = setInterval(() => turns++, 1);
    onTestFinished(() => clearInterval(clock));
    for await (const piece of new DirectInput(fd, { start: 0, isOwn: true }).pieces()) {
      // Blocks the process while the chunk is in use.
      const begin = performance.now();
      while (performance.now() - begin < 5) piece[0]! ^= 1;
    }
    expect(turns).toBeGreaterThan(0);
  });

  test("destroyed: it is closed, even when it was not read", async () => {
    const unread = open();
    new DirectInput(unread, { start: 0, isOwn: true }).destroy();
    expect(() => fstatSync(unread)).toThrow("EBADF");
    const fd = open();
    const input = new DirectInput(fd, { start: 0, isOwn: true });
    const pieces = input.pieces();
    await pieces.next();
    input.destroy();
    expect(await pieces.next()).toEqual({ done: true, value: undefined });
    expect(() => fstatSync(fd)).toThrow("EBADF");
  });
});
