// A graph of files and their imports in, one circle out for each set of files that all reach one another.

/**
 * Finds circles: of each strongly connected set of files the shortest way from its first file (by name) back to it. Sets and
 * files are in the order of their names. Time is linear in files and imports for the sets, and again for each circle.
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

/** Breadth first, inside of one set: every file of it can be reached. */
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

/** The strongly connected set that each file is in: Tarjan's algorithm, with a stack of its own instead of recursion. */
function connectedSets(
  importsByFile: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const sets = new Map<string, ReadonlySet<string>>();
  /** The order in which files were first visited. */
  const order = new Map<string, number>();
  /** The earliest file still on `open` that a file reaches, by its number in `order`. */
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
        // A file outside of the graph (of JSON, say) imports nothing.
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
