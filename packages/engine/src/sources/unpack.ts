// Turns the chunks of a source into plain text: decompresses gzip of one or several members (RFC 1952) and zstd of one or several frames
// (RFC 8878), and converts UTF-16, as spreadsheets write it, to UTF-8. Any other source stays unchanged. The first bytes determine the
// compression and the encoding, never the name; UTF-16 is recognized by its byte order mark (Unicode 17, §23.8).
import { peek, type Peeked } from "./peek.ts";
import { IrregularError, unpackAhead } from "./unpack-ahead.ts";
import { GzipUnpacker } from "./unpack-gzip.ts";
import { ZstdUnpacker } from "./unpack-zstd.ts";
import { type Compression, DamagedError } from "../common/errors.ts";
import { DroppedTextError, type Unpacker } from "./decoder.ts";

/** A source without its compression. */
export interface Unpacked {
  readonly compression: Compression | undefined;
  /** Whether the source is a Parquet file, which is not text; `chunks` are then the bytes of the file. */
  readonly isParquet: boolean;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Decompresses a source whose first bytes show its compression. Reading throws a `DamagedError` where the data is truncated or wrong.
 * `again` returns the chunks of a file once more. If `again` is given, the data is decoded ahead of the reader; after a fault, the data is
 * read again in small pieces.
 */
export async function unpack(
  chunks: AsyncIterable<Uint8Array>,
  again?: () => AsyncIterable<Uint8Array>,
): Promise<Unpacked> {
  let seen = "";
  const peeked = await peek(chunks, (chunk) => {
    seen += Buffer.from(chunk.subarray(0, magicBytes - seen.length)).toString("latin1");
    // When the bytes so far cannot begin a magic number, no more bytes are needed.
    return seen.length === magicBytes || !magics.some(([, magic]) => magic.startsWith(seen) || seen.startsWith(magic));
  });
  const [kind] = magics.find(([, magic]) => seen.startsWith(magic)) ?? [];
  const isParquet = kind === "parquet";
  const compression = isParquet ? undefined : kind;
  if (compression === undefined) return { compression, isParquet, chunks: peeked.chunks };
  const open = (): Unpacker => (compression === "gzip" ? new GzipUnpacker() : new ZstdUnpacker());
  if (again === undefined) return { compression, isParquet, chunks: decode(peeked.chunks, compression, open) };
  const carefully = (): AsyncIterable<Uint8Array> => decode(again(), compression, open);
  return { compression, isParquet, chunks: decodeAhead(peeked.chunks, compression, carefully) };
}

const magicBytes = 4;

/** The magic numbers, as bytes. zstd data begins with a frame, or with a skippable frame, which has one of sixteen magic numbers. */
const magics: readonly (readonly [kind: Compression | "parquet", magic: string])[] = [
  ["gzip", "\x1f\x8b"],
  ["zstd", "\x28\xb5\x2f\xfd"],
  ...Array.from({ length: 16 }, (_, low) => ["zstd", `${String.fromCharCode(0x50 + low)}\x2a\x4d\x18`] as const),
  ["parquet", "PAR1"],
];

/** Decodes ahead of the reader. After a fault, `carefully` decodes the data again from the beginning, up to the error. */
async function* decodeAhead(
  chunks: AsyncIterable<Uint8Array>,
  compression: Compression,
  carefully: () => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let givenBytes = 0;
  try {
    for await (const text of unpackAhead(chunks, compression)) {
      givenBytes += text.byteLength;
      yield text;
    }
    return;
  } catch (error) {
    if (!(error instanceof IrregularError)) throw error;
  }
  for await (const text of carefully()) {
    const given = Math.min(givenBytes, text.byteLength);
    givenBytes -= given;
    if (given < text.byteLength) yield text.subarray(given);
  }
}

/** Maximum size in bytes of a piece that is passed to a scout decoder. */
const pieceBytes = 16_384;

/** Small decompressed pieces are joined until they have this size, or until their input chunk ends. */
const chunkBytes = 256 * 1_024;

/**
 * Node's decoders drop the text that they decoded from a piece when an error follows in the same piece. So each piece first goes through a
 * scout decoder, whose text is discarded. When the scout drops text, the second decoder decodes the piece byte by byte; otherwise it
 * decodes the piece as a whole. So all text before the error is kept, however the data is divided into chunks. Two decoders with large
 * pieces take no longer than one with small pieces.
 */
async function* decode(
  chunks: AsyncIterable<Uint8Array>,
  compression: Compression,
  open: () => Unpacker,
): AsyncGenerator<Uint8Array> {
  const scout = open();
  const unpacker = open();
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  const takeHeld = (): Uint8Array[] => {
    const taken = heldBytes === 0 ? [] : [Buffer.concat(held)];
    held = [];
    heldBytes = 0;
    return taken;
  };
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.byteLength; at += pieceBytes) {
        const piece = chunk.subarray(at, at + pieceBytes);
        const step = (await keepsText(scout, piece)) ? piece.byteLength : 1;
        for (let from = 0; from < piece.byteLength; from += step) {
          for await (const decoded of unpacker.decode(piece.subarray(from, from + step))) {
            held.push(decoded);
            heldBytes += decoded.byteLength;
            if (heldBytes >= chunkBytes) yield* takeHeld();
          }
        }
      }
      // The text is yielded before the next chunk is requested, because that chunk may take long to arrive.
      yield* takeHeld();
    }
    if (!unpacker.isWhole) throw new DamagedError(compression, "cut short");
  } catch (error) {
    yield* takeHeld();
    throw error;
  } finally {
    scout.destroy();
    unpacker.destroy();
  }
}

/** Whether the piece can be decoded as a whole without losing text, even when the piece is damaged. */
async function keepsText(scout: Unpacker, piece: Uint8Array): Promise<boolean> {
  try {
    for await (const _text of scout.decode(piece));
    return true;
  } catch (error) {
    if (error instanceof DamagedError) return !(error instanceof DroppedTextError);
    throw error;
  }
}

/** Decompresses a source, and reads its first chunks until `isEnough` returns true for one; see `unpack` and `peek`. */
export async function peekUnpacked(
  source: AsyncIterable<Uint8Array>,
  isEnough: (chunk: Uint8Array) => boolean,
): Promise<Peeked> {
  const { chunks } = await unpack(source);
  return peek(chunks, isEnough);
}

/** An encoding that is converted to UTF-8. */
export type Encoding = "utf-16le" | "utf-16be";

/** A source as UTF-8. */
interface Decoded {
  readonly encoding: Encoding | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Determines the encoding from the byte order mark in the first two bytes, and converts the chunks to UTF-8. Invalid UTF-16 becomes U+FFFD.
 */
export async function decodeText(chunks: AsyncIterable<Uint8Array>): Promise<Decoded> {
  let seen = 0;
  const peeked = await peek(chunks, (chunk) => {
    // When the first byte does not begin a byte order mark, the second byte is not needed.
    const isOther = seen === 0 && chunk.byteLength > 0 && chunk[0]! < 0xfe;
    return isOther || (seen += chunk.byteLength) >= 2;
  });
  const [first, second] = peeked.beginning;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : undefined;
  return { encoding, chunks: encoding === undefined ? peeked.chunks : utf8Of(peeked.chunks, encoding) };
}

async function* utf8Of(chunks: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== "") yield Buffer.from(text, "utf8");
  }
  const rest = decoder.decode();
  if (rest !== "") yield Buffer.from(rest, "utf8");
}
