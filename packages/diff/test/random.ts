// Makes pseudo-random numbers, choices, files and edits from a seed: the same seed gives the same values.

/** A generator of numbers: mulberry32. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A number from 0 to below `size`. */
  below(size: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % size;
  }

  of<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)]!;
  }
}

/** A pattern of a few characters, so that patterns overlap. */
function patternOf(random: Random): string {
  const parts = ["a", "b", "/", "*", "a/", "b*", "?", "%2A", "/index.html"];
  let pattern = random.of(["/", "/", "/a", "*", "/*"]);
  for (let size = random.below(4); size > 0; size--)
    pattern += random.of(parts.slice(0, random.below(6) === 0 ? 9 : 6));
  return pattern + (random.below(4) === 0 ? "$" : "");
}

/** A robots.txt of one or two groups. */
export function fileOf(random: Random, most = 6): string {
  const lines: string[] = [];
  for (let group = random.below(2); group >= 0; group--) {
    lines.push(`User-agent: ${group === 1 ? "x" : "*"}`);
    for (let rules = random.below(most); rules >= 0; rules--) {
      lines.push(`${random.of(["Allow", "Disallow", "Disallow"])}: ${patternOf(random)}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

/** The file after one to three edits. An edit removes, adds, copies, moves, cuts or extends a line, or exchanges Allow and Disallow. */
export function editOf(random: Random, text: string): string {
  const lines = text.split(/\r\n|\r|\n/);
  const at = random.below(lines.length);
  const line = lines[at]!;
  const edits: readonly (() => void)[] = [
    () => lines.splice(at, 1),
    () => lines.splice(at, 0, `${random.of(["Allow", "Disallow"])}: ${random.of(valuesIn(lines))}`),
    () => lines.splice(random.below(lines.length), 0, line),
    () => lines.splice(random.below(lines.length), 0, ...lines.splice(at, 1)),
    () =>
      (lines[at] = /^\s*allow/i.test(line) ? line.replace(/allow/i, "Disallow") : line.replace(/disallow/i, "Allow")),
    () => (lines[at] = line.slice(0, -1)),
    () => (lines[at] = `${line}${random.of(["*", "$", "a", "/", "*b"])}`),
  ];
  for (let count = 1 + random.below(3); count > 0; count--) random.of(edits)();
  return lines.join("\n");
}

function valuesIn(lines: readonly string[]): readonly string[] {
  const values = lines.flatMap((line) => /^\s*(?:dis)?allow\s*:\s*([/*][^\s#]*)/i.exec(line)?.[1] ?? []);
  return ["/", "/*?", ...values];
}

/** A target made of pieces of patterns. */
export function targetOf(random: Random, pieces: readonly string[]): string {
  let target = "/";
  for (let size = random.below(5); size > 0; size--) target += random.of(pieces);
  return target;
}

/** The texts between the stars of a file's patterns, whole and cut. Texts with characters that no target of a URL has are left out. */
export function piecesOf(text: string): readonly string[] {
  const pieces = valuesIn(text.split(/\r\n|\r|\n/)).flatMap((value) => value.replace(/\$$/, "").split("*"));
  const cut = pieces.flatMap((piece) => [piece, piece.replace(/^\//, ""), piece.slice(0, piece.length >> 1)]);
  return ["", "a", "/", "?", "x", ...new Set(cut)].filter((piece) => /^[!$-;=?-[\]-~]*$/.test(piece));
}
