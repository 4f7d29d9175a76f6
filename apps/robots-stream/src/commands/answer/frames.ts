// Reads the request frames of `answer --stdio` from the bytes of stdin, and makes the heads of answer frames. The layout of the frames:
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

/** Maximum size of a frame after its length field. The frame and its answer are in memory at the same time. */
const mostFrameBytes = 268_435_456;

const lengthBytes = 4;
const frameHeadBytes = 8;
const answerHeadBytes = 12;

/** A column of texts in a request frame. */
export interface Column {
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
