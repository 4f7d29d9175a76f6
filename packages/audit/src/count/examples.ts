// Keeps examples of a cell's requests: the targets with the smallest hashes, as texts without the values of parameters.
import { bytesOf, hexOf } from "../hash.ts";
import { textOfBytes, writeEscaped } from "./names.ts";

/** The maximum number of examples of a cell. */
export const mostExamples = 3;
/** The maximum number of examples of a cell after the directories of its origin were folded. */
export const mostWhenFolded = 1;
/** The maximum number of bytes of an example; a longer target is cut. */
const maxExampleBytes = 200;
/** The fewest cells for which a table of examples has room. */
const smallestRoom = 8;

const questionMark = 0x3f;
const equalsSign = 0x3d;
const ampersand = 0x26;
const ellipsis = bytesOf("…");
/** Buffers for an escaped target and for its text without values. A byte becomes at most three; `&` becomes `&…`. */
const escaped = new Uint8Array(maxExampleBytes * 3 + ellipsis.length);
const shown = new Uint8Array(maxExampleBytes * 4 + ellipsis.length * 2);

/** An example: the target of a request that a cell counts. */
export interface Example {
  /** The upper half of the hash of origin and raw target. */
  readonly high: number;
  /** The lower half of this hash. */
  readonly low: number;
  readonly target: string;
}

/** An example as documents contain it: the hash of origin and target in hex, and the target. */
export type ExampleCell = readonly [hash: string, target: string];

/** The cell of a document for an example. */
export function exampleCellOf({ high, low, target }: Example): ExampleCell {
  return [hexOf(high, low), target];
}

/** The example in a cell of a document. */
export function exampleOf([hash, target]: ExampleCell): Example {
  return { high: Number.parseInt(hash.slice(0, 8), 16), low: Number.parseInt(hash.slice(8), 16), target };
}

/**
 * Examples of the cells of a table, by the cells' positions. Each cell has room for the same number of examples in arrays that all cells
 * share, because an audit has many cells, and each object costs memory of its own.
 */
export class Examples {
  /** The number of examples of each cell. */
  #counts = new Uint8Array(0);
  /** The two halves of the hash of each example. */
  #hashes = new Uint32Array(0);
  readonly #targets: string[] = [];
  readonly #withValues: boolean;
  readonly #most: number;

  constructor(withValues: boolean, most: number) {
    this.#withValues = withValues;
    this.#most = most;
  }

  /** The examples of a cell, sorted by hash. */
  of(cell: number): readonly Example[] {
    const first = cell * this.#most;
    return Array.from({ length: this.#counts[cell] ?? 0 }, (_, at) => ({
      high: this.#hashes[(first + at) * 2]!,
      low: this.#hashes[(first + at) * 2 + 1]!,
      target: this.#targets[first + at]!,
    }));
  }

  /**
   * Adds a target, `bytes` from `start` to `end`, with its hash. The text of the example is made only if the hash is new and among the
   * smallest of the cell.
   */
  add(cell: number, high: number, low: number, bytes: Uint8Array, start: number, end: number): void {
    const at = this.#placeFor(cell, high, low);
    if (at >= 0) this.#insert(cell, at, { high, low, target: exampleTextOf(bytes, start, end, this.#withValues) });
  }

  /** Adds an example from another table or from a document. */
  addExample(cell: number, example: Example): void {
    const at = this.#placeFor(cell, example.high, example.low);
    if (at >= 0) this.#insert(cell, at, example);
  }

  /** The position for a new example among the examples of its cell; -1 if the cell has the hash already, or `#most` smaller ones. */
  #placeFor(cell: number, high: number, low: number): number {
    const count = cell < this.#counts.length ? this.#counts[cell]! : 0;
    const hashes = this.#hashes;
    let at = count;
    for (; at > 0; at--) {
      const before = (cell * this.#most + at - 1) * 2;
      if (high > hashes[before]! || (high === hashes[before] && low > hashes[before + 1]!)) break;
      if (high === hashes[before] && low === hashes[before + 1]) return -1;
    }
    return at === this.#most ? -1 : at;
  }

  /** Puts an example at a position of its cell. If the cell is full, its last example is dropped. */
  #insert(cell: number, at: number, { high, low, target }: Example): void {
    if (cell >= this.#counts.length) this.#grow(cell + 1);
    const most = this.#most;
    const first = cell * most;
    const count = Math.min(this.#counts[cell]! + 1, most);
    this.#counts[cell] = count;
    const hashes = this.#hashes;
    const targets = this.#targets;
    while (targets.length < first + most) targets.push("");
    for (let index = first + count - 1; index > first + at; index--) {
      hashes[index * 2] = hashes[index * 2 - 2]!;
      hashes[index * 2 + 1] = hashes[index * 2 - 1]!;
      targets[index] = targets[index - 1]!;
    }
    hashes[(first + at) * 2] = high;
    hashes[(first + at) * 2 + 1] = low;
    targets[first + at] = target;
  }

  #grow(cells: number): void {
    const room = Math.max(cells, smallestRoom, Math.ceil(this.#counts.length * 1.5));
    const counts = new Uint8Array(room);
    counts.set(this.#counts);
    this.#counts = counts;
    const hashes = new Uint32Array(room * this.#most * 2);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
  }
}

/** A target as text: printable ASCII, cut at 200 bytes, with `…` for the values of parameters unless `withValues`. */
export function exampleTextOf(bytes: Uint8Array, start: number, end: number, withValues: boolean): string {
  const cut = Math.min(end, start + maxExampleBytes);
  let length = writeEscaped(escaped, bytes, start, cut);
  if (cut < end) length = writeEllipsis(escaped, length);
  const query = escaped.subarray(0, length).indexOf(questionMark);
  if (withValues || query < 0) return textOfBytes(escaped, length);
  // All parts are written to one buffer, so that the text is one string that keeps no other string in memory.
  shown.set(escaped.subarray(0, query + 1));
  let to = query + 1;
  for (let from = query + 1; ;) {
    let next = from;
    let equals = -1;
    for (; next < length && escaped[next] !== ampersand; next++) {
      if (equals < 0 && escaped[next] === equalsSign) equals = next;
    }
    // A parameter without a name may be a secret as a whole.
    if (equals >= 0) {
      shown.set(escaped.subarray(from, equals + 1), to);
      to += equals + 1 - from;
    }
    to = writeEllipsis(shown, to);
    if (next >= length) return textOfBytes(shown, to);
    shown[to++] = ampersand;
    from = next + 1;
  }
}

/** Writes `…` in UTF-8 at position `at` and returns the position after it. */
function writeEllipsis(to: Uint8Array, at: number): number {
  to.set(ellipsis, at);
  return at + ellipsis.length;
}
