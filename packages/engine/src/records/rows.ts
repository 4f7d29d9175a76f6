// Builds output rows from heads and tails, and returns them in large pieces of bytes, so that later stages do not handle single rows.
import { pieceBytes, RowMemory } from "./row-memory.ts";
import { eightsOverrun, putBytes, viewOf } from "./words.ts";

/** Approximate limit of the time that decisions take before signals and timers run. */
const mostTurnMs = 50;

/** Maximum number of quick decisions between two readings of the clock. */
const mostUnseen = 64;

/** Measures the time spent on decisions in one turn of the event loop. */
export class Turn {
  /** Whether to yield to the event loop before the next decision. */
  isOver = false;
  #endsAt = Infinity;
  #left = mostUnseen;
  readonly #now: () => number;

  /** `now` returns milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Starts the time limit again. Call at the beginning of a turn of the event loop. */
  begin(): void {
    this.isOver = false;
    this.#endsAt = this.#now() + mostTurnMs;
  }

  /**
   * Counts a decision, and sets `isOver` when the time limit has passed. Reads the clock after a decision that may have been slow
   * (`isSlow`), and after every `mostUnseen` decisions.
   */
  count(isSlow: boolean): void {
    if (--this.#left > 0 && !isSlow) return;
    this.#left = mostUnseen;
    if (this.#now() >= this.#endsAt) this.isOver = true;
  }
}

/** Minimum room in a buffer for further rows, in bytes; a buffer with less room is replaced by a new one. */
const leastRoom = 16 * 1_024;

/** Number of bytes that an answer without a row counts towards the size limit. */
const leftOutBytes = 64;

/** Number of bytes that an answer as an object counts towards the size limit. */
const answerBytes = 256;

/**
 * Maximum number of bytes that are copied eight at a time. `Buffer.copy` or `set` copies longer ranges; the fixed cost of a call equals
 * copying this many bytes eight at a time.
 */
const longestByEights = 512;

const none = Buffer.alloc(0);

/** The answer about a record as an object, and the number that the head of the record contains; without an answer, a row is left out. */
export interface HeadAnswer {
  readonly head: number;
  readonly answer: object | undefined;
  /** Whether the record has no other answers, because no question applies to it. */
  readonly isOnly: boolean;
}

/** The tails of adjacent rows of one record. Each tail begins where the previous one ends. */
export interface RowTails {
  view: DataView;
  /** Offset in `view` where the first tail begins. */
  start: number;
  /** `words[endsAt + index]` is the end of the tail with that index, in bytes from `start`. */
  words: Int32Array;
  endsAt: number;
  count: number;
}

interface RowsOptions {
  readonly memory?: RowMemory | undefined;
  readonly turn?: Turn | undefined;
}

export class Rows {
  /** The time spent on these rows in the current turn of the event loop. */
  readonly turn: Turn;
  readonly #memory: RowMemory;
  /** The current buffer. [#start, #end) are the rows that are not in a piece yet. */
  #buffer: Buffer = none;
  #bufferView = viewOf(none);
  #start = 0;
  #end = 0;
  /** The buffer that the last head was copied from. */
  #head: Buffer = none;
  #headView = this.#bufferView;
  /** Pieces that are ready to be taken. */
  #full: Buffer[] = [];
  #fullBytes = 0;
  #takenBytes = 0;
  #leftOut = 0;
  /** Answers that are objects and not rows. */
  #answers: HeadAnswer[] = [];

  constructor({ memory = new RowMemory(), turn = new Turn() }: RowsOptions = {}) {
    this.#memory = memory;
    this.turn = turn;
  }

  /** Bytes of all rows ever added. */
  get allBytes(): number {
    return this.#takenBytes + this.bytes;
  }

  /** Bytes of rows that were not taken. */
  get bytes(): number {
    return this.#fullBytes + this.#end - this.#start;
  }

  /** Whether rows have to be taken before more are built: they reached the size limit or the time limit. */
  get isFull(): boolean {
    return this.turn.isOver || this.bytes + this.#leftOut + this.#answers.length * answerBytes >= pieceBytes;
  }

  get isEmpty(): boolean {
    return this.bytes === 0 && this.#answers.length === 0;
  }

  /** Adds an answer that takes the place of a row. */
  addAnswer(answer: HeadAnswer): void {
    this.#answers.push(answer);
  }

  /** Counts `leftOutBytes` towards the size limit for an answer without a row, because deciding takes time too. */
  leaveOut(): void {
    this.#leftOut += leftOutBytes;
  }

  /** Adds a row: the head `head[start, end)` and the tail, which is the `tailBytes` bytes of `tails` from offset `from` on. */
  add(head: Buffer, start: number, end: number, tails: DataView, from: number, tailBytes: number): void {
    this.begin(head, start, end, tailBytes);
    this.append(tails, from, from + tailBytes);
  }

  /**
   * Adds a row for each tail from index `from` on, all with the head `head[start, end)`, until the rows are full; at least one. Returns the
   * index of the next tail.
   */
  addEach(head: Buffer, start: number, end: number, tails: RowTails, from: number): number {
    const { view, start: tailsStart, words, endsAt, count } = tails;
    let index = from;
    let tail = tailsStart + (index === 0 ? 0 : words[endsAt + index - 1]!);
    do {
      const tailEnd = tailsStart + words[endsAt + index]!;
      this.begin(head, start, end, tailEnd - tail);
      this.append(view, tail, tailEnd);
      tail = tailEnd;
      index++;
    } while (index < count && !this.isFull);
    return index;
  }

  /** Begins a row: adds its head `head[start, end)`, and makes room for the `size` bytes that the caller then adds with `append`. */
  begin(head: Buffer, start: number, end: number, size: number): void {
    const needed = end - start + size + eightsOverrun;
    if (this.#end + needed > this.#buffer.length) this.#renew(needed);
    const headSize = end - start;
    if (headSize > longestByEights || end + eightsOverrun > head.length) head.copy(this.#buffer, this.#end, start, end);
    else {
      if (head !== this.#head) {
        this.#head = head;
        this.#headView = viewOf(head);
      }
      // Bytes written past the end of the head are overwritten by the tail or the next row.
      putBytes(this.#headView, start, end, this.#bufferView, this.#end);
    }
    this.#end += headSize;
  }

  /** Adds the bytes `view[start, end)` to the row that `begin` began. */
  append(view: DataView, start: number, end: number): void {
    const size = end - start;
    if (size > longestByEights || start + ((size + eightsOverrun) & ~eightsOverrun) > view.byteLength)
      this.#buffer.set(new Uint8Array(view.buffer, view.byteOffset + start, size), this.#end);
    else putBytes(view, start, end, this.#bufferView, this.#end);
    this.#end += size;
  }

  /** Removes and returns the answers that are objects. */
  takeAnswers(): readonly HeadAnswer[] {
    const answers = this.#answers;
    this.#answers = [];
    return answers;
  }

  /** Removes and returns the rows built so far, as pieces of buffers of the row memory. */
  take(): Buffer[] {
    this.#cut();
    const full = this.#full;
    this.#takenBytes += this.#fullBytes;
    this.#full = [];
    this.#fullBytes = 0;
    this.#leftOut = 0;
    if (this.#buffer.length - this.#end < leastRoom) this.#use(none);
    return full;
  }

  #renew(size: number): void {
    this.#cut();
    this.#use(this.#memory.open(size));
  }

  /** Switches to another buffer. */
  #use(buffer: Buffer): void {
    this.#memory.close(this.#buffer);
    this.#buffer = buffer;
    this.#bufferView = viewOf(buffer);
    this.#start = this.#end = 0;
  }

  /** Cuts a piece from the rows that are not in a piece yet. */
  #cut(): void {
    if (this.#end === this.#start) return;
    this.#full.push(this.#memory.cut(this.#buffer, this.#start, this.#end));
    this.#fullBytes += this.#end - this.#start;
    this.#start = this.#end;
  }
}
