// Generates, from a hostile file's patterns, paths of 8 KB for which a mismatch is expensive to detect.
import { type Random, shuffled } from "./random.ts";

/** Length of hostile paths in characters. */
export const hostilePathLength = 8192;

export interface NamedPath {
  readonly name: string;
  readonly path: string;
}

/** Paths built from a file's own patterns, for which many rules must be tried and no rule ends the search early. */
export function createHostilePaths(patterns: readonly string[], random: Random): NamedPath[] {
  const pieces = piecesOf(patterns, random);
  const lastCut = pieces.map((piece) => piece.slice(0, -1));
  const letters = commonLetters(pieces);
  const first = letters[0] ?? "a";
  const paths: NamedPath[] = [
    { name: `${JSON.stringify(first)} repeated`, path: filled("/", () => first) },
    { name: "pieces", path: fromList("/", pieces) },
    { name: "pieces backwards", path: fromList("/", pieces.toReversed()) },
    { name: "pieces without their ends", path: fromList("/", lastCut) },
    {
      name: "pieces without their beginnings",
      path: fromList(
        "/",
        pieces.map((piece) => piece.slice(1)),
      ),
    },
    {
      name: "every run of letters once",
      path: fromList("/", [runsOf(letters.slice(0, lettersForRuns(letters.length)))]),
    },
    { name: "letters at random", path: filled("/", () => random.pick(letters)) },
    {
      name: "first half pieces, then one letter",
      path: fromList("/", pieces)
        .slice(0, hostilePathLength / 2)
        .padEnd(hostilePathLength, first),
    },
    {
      name: "one letter, then a piece",
      path: `/${(pieces[0] ?? "a").slice(0, hostilePathLength / 2)}`.padStart(hostilePathLength, first),
    },
    { name: "a pattern without stars, cut", path: filled("", () => patterns[0]?.replaceAll("*", "") || "/") },
    { name: "slashes", path: filled("/", () => "/") },
    { name: "a's", path: filled("/", () => "a") },
    { name: "a's and a question mark", path: `${"/".padEnd(hostilePathLength - 1, "a")}?` },
    { name: "index.htm", path: filled("/", () => "index.htm/") },
    {
      name: "ordinary",
      path: filled("/", () => `${random.pick(["shop", "news", "view", "item"])}-${random.below(999)}/`),
    },
  ];
  const seen = new Set<string>();
  return paths
    .map(({ name, path }) => ({ name, path: path.startsWith("/") ? path : `/${path.slice(1)}` }))
    .filter(({ path }) => path.length === hostilePathLength && !seen.has(path) && seen.add(path).size > 0);
}

/** A sample of the distinct literal pieces of the whole file's patterns, enough to fill several paths. */
function piecesOf(patterns: readonly string[], random: Random): string[] {
  const pieces = new Set<string>();
  let size = 0;
  for (const pattern of shuffled(patterns.slice(0, 20_000), random)) {
    for (const piece of pattern.split("*")) {
      const literal = piece.endsWith("$") ? piece.slice(0, -1) : piece;
      if (literal === "" || pieces.has(literal)) continue;
      pieces.add(literal);
      size += literal.length;
    }
    if (size > 4 * hostilePathLength) break;
  }
  return [...pieces];
}

function commonLetters(pieces: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const piece of pieces)
    for (const letter of piece.slice(0, 200)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const letters = [...counts].toSorted((a, b) => b[1] - a[1]).map(([letter]) => letter);
  return letters.length === 0 ? ["a"] : letters;
}

/** The number of letters to use: at most 20, because a path has room for all sequences of three letters out of 20. */
function lettersForRuns(letters: number): number {
  return Math.max(1, Math.min(letters, 20));
}

/** A text that contains every sequence of three letters exactly once (a de Bruijn sequence). */
function runsOf(letters: readonly string[]): string {
  const count = letters.length;
  const order = 3;
  const sequence: number[] = [];
  const word = new Array<number>(count * order).fill(0);
  const extend = (at: number, period: number): void => {
    if (at > order) {
      if (order % period === 0) sequence.push(...word.slice(1, period + 1));
      return;
    }
    word[at] = word[at - period]!;
    extend(at + 1, period);
    for (let letter = word[at - period]! + 1; letter < count; letter++) {
      word[at] = letter;
      extend(at + 1, at);
    }
  };
  extend(1, 1);
  return sequence.map((letter) => letters[letter]!).join("");
}

function filled(start: string, next: () => string): string {
  let path = start;
  while (path.length < hostilePathLength) path += next() || "a";
  return path.slice(0, hostilePathLength);
}

function fromList(start: string, items: readonly string[]): string {
  let at = 0;
  return filled(start, () => items[at++ % items.length] ?? "a");
}
