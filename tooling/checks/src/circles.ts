// Finds one import cycle for each strongly connected set of files in a graph of imports.

/**
 * Finds import cycles: for each strongly connected set, the shortest path from its first file (by name) back to that file. Sets and files
 * are sorted by name. Finding all sets takes time linear in the number of files and imports, and so does finding one cycle.
 */
export function findCircles(
  importsByFile: ReadonlyMap<string, readonly string[]>,
): readonly (readonly [string, ...string[]])[] {
  const sets = connectedSets(importsByFile);
  return [...importsByFile.keys()].toSorted().flatMap((file) => {
    const set = sets.get(file)!;
    const isFirst = [...set].every((other) => file <= other);
    const isCircle = set.size > 1 || importsByFile.get(file)!.includes(file);
    return isFirst && isCircle ? [shortestCircle(file, set, importsByFile)] : [];
  });
}

/** Finds the shortest cycle through `start` by breadth-first search within its set, in which every file reaches every other file. */
function shortestCircle(
  start: string,
  set: ReadonlySet<string>,
  importsByFile: ReadonlyMap<string, readonly string[]>,
): readonly [string, ...string[]] {
  const ways: (readonly [string, ...string[]])[] = [[start]];
  const seen = new Set([start]);
  for (const way of ways) {
    for (const next of importsByFile.get(way.at(-1)!)!) {
      if (next === start) return way;
      if (!set.has(next) || seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  throw new Error(`${start} is in a set of files that reach one another, and does not reach itself`);
}

/** The strongly connected set of each file, by Tarjan's algorithm with an explicit stack instead of recursion. */
function connectedSets(
  importsByFile: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const sets = new Map<string, ReadonlySet<string>>();
  /** Files in the order of their first visit. */
  const order = new Map<string, number>();
  /** For each file, the number in `order` of the earliest file on the stack `open` that the search has reached from the file. */
  const lowest = new Map<string, number>();
  const open: string[] = [];
  for (const root of importsByFile.keys()) {
    const visits: { readonly file: string; next: number }[] = [];
    const visit = (file: string): void => {
      order.set(file, order.size);
      lowest.set(file, order.get(file)!);
      open.push(file);
      visits.push({ file, next: 0 });
    };
    const lower = (file: string, to: number): void => void lowest.set(file, Math.min(lowest.get(file)!, to));
    if (!order.has(root)) visit(root);
    for (let top = visits.at(-1); top !== undefined; top = visits.at(-1)) {
      const { file } = top;
      const target = importsByFile.get(file)![top.next++];
      if (target !== undefined) {
        // A file outside the graph, such as JSON, has no imports.
        if (!importsByFile.has(target)) continue;
        if (!order.has(target)) visit(target);
        else if (!sets.has(target)) lower(file, order.get(target)!);
        continue;
      }
      visits.pop();
      const parent = visits.at(-1);
      if (parent !== undefined) lower(parent.file, lowest.get(file)!);
      if (lowest.get(file) === order.get(file)) {
        const set = new Set(open.splice(open.lastIndexOf(file)));
        for (const member of set) sets.set(member, set);
      }
    }
  }
  return sets;
}
