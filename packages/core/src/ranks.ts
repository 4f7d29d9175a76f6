// Ranks the rules of one crawler: of the rules that match a path, the rule with the lowest rank wins (RFC 9309 §2.2.2).
import {
  DISALLOWS,
  HAS_END,
  HAS_STAR,
  NAMES_INDEX,
  folderEndOf,
  gapShift,
  headSize,
  holdsStar,
  octetsOf,
  patternLengthAt,
} from "./rules.ts";

/** Rules in the order of their ranks: most octets first; with equal octets, allow before disallow, then the earlier line. */
export interface RankedRules {
  readonly count: number;
  /** The range of each pattern in the entries, without a final `$`. */
  readonly starts: Int32Array;
  readonly stops: Int32Array;
  /** {@link TIED}: the match must end with the path. {@link STARRED}: the pattern contains a star. */
  readonly marks: Uint8Array;
  /** The position of each rule's entry. */
  readonly entries: Int32Array;
  /** Keys for comparing with rules of other groups: the smaller key wins; with equal keys, the earlier line wins. */
  readonly keys: Int32Array;
}

export const TIED = 1;
export const STARRED = 2;

/** Ranks the rules in `entries`. The folder of an index file is a separate rule. Linear in the entries. */
export function rankedRulesOf(entries: Uint8Array, entryCount: number, countsLiterals: boolean): RankedRules {
  // An allow rule for an index file becomes two rules.
  const most = entryCount * 2;
  const unranked = emptyRules(most);
  const { keys } = unranked;
  let count = 0;
  let leastKey = 0;
  const push = (entry: number, start: number, stop: number, mark: number, octets: number, disallows: number): void => {
    unranked.starts[count] = start;
    unranked.stops[count] = stop;
    unranked.marks[count] = mark;
    unranked.entries[count] = entry;
    // A smaller key is a better rank.
    const key = disallows - octets * 2;
    if (key < leastKey) leastKey = key;
    keys[count++] = key;
  };
  let next = 0;
  for (let at = 0; at < entries.length; at = next) {
    const mark = entries[at]!;
    const start = at + headSize;
    const end = start + patternLengthAt(entries, at);
    next = end + (mark >> gapShift);
    const tied = (mark & HAS_END) === 0 ? 0 : TIED;
    const starred = (mark & HAS_STAR) === 0 ? 0 : STARRED;
    push(at, start, end - tied, tied | starred, octetsOf(entries, start, end, countsLiterals), mark & DISALLOWS);
    if ((mark & NAMES_INDEX) !== 0) {
      const stop = folderEndOf(entries, end);
      const folderStarred = starred !== 0 && holdsStar(entries, start, stop) ? STARRED : 0;
      push(at, start, stop, TIED | folderStarred, stop - start + 1, 0);
    }
  }
  return sorted(unranked, count, leastKey);
}

function emptyRules(size: number): RankedRules {
  return {
    count: size,
    starts: new Int32Array(size),
    stops: new Int32Array(size),
    marks: new Uint8Array(size),
    entries: new Int32Array(size),
    keys: new Int32Array(size),
  };
}

/** A stable counting sort by key: rules with equal keys stay in line order. */
function sorted(unranked: RankedRules, count: number, leastKey: number): RankedRules {
  const { keys } = unranked;
  const places = new Int32Array(3 - leastKey);
  for (let at = 0; at < count; at++) places[keys[at]! - leastKey + 1]!++;
  for (let key = 1; key < places.length; key++) places[key]! += places[key - 1]!;
  const ranked = emptyRules(count);
  for (let at = 0; at < count; at++) {
    const rank = places[keys[at]! - leastKey]!++;
    ranked.starts[rank] = unranked.starts[at]!;
    ranked.stops[rank] = unranked.stops[at]!;
    ranked.marks[rank] = unranked.marks[at]!;
    ranked.entries[rank] = unranked.entries[at]!;
    ranked.keys[rank] = keys[at]!;
  }
  return ranked;
}
