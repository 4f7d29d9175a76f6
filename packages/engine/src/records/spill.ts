// Records that wait in, the same records out in the order they came: in memory as far as there is room for them, the others
// in one temporary file.
import { TempFile } from "../files/temp-file.ts";
import type { RecordRange } from "./record-range.ts";

/** Bytes that are written and read at once. */
const pieceBytes = 256 * 1_024;
/** The two numbers of a record's origin, and the lengths of its head and its target. */
const headerBytes = 16;

/** One record that was read; valid until the next one is. */
export interface SpilledRecord extends RecordRange {
  /** What `push` was given. */
  readonly origin: number;
  readonly first: number;
}

/** A queue of records. Throws an `IoError` when the system has no room for the file. */
export class Spill {
  /** Records in it. */
  count = 0;
  /** Bytes of them. */
  bytes = 0;
  readonly #memoryBytes: number;
  readonly #file: TempFile;
  #pending: Buffer = Buffer.alloc(0);
  #pendingBytes = 0;
  /** Full pieces that come before what is in the file. */
  #pieces: Buffer[] = [];
  #piecesBytes = 0;
  /** What was read last, from #at to #end, and where the file goes on behind it. */
  #piece: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;
  #readTo = 0;

  /** Keeps up to `memoryBytes` in memory; the file is in `folder`. */
  constructor(memoryBytes = 0, folder?: string) {
    this.#memoryBytes = memoryBytes;
    this.#file = new TempFile(folder);
  }

  /** Bytes that are held in memory. */
  get heldBytes(): number {
    return this.#piecesBytes + this.#pendingBytes;
  }

  /** Bytes of the file, those included that were taken already. */
  get fileBytes(): number {
    return this.#file.length;
  }

  /** Adds a record; `origin` and `first` are 32-bit numbers that come back. */
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

  /** The first record, which stays; undefined when there is none. */
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

  /** Takes the first record; undefined when there is none. */
  shift(): SpilledRecord | undefined {
    const record = this.peek();
    if (record !== undefined) this.drop(record);
    return record;
  }

  /** Takes the record that `peek` gave. */
  drop({ targetEnd }: SpilledRecord): void {
    this.count--;
    this.bytes -= targetEnd - this.#at;
    this.#at = targetEnd;
  }

  /** Gives the file's room back when nothing is in it. */
  trim(): void {
    if (this.count > 0 || this.#file.length === 0) return;
    this.#file.clear();
    this.#readTo = this.#at = this.#end = 0;
  }

  /** Forgets all but the first record, or all. */
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

  /** Forgets all, and removes the file. */
  close(): void {
    this.count = this.bytes = 0;
    this.#pieces = [];
    this.#piecesBytes = 0;
    this.#file.close();
  }

  #readPiece(): void {
    this.#piece = this.#pieces.shift()!;
    this.#piecesBytes -= this.#piece.length;
    this.#at = 0;
    this.#end = this.#piece.length;
  }

  /** So much and more from #at on: of the file, and when all of that is read, of what is pending. */
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

  /** Puts away what is pending: behind all that is in memory while nothing is in the file, else into the file. */
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
