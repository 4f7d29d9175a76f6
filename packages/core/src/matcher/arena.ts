// Allocates runs of 32-bit words in a few large pages, so that a run costs no JavaScript object.

/** The high bits of an address are the page number; the low bits (`placeMask`) are the offset in the page, in words. */
export const pageShift = 18;
const pageSize = 1 << pageShift;
export const placeMask: number = pageSize - 1;

/** The number of pages that 32-bit addresses reach. Page 0 is never allocated. */
const mostPages = 1 << (32 - pageShift);

/** The maximum number of empty pages whose memory is kept for reuse. */
const mostEmpty = 8;

/** A loop copies a run of at most this many words faster than `set` and `subarray`, which make an object. */
const mostCopiedSingly = 64;

const none = new Int32Array(0);

/**
 * Runs of 32-bit words in fewer than `mostPages` pages. A run of more than half a page has a page of its own size. A run keeps its address
 * until its owner frees or moves it.
 */
export class Arena {
  /** The words of each page. No run has address 0. */
  readonly words: Int32Array[] = [none];
  /** The same memory as bytes. */
  readonly bytes: Uint8Array[] = [new Uint8Array(none.buffer)];
  /** The same memory for access at any offset. */
  readonly views: DataView[] = [new DataView(none.buffer)];
  /** The number of allocated words in each page. */
  readonly #owned: number[] = [];
  /** Pages without an allocated run: `#empty` pages still have memory, `#bare` pages do not. */
  readonly #empty: number[] = [];
  readonly #bare: number[] = [];
  #page = -1;
  #end = pageSize;

  /** Allocates a run of `count` uninitialized words; returns its address, never 0. Throws a `RangeError` when no page is left. */
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

  /** Frees the run of `count` words at `address`. */
  free(address: number, count: number): void {
    const page = address >>> pageShift;
    const owned = (this.#owned[page]! -= count);
    if (owned > 0 || page === this.#page) return;
    // A page of another size held one long run and cannot be reused for other runs.
    if (this.words[page]!.length === pageSize && this.#empty.length < mostEmpty) this.#empty.push(page);
    else {
      this.#give(page, none);
      this.#bare.push(page);
    }
  }

  /** Copies a run to a new address, frees it, and returns the new address. */
  move(address: number, count: number): number {
    const words = this.words[address >>> pageShift]!;
    const at = address & placeMask;
    const moved = this.allocate(count);
    const to = this.words[moved >>> pageShift]!;
    const toAt = moved & placeMask;
    if (count > mostCopiedSingly) to.set(words.subarray(at, at + count), toAt);
    else for (let word = 0; word < count; word++) to[toAt + word] = words[at + word]!;
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
    if (page === mostPages) throw new RangeError("An arena has no page left.");
    this.words[page] = words;
    this.bytes[page] = new Uint8Array(words.buffer);
    this.views[page] = new DataView(words.buffer);
  }
}
