// Tests that all bytes of a file are read, from several offsets on, and that reading can be ended.
import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { DirectInput } from "./direct.ts";

async function textOf(chunks: AsyncIterable<Uint8Array | string>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += Buffer.from(chunk as Uint8Array).toString("latin1");
  return text;
}

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
