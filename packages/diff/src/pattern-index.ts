// Indexes the rules of one crawler by the text before the first star of each pattern: finds the rules that match a target, and the rules that
// can match a target together with another rule.
import { type CompetingRule, matchesTarget, textOf } from "@robots-stream/core/internal";
import type { Work } from "./search.ts";

const STAR = 0x2a;
/** Up to this many rules of a node are compared with each target. */
const fewOthers = 16;
const noPair = 0;

/** A rule in an index. */
export interface IndexedRule {
  readonly competing: CompetingRule;
  /** The identity of the rule: its type and its pattern in the form that is compared. */
  readonly name: string;
  /** The pattern before its first star; the whole pattern if it has none. */
  readonly prefix: string;
  readonly hasStar: boolean;
}

/** Rules with the same prefix. */
interface Node {
  readonly prefix: string;
  /** The rules that match every target that begins with the prefix. */
  readonly plain: readonly IndexedRule[];
  /** The other rules, strongest first. */
  readonly others: readonly IndexedRule[];
  /** If there are many others: lists of these rules by a pair of adjacent characters that every matching target has; `noPair` for rules without. */
  readonly byPair: ReadonlyMap<number, readonly IndexedRule[]> | undefined;
  /** The node with the longest prefix that begins this node's prefix. */
  readonly parent: Node | undefined;
  /** The position in the order of the prefixes. */
  readonly at: number;
}

/** A rule and its node. */
interface Place {
  readonly rule: IndexedRule;
  readonly node: Node;
}

type RuleType = CompetingRule["rule"]["type"];

/** The rule of a list of competing rules, as an index has it. Linear in the pattern. */
export function indexedRuleOf(competing: CompetingRule): IndexedRule {
  const { bytes, isTied, rule } = competing;
  const text = textOf(bytes, 0, bytes.length);
  const star = bytes.indexOf(STAR);
  return {
    competing,
    name: `${rule.type} ${text}${isTied ? "$" : ""}`,
    prefix: star < 0 ? text : text.slice(0, star),
    hasStar: star >= 0,
  };
}

/** The rules of one crawler. Each method subtracts from `work` the number of steps that it takes, and may end early when none is left. */
export class PatternIndex {
  /** In the order of the prefixes. */
  readonly #nodes: readonly Node[];
  /** The rules of each type, strongest first. */
  readonly #places: Readonly<Record<RuleType, readonly Place[]>>;

