// A generator of pseudo-random numbers. A seed gives the same numbers on every machine.

export interface Random {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** An integer from 0 to `below - 1`. */
  below(below: number): number;
  one<Value>(values: readonly Value[]): Value;
  chance(share: number): boolean;
  shuffled<Value>(values: readonly Value[]): Value[];
}

/** A generator with the algorithm Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    one: (values) => values[below(values.length)]!,
    chance: (share) => next() < share,
    shuffled: (values) => {
      const list = [...values];
      for (let at = list.length - 1; at > 0; at--) {
        const other = below(at + 1);
        [list[at], list[other]] = [list[other]!, list[at]!];
      }
      return list;
    },
  };
}
