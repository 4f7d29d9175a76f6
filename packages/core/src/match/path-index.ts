// Indexes one long path for many patterns: the part of a pattern after its first star is then matched in time linear in the
// pattern, independent of the length of the path.
//
// A file may have tens of thousands of patterns that each nearly match a path of thousands of characters. Reading the path
// for each pattern would take seconds. The suffix automaton of the path (Blumer et al. 1985) finds whether and where a string
// first occurs. For the next occurrence, the ends of all occurrences are sorted in the order of the automaton's suffix links.

/**
 * The longest path that is indexed. The index has up to two states per character. Each state has a cell for each different
 * ASCII character. So the index takes up to 51 MB until the path is decided. The app rejects longer paths (`url-too-long`).
 */
export const longestIndexedPath = 65_536;

// The longest path whose transitions are kept in `scratch`. The state numbers of such a path fit in 16 bits.
const longestKept = 16_384;

const STAR = 0x2a;
// Among up to this many ends, a linear search is fastest.
const fewEnds = 32;
// At most this many states get a bitmap of their ends.
const mostSets = 1024;

// The transitions for paths of up to `longestKept` characters. The buffer is reused by the next index, because it is larger
// than all other memory that a decision needs.
const scratch: { next: Uint16Array } = { next: new Uint16Array(0) };

/**
 * Whether a path contains, from `at` on and in order, the pieces between the stars of the pattern in `text` from `start` to `stop`. With
 * `tied`, the path must end with the last piece. The range must begin with a star.
 */
export type PathIndex = (text: Uint8Array, start: number, stop: number, tied: boolean, at: number) => boolean;

/**
 * Indexes the path `path[offset, pathEnd)`. The caller checks that the path has at most {@link longestIndexedPath} bytes. The index is
 * valid until the next call. A call takes about fifty times as long as reading the path.
 */
export function createPathIndex(path: Uint8Array, offset: number, pathEnd: number): PathIndex {
  const size = pathEnd - offset;
  const { columnOf, columns, next, states, length, link, firstEnd } = automatonOf(path, offset, pathEnd);
  // A suffix ends wherever the longer string ends. So each state passes its `lastEnd` along its suffix link, longest strings first.
  const order = statesByLength(length, states, size);
  const lastEnd = firstEnd.slice();
  for (let at = states - 2; at >= 0; at--) {
    const state = order[at]!;
    const shorter = link[state]!;
    lastEnd[shorter] = Math.max(lastEnd[shorter]!, lastEnd[state]!);
  }
  let endFrom: EndFrom | undefined;

  return (text, start, stop, tied, at) => {
    let end = at - offset;
    for (let from = start + 1; from <= stop; from++) {
      const piece = from;
      let state = 0;
      for (; from < stop; from++) {
        const byte = text[from]!;
        if (byte === STAR) break;
        state = next[state * columns + columnOf[byte]!]!;
        if (state === 0) return false;
      }
      // A piece is empty between adjacent stars and after a star at the end.
      if (from === piece) continue;
      end += from - piece;
      if (lastEnd[state]! < end) return false;
      if (from === stop && tied) return lastEnd[state] === size;
      if (firstEnd[state]! >= end) end = firstEnd[state]!;
      else end = (endFrom ??= createEndFrom(order, length, link, firstEnd, size))(state, end);
    }
    return true;
  };
}

/**
 * Builds the suffix automaton of `path[offset, pathEnd)`, byte by byte. State 0 is the state of the empty string.
 *
 * - `columnOf`: the column in `next` of each ASCII character of the path; column 0, without transitions, for other characters.
 * - `next`: the next state for a state and a character, at `state * columns + column`; 0 if there is none.
 * - `length`, `link`, `firstEnd`: for each state, the length of its longest string, its suffix link, and the first end of its strings.
 */