  constructor(rules: readonly IndexedRule[], work: Work) {
    const byPrefix = new Map<string, IndexedRule[]>();
    for (const rule of rules) {
      const same = byPrefix.get(rule.prefix);
      if (same === undefined) byPrefix.set(rule.prefix, [rule]);
      else same.push(rule);
      work.stepsLeft -= 32 + rule.prefix.length;
    }
    const nodeOf = new Map<string, Node>();
    let last: Node | undefined;
    this.#nodes = [...byPrefix.keys()].toSorted(compared).map((prefix, at): Node => {
      while (last !== undefined && !prefix.startsWith(last.prefix)) last = last.parent;
      last = nodeAt(prefix, byPrefix.get(prefix)!, last, at);
      nodeOf.set(prefix, last);
      return last;
    });
    const placesOf = (type: RuleType): readonly Place[] =>
      rules
        .filter(({ competing }) => competing.rule.type === type)
        .map((rule) => ({ rule, node: nodeOf.get(rule.prefix)! }));
    this.#places = { allow: placesOf("allow"), disallow: placesOf("disallow") };
  }

  /** The shortest rule of a type that matches a target and is stronger than a rule with the key `below`. */
  shortestMatching(target: string, type: RuleType, below: number, work: Work): CompetingRule | undefined {
    let shortest: CompetingRule | undefined;
    this.#visitMatching(
      target,
      work,
      ({ competing }) => {
        const { rule, bytes, key } = competing;
        if (rule.type !== type || key >= below) return false;
        return shortest === undefined || bytes.length < shortest.bytes.length;
      },
      (competing) => (shortest = competing),
    );
    return shortest;
  }

  /** The rule that decides a target; undefined if none does. */
  winnerOf(target: string, work: Work): CompetingRule | undefined {
    let winner: CompetingRule | undefined;
    const isStronger = ({ competing: { key, rule } }: IndexedRule): boolean =>
      winner === undefined || key < winner.key || (key === winner.key && rule.line < winner.rule.line);
    this.#visitMatching(target, work, isStronger, (competing) => (winner = competing));
    return winner;
  }

  /** Whether a rule of a type, stronger than a rule with the key `below`, matches every target that begins with `prefix`. */
  covers(prefix: string, type: RuleType, below: number, work: Work): boolean {
    for (let node = this.#deepest(prefix, work); node !== undefined; node = node.parent) {
      work.stepsLeft--;
      if (node.plain.some(({ competing: { rule, key } }) => rule.type === type && key < below)) return true;
    }
    return false;
  }

  /** The rules of a type whose prefix does not exclude that a target matches them and `rule`; weakest first. */
  *compatibleWith({ prefix, hasStar, competing }: IndexedRule, type: RuleType, work: Work): Generator<IndexedRule> {
    const above = new Set<Node>();
    for (let node = this.#deepest(prefix, work); node !== undefined; node = node.parent) above.add(node);
    work.stepsLeft -= above.size * 2;
    const first = this.#firstAfter(prefix, work);
    const end = !hasStar && competing.isTied ? first : this.#firstAfter(`${prefix}\uffff`, work);
    // A rule that ends above, as `/a$` does, matches no longer target.
    const isCompatible = (rule: IndexedRule, node: Node): boolean =>
      node.at >= first
        ? node.at < end
        : above.has(node) && (node.prefix === prefix || rule.hasStar || !rule.competing.isTied);
    const places = this.#places[type];
    const near = end - first < places.length >> 4 ? [...above, ...this.#nodes.slice(first, end)] : [];
    const count = near.reduce((sum, { plain, others }) => sum + plain.length + others.length, 0);
    work.stepsLeft -= near.length;
    if (near.length === 0 || count >= places.length >> 4) {
      for (let at = places.length - 1; at >= 0; at--) {
        const { rule, node } = places[at]!;
        if ((at & 3) === 0) work.stepsLeft--;
        if (isCompatible(rule, node)) yield rule;
      }
      return;
    }
    const found: IndexedRule[] = [];
    for (const node of near) {
      for (const rule of [...node.plain, ...node.others]) {
        work.stepsLeft -= 4;
        if (rule.competing.rule.type === type && isCompatible(rule, node)) found.push(rule);
      }
    }
    yield* found.toSorted((one, other) => other.competing.key - one.competing.key);
  }

  /** Calls `take` for each matching rule that `wants` accepts; stops early when no work is left. */
  #visitMatching(
    target: string,
    work: Work,
    wants: (rule: IndexedRule) => boolean,
    take: (rule: CompetingRule) => void,
  ): void {
    let pairs: ReadonlySet<number> | undefined;
    const visit = (rules: readonly IndexedRule[]): void => {
      work.stepsLeft -= 1 + rules.length;
      for (const rule of rules) {
        if (work.stepsLeft < 0) return;
        if (!wants(rule)) continue;
        const { bytes } = rule.competing;
        // Each piece of the pattern may be compared at many places of the target.
        const places = rule.hasStar ? Math.min(64, Math.max(0, target.length - bytes.length)) + 4 : 4;
        work.stepsLeft -= 4 + ((places * bytes.length + target.length) >> 5);
        if (matchesTarget(rule.competing, target)) take(rule.competing);
      }
    };
    for (let node = this.#deepest(target, work); node !== undefined; node = node.parent) {
      for (const rule of node.plain) if (wants(rule)) take(rule.competing);
      work.stepsLeft--;
      if (node.byPair === undefined) {
        visit(node.others);
        continue;
      }
      if (pairs === undefined) {
        pairs = new Set([noPair, ...pairsIn(target)]);
        work.stepsLeft -= target.length * 2;
      }
      work.stepsLeft -= pairs.size * 2;
      for (const pair of pairs) visit(node.byPair.get(pair) ?? []);
    }
  }

  /** The node with the longest prefix that begins a text. */
  #deepest(text: string, work: Work): Node | undefined {
    let node = this.#nodes[this.#firstAfter(text, work) - 1];
    const shared = node === undefined ? 0 : sharedLengthOf(node.prefix, text);
    // The ancestors of the last node that is not after the text include every node whose prefix begins the text.
    while (node !== undefined && node.prefix.length > shared) {
      work.stepsLeft--;
      node = node.parent;
    }
    return node;
  }

  /** The position of the first node after a text. */
  #firstAfter(text: string, work: Work): number {
    let [low, high] = [0, this.#nodes.length] as [number, number];
    work.stepsLeft -= 8 + (text.length >> 1);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#nodes[middle]!.prefix <= text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function nodeAt(prefix: string, rules: readonly IndexedRule[], parent: Node | undefined, at: number): Node {
  const isPlain = ({ hasStar, competing }: IndexedRule): boolean => !hasStar && !competing.isTied;
  const others = rules.filter((rule) => !isPlain(rule));
  const byPair = others.length > fewOthers ? listsByPair(others) : undefined;
  return { prefix, plain: rules.filter(isPlain), others, byPair, parent, at };
}

/** The rules by the rarest pair in each pattern. */
function listsByPair(rules: readonly IndexedRule[]): ReadonlyMap<number, readonly IndexedRule[]> {
  const pairsOf = rules.map(({ competing: { bytes } }) => pairsIn(textOf(bytes, 0, bytes.length)));
  const counts = new Map<number, number>();
  for (const pair of pairsOf.flatMap((pairs) => [...pairs])) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  const lists = new Map<number, IndexedRule[]>();
  for (const [at, rule] of rules.entries()) {
    let rarest = noPair;
    for (const pair of pairsOf[at]!) if (rarest === noPair || counts.get(pair)! < counts.get(rarest)!) rarest = pair;
    const list = lists.get(rarest);
    if (list === undefined) lists.set(rarest, [rule]);
    else list.push(rule);
  }
  return lists;
}

function compared(one: string, other: string): number {
  return one < other ? -1 : 1;
}

function sharedLengthOf(one: string, other: string): number {
  const size = Math.min(one.length, other.length);
  let at = 0;
  while (at < size && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  return at;
}

/** The pairs of adjacent characters without stars, each as a number. */
function pairsIn(text: string): ReadonlySet<number> {
  const pairs = new Set<number>();
  for (let at = 1; at < text.length; at++) {
    const [one, other] = [text.charCodeAt(at - 1), text.charCodeAt(at)] as const;
    if (one !== STAR && other !== STAR) pairs.add((one << 16) | other);
  }
  return pairs;
}
