// Decompresses the members of gzip data (RFC 1952 §2.2). Node's own gzip decoder drops text before a wrong checksum, before bytes that are
// not a member, and in members after padding. So headers and trailers are read here, and Node only inflates.
import { nodeZlib } from "../node-parts.ts";
import { DamagedError, NodeDecoder, type Unpacker } from "./unpacker.ts";

const bufferBytes = 32 * 1_024;

/** Bits of the header's flags byte (FLG). */
const flag = { headerCrc: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const;

/** A generator that receives bytes one by one until it is done, and throws a `DamagedError` for wrong bytes. */
type ByteReader = Generator<undefined, void, number>;

/** Decompresses the members of a gzip file, one after another. */
export class GzipUnpacker implements Unpacker {
  /** The reader of header, trailer or padding; undefined while compressed data is read. */
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
      // Zero padding, as on tapes.
      if (byte === 0) return;
      this.#isBetween = false;
    }
    if (reader.next(byte).done !== true) return;
    // The byte was the last one of a header, or of the trailer after a member's data.
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
  // Modification time, extra flags and operating system.
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

/** Starts a reader, so that it waits for its first byte. */
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
