// Generates hostile files of 500 KiB from genes, and mutates the genes: the search space for the slowest file.
import { type HostileFile, fileOfLines, hostileFileBytes, textOfNumber } from "./hostile-files.ts";
import { type Random, createRandom } from "./random.ts";

/** A generator of files whose parameters can be drawn at random and mutated. */
export interface Family<Genes> {
  readonly draw: (random: Random) => Genes;
  readonly mutate: (genes: Genes, random: Random) => Genes;
  readonly create: (genes: Genes) => HostileFile;
}

const letters = "abcdefghijklmnopqrstuvwxyz";

/** The shape of every rule's pattern. */
interface RuleGenes {
  /** The beginning of a pattern. */
  readonly start: "/" | "*" | "/*" | "";
  readonly end: "" | "$" | "*" | "*~" | "~";
  /** Number of literal pieces of a pattern, separated by stars. */
  readonly pieces: number;
  /** Length of a piece. */
  readonly pieceLength: number;
  readonly alphabet: number;
  /**
   * `count`: each piece is a number that grows with the rule's index; `random`: random letters; `tail`: one letter repeated, then another
   * letter; `same`: all pieces are equal.
   */
  readonly fill: "count" | "random" | "tail" | "same";
  /** Length of the common prefix of all patterns. */
  readonly shared: number;
  readonly keys: "allow" | "disallow" | "both";
}

const starts: readonly RuleGenes["start"][] = ["/", "*", "/*", ""];
const ends: readonly RuleGenes["end"][] = ["", "$", "*", "*~", "~"];
const fills: readonly RuleGenes["fill"][] = ["count", "random", "tail", "same"];
const keys: readonly RuleGenes["keys"][] = ["allow", "disallow", "both"];
const pieceCounts = [1, 1, 2, 3, 5, 20, 100, 1000];
const pieceLengths = [1, 2, 3, 3, 4, 5, 7, 8, 12, 16, 17, 33, 100, 1000, 4000];
const alphabets = [1, 2, 2, 3, 4, 6, 12, 20, 26];
const sharedLengths = [0, 0, 0, 1, 3, 16, 200, 2000];

function drawRules(random: Random): RuleGenes {
  return {
    start: random.pick(starts),
    end: random.pick(ends),
    pieces: random.pick(pieceCounts),
    pieceLength: random.pick(pieceLengths),
    alphabet: random.pick(alphabets),
    fill: random.pick(fills),
    shared: random.pick(sharedLengths),
    keys: random.pick(keys),
  };
}

/** Randomly redraws one or two genes. */
function mutateRules(genes: RuleGenes, random: Random): RuleGenes {
  const names = ["start", "end", "pieces", "pieceLength", "alphabet", "fill", "shared", "keys"] as const;
  const other = drawRules(random);
  const first = random.pick(names);
  const second = random.chance(0.4) ? random.pick(names) : first;
  return { ...genes, [first]: other[first], [second]: other[second] };
}

function createRulesFile(genes: RuleGenes): HostileFile {
  const random = createRandom(1, "shaped");
  const alphabet = letters.slice(0, genes.alphabet);
  const other = letters[genes.alphabet] ?? "~";
  const shared = "a".repeat(genes.shared);
  const piece = (number: number): string => {
    if (genes.fill === "count") return textOfNumber(number, alphabet, genes.pieceLength);
    if (genes.fill === "same") return "a".repeat(genes.pieceLength);
    if (genes.fill === "tail") return "a".repeat(Math.max(0, (number % genes.pieceLength) - 1)) + other;
    return Array.from({ length: genes.pieceLength }, () => alphabet[random.below(alphabet.length)]!).join("");
  };
  return fileOfLines(describe(genes), (at) => {
    const pieces = Array.from({ length: genes.pieces }, (_, index) => piece(at + index * 7));
    const key = genes.keys === "both" ? (at % 2 === 0 ? "allow" : "disallow") : genes.keys;
    return `${key}:${genes.start}${shared}${pieces.join("*")}${genes.end}`;
  });
}

function describe(genes: RuleGenes): string {
  const { start, end, pieces, pieceLength, alphabet, fill, shared, keys: key } = genes;
  return `${key} ${start}${shared > 0 ? `a^${shared}` : ""}[${pieces} × ${pieceLength} of ${alphabet}, ${fill}]${end}`;
}

/** Files whose rules all have patterns of one shape, for slow decisions. */
export const ruleFamily: Family<RuleGenes> = { draw: drawRules, mutate: mutateRules, create: createRulesFile };

/** A few parts, line ends included, repeated up to the end of the file. */
type LineGenes = readonly string[];

const parts = [
  ..."\n \n \n \r \r\n : : : # a b \t % %e9 * / $ - \0 \x01 \xff \xef\xbb\xbf".split(" "),
  " ",
  " ".repeat(20),
  ..."allow disallow user-agent useragent sitemap site-map crawl-delay host noindex clean-param request-rate".split(
    " ",
  ),
  ..."allow: disallow: user-agent:* user-agent:bingbot allow:/ disallow:* allow:/index.htm disallow:%e9".split(" "),
];

/** Files of a few repeated bytes, for slow parsing and building. */
export const lineFamily: Family<LineGenes> = {
  draw: (random) => Array.from({ length: 1 + random.below(8) }, () => random.pick(parts)),
  mutate: (genes, random) => {
    const changed = [...genes];
    const at = random.below(changed.length + 1);
    if (random.chance(0.3) && changed.length > 1) changed.splice(at, 1);
    else changed.splice(at, random.chance(0.5) ? 1 : 0, random.pick(parts));
    return changed;
  },
  create: (genes) => {
    const text = genes.join("");
    const bytes = Buffer.from(text.repeat(Math.ceil(hostileFileBytes / text.length)), "latin1").subarray(
      0,
      hostileFileBytes,
    );
    return { name: JSON.stringify(text), bytes: new Uint8Array(bytes) };
  },
};
