// Adds findings about rules of a crawler that change no decision.
//
// The matching rule with the most octets decides a path. Take a rule R, and the longest rule S without wildcard whose text is a prefix of
// R's text. S matches every path that R matches. Suppose that S has the same type as R. Then R can only matter if a rule T of the other
// type beats S, loses to R, and matches a path that R matches. So the octets of T are between those of S and R. If T had no wildcard, T's
// text would be a prefix of R's text and longer than S, but S is the longest. Therefore R changes nothing if no rule of the other type with
// a wildcard has a number of octets in between. The same holds for an allow rule without such an S, because paths are allowed by default.
// If R itself has a star, a rule T without a wildcard is possible, too; then all rules of the other type are checked.
import type { FindingsList } from "./findings-list.ts";
import { type LintRule, nameOfType, namesIndex, shownPattern } from "./rule.ts";

/** If a crawler has more winners (see `checkRedundancy`), its rules are not checked, because sorting them would take too long. */
const mostRules = 10_000;

interface Entry {
  readonly rule: LintRule;
  /** The pattern up to its first `*`, or to the `$` at its end. */
  readonly text: string;
  readonly hasStar: boolean;
  readonly isTied: boolean;
}

/**
 * Adds findings about rules that change no decision. No two `winners` match the same set of paths. A `contested` winner beats
 * a rule of the other type that matches the same paths. `all` are all rules of the crawler.
 */
export function checkRedundancy(
  list: FindingsList,
  winners: readonly LintRule[],
  contested: ReadonlySet<LintRule>,
  all: readonly LintRule[],
): void {
  if (winners.length > mostRules || !winners.some(({ isAllow }) => !isAllow)) return;
  const octets = octetsOf(all);
  const entries = winners
    .map(entryOf)
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : rankOf(a) - rankOf(b)));
  // A stack of the entries without wildcard whose text is a prefix of the current entry's text, the longest last.
  const above: Entry[] = [];
  for (const entry of entries) {
    while (above.length > 0 && !entry.text.startsWith(above.at(-1)!.text)) above.pop();
    const { rule, hasStar, isTied } = entry;
    const by = above.at(-1);
    if (isPlain(entry)) above.push(entry);
    if (contested.has(rule)) continue;
    // An allow rule for an index file also allows the folder, which the proof above does not cover.
    if (rule.isAllow && namesIndex(rule)) continue;
    const least = by === undefined ? 0 : by.rule.pattern.length;
    const between = octets[rule.isAllow ? "disallow" : "allow"];
    if (hasWithin(hasStar ? between.all : between.wild, least, rule.pattern.length)) continue;
    if (by === undefined) {
      if (rule.isAllow && (hasStar || isTied || rule.canonical !== "/")) {
        list.add("needless-allow", rule.place, () => ({ pattern: shownPattern(list, rule) }));
      }
    } else if (by.rule.isAllow === rule.isAllow) {
      list.add("redundant-rule", rule.place, () => ({
        type: nameOfType(rule.isAllow),
        pattern: shownPattern(list, rule),
        by: shownPattern(list, by.rule),
        byLine: by.rule.place.line,
      }));
    }
  }
}

function entryOf(rule: LintRule): Entry {
  const canonical = rule.canonical!;
  const star = canonical.indexOf("*");
  const isTied = canonical.endsWith("$");
  // If the canonical form has another length than the pattern, the pattern has a wildcard that the canonical form lacks.
  const hasStar = star >= 0 || canonical.length !== rule.pattern.length;
  const text = star >= 0 ? canonical.slice(0, star) : isTied ? canonical.slice(0, -1) : canonical;
  return { rule, text, hasStar, isTied };
}

const isPlain = ({ hasStar, isTied }: Entry): boolean => !hasStar && !isTied;
/** Orders entries with the same text: the entry that matches every path with this prefix comes first. */
const rankOf = (entry: Entry): number => (isPlain(entry) ? 0 : 1);

/** The sorted numbers of octets of rules of one type. `all`: all rules. `wild`: only rules with a star and folders of index files. */
interface Octets {
  readonly all: number[];
  readonly wild: number[];
}

function octetsOf(rules: readonly LintRule[]): { readonly allow: Octets; readonly disallow: Octets } {
  const octets = { allow: { all: [], wild: [] }, disallow: { all: [], wild: [] } } satisfies Record<string, Octets>;
  const sides: { readonly allow: Octets; readonly disallow: Octets } = octets;
  for (const rule of rules) {
    const { all, wild } = rule.isAllow ? sides.allow : sides.disallow;
    all.push(rule.pattern.length);
    if (entryOf(rule).hasStar) wild.push(rule.pattern.length);
    if (!rule.isAllow || !namesIndex(rule)) continue;
    // Google-only: the folder's pattern is the pattern up to the last slash, followed by "$".
    const folder = rule.pattern.lastIndexOf("/") + 2;
    all.push(folder);
    wild.push(folder);
  }
  for (const { all, wild } of [sides.allow, sides.disallow]) {
    all.sort((a, b) => a - b);
    wild.sort((a, b) => a - b);
  }
  return sides;
}

/** Whether a sorted list contains a number from `least` to `most`. */
function hasWithin(numbers: readonly number[], least: number, most: number): boolean {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low < numbers.length && numbers[low]! <= most;
}
