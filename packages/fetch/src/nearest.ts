// A mistyped name and the names there are in, the one that was probably meant out.

/** The name with the fewest differing letters, whatever their case; undefined where none is near. Linear in the length of `typed`. */
export function nearestOf(typed: string, names: readonly string[]): string | undefined {
  const short = typed.slice(0, 40).toLowerCase();
  let nearest: string | undefined;
  let least = Math.max(1, Math.floor(short.length / 3)) + 1;
  for (const name of names) {
    const distance = distanceOf(short, name.toLowerCase());
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  return nearest;
}

/** Letters to insert, delete or replace (Levenshtein distance), one row of the table at a time. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let column = 1; column <= other.length; column++) {
      const replaced = row[column - 1]! + (one[at - 1] === other[column - 1] ? 0 : 1);
      next.push(Math.min(row[column]! + 1, next[column - 1]! + 1, replaced));
    }
    row = next;
  }
  return row[other.length]!;
}
