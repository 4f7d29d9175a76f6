// Tests compressed bytes in pieces of several sizes, whole, truncated and damaged: the text before the damage, and the error.
import fc from "fast-check";
import { randomBytes } from "node:crypto";
import { constants, crc32, deflateRawSync, gzipSync, inflateRawSync, zstdCompressSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { chunksOf, streamOf } from "../../test/reading.ts";
import { decodeText, unpack, type Unpacked } from "./unpack.ts";
import { FrameSplitter } from "./unpack-zstd.ts";

/** CI tries every offset. */
const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;

const rows = Array.from({ length: 20_000 }, (_, index) => `https://a.example/${index}/${(index * 7_919) % 10_007}\n`);
const text = Buffer.from(rows.join(""));

/** The output, how it ends ("whole", or the message of the error), and the number of bytes of its longest chunk. */
interface Output {
  readonly bytes: Buffer;
  readonly end: string;
  readonly longest: number;
}

/** Returns the output of chunks that can be read once. Checks that chunks that can be read again give the same output. */
async function unpackAll(chunks: readonly Uint8Array[]): Promise<Output> {
  const once = await outputOf(unpack(streamOf(chunks)));
  const again = await outputOf(unpack(streamOf(chunks), () => streamOf(chunks)));
  expect([again.end, again.bytes.equals(once.bytes)]).toEqual([once.end, true]);
  return { ...once, longest: Math.max(once.longest, again.longest) };
}

async function outputOf(unpacked: Promise<Unpacked>): Promise<Output> {
  const parts: Uint8Array[] = [];
  let end = "whole";
  try {
    for await (const part of (await unpacked).chunks) parts.push(Buffer.from(part));
  } catch (error) {
    end = (error as Error).message;
  }
  return { bytes: Buffer.concat(parts), end, longest: Math.max(0, ...parts.map((part) => part.length)) };
}

describe("the work does not grow with the number of parts", () => {
  const zlib = process.getBuiltinModule("node:zlib");
  afterEach(() => vi.restoreAllMocks());

  test.each([
    ["empty gzip members", gzipSync(""), "createInflateRaw"],
    ["small gzip members", gzipSync("a\n"), "createInflateRaw"],
    ["empty zstd frames", zstdCompressSync(""), "createZstdDecompress"],
    ["skippable zstd frames", Buffer.from("502a4d180100000000", "hex"), "createZstdDecompress"],
  ] as const)("%s: few streams are made", async (_what, part, name) => {
    const made = vi.spyOn(zlib, name);
    const { end } = await outputOf(unpack(streamOf(chunksOf(Buffer.concat(Array(5_000).fill(part)), 65_536))));
    expect(end).toBe("whole");
    expect(made.mock.calls.length).toBeLessThan(100);
  });

  test("a long name in the header of a gzip member", async () => {
    const summed = vi.spyOn(zlib, "crc32");
    const [head, rest] = [gzipSync("a\n").subarray(0, 10), gzipSync("a\n").subarray(10)];
    head[3] = 8;
    const name = Buffer.alloc(2_000_000, "x");
    const { bytes, end } = await outputOf(
      unpack(streamOf(chunksOf(Buffer.concat([head, name, Buffer.of(0), rest]), 65_536))),
    );
    expect([bytes.toString(), end]).toEqual(["a\n", "whole"]);
    expect(summed.mock.calls.length).toBeLessThan(1_000);
  });
});

describe.each([
  ["gzip", (bytes: Uint8Array): Buffer => gzipSync(bytes)],
  ["zstd", (bytes: Uint8Array): Buffer => zstdCompressSync(bytes)],
] as const)("%s", (name, pack) => {
  test("is unpacked without change, in chunks of several lengths", async () => {
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
    for (let cut = 0; cut <= packed.length; cut += isThorough ? 1 : 3) {
      const { bytes, end } = await unpackAll([packed.subarray(0, cut), packed.subarray(cut)]);
      expect([bytes.toString(), end]).toEqual(["a\nb\n", "whole"]);
    }
  });

  test("truncated: the beginning of the text is given, then an error", async () => {
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

  test("damaged in the middle: at least a quarter of the text is given, then an error", async () => {
    const packed = pack(text);
    packed.fill(0xff, packed.length >> 1, (packed.length >> 1) + 64);
    const { bytes, end } = await unpackAll([packed]);
    expect(end).toContain(`the ${name} data is damaged`);
    expect(bytes.length).toBeGreaterThan(text.length / 4);
    expect(bytes.subarray(0, text.length / 4).equals(text.subarray(0, text.length / 4))).toBe(true);
  });

  test("a decompression bomb is given in pieces of at most a mebibyte", async () => {
    const size = (isThorough ? 64 : 8) * 1_048_576;
    const { bytes, end, longest } = await unpackAll([pack(Buffer.alloc(size))]);
    expect([bytes.length, end]).toEqual([size, "whole"]);
    expect(longest).toBeLessThanOrEqual(1_048_576);
  });

  test("decoding ends for any bytes in any pieces, unchanged or with one byte changed", async () => {
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
      { numRuns: isThorough ? 200 : 80 },
    );
  });
});

const some = Buffer.from(rows.slice(0, 1_500).join(""));

/** Each fault with the text that was compressed before it, and its message. */
const faults: readonly (readonly [what: string, bytes: Buffer, before: Buffer, end: string | RegExp])[] = [
  ["a wrong checksum", changed(gzipSync(some), -8), some, "the gzip data is damaged: incorrect data check"],
  ["a wrong length", changed(gzipSync(some), -1), some, "the gzip data is damaged: incorrect length check"],
  [
    "a wrong checksum of the second member",
    Buffer.concat([gzipSync("a\n"), changed(gzipSync(some), -7)]),
    Buffer.concat([Buffer.from("a\n"), some]),
    "the gzip data is damaged: incorrect data check",
  ],
  ...["x", "hello, this is no member\n".repeat(40)].map(
    (garbage) =>
      [
        `${garbage.length} bytes after a gzip member`,
        Buffer.concat([gzipSync(some), Buffer.from(garbage)]),
        some,
        "the gzip data is damaged: incorrect header check",
      ] as const,
  ),
  [
    "bytes after padding",
    Buffer.concat([gzipSync(some), Buffer.alloc(5), Buffer.from("hello\n")]),
    some,
    "the gzip data is damaged: incorrect header check",
  ],
  [
    "a member after padding",
    Buffer.concat([gzipSync("a\n"), Buffer.alloc(5), gzipSync(some)]),
    Buffer.concat([Buffer.from("a\n"), some]),
    "whole",
  ],
  [
    "a wrong zstd checksum",
    changed(zstdCompressSync(some, { params: { [constants.ZSTD_c_checksumFlag]: 1 } }), -1),
    some,
    /^the zstd data is damaged: .*checksum/,
  ],
  ...["x", "he", "hello\n", "hello, this is no frame\n".repeat(40)].map(
    (garbage) =>
      [
        `${garbage.length} bytes after a zstd frame`,
        Buffer.concat([zstdCompressSync(some), Buffer.from(garbage)]),
        some,
        "the zstd data is damaged: Unknown frame descriptor",
      ] as const,
  ),
];

function changed(bytes: Buffer, at: number): Buffer {
  bytes[bytes.length + at]! ^= 0x10;
  return bytes;
}

test.each(faults)("%s: all text before it is given, for two chunk sizes", async (_what, bytes, before, expected) => {
  for (const length of [bytes.length, 1_000]) {
    const { bytes: came, end } = await unpackAll(chunksOf(bytes, length));
    expect([length, came.equals(before)]).toEqual([length, true]);
    expect(end).toEqual(typeof expected === "string" ? expected : expect.stringMatching(expected));
  }
});

/** The text of a truncated gzip member, as far as the member's bits determine the text. The header of the member has 10 bytes. */
function inflated(gzip: Buffer): string {
  if (gzip.length <= 10) return "";
  return inflateRawSync(gzip.subarray(10), { finishFlush: constants.Z_SYNC_FLUSH }).toString();
}

describe("after any truncation or change, the output does not depend on the chunks", () => {
  const short = Buffer.from(rows.slice(0, 60).join(""));
  const gzip = gzipSync(short);
  const zstd = Buffer.concat([zstdCompressSync(short.subarray(0, 700)), zstdCompressSync(short.subarray(700))]);
  const firstFrame = zstdCompressSync(short.subarray(0, 700)).length;

  const step = isThorough ? 1 : 13;

  test("gzip cut anywhere: all text that the bytes before the cut determine", async () => {
    for (let length = 2; length < gzip.length; length += step) {
      const cut = gzip.subarray(0, length);
      const expected = { bytes: inflated(cut), end: "the gzip data is cut short" };
      for (const size of [length, 7]) {
        const { bytes, end } = await unpackAll(chunksOf(cut, size));
        expect({ length, bytes: bytes.toString(), end }).toEqual({ length, ...expected });
      }
    }
  });

  test("zstd cut anywhere: all blocks before the cut", async () => {
    for (let length = 4; length < zstd.length; length += step) {
      const expected = length < firstFrame ? "" : short.subarray(0, 700).toString();
      for (const size of [length, 7]) {
        const { bytes, end } = await unpackAll(chunksOf(zstd.subarray(0, length), size));
        expect([length, bytes.toString(), end]).toEqual([
          length,
          // The last block of a frame is decoded before the end of the frame is known.
          bytes.length === 700 ? short.subarray(0, 700).toString() : expected,
          length === firstFrame ? "whole" : "the zstd data is cut short",
        ]);
      }
    }
  });

  test.each([
    ["gzip", Buffer.concat([gzip, gzip])],
    [
      "gzip with every field of a header",
      Buffer.concat([fullHeader(), deflateRawSync(short), gzip.subarray(-8), gzip]),
    ],
    ["zstd", zstd],
  ])("%s with a bit changed", async (_what, packed) => {
    const [a, b] = [await unpackAll([packed]), await unpackAll(chunksOf(packed, 1))];
    expect([a.end, a.bytes.equals(b.bytes)]).toEqual(["whole", true]);
    for (let bit = 32; bit < packed.length * 8; bit += isThorough ? 61 : 3_061) {
      const bytes = Buffer.from(packed);
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      const whole = await unpackAll([bytes]);
      for (const size of [1, 100]) {
        const pieced = await unpackAll(chunksOf(bytes, size));
        expect([bit, pieced.bytes.toString("latin1"), pieced.end]).toEqual([
          bit,
          whole.bytes.toString("latin1"),
          whole.end,
        ]);
      }
    }
  });
});

/** A gzip header with an extra field, a name, a comment and a checksum of the header. */
function fullHeader(): Buffer {
  const header = Buffer.from("\x1f\x8b\x08\x1e\0\0\0\0\0\x03\x03\0abcname\0comment\0", "latin1");
  const crc = Buffer.alloc(2);
  crc.writeUInt16LE(crc32(header) & 0xffff);
  return Buffer.concat([header, crc]);
}

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

test("text that is not compressed stays as it is", async () => {
  for (const plain of ["", "a", "\x1f", "{}\n", "Plain text\n"]) {
    const { bytes, end } = await unpackAll(chunksOf(Buffer.from(plain), 1));
    expect([bytes.toString(), end]).toEqual([plain, "whole"]);
  }
});

describe("a file is read again only after a fault", () => {
  const twoMembers = Buffer.concat([gzipSync(text), gzipSync("a\n")]);
  const twoFrames = Buffer.concat([zstdCompressSync(text), zstdCompressSync("a\n")]);
  test.each([
    ["gzip members", twoMembers, 0],
    ["zstd frames", twoFrames, 0],
    ["gzip members, truncated", twoMembers.subarray(0, -1), 1],
    ["zstd frames, truncated", twoFrames.subarray(0, -1), 1],
    ["gzip members before padding", Buffer.concat([twoMembers, Buffer.alloc(7)]), 1],
  ])("%s", async (_what, packed, expected) => {
    for (const length of [packed.length, 10_000, 333]) {
      let times = 0;
      const chunks = chunksOf(packed, length);
      await outputOf(unpack(streamOf(chunks), () => (times++, streamOf(chunks))));
      expect([length, times]).toEqual([length, expected]);
    }
  });

  test("and when the source fails: all text before the failure is given, then the source's error", async () => {
    const packed = gzipSync(text);
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield packed.subarray(0, 20_000);
      throw new Error("the disk is gone");
    };
    const { bytes, end } = await outputOf(unpack(broken(), broken));
    expect(end).toBe("the disk is gone");
    expect(bytes.toString()).toBe(inflated(packed.subarray(0, 20_000)));
  });
});

test("when the reader leaves after the first chunk of text, the chunks of the source are closed", async () => {
  for (const packed of [gzipSync(text), zstdCompressSync(text)]) {
    let isClosed = false;
    const chunks = async function* (): AsyncGenerator<Uint8Array> {
      try {
        yield* chunksOf(packed, 1_000);
      } finally {
        isClosed = true;
      }
    };
    for await (const chunk of (await unpack(chunks(), chunks)).chunks) if (chunk.length > 0) break;
    expect(isClosed).toBe(true);
  }
});

describe("UTF-16", () => {
  const sample = "url\tname\nhttps://a.example/\u00fc\t\ud83d\ude00\n";
  test.each([
    ["low byte first", Buffer.from(`\ufeff${sample}`, "utf16le")],
    ["high byte first", Buffer.from(`\ufeff${sample}`, "utf16le").swap16()],
  ])("%s, in chunks of several lengths", async (_what, bytes) => {
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

describe.each(frames)("%s", (_what, list, expected) => {
  const whole = Buffer.concat(list);
  const sizes = [1, 2, 3, 5, 7, 13, 64, 4_096, whole.length].filter((size) => whole.length / size < 2_000);

  test.each(sizes)("in pieces of %i", async (size) => {
    const { bytes, end } = await outputOf(unpack(streamOf(chunksOf(whole, size))));
    expect([end, bytes.equals(expected)]).toEqual(["whole", true]);
  });

  test("a cut anywhere, except between frames, is detected", async () => {
    const ends = new Set(list.map((_, i) => Buffer.concat(list.slice(0, i + 1)).length));
    const step = Math.ceil(whole.length / 200);
    for (let cut = 1; cut < whole.length; cut += step) {
      const splitter = new FrameSplitter();
      for (const piece of chunksOf(whole.subarray(0, cut), 7)) for (const _segment of splitter.split(piece));
      expect([cut, splitter.whole]).toEqual([cut, ends.has(cut)]);
      // Fewer than four bytes do not identify zstd.
      if (!ends.has(cut) && cut >= 4)
        expect([cut, (await outputOf(unpack(streamOf([whole.subarray(0, cut)])))).end]).toEqual([
          cut,
          "the zstd data is cut short",
        ]);
    }
  });

  test("garbage after the frames is an error", async () => {
    const { end } = await outputOf(unpack(streamOf([Buffer.concat([whole, Buffer.from("garbage")])])));
    expect(end).toBe("the zstd data is damaged: Unknown frame descriptor");
  });
});

test("concatenated segments equal the frames", () => {
  const list = frames[5]?.[1] ?? [];
  const whole = Buffer.concat(list);
  for (let size = 1; size <= whole.length; size++) {
    const splitter = new FrameSplitter();
    const found: Buffer[] = [Buffer.alloc(0)];
    for (const piece of chunksOf(whole, size)) {
      for (const { bytes, endsFrame } of splitter.split(piece)) {
        found.push(Buffer.concat([found.pop() ?? Buffer.alloc(0), bytes]));
        if (endsFrame) found.push(Buffer.alloc(0));
      }
    }
    expect(found.slice(0, -1)).toEqual(list.map((frame) => Buffer.from(frame)));
  }
});
