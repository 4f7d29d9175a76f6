// Decompresses the members of gzip data (RFC 1952 §2.2). Node's own gzip decoder drops text before a wrong checksum, before bytes that are
// not a member, and in members after padding. So headers and trailers are read here, and Node only inflates.
import type { InflateRaw } from "node:zlib";
import { DamagedError } from "../common/errors.ts";
import { NodeDecoder, smallBytes, smallTextBytes, type Unpacker } from "./decoder.ts";

const bufferBytes = 32 * 1_024;

/** Bits of the header's flags byte (FLG). */
const flag = { headerCrc: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const;

/** The bytes of the current piece that are not read yet. */
interface Rest {
  bytes: Uint8Array;
}

/** A generator that reads from a `Rest`, and yields when it needs further bytes. Throws a `DamagedError` for wrong bytes. */
type Reader<Result = void> = Generator<undefined, Result>;

/** Decompresses the members of a gzip file, one after another. */
export class GzipUnpacker implements Unpacker {
  readonly #rest: Rest = { bytes: new Uint8Array(0) };
  /** The reader of a header or a trailer; undefined while compressed data is read. */
  #reader: Reader | undefined = readHeader(this.#rest);
  #isTrailer = false;
  #inflate: NodeDecoder | undefined;
  #crc = 0;
  #size = 0;
  /** Whether a member has ended and no other has begun. */
  #isBetween = false;

  get isWhole(): boolean {
    return this.#isBetween;
  }

  async *decode(piece: Uint8Array): AsyncGenerator<Uint8Array> {
    const rest = this.#rest;
    rest.bytes = piece;
    while (rest.bytes.length > 0) {
      if (this.#isBetween) {
        // Zero padding, as on tapes.
        const begin = rest.bytes.findIndex((byte) => byte !== 0);
        if (begin < 0) return;
        rest.bytes = rest.bytes.subarray(begin);
        this.#isBetween = false;
      }
      if (this.#reader === undefined) yield* this.#decodeData();
      else if (this.#reader.next().done === true) {
        this.#isBetween = this.#isTrailer;
        this.#reader = this.#isTrailer ? readHeader(rest) : undefined;
        this.#isTrailer = false;
      }
    }
  }

  destroy(): void {
    this.#inflate?.destroy();
  }

  async *#decodeData(): AsyncGenerator<Uint8Array> {
    const rest = this.#rest;
    const { bytes } = rest;
    const small = this.#inflate === undefined ? inflateSmall(bytes) : undefined;
    if (small !== undefined) {
      rest.bytes = bytes.subarray(small.taken);
      if (small.text.length > 0) yield this.#counted(small.text);
      this.#endData();
      return;
    }
    const inflate = (this.#inflate ??= new NodeDecoder(
      "gzip",
      process.getBuiltinModule("node:zlib").createInflateRaw({ chunkSize: bufferBytes }),
    ));
    const before = inflate.taken;
    for await (const text of inflate.decode(bytes, false)) yield this.#counted(text);
    rest.bytes = bytes.subarray(inflate.taken - before);
    if (inflate.hasEnded) this.#endData();
  }

  #counted(text: Uint8Array): Uint8Array {
    this.#crc = process.getBuiltinModule("node:zlib").crc32(text, this.#crc);
    this.#size = (this.#size + text.length) >>> 0;
    return text;
  }

  #endData(): void {
    this.#inflate?.destroy();
    this.#inflate = undefined;
    this.#reader = readTrailer(this.#rest, this.#crc, this.#size);
    this.#isTrailer = true;
    this.#crc = 0;
    this.#size = 0;
  }
}

/** Decodes the data of a small member at the beginning of `bytes`, without a stream, which would take longer. Undefined if the data is not small, not complete, or damaged. */
function inflateSmall(bytes: Uint8Array): { readonly text: Uint8Array; readonly taken: number } | undefined {
  try {
    const { buffer, engine } = process.getBuiltinModule("node:zlib").inflateRawSync(bytes.subarray(0, smallBytes), {
      chunkSize: smallBytes,
      maxOutputLength: smallTextBytes,
      info: true,
    }) as unknown as { readonly buffer: Uint8Array; readonly engine: InflateRaw };
    return { text: buffer, taken: engine.bytesWritten };
  } catch {
    return undefined;
  }
}

function* readHeader(rest: Rest): Reader {
  const bytes = new HeaderBytes(rest);
  if ((yield* bytes.next()) !== 0x1f || (yield* bytes.next()) !== 0x8b) throw damaged("incorrect header check");
  if ((yield* bytes.next()) !== 8) throw damaged("unknown compression method");
  const flags = yield* bytes.next();
  if ((flags & flag.reserved) !== 0) throw damaged("unknown header flags set");
  // Modification time, extra flags and operating system.
  yield* bytes.skip(6);
  if ((flags & flag.extra) !== 0) {
    const low = yield* bytes.next();
    yield* bytes.skip(low | ((yield* bytes.next()) << 8));
  }
  if ((flags & flag.name) !== 0) yield* bytes.skipText();
  if ((flags & flag.comment) !== 0) yield* bytes.skipText();
  if ((flags & flag.headerCrc) !== 0) {
    const expected = bytes.crc & 0xffff;
    const low = yield* bytes.next();
    if ((low | ((yield* bytes.next()) << 8)) !== expected) throw damaged("header crc mismatch");
  }
}

/** Reads the bytes of a header, and computes their checksum. */
class HeaderBytes {
  crc = 0;
  readonly #rest: Rest;

  constructor(rest: Rest) {
    this.#rest = rest;
  }

  *next(): Reader<number> {
    while (this.#rest.bytes.length === 0) yield;
    return this.#take(1)[0]!;
  }

  *skip(count: number): Reader {
    for (let left = count; left > 0;) {
      while (this.#rest.bytes.length === 0) yield;
      left -= this.#take(Math.min(left, this.#rest.bytes.length)).length;
    }
  }

  /** Skips a text and the zero byte at its end. */
  *skipText(): Reader {
    for (;;) {
      while (this.#rest.bytes.length === 0) yield;
      const end = this.#rest.bytes.indexOf(0);
      this.#take(end < 0 ? this.#rest.bytes.length : end + 1);
      if (end >= 0) return;
    }
  }

  #take(count: number): Uint8Array {
    const { bytes } = this.#rest;
    const taken = bytes.subarray(0, count);
    this.#rest.bytes = bytes.subarray(count);
    this.crc = process.getBuiltinModule("node:zlib").crc32(taken, this.crc);
    return taken;
  }
}

function* readTrailer(rest: Rest, crc: number, size: number): Reader {
  if ((yield* readNumber(rest)) !== crc) throw damaged("incorrect data check");
  if ((yield* readNumber(rest)) !== size) throw damaged("incorrect length check");
}

function* readNumber(rest: Rest): Reader<number> {
  let number = 0;
  for (let shift = 0; shift < 32; shift += 8) {
    while (rest.bytes.length === 0) yield;
    number |= rest.bytes[0]! << shift;
    rest.bytes = rest.bytes.subarray(1);
  }
  return number >>> 0;
}

function damaged(reason: string): DamagedError {
  return new DamagedError("gzip", `damaged: ${reason}`);
}
