// Files, and pipes that somebody writes into, in another process: all of it comes, in time, and waiting for it can be ended.
import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, fstatSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { DirectInput } from "./direct.ts";
import { prepare } from "./prepare.ts";

/** A pipe, and what a shell writes into it. */
function pipeFrom(command: string, ...args: readonly string[]): DirectInput {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-pipe-"));
  const path = join(folder, "pipe");
  execFileSync("mkfifo", [path]);
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = spawn("sh", ["-c", `(${command}) >"$0"`, path, ...args], { stdio: "ignore", detached: true });
  onTestFinished(() => {
    // Whatever the shell has started as well; it may have ended.
    try {
      process.kill(-writer.pid!, "SIGKILL");
    } catch {}
    rmSync(folder, { recursive: true, force: true });
  });
  return new DirectInput(fd, { kind: "pipe", isOwn: true });
}

async function textOf(chunks: AsyncIterable<Uint8Array | string>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += Buffer.from(chunk as Uint8Array).toString("latin1");
  return text;
}

describe.skipIf(process.platform === "win32")("a pipe", () => {
  const long = "seq 1 200000";
  const longText = Array.from({ length: 200_000 }, (_, at) => `${at + 1}\n`).join("");

  test("all of it comes, however large it is", async () => {
    expect(await textOf(pipeFrom(long).pieces())).toBe(longText);
  });

  test("its chunks can be kept, unless they were asked for as pieces", async () => {
    const chunks: (Uint8Array | string)[] = [];
    for await (const chunk of pipeFrom(long)) chunks.push(chunk);
    expect(Buffer.concat(chunks as Uint8Array[]).toString()).toBe(longText);
    const pieces: Uint8Array[] = [];
    for await (const piece of pipeFrom(long).pieces()) pieces.push(piece);
    expect(new Set(pieces.map(({ buffer }) => buffer)).size).toBe(1);
  });

  test.each([
    ["one byte after another", "printf a; sleep 0.05; printf b; sleep 0.05; printf c", "abc"],
    ["nothing", ":", ""],
    ["a writer that comes late", "sleep 0.2; echo x", "x\n"],
  ])("%s", async (_what, command, text) => {
    expect(await textOf(pipeFrom(command).pieces())).toBe(text);
  });

  test.each([
    ["gzip", gzipSync(longText)],
    ["UTF-16", Buffer.from(`\ufeff${longText}`, "utf16le")],
  ])("%s comes unpacked, also in single bytes", async (_what, bytes) => {
    const head = bytes.subarray(0, 40).toString("base64");
    const rest = bytes.subarray(40).toString("base64");
    // What is looked at before anything is read comes in many chunks.
    const single = "for byte in $(echo $1 | base64 -d | od -An -v -to1); do printf \\\\$byte; sleep 0.01; done";
    const read = async (command: string, ...args: readonly string[]): Promise<string> =>
      textOf(
        (
          await prepare("-", pipeFrom(command, ...args).pieces(), {
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

  test("waiting is ended, with an error where one is given", async () => {
    const begun = async (pipe: DirectInput): Promise<AsyncGenerator<Uint8Array>> => {
      const pieces = pipe.pieces();
      await pieces.next();
      return pieces;
    };
    const quiet = pipeFrom("echo x; exec sleep 60");
    const left = await begun(quiet);
    setTimeout(() => quiet.destroy(), 20);
    expect(await left.next()).toEqual({ done: true, value: undefined });
    const failing = pipeFrom("echo x; exec sleep 60");
    const rest = await begun(failing);
    setTimeout(() => failing.destroy(new Error("no more")), 20);
    await expect(rest.next()).rejects.toThrow("no more");
    // Before it is read at all.
    const unread = pipeFrom("exec sleep 60");
    unread.destroy();
    expect(await textOf(unread.pieces())).toBe("");
    expect(() => fstatSync(unread.fd)).toThrow("EBADF");
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

  test.each([0, 7, 150_000, 200_000, 300_000])("from byte %i on, and then it is closed", async (start) => {
    const fd = open();
    expect(await textOf(new DirectInput(fd, { kind: "file", start, isOwn: true }).pieces())).toBe(text.slice(start));
    expect(() => fstatSync(fd)).toThrow("EBADF");
  });

  test("that somebody else opened goes on where it stands, and stays open", async () => {
    const fd = open();
    readSync(fd, Buffer.alloc(3), 0, 3, null);
    expect(await textOf(new DirectInput(fd, { kind: "file", isOwn: false }))).toBe(text.slice(3));
    closeSync(fd);
  });

  test("timers have their turn while it is read", async () => {
    const fd = open();
    let turns = 0;
    const clock = setInterval(() => turns++, 1);
    onTestFinished(() => clearInterval(clock));
    for await (const piece of new DirectInput(fd, { kind: "file", start: 0, isOwn: true }).pieces()) {
      // As long as somebody works on it.
      const begin = performance.now();
      while (performance.now() - begin < 5) piece[0]! ^= 1;
    }
    expect(turns).toBeGreaterThan(0);
  });

  test("that is given up is closed, also when it was not read", async () => {
    const unread = open();
    new DirectInput(unread, { kind: "file", start: 0, isOwn: true }).destroy();
    expect(() => fstatSync(unread)).toThrow("EBADF");
    const fd = open();
    const input = new DirectInput(fd, { kind: "file", start: 0, isOwn: true });
    const pieces = input.pieces();
    await pieces.next();
    input.destroy();
    expect(await pieces.next()).toEqual({ done: true, value: undefined });
    expect(() => fstatSync(fd)).toThrow("EBADF");
  });
});