function automatonOf(path: Uint8Array, offset: number, pathEnd: number) {
  const size = pathEnd - offset;
  const columnOf = new Uint8Array(0x80);
  let columns = 1;
  for (let at = offset; at < pathEnd; at++) {
    const code = path[at]!;
    if (code < 0x80 && columnOf[code] === 0) columnOf[code] = columns++;
  }
  // All other characters share one more column, since no pattern contains them.
  const other = columns++;
  const most = size * 2 + 2;
  const next = transitionsFor(size, most * columns);
  const length = new Int32Array(most);
  const link = new Int32Array(most);
  const firstEnd = new Int32Array(most);
  link[0] = -1;
  let states = 1;
  let whole = 0;
  for (let end = 1; end <= size; end++) {
    const code = path[offset + end - 1]!;
    const column = code < 0x80 ? columnOf[code]! : other;
    const state = states++;
    length[state] = firstEnd[state] = end;
    let from = whole;
    whole = state;
    for (; from >= 0 && next[from * columns + column] === 0; from = link[from]!) next[from * columns + column] = state;
    if (from < 0) continue;
    const target = next[from * columns + column]!;
    link[state] = target;
    if (length[from]! + 1 === length[target]) continue;
    const clone = states++;
    length[clone] = length[from]! + 1;
    firstEnd[clone] = firstEnd[target]!;
    next.copyWithin(clone * columns, target * columns, (target + 1) * columns);
    link[clone] = link[target]!;
    link[target] = link[state] = clone;
    for (; from >= 0 && next[from * columns + column] === target; from = link[from]!)
      next[from * columns + column] = clone;
  }
  return { columnOf, columns, next, states, length, link, firstEnd };
}

/** A table of `cells` transitions, all 0, for a path of `size` characters. */
function transitionsFor(size: number, cells: number): Int32Array | Uint16Array {
  if (size > longestKept) return new Int32Array(cells);
  if (scratch.next.length < cells) scratch.next = new Uint16Array(cells);
  else scratch.next.fill(0, 0, cells);
  return scratch.next;
}

/** All states except the first, ordered by the length of their longest string. */
function statesByLength(length: Int32Array, states: number, size: number): Int32Array {
  const starts = new Int32Array(size + 2);
  for (let state = 1; state < states; state++) starts[length[state]! + 1]!++;
  for (let at = 0; at <= size; at++) starts[at + 1]! += starts[at]!;
  const order = new Int32Array(states - 1);
  for (let state = 1; state < states; state++) order[starts[length[state]!]!++] = state;
  return order;
}

/** Returns the smallest end of a state's strings that is not below `least`. Such an end must exist. */
type EndFrom = (state: number, least: number) => number;

/**
 * Sorts the ends of all occurrences into one array, in which the ends of each state's strings are one range. `counts` has for each state the
 * number of its ends, minus the number of positions that all searches for the state have tested.
 */
function createEndFrom(
  order: Int32Array,
  length: Int32Array,
  link: Int32Array,
  firstEnd: Int32Array,
  size: number,
): EndFrom {
  const states = order.length + 1;
  const counts = new Int32Array(states);
  for (const state of order.toReversed()) {
    // Except for cloned states, the longest string of a state is a prefix of the path.
    if (length[state] === firstEnd[state]) counts[state]!++;
    counts[link[state]!]! += counts[state]!;
  }
  const ends = new Int32Array(size);
  /** The position of each end in `ends`. */
  const places = new Int32Array(size + 1);
  const rangeStart = new Int32Array(states);
  // While ranges are assigned: where the next child of a state gets its range. Afterwards: the end of the state's range.
  const rangeEnd = new Int32Array(states);
  for (const state of order) {
    const start = rangeEnd[link[state]!]!;
    rangeEnd[link[state]!]! += counts[state]!;
    rangeStart[state] = rangeEnd[state] = start;
    const end = firstEnd[state]!;
    if (length[state] !== end) continue;
    places[end] = start;
    ends[start] = end;
    rangeEnd[state] = start + 1;
  }
  // Bitmaps of the ends of states. A state gets a bitmap once its searches have cost more than making the bitmap.
  const sets = new Array<Int32Array | undefined>(counts.length);
  let setCount = 0;

  return (state, least) => {
    const set = sets[state];
    if (set !== undefined) {
      let at = least;
      let bits = set[at >> 5]! >>> at;
      for (; bits === 0; bits = set[at >> 5]!) at = (at | 31) + 1;
      return at + 31 - Math.clz32(bits & -bits);
    }
    const start = rangeStart[state]!;
    const stop = rangeEnd[state]!;
    let found = size;
    if (stop - start <= fewEnds) {
      for (let at = start; at < stop; at++) {
        const end = ends[at]!;
        if (end >= least && end < found) found = end;
      }
      return found;
    }
    for (found = least; places[found]! < start || places[found]! >= stop;) found++;
    counts[state]! -= found - least + 1;
    if (counts[state]! < 0 && setCount++ < mostSets) {
      const bits = (sets[state] = new Int32Array((size >> 5) + 1));
      for (let at = start; at < stop; at++) bits[ends[at]! >> 5]! |= 1 << ends[at]!;
    }
    return found;
  };
}
