// Compressed bytes in any pieces, whole, cut and damaged, in: what was compressed, and what is said of the rest, out.
import { randomBytes } from "node:crypto";
import { gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunksOf, streamOf } from "../../test/reading.ts";
import { decodeText } from "./encoding.ts";
import { unpack } from "./unpack.ts";

const rows = Array.from({ length: 20_000 }, (_, index) => `https://a.example/${index}/${(index * 7_919) % 10_007}\n`);
const text = Buffer.from(rows.join(""));

/** What comes of it, and how it ends. */
async function unpackAll(chunks: readonly Uint8Array[]): Promise<{ bytes: Buffer; end: string; longest: number }> {
  const parts: Uint8Array[] = [];
  let end = "whole";
  try {
    for await (const part of (await unpack(streamOf(chunks))).chunks) parts.push(Buffer.from(part));
  } catch (error) {
    end = (error as Error).message;
  }
  return { bytes: Buffer.concat(parts), end, longest: Math.max(0, ...parts.map((part) => part.length)) };
}

describe.each([
  ["gzip", (bytes: Uint8Array): Buffer => gzipSync(bytes)],
  ["zstd", (bytes: Uint8Array): Buffer => zstdCompressSync(bytes)],
] as const)("%s", (name, pack) => {
  test("comes out as it went in, in chunks of any length", async () => {
    for (const [content, lengths] of [
      [text, [10_000_000, 65_536, 1_000]],
      [text.subarray(0, 20_000), [1_000, 7, 1]],
    ] as const) {
      for (const length of lengths) {
        const { bytes, end } = await unpackAll(chunksOf(pack(content), length));
        expect([bytes.equals(content), end]).toEqual([true, "whole"]);
      }
    }
  });

  test("several members or frames, cut anywhere", async () => {
    const packed = Buffer.concat([pack(Buffer.from("a\n")), pack(Buffer.alloc(0)), pack(Buffer.from("b\n"))]);
    for (let cut = 0; cut <= packed.length; cut++) {
      const { bytes, end } = await unpackAll([packed.subarray(0, cut), packed.subarray(cut)]);
      expect([bytes.toString(), end]).toEqual(["a\nb\n", "whole"]);
    }
  });

  test("cut short: what came before is given, then it is said", async () => {
    const packed = pack(text);
    const { bytes, end } = await unpackAll([packed.subarray(0, packed.length >> 1)]);
    expect(end).toBe(`the ${name} data is cut short`);
    expect(text.subarray(0, bytes.length).equals(bytes)).toBe(true);
    expect(bytes.length).toBeGreaterThan(text.length / 4);
    const barely = await unpackAll([packed.subarray(0, packed.length - 1)]);
    expect(barely.end).toBe(`the ${name} data is cut short`);
    const second = await unpackAll([Buffer.concat([packed, pack(text).subarray(0, 6)])]);
    expect([second.bytes.equals(text), second.end]).toEqual([true, `the ${name} data is cut short`]);
  });

  test("damaged in the middle: most of what came before is given, then it is said", async () => {
    const packed = pack(text);
    packed.fill(0xff, packed.length >> 1, (packed.length >> 1) + 64);
    const { bytes, end } = await unpackAll([packed]);
    expect(end).toContain(`the ${name} data is damaged`);
    expect(bytes.length).toBeGreaterThan(text.length / 4);
    expect(bytes.subarray(0, text.length / 4).equals(text.subarray(0, text.length / 4))).toBe(true);
  });

  test("a bomb comes in pieces", async () => {
    const packed = pack(Buffer.alloc(64 * 1_048_576));
    const { bytes, end, longest } = await unpackAll([packed]);
    expect([bytes.length, end]).toEqual([64 * 1_048_576, "whole"]);
    expect(longest).toBeLessThanOrEqual(1_048_576);
  });

  test("any bytes in any pieces, whole or with bytes changed, end", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.integer({ min: 1, max: 50 }),
        fc.option(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { nil: undefined }),
        async (content, length, change) => {
          const packed = pack(content);
          if (change !== undefined) packed[4 + (change[0] % (packed.length - 4))] = change[1];
          const { bytes, end } = await unpackAll(chunksOf(packed, length));
          if (change === undefined) expect([[...bytes], end]).toEqual([[...content], "whole"]);
          else expect(end).toMatch(/^(?:whole|the (?:gzip|zstd) data is .+)$/);
        },
      ),
      { numRuns: 200 },
    );
  });
});

test("zeros after a gzip member are padding, other bytes are damage", async () => {
  const packed = gzipSync("a\n");
  expect(await unpackAll([packed, Buffer.alloc(512)])).toMatchObject({ end: "whole" });
  const other = await unpackAll([...chunksOf(packed, 1), Buffer.from("hello")]);
  expect([other.bytes.toString(), other.end]).toEqual(["a\n", "the gzip data is damaged: incorrect header check"]);
});

test("a skippable frame before and between zstd frames", async () => {
  const skippable = Buffer.concat([Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0]), randomBytes(3)]);
  const packed = Buffer.concat([skippable, zstdCompressSync("a\n"), skippable, zstdCompressSync("b\n")]);
  for (const length of [packed.length, 1]) {
    const { bytes, end } = await unpackAll(chunksOf(packed, length));
    expect([bytes.toString(), end]).toEqual(["a\nb\n", "whole"]);
  }
});

test("what is not compressed stays as it is", async () => {
  for (const plain of ["", "a", "\x1f", "{}\n", "Plain text\n"]) {
    const { bytes, end } = await unpackAll(chunksOf(Buffer.from(plain), 1));
    expect([bytes.toString(), end]).toEqual([plain, "whole"]);
  }
});

describe("UTF-16", () => {
  const sample = "url\tname\nhttps://a.example/\u00fc\t\ud83d\ude00\n";
  test.each([
    ["low byte first", Buffer.from(`\ufeff${sample}`, "utf16le")],
    ["high byte first", Buffer.from(`\ufeff${sample}`, "utf16le").swap16()],
  ])("%s, in chunks of any length", async (_what, bytes) => {
    for (const length of [bytes.length, 1, 2, 3, 7]) {
      const parts: Uint8Array[] = [];
      for await (const part of (await decodeText(streamOf(chunksOf(bytes, length)))).chunks) parts.push(part);
      expect(Buffer.concat(parts).toString()).toBe(sample);
    }
  });

  test("cut within a character", async () => {
    const parts: Uint8Array[] = [];
    const bytes = Buffer.from("\ufeffa\ud83d", "utf16le");
    for await (const part of (await decodeText(streamOf([bytes]))).chunks) parts.push(part);
    expect(Buffer.concat(parts).toString()).toBe("a\ufffd");
  });
});
