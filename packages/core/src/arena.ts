// Runs of numbers that come and go in, the few large pages they stand in out: no object and no hole in memory for each of them.

/** An address is the number of a page, and below it the place in the page. */
export const pageShift = 18;
const pageSize = 1 << pageShift;
/** Gives the place. */
export const placeMask: number = pageSize - 1;

/** Addresses are numbers of 32 bits. */
const mostPages = 1 << (32 - pageShift);

/** Empty pages whose memory is kept for what comes next. */
const mostEmpty = 8;

/** Numbers that processors fetch at once. */
const lineWords = 16;

const none = new Int32Array(0);

/** Room for runs of numbers of 32 bits, 16 GiB of them at most. A run stays where it is until its owner frees it. */
export class Arena {
  /** The numbers of each page. No run stands at address 0. */
  readonly words: Int32Array[] = [none];
  /** The same memory, byte by byte. */
  readonly bytes: Uint8Array[] = [new Uint8Array(none.buffer)];
  /** Numbers of each page that somebody owns. */
  readonly #owned: number[] = [];
  /** Pages that nobody has anything in: those with memory, and those without. */
  readonly #empty: number[] = [];
  readonly #bare: number[] = [];
  /** What was read by `touch`: without a use it would not be read. */
  touched = 0;
  #page = -1;
  #end = pageSize;

  /** Gives an address, never 0, for that many numbers; what they are nobody knows. Throws a `RangeError` when all is full. */
  allocate(count: number): number {
    if (count > pageSize >> 1) {
      const page = this.#bare.pop() ?? this.words.length;
      this.#give(page, new Int32Array(count));
      this.#owned[page] = count;
      return page << pageShift;
    }
    if (this.#end + count > pageSize) this.#turn();
    const address = (this.#page << pageShift) + this.#end;
    this.#end += count;
    this.#owned[this.#page]! += count;
    return address;
  }

  /** Takes back what `allocate` gave. */
  free(address: number, count: number): void {
    const page = address >>> pageShift;
    const owned = (this.#owned[page]! -= count);
    if (owned > 0 || page === this.#page) return;
    // Pages of another size were made for one long run.
    if (this.words[page]!.length === pageSize && this.#empty.length < mostEmpty) this.#empty.push(page);
    else {
      this.#give(page, none);
      this.#bare.push(page);
    }
  }

  /**
   * Reads a little of many runs, so that memory is waited for once for all of them: whoever reads one soon finds it near. Those
   * at 0 are passed over.
   */
  touch(addresses: Int32Array, count: number): void {
    let touched = 0;
    for (let index = 0; index < count; index++) {
      const address = addresses[index]!;
      if (address === 0) continue;
      const words = this.words[address >>> pageShift]!;
      const at = address & placeMask;
      touched ^= words[at]! ^ words[(at + lineWords) & placeMask]! ^ words[(at + 2 * lineWords) & placeMask]!;
    }
    this.touched = touched;
  }

  /** Frees a run and gives the address of its copy. */
  move(address: number, count: number): number {
    const words = this.words[address >>> pageShift]!;
    const at = address & placeMask;
    const moved = this.allocate(count);
    this.words[moved >>> pageShift]!.set(words.subarray(at, at + count), moved & placeMask);
    this.free(address, count);
    return moved;
  }

  #turn(): void {
    const last = this.#page;
    let page = this.#empty.pop();
    if (page === undefined) {
      page = this.#bare.pop() ?? this.words.length;
      this.#give(page, new Int32Array(pageSize));
    }
    this.#page = page;
    this.#owned[page] = 0;
    this.#end = 0;
    if (last >= 0 && this.#owned[last] === 0) this.#empty.push(last);
  }

  #give(page: number, words: Int32Array<ArrayBuffer>): void {
    if (page === mostPages) throw new RangeError("An arena holds 16 GiB.");
    this.words[page] = words;
    this.bytes[page] = new Uint8Array(words.buffer);
  }
}
