// One long path, many patterns to search in it: where a piece occurs at or after a position, in time linear in the
// piece whatever the path.
//
// A file may hold tens of thousands of patterns that each nearly match a path of thousands of characters; going over
// the path for each of them takes seconds. The suffix automaton of the path (Blumer et al. 1985) knows for every string
// whether and where it occurs; a wavelet matrix (Claude, Navarro 2015) over the ends of occurrences finds the next one.

/** Longest path that is indexed: memory is up to this times 2 states times the characters that differ. */
export const longestIndexedPath = 16_384;

const none = -1;

/** What an index is made of, by state. Kept from one index to the next: it is larger than all else that a decision needs. */
interface States {
  readonly next: Uint16Array;
  readonly length: Uint16Array;
  readonly link: Int32Array;
  readonly firstEnd: Uint16Array;
  readonly lastEnd: Uint16Array;
  readonly isClone: Uint8Array;
}

let kept: States | undefined;

/** Room for so many states, where each letter leads nowhere yet. */
function statesFor(count: number, letters: number): States {
  if (kept !== undefined && kept.length.length >= count && kept.next.length >= count * letters) {
    kept.next.fill(0, 0, count * letters);
    kept.isClone.fill(0, 0, count);
    kept.link.fill(0, 0, count);
    kept.lastEnd.fill(0, 0, count);
    return kept;
  }
  return (kept = {
    next: new Uint16Array(count * letters),
    length: new Uint16Array(count),
    link: new Int32Array(count),
    firstEnd: new Uint16Array(count),
    lastEnd: new Uint16Array(count),
    isClone: new Uint8Array(count),
  });
}

/** The occurrences of all substrings of a path; good until the next one is made. Building takes about a hundred times as long as reading it. */
export class PathIndex {
  readonly #offset: number;
  readonly #size: number;
  /** 1 + the place of an ASCII character among those of the path; 0 for characters it does not hold. */
  readonly #alphabet = new Uint8Array(0x80);
  #letters = 0;
  /** State by state: where each letter leads, 0 for nowhere. */
  readonly #next: Uint16Array;
  readonly #length: Uint16Array;
  readonly #link: Int32Array;
  /** Where the first and the last occurrence of a state's strings end. */
  readonly #firstEnd: Uint16Array;
  readonly #lastEnd: Uint16Array;
  readonly #isClone: Uint8Array;
  #states = 1;
  #ends: EndsByState | undefined;
  readonly #path: string;
  /** Letter by letter, see {@link #placesOf}; made when a letter is first searched. */
  readonly #places: (Uint16Array | undefined)[] = [];

