// Decompresses the members of gzip data (RFC 1952 §2.2). Node's own gzip decoder drops text before a wrong checksum, before bytes that are
// not a member, and in members after padding. So headers and trailers are read here, and Node only inflates.
import type { InflateRaw } from "node:zlib";
import { DamagedError } from "../common/errors.ts";
import { NodeDecoder, smallBytes, smallTextBytes, type Unpacker } from "./decoder.ts";

const bufferBytes = 32 * 1_024;

/** Bits of the header's flags byte (FLG). */
const flag = { headerCrc: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const;

/** Yields when a member needs further bytes, or is at its compressed data. Throws a `DamagedError` for wrong bytes. */
type Reader<Result = void> = Generator<"bytes" | "data", Result>;

/** The bytes of the current piece that are not read yet. */
class Rest {
  bytes: Uint8Array = new Uint8Array(0);
  /** The checksum of the bytes that were read since it was set to 0. */
  crc = 0;

  *next(): Reader<number> {
    while (this.bytes.length === 0) yield "bytes";
    return this.#take(1)[0]!;
  }

  /** Reads a number of `size` bytes, the lowest first. */
  *number(size: 2 | 4): Reader<number> {
    let number = 0;
    for (let shift = 0; shift < size * 8; shift += 8) number |= (yield* this.next()) << shift;
    return number >>> 0;
  }

  *skip(count: number): Reader {
    for (let left = count; left > 0;) {
      while (this.bytes.length === 0) yield "bytes";
      left -= this.#take(Math.min(left, this.bytes.length)).length;
    }
  }

  /** Skips a text and the zero byte at its end. */
  *skipText(): Reader {
    for (let end = -1; end < 0;) {
      while (this.bytes.length === 0) yield "bytes";
      end = this.bytes.indexOf(0);
      this.#take(end < 0 ? this.bytes.length : end + 1);
    }
  }

  #take(count: number): Uint8Array {
    const taken = this.bytes.subarray(0, count);
    this.bytes = this.bytes.subarray(count);
    this.crc = process.getBuiltinModule("node:zlib").crc32(taken, this.crc);
    return taken;
  }
}

/** Decompresses the members of a gzip file, one after another. */
export class GzipUnpacker implements Unpacker {
  readonly #rest = new Rest();
  #member = this.#readMember();
  #inflate: NodeDecoder | undefined;
  /** Whether the data of the current member has ended; the checksum and the number of bytes of its text. */
  #hasData = false;
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
      const { value, done } = this.#member.next();
      if (value === "data") yield* this.#decodeData();
      else if (done === true) {
        this.#isBetween = true;
        this.#member = this.#readMember();
      }
    }
  }

  destroy(): void {
    this.#inflate?.destroy();
  }

  *#readMember(): Reader {
    const rest = this.#rest;
    this.#hasData = false;
    this.#crc = this.#size = 0;
    yield* readHeader(rest);
    while (!this.#hasData) yield "data";
    if ((yield* rest.number(4)) !== this.#crc) throw damaged("incorrect data check");
    if ((yield* rest.number(4)) !== this.#size) throw damaged("incorrect length check");
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
    this.#hasData = true;
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
  rest.crc = 0;
  if ((yield* rest.next()) !== 0x1f || (yield* rest.next()) !== 0x8b) throw damaged("incorrect header check");
  if ((yield* rest.next()) !== 8) throw damaged("unknown compression method");
  const flags = yield* rest.next();
  if ((flags & flag.reserved) !== 0) throw damaged("unknown header flags set");
  // Modification time, extra flags and operating system.
  yield* rest.skip(6);
  if ((flags & flag.extra) !== 0) yield* rest.skip(yield* rest.number(2));
  if ((flags & flag.name) !== 0) yield* rest.skipText();
  if ((flags & flag.comment) !== 0) yield* rest.skipText();
  if ((flags & flag.headerCrc) === 0) return;
  const expected = rest.crc & 0xffff;
  if ((yield* rest.number(2)) !== expected) throw damaged("header crc mismatch");
}

function damaged(reason: string): DamagedError {
  return new DamagedError("gzip", `damaged: ${reason}`);
}
