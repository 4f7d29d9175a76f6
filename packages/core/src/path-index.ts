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
    // All but the first are short.
    for (const each of Object.values(kept)) each.fill(0, 0, count * letters);
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

/** Where pieces occur in a path. */
export interface PathIndex {
  /** The first position from `at` on where the bytes of a range stand in the path, or -1. */
  indexOf(text: Uint8Array, start: number, end: number, at: number): number;
}

/**
 * Indexes what `path` holds from `offset` on, at most {@link longestIndexedPath} characters; good until the next one is
 * made. Takes about a hundred times as long as reading the path.
 */
export function createPathIndex(path: string, offset: number): PathIndex {
  const size = path.length - offset;
  // 1 + the place of an ASCII character among those of the path; 0 for characters it does not hold.
  const alphabet = new Uint8Array(0x80);
  let letters = 0;
  for (let at = offset; at < path.length; at++) {
    const code = path.charCodeAt(at);
    if (code < 0x80 && alphabet[code] === 0) alphabet[code] = ++letters;
  }
  // All other characters are one more letter: no pattern holds it.
  const other = letters++;
  const { next, length, link, firstEnd, lastEnd, isClone } = statesFor(size * 2 + 2, letters);
  length[0] = firstEnd[0] = 0;
  link[0] = none;
  let states = 1;
  let whole = 0;
  for (let end = 1; end <= size; end++) {
    const code = path.charCodeAt(offset + end - 1);
    const letter = code < 0x80 ? alphabet[code]! - 1 : other;
    const state = states++;
    length[state] = firstEnd[state] = lastEnd[state] = end;
    let from = whole;
    whole = state;
    for (; from !== none && next[from * letters + letter] === 0; from = link[from]!)
      next[from * letters + letter] = state;
    if (from === none) continue;
    const target = next[from * letters + letter]!;
    link[state] = target;
    if (length[from]! + 1 === length[target]) continue;
    const clone = states++;
    isClone[clone] = 1;
    length[clone] = length[from]! + 1;
    firstEnd[clone] = lastEnd[clone] = firstEnd[target]!;
    next.copyWithin(clone * letters, target * letters, (target + 1) * letters);
    link[clone] = link[target]!;
    link[target] = link[state] = clone;
    for (; from !== none && next[from * letters + letter] === target; from = link[from]!) {
      next[from * letters + letter] = clone;
    }
  }
  // Strings of a state end wherever longer strings ending in them do: states are gone through from the longest on.
  const order = statesByLength(length, states, size);
  for (let at = states - 2; at >= 0; at--) {
    const state = order[at]!;
    const shorter = link[state]!;
    if (lastEnd[state]! > lastEnd[shorter]!) lastEnd[shorter] = lastEnd[state]!;
  }
  let firstFrom: FirstFrom | undefined;
  // Letter by letter, see below; made when a letter is first searched.
  const placesByLetter: (Uint16Array | undefined)[] = [];

  /** For each position where the letter comes next, the size for nowhere. */
  function placesOf(letter: number): Uint16Array {
    const places = new Uint16Array(size + 1);
    let place = (places[size] = size);
    for (let at = size - 1; at >= 0; at--) {
      if (alphabet[path.charCodeAt(offset + at)] === letter) place = at;
      places[at] = place;
    }
    return (placesByLetter[letter] = places);
  }

  return {
    indexOf(text, start, end, at) {
      let state = 0;
      let letter = 0;
      for (let from = start; from < end; from++) {
        letter = alphabet[text[from]!]!;
        if (letter === 0) return none;
        state = next[state * letters + letter - 1]!;
        if (state === 0) return none;
      }
      const pieceLength = end - start;
      if (pieceLength === 1) {
        const place = (placesByLetter[letter] ?? placesOf(letter))[at - offset]!;
        return place === size ? none : offset + place;
      }
      const leastEnd = at - offset + pieceLength;
      let found: number = firstEnd[state]!;
      if (found < leastEnd) {
        if (lastEnd[state]! < leastEnd) return none;
        firstFrom ??= createFirstFrom(order, link, isClone, firstEnd);
        found = firstFrom(state, leastEnd);
      }
      return offset + found - pieceLength;
    },
  };
}

