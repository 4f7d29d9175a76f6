// Named pipes that somebody writes into, in another process: all of it comes, in time, and waiting for it can be ended.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { prepare } from "./prepare.ts";
import { type Source, openSource } from "./source.ts";

/** A pipe, and what a shell writes into it. */
function pipeFrom(command: string, ...args: readonly string[]): Source {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-pipe-"));
  const path = join(folder, "pipe");
  execFileSync("mkfifo", [path]);
  const source = openSource(path, process.stdin);
  const writer = spawn("sh", ["-c", `(${command}) >"$0"`, path, ...args], { stdio: "ignore", detached: true });
  onTestFinished(() => {
    // Whatever the shell has started as well; it may have ended.
    try {
      process.kill(-writer.pid!, "SIGKILL");
    } catch {}
    rmSync(folder, { recursive: true, force: true });
  });
  return source;
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

  test("all of it comes, however large it is", async () => {
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
  ])("%s comes unpacked, also in single bytes", async (_what, bytes) => {
    const head = bytes.subarray(0, 40).toString("base64");
    const rest = bytes.subarray(40).toString("base64");
    // What is looked at before anything is read comes in many chunks.
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

  test("waiting is ended, also before anything was read", async () => {
    const quiet = pipeFrom("echo x; exec sleep 60");
    const chunks = quiet.chunks[Symbol.asyncIterator]();
    await chunks.next();
    setTimeout(() => quiet.destroy(), 20);
    expect((await chunks.next().catch(() => undefined))?.done ?? true).toBe(true);
    const unread = pipeFrom("exec sleep 60");
    unread.destroy();
    expect(await textOf(unread.chunks).catch(() => "")).toBe("");
  });
});
