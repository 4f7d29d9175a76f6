// Reads the request frames of `answer --stdio` from the bytes of stdin, and makes the bytes of answer frames. The layout of the frames:
//
//     request   length of the rest of the frame (4) · number of rows (4) · number of columns (4) · columns
//     column    length of the bitmap (4), 0 without nulls · bitmap, a bit for each row, 1 for a value, the first row in the lowest bit
//               · offset of each row's value (4 for each row) · offset of the end of the last value (4) · values, concatenated
//     answer    length of the rest of the frame (4) · number of rows of the request (4) · number of lines (4) · lines of CSV
//
// Numbers in parentheses are sizes in bytes. Integers are little-endian. A column has the layout of a string column of Apache Arrow. So a
// program with Arrow columns can copy the buffers of a column into a frame without converting them.
import { endianness } from "node:os";
import { IoError } from "@robots-stream/engine";
import { PackedRecords } from "@robots-stream/engine/internal";

/** Maximum size of a frame after its length field. The frame and its answer are in memory at the same time. */
const mostFrameBytes = 268_435_456;

const lengthBytes = 4;
const frameHeadBytes = 8;
const answerHeadBytes = 12;

interface Column {
  /** Whether a row has a value. */
  has(row: number): boolean;
  /** Offset of the row's value in `Frame.bytes`. The value ends at the offset of the next row. */
  at(row: number): number;
}

/** A request frame: its bytes after the length field, the number of its rows, and its columns. */
export interface Frame {
  readonly bytes: Buffer;
  readonly rows: number;
  readonly columns: readonly Column[];
}

/**
 * Yields the request frames of a stream. `columns`: the number of columns in a frame. Throws an `IoError` for a damaged frame, for another
 * number of columns, and for a stream that ends within a frame.
 */
