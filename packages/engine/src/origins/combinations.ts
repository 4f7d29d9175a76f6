// Finds the tails of all questions by the decisions of all blocks of an origin about one record: one look-up instead of one for each run of
// questions.

/** Maximum number of combinations of an origin. */
const mostCombinations = 256;
const buckets = 32;

/** Approximate memory of the table of an origin, and of a combination without its offsets, in bytes. */
const tableBytes = 400;
const combinationBytes = 100;

/** A combination of decisions that occurred. */
export interface Combination {
  /** For each block, the offset of its decision from the block, in words. A move of the block does not change this offset. */
  readonly offsets: readonly number[];
  /** The address of the tails of all questions in `Answers`; 0 until they are built. */
  tails: number;
  /** Number of records with this combination that are not counted with its decisions yet. */
  hits: number;
  /** The next combination of the same bucket. */
  readonly next: Combination | undefined;
}

/** The combinations of decisions that occurred about the records of one origin, in a hash table. */
export class Combinations {
  readonly all: Combination[] = [];
  readonly #buckets = new Array<Combination | undefined>(buckets).fill(undefined);

  /** The combination in which the decisions of the blocks have the offsets `offsets[0, count)`, in the order of the block numbers. */
  find(offsets: Int32Array, count: number): Combination | undefined {
    let found = this.#buckets[bucketOf(offsets, count)];
    while (found !== undefined) {
      let number = 0;
      while (number < count && found.offsets[number] === offsets[number]) number++;
      if (number === count) return found;
      found = found.next;
    }
    return undefined;
  }

  /** Adds a combination without tails, unless there are `mostCombinations`. Returns the bytes to charge, including those of a new table. */
  add(offsets: Int32Array, count: number): number {
    if (this.all.length === mostCombinations) return 0;
    const bucket = bucketOf(offsets, count);
    const own = Array.from(offsets.subarray(0, count));
    const added = { offsets: own, tails: 0, hits: 0, next: this.#buckets[bucket] };
    this.#buckets[bucket] = added;
    return combinationBytes + count * 8 + (this.all.push(added) === 1 ? tableBytes : 0);
  }
}

function bucketOf(offsets: Int32Array, count: number): number {
  let hash = 0;
  for (let number = 0; number < count; number++) hash = Math.imul(hash ^ offsets[number]!, 0x9e3779b1);
  return hash >>> 27;
}
