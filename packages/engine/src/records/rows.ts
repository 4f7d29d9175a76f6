// Heads and tails in, the bytes of output rows out, in large pieces: what the stages hand to one another instead of rows.
import { Turn } from "./turn.ts";
import { hasLowFirst, viewOf } from "./words.ts";

/** Bytes of a piece, unless one row is longer: a writer likes large pieces, memory likes small ones. */
export const pieceBytes: number = 512 * 1_024;
/** A piece with less room than this is given up for a new one. */
const leastRoom = 16 * 1_024;

/** What an answer without a row counts for. */
const leftOutBytes = 64;

/** Pieces that are kept to be used again. */
const mostSpare = 4;

/** Heads that are no longer than this are copied by words: a call of the platform's own copying takes as long. */
const longestByWords = 128;

/** Rows that are being written. */
export class Rows {
  /** What the decisions about them take of the event loop's time. */
  readonly turn: Turn;
  #piece: Buffer = Buffer.alloc(0);
  #pieceView = viewOf(this.#piece);
  /** What heads were copied from last. */
  #head = this.#piece;
  #headView = this.#pieceView;
  #start = 0;
  #end = 0;
  #full: Buffer[] = [];
  /** Memory of pieces that nobody reads any more: memory thrown away at this rate makes V8 look for garbage all the time. */
  readonly #spare: Buffer[] = [];
  /** How many parts of a piece somebody has. */
  readonly #partsOut = new WeakMap<ArrayBufferLike, number>();
  #fullBytes = 0;
  #takenBytes = 0;
  #leftOut = 0;

  constructor(turn: Turn = new Turn()) {
    this.turn = turn;
  }

  /** Bytes of all rows that were ever added. */
  get allBytes(): number {
    return this.#takenBytes + this.bytes;
  }

  /** Bytes that wait to be taken. */
  get bytes(): number {
    return this.#fullBytes + this.#end - this.#start;
  }

  /** Whether so many wait, or took so long, that they are to be taken before others are made. */
  get isFull(): boolean {
    return this.turn.isOver || this.bytes + this.#leftOut >= pieceBytes;
  }

  /** Whether several pieces wait: rows that were to be made together are too long for that. */
  get isOverfull(): boolean {
    return this.#fullBytes > pieceBytes;
  }

  /** Says that an answer gives no row: it counts for what can be made at once, as it takes time like others. */
  leaveOut(): void {
    this.#leftOut += leftOutBytes;
  }

  /** Adds a row: the head is the bytes from `start` to `end`. */
  add(head: Buffer, start: number, end: number, tail: Buffer): void {
    const headSize = end - start;
    const size = headSize + tail.length;
    if (this.#end + size > this.#piece.length) this.#turn(size);
    const piece = this.#piece;
    const at = this.#end;
    if (headSize > longestByWords || end + 4 > head.length || tail.length < 4) head.copy(piece, at, start, end);
    else this.#copyWords(head, start, end, at);
    tail.copy(piece, at + headSize);
    this.#end = at + size;
  }

  /** The same, with a tail of `tailBytes` bytes that begins at a word of some memory. */
  addWords(head: Buffer, start: number, end: number, words: Int32Array, from: number, tailBytes: number): void {
    const headSize = end - start;
    const size = headSize + tailBytes;
    // What is written past the end is written over by the next row.
    if (this.#end + size + 4 > this.#piece.length) this.#turn(size + 4);
    const at = this.#end;
    if (headSize > longestByWords || end + 4 > head.length) head.copy(this.#piece, at, start, end);
    else this.#copyWords(head, start, end, at);
    const out = this.#pieceView;
    const stop = at + size;
    let word = from;
    for (let to = at + headSize; to < stop; to += 4) out.setInt32(to, words[word++]!, hasLowFirst);
    this.#end = stop;
  }

  /** Copies a head four bytes at a time; what is written past its end is written over by the tail. */
  #copyWords(head: Buffer, start: number, end: number, to: number): void {
    if (head !== this.#head) {
      this.#head = head;
      this.#headView = viewOf(head);
    }
    const from = this.#headView;
    const out = this.#pieceView;
    for (let at = start, outAt = to; at < end; at += 4, outAt += 4) out.setInt32(outAt, from.getInt32(at));
  }

  /** Gives the rows so far. */
  take(): Buffer[] {
    if (this.#end > this.#start) this.#close();
    const full = this.#full;
    this.#takenBytes += this.#fullBytes;
    this.#full = [];
    this.#fullBytes = 0;
    this.#leftOut = 0;
    if (this.#piece.length - this.#end < leastRoom) this.#piece = Buffer.alloc(0);
    if (this.#piece.length === 0) this.#start = this.#end = 0;
    return full;
  }

  /** Takes back what `take` gave, which nobody may read any more. Who keeps it for good need not call this. */
  giveBack({ buffer }: Buffer): void {
    const left = (this.#partsOut.get(buffer) ?? 0) - 1;
    this.#partsOut.set(buffer, left);
    if (buffer !== this.#piece.buffer) this.#keep(buffer);
  }

  /** Keeps a piece that is no longer written to, if all its parts have come back. */
  #keep(buffer: ArrayBufferLike): void {
    if (this.#partsOut.get(buffer) !== 0 || this.#spare.length === mostSpare) return;
    if (buffer.byteLength === pieceBytes) this.#spare.push(Buffer.from(buffer));
  }

  #turn(size: number): void {
    if (this.#end > this.#start) this.#close();
    this.#keep(this.#piece.buffer);
    const spare = size > pieceBytes ? undefined : this.#spare.pop();
    this.#piece = spare ?? Buffer.allocUnsafeSlow(Math.max(size, pieceBytes));
    this.#pieceView = viewOf(this.#piece);
    this.#start = this.#end = 0;
  }

  #close(): void {
    const { buffer } = this.#piece;
    this.#partsOut.set(buffer, (this.#partsOut.get(buffer) ?? 0) + 1);
    this.#full.push(this.#piece.subarray(this.#start, this.#end));
    this.#fullBytes += this.#end - this.#start;
    this.#start = this.#end;
  }
}
