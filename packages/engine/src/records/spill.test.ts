// Tests that the temporary file returns the same records in the same order, and that it is removed.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Spill } from "./spill.ts";

test("6,000 records come back whole and in order", () => {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-spill-"));
  const spill = new Spill(0, folder);
  let pushed = 0;
  let shifted = 0;
  const lengthOf = (record: number): number => (record % 1_000 === 999 ? 700_000 : (record * 37) % 500);
  const push = (): void => {
    const head = Buffer.from(`x{${pushed}${"h".repeat(lengthOf(pushed))}x`);
    spill.push(pushed % 7, pushed % 3, head, 1, head.length - 1, `/${pushed}`);
    pushed++;
  };
  const shift = (): void => {
    const { heads, origin, first, headStart, headEnd, targets, targetStart, targetEnd } = spill.shift()!;
    expect([origin, first]).toEqual([shifted % 7, shifted % 3]);
    expect(heads.toString("latin1", headStart, headEnd)).toBe(`{${shifted}${"h".repeat(lengthOf(shifted))}`);
    expect(targets.toString("latin1", targetStart, targetEnd)).toBe(`/${shifted}`);
    shifted++;
  };
  for (let turn = 0; turn < 60; turn++) {
    for (let record = 0; record < 100; record++) push();
    for (let record = 0; record < 60; record++) shift();
  }
  while (spill.count > 0) shift();
  expect([shifted, spill.bytes, spill.shift()]).toEqual([pushed, 0, undefined]);
  spill.trim();
  push();
  shift();
  // On systems that can remove an open file, the file is already removed.
  if (process.platform !== "win32") expect(readdirSync(folder)).toEqual([]);
  spill.close();
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

test("a closed queue holds no bytes", () => {
  const spill = new Spill(1_000_000);
  for (let record = 0; record < 3; record++) spill.push(0, 0, Buffer.alloc(200_000), 0, 200_000, "/");
  expect(spill.heldBytes).toBeGreaterThan(600_000);
  spill.close();
  expect([spill.heldBytes, spill.count, spill.bytes]).toEqual([0, 0, 0]);
});

test("a folder that does not exist is an error", () => {
  const spill = new Spill(0, join(tmpdir(), "robots-stream-none", "none"));
  const push = (): void => spill.push(0, 0, Buffer.alloc(300_000), 0, 300_000, "/");
  push();
  expect(push).toThrow(expect.objectContaining({ side: "spill" }));
});
