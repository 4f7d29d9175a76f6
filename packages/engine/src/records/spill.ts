// Queues records that wait, in memory up to a limit and then in one temporary file, and returns them in the same order.
import { TempFile } from "../files/temp-file.ts";
import type { RecordRange } from "./packed.ts";

/** Size of one write or read in bytes, unless one record is longer. */
const pieceBytes = 256 * 1_024;
/** Bytes of the header of a record: `origin` and `first` from `push`, and the lengths of the head and the target, four bytes each. */
const headerBytes = 16;

/** A record that `peek` or `shift` returned; valid until the next record is read. */
export interface SpilledRecord extends RecordRange {
  /** The two numbers that were passed to `push`. */
  readonly origin: number;
  readonly first: number;
}

/** A first-in first-out queue of records. Throws an `IoError` when the file cannot be written or read. */
export class Spill {
  count = 0;
  /** Bytes of the records. */
  bytes = 0;
  readonly #memoryBytes: number;
  readonly #file: TempFile;
  #pending: Buffer = Buffer.alloc(0);
  #pendingBytes = 0;
  /** Full pieces of records in memory. Their records precede those in the file. */
  #pieces: Buffer[] = [];
  #piecesBytes = 0;
  /** The last piece that was read. `#piece[#at, #end)` are its unread records. `#readTo` is the offset in the file after the piece. */
  #piece: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;
  #readTo = 0;

  /** Keeps up to `memoryBytes` bytes of full pieces in memory. The file is in `folder`. */
  constructor(memoryBytes = 0, folder?: string) {
    this.#memoryBytes = memoryBytes;
    this.#file = new TempFile(folder);
  }

  /** Bytes of full and incomplete pieces in memory. */
  get heldBytes(): number {
    return this.#piecesBytes + this.#pendingBytes;
  }

  /** Size of the file in bytes, including records that were already taken. */
  get fileBytes(): number {
    return this.#file.length;
  }

  /** Adds a record with the head `heads[start, end)`. `origin` and `first` are 32-bit numbers that `peek` returns with the record. */
  push(origin: number, first: number, heads: Buffer, start: number, end: number, target: string): void {
    const size = headerBytes + end - start + target.length;
    if (this.#pendingBytes + size > this.#pending.length) {
      this.#flush();
      if (size > this.#pending.length) this.#pending = Buffer.allocUnsafeSlow(Math.max(size, pieceBytes));
    }
    let to = this.#pending.writeUInt32LE(origin, this.#pendingBytes);
    to = this.#pending.writeUInt32LE(first, to);
    to = this.#pending.writeUInt32LE(end - start, to);
    to = this.#pending.writeUInt32LE(target.length, to);
    to += heads.copy(this.#pending, to, start, end);
    this.#pendingBytes = to + this.#pending.write(target, to, "latin1");
    this.count++;
    this.bytes += size;
  }

  /** The first record, which stays in the queue; undefined when there is none. */
  peek(): SpilledRecord | undefined {
    if (this.count === 0) return undefined;
    if (this.#at === this.#end && this.#pieces.length > 0) this.#readPiece();
    if (this.#end - this.#at < headerBytes) this.#read(headerBytes);
    const size = headerBytes + this.#piece.readUInt32LE(this.#at + 8) + this.#piece.readUInt32LE(this.#at + 12);
    if (this.#end - this.#at < size) this.#read(size);
    const bytes = this.#piece;
    const headStart = this.#at + headerBytes;
    const headEnd = headStart + bytes.readUInt32LE(this.#at + 8);
    return {
      heads: bytes,
      headStart,
      headEnd,
      targets: bytes,
      targetStart: headEnd,
      targetEnd: this.#at + size,
      origin: bytes.readUInt32LE(this.#at),
      first: bytes.readUInt32LE(this.#at + 4),
    };
  }

  /** Removes and returns the first record; undefined when there is none. */
  shift(): SpilledRecord | undefined {
    const record = this.peek();
    if (record !== undefined) this.drop(record);
    return record;
  }

  /** Removes the first record, which `peek` returned. */
  drop({ targetEnd }: SpilledRecord): void {
    this.count--;
    this.bytes -= targetEnd - this.#at;
    this.#at = targetEnd;
  }

  /** Truncates the file when the queue is empty. */
  trim(): void {
    if (this.count > 0 || this.#file.length === 0) return;
    this.#file.clear();
    this.#readTo = this.#at = this.#end = 0;
  }

  /** Drops all records; with `keepsFirst`, all but the first one. */
  cut(keepsFirst: boolean): void {
    const first = keepsFirst ? this.peek() : undefined;
    this.count = this.bytes = 0;
    this.#pieces = [];
    this.#piecesBytes = this.#pendingBytes = 0;
    this.#at = this.#end = 0;
    this.#readTo = this.#file.length;
    this.trim();
    if (first === undefined) return;
    this.#piece = first.heads;
    this.#at = first.headStart - headerBytes;
    this.#end = first.targetEnd;
    this.count = 1;
    this.bytes = this.#end - this.#at;
  }

  /** Drops all records and removes the file. */
  close(): void {
    this.count = this.bytes = 0;
    this.#pieces = [];
    this.#piecesBytes = this.#pendingBytes = 0;
    this.#file.close();
  }

  #readPiece(): void {
    this.#piece = this.#pieces.shift()!;
    this.#piecesBytes -= this.#piece.length;
    this.#at = 0;
    this.#end = this.#piece.length;
  }

  /** Reads until at least `size` bytes are available from `#at` on: from the file or, at its end, from the pending bytes. */
  #read(size: number): void {
    if (this.#readTo === this.#file.length) {
      this.#piece = this.#pending.subarray(0, this.#pendingBytes);
      this.#at = 0;
      this.#end = this.#pendingBytes;
      this.#pending = Buffer.alloc(0);
      this.#pendingBytes = 0;
      return;
    }
    const piece = Buffer.allocUnsafeSlow(Math.max(size, pieceBytes));
    let end = this.#piece.copy(piece, 0, this.#at, this.#end);
    while (end < size) {
      const length = this.#file.read(piece, end, piece.length, this.#readTo);
      if (length === 0) throw this.#file.missing();
      end += length;
      this.#readTo += length;
    }
    this.#piece = piece;
    this.#at = 0;
    this.#end = end;
  }

  /** Stores the pending bytes: in memory when there is room and the file has no unread bytes, otherwise at the end of the file. */
  #flush(): void {
    if (this.#pendingBytes === 0) return;
    const isFileRead = this.#readTo === this.#file.length;
    if (isFileRead && this.#piecesBytes + this.#pendingBytes <= this.#memoryBytes) {
      this.#pieces.push(this.#pending.subarray(0, this.#pendingBytes));
      this.#piecesBytes += this.#pendingBytes;
      this.#pending = Buffer.alloc(0);
    } else this.#file.append(this.#pending, this.#pendingBytes);
    this.#pendingBytes = 0;
  }
}