/** All states but the first, those of the shortest strings first. */
function statesByLength(length: Uint16Array, states: number, size: number): Int32Array {
  const starts = new Int32Array(size + 2);
  for (let state = 1; state < states; state++) starts[length[state]! + 1]!++;
  for (let at = 0; at <= size; at++) starts[at + 1]! += starts[at]!;
  const order = new Int32Array(states - 1);
  for (let state = 1; state < states; state++) order[starts[length[state]!]!++] = state;
  return order;
}

// Up to so many, looking at all is faster than going down the matrix.
const fewEnds = 32;

/** The least end of a state's strings that is at least `least`; there is one. */
type FirstFrom = (state: number, least: number) => number;

/** Puts the ends of the occurrences of each state's strings side by side, a range of one array, in a wavelet matrix. */
function createFirstFrom(order: Int32Array, link: Int32Array, isClone: Uint8Array, firstEnd: Uint16Array): FirstFrom {
  const states = order.length + 1;
  const counts = new Int32Array(states);
  for (let at = states - 2; at >= 0; at--) {
    const state = order[at]!;
    counts[state]! += 1 - isClone[state]!;
    counts[link[state]!]! += counts[state]!;
  }
  const count = counts[0]!;
  const ends = new Uint16Array(count);
  const rangeStart = new Int32Array(states);
  // Where the next of a state's longer strings gets its range, at last where its own range ends.
  const rangeEnd = new Int32Array(states);
  for (const state of order) {
    const start = rangeEnd[link[state]!]!;
    rangeEnd[link[state]!]! += counts[state]!;
    rangeStart[state] = rangeEnd[state] = start;
    if (isClone[state] === 0) ends[rangeEnd[state]++] = firstEnd[state]!;
  }
  // Level by level, from the highest bit: zeros before each position.
  const matrix: Uint16Array[] = [];
  const highestBit = 31 - Math.clz32(count);
  let last = ends;
  for (let bit = highestBit; bit >= 0; bit--) {
    const zeros = new Uint16Array(count + 1);
    for (let at = 0; at < count; at++) zeros[at + 1] = zeros[at]! + (((last[at]! >> bit) & 1) ^ 1);
    const sorted = new Uint16Array(count);
    let zero = 0;
    let one = zeros[count]!;
    for (let at = 0; at < count; at++) sorted[((last[at]! >> bit) & 1) === 0 ? zero++ : one++] = last[at]!;
    matrix.push(zeros);
    last = sorted;
  }

  /**
   * Goes down the matrix with the range of a state. With `least` it goes by its bits and counts the ends that are less;
   * without (-1) it finds the end that `index` others are less than.
   */
  function descend(state: number, least: number, index: number): number {
    let start = rangeStart[state]!;
    let end = rangeEnd[state]!;
    let rest = index;
    let result = 0;
    for (let bit = highestBit; bit >= 0; bit--) {
      const zeros = matrix[highestBit - bit]!;
      const before = zeros[start]!;
      const after = zeros[end]!;
      const here = after - before;
      if (least < 0 ? rest < here : ((least >> bit) & 1) === 0) {
        start = before;
        end = after;
      } else {
        start += zeros[count]! - before;
        end += zeros[count]! - after;
        rest -= here;
        result += least < 0 ? 1 << bit : here;
      }
    }
    return result;
  }

  return (state, least) => {
    const to = rangeEnd[state]!;
    let at = rangeStart[state]!;
    if (to - at > fewEnds) return descend(state, -1, descend(state, least, 0));
    let found = 0xffff;
    for (; at < to; at++) {
      const end = ends[at]!;
      if (end >= least && end < found) found = end;
    }
    return found;
  };
}
