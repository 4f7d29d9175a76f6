// Pieces of gzip data in, what was compressed in its members out (RFC 1952 §2.2). Node's own reader of gzip drops text when it
// meets a wrong checksum or what is no member, and members behind padding: so members are read here, and inflated by Node.
import { nodeZlib } from "../node-parts.ts";
import { DamagedError, NodeDecoder, type Unpacker } from "./unpacker.ts";

const bufferBytes = 32 * 1_024;

/** Bits of a header's fourth byte. */
const flag = { headerCrc: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const;

/** Reads bytes that are given to it one by one, until it ends. Throws a `DamagedError`. */
type ByteReader = Generator<undefined, void, number>;

/** Reads members, one after another. */
export class GzipUnpacker implements Unpacker {
  /** Reads what is no compressed data; undefined: that is what comes. */
  #reader: ByteReader | undefined = begun(readHeader());
  #inflate: NodeDecoder | undefined;
  #crc = 0;
  #size = 0;
  /** Whether a member has ended and no other has begun. */
  #isBetween = false;

  get isWhole(): boolean {
    return this.#isBetween;
  }

  async *decode(piece: Uint8Array): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < piece.length;) {
      if (this.#reader !== undefined) this.#take(piece[at++]!, this.#reader);
      else {
        const inflate = (this.#inflate ??= openInflate());
        const before = inflate.taken;
        for await (const text of inflate.decode(piece.subarray(at), false)) {
          this.#crc = nodeZlib().crc32(text, this.#crc);
          this.#size = (this.#size + text.length) >>> 0;
          yield text;
        }
        at += inflate.taken - before;
        if (inflate.hasEnded) this.#reader = begun(readTrailer(this.#crc, this.#size));
      }
    }
  }

  destroy(): void {
    this.#inflate?.destroy();
  }

  #take(byte: number, reader: ByteReader): void {
    if (this.#isBetween) {
      // Padding, as on tapes.
      if (byte === 0) return;
      this.#isBetween = false;
    }
    if (reader.next(byte).done !== true) return;
    // A header has ended, or the trailer of a member that was inflated.
    this.#isBetween = this.#inflate !== undefined;
    this.#reader = this.#isBetween ? begun(readHeader()) : undefined;
    this.#inflate?.destroy();
    this.#inflate = undefined;
    this.#crc = 0;
    this.#size = 0;
  }
}

function* readHeader(): ByteReader {
  let crc = 0;
  function* next(): Generator<undefined, number, number> {
    const byte: number = yield;
    crc = nodeZlib().crc32(Uint8Array.of(byte), crc);
    return byte;
  }
  if ((yield* next()) !== 0x1f || (yield* next()) !== 0x8b) throw damaged("incorrect header check");
  if ((yield* next()) !== 8) throw damaged("unknown compression method");
  const flags = yield* next();
  if ((flags & flag.reserved) !== 0) throw damaged("unknown header flags set");
  // When and where it was made.
  for (let left = 6; left > 0; left--) yield* next();
  if ((flags & flag.extra) !== 0) {
    const low = yield* next();
    for (let left = low | ((yield* next()) << 8); left > 0; left--) yield* next();
  }
  if ((flags & flag.name) !== 0) while ((yield* next()) !== 0);
  if ((flags & flag.comment) !== 0) while ((yield* next()) !== 0);
  if ((flags & flag.headerCrc) !== 0) {
    const expected = crc & 0xffff;
    const low = yield* next();
    if ((low | ((yield* next()) << 8)) !== expected) throw damaged("header crc mismatch");
  }
}

function* readTrailer(crc: number, size: number): ByteReader {
  if ((yield* readNumber()) !== crc) throw damaged("incorrect data check");
  if ((yield* readNumber()) !== size) throw damaged("incorrect length check");
}

function* readNumber(): Generator<undefined, number, number> {
  let number = 0;
  for (let shift = 0; shift < 32; shift += 8) number |= (yield) << shift;
  return number >>> 0;
}

/** A reader that waits for its first byte. */
function begun(reader: ByteReader): ByteReader {
  reader.next();
  return reader;
}

function openInflate(): NodeDecoder {
  return new NodeDecoder("gzip", nodeZlib().createInflateRaw({ chunkSize: bufferBytes }));
}

function damaged(reason: string): DamagedError {
  return new DamagedError("gzip", `damaged: ${reason}`);
}
