// Finds the known word of which a typed word is probably a misspelling.

/** The maximum number of characters of a typed word that are compared, because the time is the product of the two lengths. */
const longestCompared = 40;

/**
 * The known word with the smallest edit distance from the typed word; undefined when that distance exceeds a third of the typed word's
 * length, and exceeds 1. If a known word begins with a typed word of two characters or more, not counting hyphens, their distance is taken
 * as 1; of words with the same distance, the one whose length is nearest to that of the typed word counts. Letter case is ignored. Only the first `longestCompared` characters of the typed word are compared.
 */
export function nearestOf(typed: string, words: readonly string[]): string | undefined {
  const short = typed.slice(0, longestCompared).toLowerCase();
  let nearest: string | undefined;
  let least = Math.max(1, Math.floor(short.length / 3)) + 1;
  let leastLonger = 0;
  for (const word of words) {
    const isBeginning = short.replaceAll("-", "").length >= 2 && word.toLowerCase().startsWith(short);
    const distance = isBeginning ? 1 : editDistanceOf(short, word.toLowerCase());
    const longer = Math.abs(word.length - typed.length);
    if (distance < least || (distance === least && nearest !== undefined && longer < leastLonger)) {
      least = distance;
      leastLonger = longer;
      nearest = word;
    }
  }
  return nearest;
}

/**
 * The edit distance: the smallest number of steps that turn one string into the other, where a step inserts, deletes or
 * replaces a character or swaps two neighbours. The time is the product of the two lengths.
 */
export function editDistanceOf(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1));
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        cost = Math.min(cost, beforeLast[column - 2]! + 1);
      }
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length]!;
}
