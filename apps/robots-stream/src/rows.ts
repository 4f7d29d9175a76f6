// Heads and tails in, the bytes of output rows out, in large pieces: what the stages hand to one another instead of rows.

/** Bytes of a piece, unless one row is longer. */
const pieceBytes = 512 * 1_024;
/** A piece with less room than this is given up for a new one. */
const leastRoom = 16 * 1_024;

/** Rows that are being written. */
export class Rows {
  #piece: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;
  #full: Buffer[] = [];
  #fullBytes = 0;
  #takenBytes = 0;

  /** Bytes of all rows that were ever added. */
  get allBytes(): number {
    return this.#takenBytes + this.bytes;
  }

  /** Bytes that wait to be taken. */
  get bytes(): number {
    return this.#fullBytes + this.#end - this.#start;
  }

  /** Adds a row: the head is the bytes from `start` to `end`, the tail a Latin-1 string. */
  add(head: Buffer, start: number, end: number, tail: string): void {
    const size = end - start + tail.length;
    if (this.#end + size > this.#piece.length) this.#turn(size);
    const piece = this.#piece;
    const at = this.#end;
    head.copy(piece, at, start, end);
    piece.write(tail, at + end - start, "latin1");
    this.#end = at + size;
  }

  /** Gives the rows so far. */
  take(): Buffer[] {
    if (this.#end > this.#start) this.#close();
    const full = this.#full;
    this.#takenBytes += this.#fullBytes;
    this.#full = [];
    this.#fullBytes = 0;
    if (this.#piece.length - this.#end < leastRoom) this.#piece = Buffer.alloc(0);
    if (this.#piece.length === 0) this.#start = this.#end = 0;
    return full;
  }

  #turn(size: number): void {
    if (this.#end > this.#start) this.#close();
    this.#piece = Buffer.allocUnsafeSlow(Math.max(size, pieceBytes));
    this.#start = this.#end = 0;
  }

  #close(): void {
    this.#full.push(this.#piece.subarray(this.#start, this.#end));
    this.#fullBytes += this.#end - this.#start;
    this.#start = this.#end;
  }
}
