// A size → a gzip body of a thousandth of it that unfolds to that many octets (RFC 1952): a bomb, made without unfolding it.
import { constants, crc32, deflateRawSync } from "node:zlib";

/** A block is flushed whole, so that the same octets may follow one another any number of times. */
const blockBytes = 1_048_576;
const block = deflateRawSync(Buffer.alloc(blockBytes, "#"), { finishFlush: constants.Z_FULL_FLUSH });
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

/** The pieces of a bomb of so many MiB; the last one has a right end, should anybody come that far. */
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
