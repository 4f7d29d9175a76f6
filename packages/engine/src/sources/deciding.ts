// Finds how many bytes at the beginning of a source decide its format. The result depends on the content alone, not on the sizes of the
// chunks in which it arrives.

/** Maximum number of deciding bytes, from the first byte that is not blank. An overlong first line does not count. */
export const mostDecidingBytes: number = 64 * 1_024;
/** An overlong first line has at least `mostDecidingBytes` bytes. The lines after it decide if it has fewer than this number of bytes. */
export const mostOverlongBytes = 1_048_576;
/** Maximum number of deciding lines, not counting empty ones. */
export const mostDecidingLines = 20;
/** Maximum number of blank bytes that are skipped before the first other byte. */
const mostBlankBytes = 1_048_576;

const mark: readonly number[] = [0xef, 0xbb, 0xbf];

/** Finds the end of the deciding bytes. */
export class DecidingText {
  readonly #mostLines: number;
  /** Number of bytes so far. */
  #seen = 0;
  /** Offset of the first byte that counts: the first byte that is not blank, or the end of an overlong first line; -1 if there is none. */
  #from = -1;
  #isInOverlong = false;
  #lines = 0;
  #isLineBlank = true;
  #isAfterReturn = false;
  #hasLine = false;
  #isWhole = false;

  constructor(mostLines: number) {
    this.#mostLines = mostLines;
  }

  /** Number of deciding bytes so far. */
  get bytes(): number {
    return this.#seen;
  }

  /**
   * Whether the bytes so far have a whole line that is not empty. A carriage return at the end of the bytes so far may be the first half of
   * CRLF, so it does not end a line.
   */
  get hasLine(): boolean {
    return this.#hasLine;
  }

  /** Examines the next chunk. Returns whether all deciding bytes have been added, so that no further chunk is needed. */
  add(piece: Uint8Array): boolean {
    for (let at = 0; at < piece.length && !this.#isWhole; at++) this.#take(piece[at]!);
    return this.#isWhole;
  }

  #take(byte: number): void {
    const at = this.#seen++;
    const isBlank = byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;
    if (this.#from < 0) {
      if (isBlank || byte === mark[at]) {
        this.#isWhole = this.#seen === mostBlankBytes;
        return;
      }
      this.#from = at;
    }
    if (byte === 0x0a) {
      if (!this.#isLineBlank) {
        this.#hasLine = true;
        this.#lines++;
      }
      this.#isLineBlank = true;
      if (this.#isInOverlong) {
        this.#isInOverlong = false;
        this.#from = this.#seen;
      }
    } else {
      if (this.#isAfterReturn && byte !== 0x0d) this.#hasLine = true;
      if (!isBlank) this.#isLineBlank = false;
    }
    this.#isAfterReturn = byte === 0x0d;
    const size = this.#seen - this.#from;
    if (size === mostDecidingBytes && !this.#hasLine) this.#isInOverlong = true;
    this.#isWhole =
      this.#lines === this.#mostLines || size === (this.#isInOverlong ? mostOverlongBytes : mostDecidingBytes);
  }
}
