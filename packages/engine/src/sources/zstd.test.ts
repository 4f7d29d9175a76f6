// Tests that zstd frames in pieces of several sizes are split and decoded.
import { Readable } from "node:stream";
import { constants, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { unpack } from "./unpack.ts";
import { FrameSplitter } from "./zstd.ts";

const params = { [constants.ZSTD_c_checksumFlag]: 1 };
const skippable = Buffer.from([0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
const emptySkippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]);
const large = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * i * 7919) >> 5));

const frames: readonly (readonly [what: string, frames: readonly Uint8Array[], text: Uint8Array])[] = [
  ["one frame", [zstdCompressSync("abc")], Buffer.from("abc")],
  ["an empty frame", [zstdCompressSync("")], Buffer.alloc(0)],
  ["a frame with a checksum", [zstdCompressSync("abc", { params })], Buffer.from("abc")],
  ["a repeated octet", [zstdCompressSync(Buffer.alloc(300_000, 0x61))], Buffer.alloc(300_000, 0x61)],
  ["several blocks", [zstdCompressSync(large, { params })], large],
  ["three frames", ["one ", "two ", "three"].map((part) => zstdCompressSync(part)), Buffer.from("one two three")],
  ["skippable frames around one", [skippable, zstdCompressSync("abc"), emptySkippable], Buffer.from("abc")],
];

/** The unpacked text, or the message of the error. */
async function decode(pieces: Iterable<Uint8Array>): Promise<Buffer | string> {
  const chunks: Uint8Array[] = [];
  try {
    const unpacked = await unpack(Readable.from(pieces, { objectMode: true }) as AsyncIterable<Uint8Array>);
    for await (const chunk of unpacked.chunks) chunks.push(chunk);
  } catch (error) {
    return (error as Error).message;
  }
  return Buffer.concat(chunks);
}

function* piecesOf(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe.each(frames)("%s", (_what, list, text) => {
  const whole = Buffer.concat(list);
  const sizes = [1, 2, 3, 5, 7, 13, 64, 4_096, whole.length].filter((size) => whole.length / size < 2_000);

  test.each(sizes)("in pieces of %i", async (size) => {
    const got = await decode(piecesOf(whole, size));
    expect(typeof got === "string" ? got : Buffer.compare(got, text)).toBe(0);
  });

  test("a cut anywhere, except between frames, is detected", async () => {
    const ends = new Set(list.map((_, i) => Buffer.concat(list.slice(0, i + 1)).length));
    const step = Math.ceil(whole.length / 200);
    for (let cut = 1; cut < whole.length; cut += step) {
      const splitter = new FrameSplitter();
      for (const piece of piecesOf(whole.subarray(0, cut), 7)) for (const _segment of splitter.split(piece));
      expect([cut, splitter.whole]).toEqual([cut, ends.has(cut)]);
      // Fewer than four bytes do not identify zstd.
      if (!ends.has(cut) && cut >= 4)
        expect([cut, await decode([whole.subarray(0, cut)])]).toEqual([cut, "the zstd data is cut short"]);
    }
  });

  test("garbage after the frames is an error", async () => {
    const got = await decode([Buffer.concat([whole, Buffer.from("garbage")])]);
    expect(got).toBe("the zstd data is damaged: Unknown frame descriptor");
  });
});

test("concatenated segments equal the frames", () => {
  const list = frames[5]?.[1] ?? [];
  const whole = Buffer.concat(list);
  for (let size = 1; size <= whole.length; size++) {
    const splitter = new FrameSplitter();
    const found: Buffer[] = [Buffer.alloc(0)];
    for (const piece of piecesOf(whole, size)) {
      for (const { bytes, endsFrame } of splitter.split(piece)) {
        found.push(Buffer.concat([found.pop() ?? Buffer.alloc(0), bytes]));
        if (endsFrame) found.push(Buffer.alloc(0));
      }
    }
    expect(found.slice(0, -1)).toEqual(list.map((frame) => Buffer.from(frame)));
  }
});
