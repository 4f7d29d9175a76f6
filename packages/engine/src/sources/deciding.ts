// The text of a source in, in any pieces, how much of its beginning decides its format out: a function of the
// content, not of the chunks.

/** Bytes that decide at most, from the first that is not blank on. */
export const mostDecidingBytes: number = 64 * 1_024;
/** Lines that decide at most, empty ones not counted. */
export const mostDecidingLines = 20;
/** Blank bytes that are passed over before. */
const mostBlankBytes = 1_048_576;

const mark: readonly number[] = [0xef, 0xbb, 0xbf];

/** Finds the end of the bytes that decide. */
export class DecidingText {
  readonly #mostLines: number;
  /** Bytes seen so far, and the offset of the first that is not blank. */
  #seen = 0;
  #blank = -1;
  #lines = 0;
  #isLineBlank = true;
  #isAfterReturn = false;
  #hasLine = false;
  #isWhole = false;

  constructor(mostLines: number) {
    this.#mostLines = mostLines;
  }

  /** Bytes of the text that decide, so far. */
  get bytes(): number {
    return this.#seen;
  }

  /** Whether a whole line that is not empty has come. A carriage return at the very end may be the first half of CRLF, and ends no line. */
  get hasLine(): boolean {
    return this.#hasLine;
  }

  /** Goes through the next piece; whether that was enough. */
  add(piece: Uint8Array): boolean {
    for (let at = 0; at < piece.length && !this.#isWhole; at++) this.#take(piece[at]!);
    return this.#isWhole;
  }

  #take(byte: number): void {
    const at = this.#seen++;
    const isBlank = byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;
    if (this.#blank < 0) {
      if (isBlank || byte === mark[at]) {
        this.#isWhole = this.#seen === mostBlankBytes;
        return;
      }
      this.#blank = at;
    }
    if (byte === 0x0a) {
      if (!this.#isLineBlank) {
        this.#hasLine = true;
        this.#lines++;
      }
      this.#isLineBlank = true;
    } else {
      if (this.#isAfterReturn && byte !== 0x0d) this.#hasLine = true;
      if (!isBlank) this.#isLineBlank = false;
    }
    this.#isAfterReturn = byte === 0x0d;
    this.#isWhole = this.#lines === this.#mostLines || this.#seen - this.#blank === mostDecidingBytes;
  }
}