export async function* framesOf(stdin: AsyncIterable<Uint8Array | string>, columns: number): AsyncGenerator<Frame> {
  let unread: Buffer[] = [];
  let heldBytes = 0;
  let number = 1;
  const take = (length: number): Buffer => {
    const all = unread.length === 1 ? unread[0]! : Buffer.concat(unread);
    unread = all.length > length ? [all.subarray(length)] : [];
    heldBytes -= length;
    return all.subarray(0, length);
  };
  let wanted: number | undefined;
  for await (const chunk of stdin) {
    // The chunk may be kept without a copy: a stream reuses the memory of its chunks only if they come from its method `pieces`.
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : asBuffer(chunk);
    unread.push(bytes);
    heldBytes += bytes.length;
    for (;;) {
      if (wanted === undefined) {
        if (heldBytes < lengthBytes) break;
        wanted = take(lengthBytes).readUInt32LE();
        if (wanted > mostFrameBytes) throw damaged(number, `has ${wanted} bytes; at most ${mostFrameBytes} are read`);
      }
      if (heldBytes < wanted) break;
      yield frameOf(take(wanted), columns, number++);
      wanted = undefined;
    }
  }
  if (heldBytes > 0 || wanted !== undefined) throw damaged(number, "is cut short");
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

function damaged(number: number, why: string): IoError {
  return new IoError("input", "stdin", new Error(`frame ${number} ${why}`));
}

function frameOf(bytes: Buffer, columns: number, number: number): Frame {
  if (bytes.length < frameHeadBytes) throw damaged(number, "has no head");
  const rows = bytes.readUInt32LE(0);
  const given = bytes.readUInt32LE(4);
  if (given !== columns) throw damaged(number, `has ${given} columns instead of ${columns}`);
  const read: Column[] = [];
  let at = frameHeadBytes;
  for (let column = 0; column < given; column++) {
    if (at + 4 > bytes.length) throw damaged(number, "ends before its last column");
    const bitmapBytes = bytes.readUInt32LE(at);
    if (bitmapBytes > 0 && bitmapBytes < Math.ceil(rows / 8)) throw damaged(number, "has a bitmap that is too short");
    const bitmapAt = at + 4;
    const offsetsAt = bitmapAt + bitmapBytes;
    const valuesAt = offsetsAt + (rows + 1) * 4;
    if (valuesAt > bytes.length) throw damaged(number, "ends before its last column");
    const offsets = offsetsOf(bytes.subarray(offsetsAt, valuesAt));
    let before = 0;
    for (let row = 0; row <= rows; row++) {
      const offset = offsets[row]!;
      if (offset < before) throw damaged(number, "has offsets that go back");
      before = offset;
    }
    if (offsets[0] !== 0 || valuesAt + before > bytes.length) throw damaged(number, "has values outside the frame");
    read.push({
      has: (row) => bitmapBytes === 0 || ((bytes[bitmapAt + (row >> 3)]! >> (row & 7)) & 1) === 1,
      at: (row) => valuesAt + offsets[row]!,
    });
    at = valuesAt + before;
  }
  if (at !== bytes.length) throw damaged(number, `has ${bytes.length - at} bytes after its last column`);
  return { bytes, rows, columns: read };
}

/** Copies little-endian offsets into an Int32Array, in the byte order of this machine. */
function offsetsOf(bytes: Buffer): Int32Array {
  const offsets = new Int32Array(bytes.length / 4);
  const copy = Buffer.from(offsets.buffer);
  bytes.copy(copy);
  if (endianness() === "BE") copy.swap32();
  return offsets;
}

/** Returns the head of an answer frame. `rows`: rows of the request. `lines`: number of CSV lines. `bytes`: total bytes of these lines. */
export function answerHeadOf(rows: number, lines: number, bytes: number): Buffer {
  const head = Buffer.allocUnsafe(answerHeadBytes);
  head.writeUInt32LE(answerHeadBytes - lengthBytes + bytes, 0);
  head.writeUInt32LE(rows, 4);
  head.writeUInt32LE(lines, 8);
  return head;
}

/**
 * The records of a frame's rows, in their order: the first column has the URLs, the second, if any, the User-Agent headers. Rows without a
 * URL are left out. Records have empty heads. A row without a header has an empty field.
 */
export function packedOf({ bytes, rows, columns }: Frame): PackedRecords {
  const [urls, agents] = columns as readonly [Column, Column?];
  const packed = new PackedRecords(Buffer.alloc(0), bytes, rows);
  for (let row = 0; row < rows; row++) {
    if (!urls.has(row)) continue;
    packed.push(0, 0, urls.at(row), urls.at(row + 1));
    if (agents?.has(row) === true) packed.pushField("agent", agents.at(row), agents.at(row + 1));
  }
  return packed;
}

const lineFeed = 0x0a;

/** Approximate size of the parts of an answer, in bytes. */
const partBytes = 524_288;

/** Counts the CSV lines by their line feeds. No field contains a line feed, because rules and names come from single robots.txt lines. */
export function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) count++;
  return count;
}

/** An answer to a frame: its head, and its lines without those of rows that have no URL. */
interface AnswerLines {
  readonly head: Buffer;
  /** Buffers of whole lines. They are removed when their lines are yielded. */
  readonly pieces: Buffer[];
  /** The rows of the frame: their URLs, and their number. */
  readonly urls: Column;
  readonly rows: number;
  /** Number of lines of a row with a URL. */
  readonly each: number;
  /** The lines of a row without a URL. */
  readonly blank: Buffer;
}

/** Yields the bytes of an answer in parts, and adds the lines of rows without a URL. */
export function* partsOf({ head, pieces, urls, rows, each, blank }: AnswerLines): Generator<Buffer> {
  let part = [head];
  let bytes = 0;
  let from = 0;
  let to = 0;
  const take = (end: number): void => {
    if (end > from) part.push(pieces[0]!.subarray(from, end));
    bytes += end - from;
    from = end;
  };
  for (let row = 0; row < rows; row++) {
    if (urls.has(row)) {
      for (let line = 0; line < each; line++) {
        if (to === pieces[0]!.length) {
          take(to);
          pieces.shift();
          from = to = 0;
        }
        to = pieces[0]!.indexOf(lineFeed, to) + 1;
      }
    } else {
      take(to);
      part.push(blank);
      bytes += blank.length;
    }
    if (bytes + to - from < partBytes) continue;
    take(to);
    yield Buffer.concat(part);
    part = [];
    bytes = 0;
  }
  take(to);
  yield Buffer.concat(part);
}
