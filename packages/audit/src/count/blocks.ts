// Cuts pages of memory into blocks, for thousands of tables that grow. A typed array for each table would cost two objects for each growth;
// these objects outlive several collections, and V8 then enlarges its young generation.

/** The number of 32-bit words of a page, which has 256 KiB. */
const pageWords = 65_536;
const smallestLog = 4;
const largestLog = 14;

/** The maximum number of 32-bit words of a block. */
export const mostBlockWords: number = 2 ** largestLog;

interface Page {
  readonly words: Uint32Array;
  /** The same memory as 16-bit integers. */
  readonly halves: Uint16Array;
}

/** Blocks of memory. An address is the position of a block's first word, counted over all pages. */
export class Blocks {
  readonly #pages: Page[] = [];
  /** The addresses of the free blocks, by the logarithm of their size. */
  readonly #free: number[][] = Array.from({ length: largestLog + 1 }, () => []);
  /** The first unused word of the last page; at first, no page exists. */
  #unused = pageWords;

  /** The number of words of the smallest block with room for `words` words. */
  static wordsFor(words: number): number {
    return 1 << logOf(words);
  }

  /** Returns the address of a block of zeros with room for at least `words` words. `words` is at most `mostBlockWords`. */
  take(words: number): number {
    const log = logOf(words);
    const free = this.#free[log]!.pop();
    if (free !== undefined) {
      const start = free % pageWords;
      this.wordsAt(free).fill(0, start, start + (1 << log));
      return free;
    }
    // A shift, not a power: the result of `**` is a floating-point number, for which V8 allocates memory in every table.
    const size = 1 << log;
    if (this.#unused + size > pageWords) this.#addPage();
    const address = (this.#pages.length - 1) * pageWords + this.#unused;
    this.#unused += size;
    return address;
  }

  /** Takes back a block. `words` is the number that `take` got. */
  giveBack(address: number, words: number): void {
    this.#free[logOf(words)]!.push(address);
  }

  /** The page of a block. The block begins at `startOf(address)`. */
  wordsAt(address: number): Uint32Array {
    return this.#pages[Math.floor(address / pageWords)]!.words;
  }

  /** The page of a block as 16-bit integers. The block begins at twice `startOf(address)`. */
  halvesAt(address: number): Uint16Array {
    return this.#pages[Math.floor(address / pageWords)]!.halves;
  }

  #addPage(): void {
    // The rest of the last page becomes free blocks.
    for (let log = largestLog; log >= smallestLog && this.#pages.length > 0; log--) {
      while (this.#unused + (1 << log) <= pageWords) {
        this.#free[log]!.push((this.#pages.length - 1) * pageWords + this.#unused);
        this.#unused += 1 << log;
      }
    }
    const words = new Uint32Array(pageWords);
    this.#pages.push({ words, halves: new Uint16Array(words.buffer) });
    this.#unused = 0;
  }
}

/** The position of a block in its page, in words. */
export function startOf(address: number): number {
  return address % pageWords;
}

/** The binary logarithm of the size of a block for `words` words. */
function logOf(words: number): number {
  return Math.max(smallestLog, 32 - Math.clz32(words - 1));
}
