// Generates, from a seed, pseudorandom numbers that are the same in every run and on every machine.

/** A generator of numbers. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number;
  /** One of the items, all equally likely. */
  pick<T>(items: readonly T[]): T;
  /** One of the items; the first ones are far more likely, like the words and sections of real sites. */
  pickSkewed<T>(items: readonly T[]): T;
  /** True with the given probability. */
  chance(probability: number): boolean;
}

/** Creates a generator (mulberry32). The same seed and name give the same numbers; different names give independent sequences. */
export function createRandom(seed: number, name: string): Random {
  let state = seed >>> 0;
  for (let at = 0; at < name.length; at++) state = Math.imul(state ^ name.charCodeAt(at), 0x01000193) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (items) => items[below(items.length)]!,
    pickSkewed: (items) => items[Math.floor(next() ** 2.5 * items.length)]!,
    chance: (probability) => next() < probability,
  };
}

/** The items in random order. */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const result = [...items];
  for (let at = result.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [result[at], result[other]] = [result[other]!, result[at]!];
  }
  return result;
}