  /** Indexes what `path` holds from `offset` on, at most {@link longestIndexedPath} characters. */
  constructor(path: string, offset: number) {
    this.#path = path;
    this.#offset = offset;
    const size = (this.#size = path.length - offset);
    for (let at = offset; at < path.length; at++) {
      const code = path.charCodeAt(at);
      if (code < 0x80 && this.#alphabet[code] === 0) this.#alphabet[code] = ++this.#letters;
    }
    // All other characters are one more letter: no pattern holds it.
    const other = this.#letters++;
    const most = size * 2 + 2;
    const states = statesFor(most, this.#letters);
    this.#next = states.next;
    this.#length = states.length;
    this.#link = states.link;
    this.#firstEnd = states.firstEnd;
    this.#lastEnd = states.lastEnd;
    this.#isClone = states.isClone;
    this.#length[0] = this.#firstEnd[0] = 0;
    this.#link[0] = none;
    let last = 0;
    for (let at = 0; at < size; at++) {
      const code = path.charCodeAt(offset + at);
      last = this.#extend(last, code < 0x80 ? this.#alphabet[code]! - 1 : other, at + 1);
    }
    this.#spreadLastEnds();
  }

  /** The first position from `at` on where the bytes of a range stand in the path, or -1. */
  indexOf(text: Uint8Array, start: number, end: number, at: number): number {
    if (end - start === 1) return this.#indexOfLetter(this.#alphabet[text[start]!]!, at);
    const next = this.#next;
    const letters = this.#letters;
    let state = 0;
    for (let from = start; from < end; from++) {
      const letter = this.#alphabet[text[from]!]!;
      if (letter === 0) return none;
      state = next[state * letters + letter - 1]!;
      if (state === 0) return none;
    }
    const length = end - start;
    const leastEnd = at - this.#offset + length;
    let found: number = this.#firstEnd[state]!;
    if (found < leastEnd) {
      if (this.#lastEnd[state]! < leastEnd) return none;
      this.#ends ??= new EndsByState(this.#link, this.#isClone, this.#firstEnd, this.#states, this.#size);
      found = this.#ends.firstFrom(state, leastEnd);
    }
    return this.#offset + found - length;
  }

  #indexOfLetter(letter: number, at: number): number {
    if (letter === 0) return none;
    const places = (this.#places[letter] ??= this.#placesOf(letter));
    const found = places[at - this.#offset]!;
    return found === this.#size ? none : this.#offset + found;
  }

  /** For each position where the letter comes next, the size for nowhere. */
  #placesOf(letter: number): Uint16Array {
    const size = this.#size;
    const places = new Uint16Array(size + 1);
    let next = size;
    places[size] = size;
    for (let at = size - 1; at >= 0; at--) {
      if (this.#alphabet[this.#path.charCodeAt(this.#offset + at)] === letter) next = at;
      places[at] = next;
    }
    return places;
  }

  /** Adds a letter to the strings that the automaton knows. */
  #extend(last: number, letter: number, end: number): number {
    const next = this.#next;
    const letters = this.#letters;
    const link = this.#link;
    const state = this.#states++;
    this.#length[state] = end;
    this.#firstEnd[state] = this.#lastEnd[state] = end;
    let from = last;
    while (from !== none && next[from * letters + letter] === 0) {
      next[from * letters + letter] = state;
      from = link[from]!;
    }
    if (from === none) return state;
    const target = next[from * letters + letter]!;
    if (this.#length[from]! + 1 === this.#length[target]) {
      link[state] = target;
      return state;
    }
    const clone = this.#states++;
    this.#isClone[clone] = 1;
    this.#length[clone] = this.#length[from]! + 1;
    this.#firstEnd[clone] = this.#firstEnd[target]!;
    this.#lastEnd[clone] = this.#firstEnd[target]!;
    next.copyWithin(clone * letters, target * letters, (target + 1) * letters);
    link[clone] = link[target]!;
    while (from !== none && next[from * letters + letter] === target) {
      next[from * letters + letter] = clone;
      from = link[from]!;
    }
    link[target] = link[state] = clone;
    return state;
  }

  /** Strings of a state end wherever longer strings ending in them do: states are gone through from the longest on. */
  #spreadLastEnds(): void {
    const states = this.#states;
    const order = statesByLength(this.#length, states, this.#size);
    for (let at = states - 1; at > 0; at--) {
      const state = order[at]!;
      const shorter = this.#link[state]!;
      if (this.#lastEnd[state]! > this.#lastEnd[shorter]!) this.#lastEnd[shorter] = this.#lastEnd[state]!;
    }
  }
}

function statesByLength(length: Uint16Array, states: number, size: number): Int32Array {
  const starts = new Int32Array(size + 2);
  for (let state = 0; state < states; state++) starts[length[state]! + 1]!++;
  for (let at = 0; at <= size; at++) starts[at + 1]! += starts[at]!;
  const order = new Int32Array(states);
  for (let state = 0; state < states; state++) order[starts[length[state]!]!++] = state;
  return order;
}

// Up to so many, looking at all is faster than going down the matrix.
const fewEnds = 32;

/** The ends of the occurrences of each state's strings: a range of one array, in a wavelet matrix. */
class EndsByState {
  readonly #rangeStart: Int32Array;
  readonly #rangeEnd: Int32Array;
  /** The ends themselves, state by state. */
  readonly #ends: Uint16Array;
  readonly #levels: number;
  /** Level by level, from the highest bit: zeros before each position. */
  readonly #zeros: Uint16Array[] = [];

  constructor(link: Int32Array, isClone: Uint8Array, firstEnd: Uint16Array, states: number, size: number) {
    const childStart = new Int32Array(states + 2);
    for (let state = 1; state < states; state++) childStart[link[state]! + 2]!++;
    for (let at = 0; at <= states; at++) childStart[at + 1]! += childStart[at]!;
    const children = new Int32Array(states);
    for (let state = 1; state < states; state++) children[childStart[link[state]! + 1]!++] = state;
    this.#rangeStart = new Int32Array(states);
    this.#rangeEnd = new Int32Array(states);
    let ends = new Uint16Array(size);
    let count = 0;
    const stack = new Int32Array(states * 2 + 2);
    let depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
      const entry = stack[--depth]!;
      if (entry < 0) {
        this.#rangeEnd[~entry] = count;
        continue;
      }
      this.#rangeStart[entry] = count;
      if (entry > 0 && isClone[entry] === 0) ends[count++] = firstEnd[entry]!;
      stack[depth++] = ~entry;
      for (let at = childStart[entry]!; at < childStart[entry + 1]!; at++) stack[depth++] = children[at]!;
    }
    this.#ends = ends;
    let levels = 1;
    while (1 << levels <= size) levels++;
    this.#levels = levels;
    for (let level = levels - 1; level >= 0; level--) {
      const zeros = new Uint16Array(count + 1);
      const sorted = new Uint16Array(count);
      for (let at = 0; at < count; at++) zeros[at + 1] = zeros[at]! + (((ends[at]! >> level) & 1) ^ 1);
      let zero = 0;
      let one = zeros[count]!;
      for (let at = 0; at < count; at++) {
        if (((ends[at]! >> level) & 1) === 0) sorted[zero++] = ends[at]!;
        else sorted[one++] = ends[at]!;
      }
      this.#zeros.push(zeros);
      ends = sorted;
    }
  }

  /** The least end of a state's strings that is at least `least`; there is one. */
  firstFrom(state: number, least: number): number {
    const from = this.#rangeStart[state]!;
    const to = this.#rangeEnd[state]!;
    if (to - from <= fewEnds) {
      let found = 0xffff;
      for (let at = from; at < to; at++) {
        const end = this.#ends[at]!;
        if (end >= least && end < found) found = end;
      }
      return found;
    }
    return this.#nth(from, to, this.#countBelow(state, least));
  }

  #countBelow(state: number, least: number): number {
    let start = this.#rangeStart[state]!;
    let end = this.#rangeEnd[state]!;
    let below = 0;
    for (let level = 0; level < this.#levels; level++) {
      const zeros = this.#zeros[level]!;
      const all = zeros[zeros.length - 1]!;
      if (((least >> (this.#levels - 1 - level)) & 1) === 0) {
        start = zeros[start]!;
        end = zeros[end]!;
      } else {
        below += zeros[end]! - zeros[start]!;
        start += all - zeros[start]!;
        end += all - zeros[end]!;
      }
    }
    return below;
  }

  #nth(from: number, to: number, index: number): number {
    let start = from;
    let end = to;
    let rest = index;
    let value = 0;
    for (let level = 0; level < this.#levels; level++) {
      const zeros = this.#zeros[level]!;
      const count = zeros[end]! - zeros[start]!;
      if (rest < count) {
        start = zeros[start]!;
        end = zeros[end]!;
      } else {
        rest -= count;
        const all = zeros[zeros.length - 1]!;
        start += all - zeros[start]!;
        end += all - zeros[end]!;
        value |= 1 << (this.#levels - 1 - level);
      }
    }
    return value;
  }
}
