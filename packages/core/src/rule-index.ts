// The rules of an origin that is asked often → an index that finds the winning rule without trying all of them.
//
// Rules are ranked once: most octets first, among equals allow before disallow, then the earlier line. The rule of the
// lowest rank that matches wins. Rules without a star sit in a radix tree of their patterns, so walking down the path
// meets all that match. Rules with stars are found by a gram of three characters that every matching path must hold,
// and tried only when they could still win.
import { NO_RANK, PatternTree } from "./pattern-tree.ts";
import { StarRules } from "./star-rules.ts";
import {
  DISALLOWS,
  HAS_STAR,
  NAMES_INDEX,
  folderPatternOf,
  headSize,
  holdsStar,
  octetsOf,
  patternLengthAt,
} from "./rules.ts";

export class RuleIndex {
  /** Position of the entry of each rank. */
  readonly #entryOfRank: Int32Array;
  readonly #plain: PatternTree;
  readonly #stars: StarRules;

  constructor(entries: Uint8Array, countsLiterals: boolean) {
    const ranked = rankedRulesOf(entries, countsLiterals);
    this.#entryOfRank = ranked.entryOfRank;
    const { text, starts, ends, hasStar } = ranked;
    this.#plain = new PatternTree(text);
    const stars: number[] = [];
    for (let rank = 0; rank < starts.length; rank++) {
      if (hasStar[rank] === 1) stars.push(rank);
      else this.#plain.add(starts[rank]!, ends[rank]!, rank);
    }
    this.#stars = new StarRules(text, starts, ends, stars);
  }

  /** Position of the entry that wins for the path (what `path` holds from `offset` on), or -1. */
  find(path: string, offset: number): number {
    const rank = this.#stars.find(path, offset, this.#plain.find(path, offset));
    return rank === NO_RANK ? -1 : this.#entryOfRank[rank]!;
  }

  /** Whether an entry holds a star. */
  static hasStars(entries: Uint8Array): boolean {
    for (let at = 0; at < entries.length; at += headSize + patternLengthAt(entries, at)) {
      if ((entries[at]! & HAS_STAR) !== 0) return true;
    }
    return false;
  }
}

interface RankedRules {
  /** The entries, followed by the patterns of folders that index files stand for. */
  readonly text: Uint8Array;
  /** Ranges of the patterns in `text`, by rank. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly hasStar: Uint8Array;
  readonly entryOfRank: Int32Array;
}

// Keys order by octets (most first), then allow before disallow, then position: 21, 1 and 28 bits of a double.
const maxOctets = 0x1fffff;
const positionRange = 2 ** 28;

function rankedRulesOf(entries: Uint8Array, countsLiterals: boolean): RankedRules {
  const starts: number[] = [];
  const ends: number[] = [];
  const entryOf: number[] = [];
  const keys: number[] = [];
  const folders: Uint8Array[] = [];
  let textEnd = entries.length;
  const push = (entry: number, start: number, end: number, octets: number, disallows: number): void => {
    keys.push(((maxOctets - octets) * 2 + disallows) * positionRange + starts.length);
    starts.push(start);
    ends.push(end);
    entryOf.push(entry);
  };
  let next = 0;
  for (let at = 0; at < entries.length; at = next) {
    const mark = entries[at]!;
    const start = at + headSize;
    next = start + patternLengthAt(entries, at);
    push(at, start, next, octetsOf(entries, start, next, countsLiterals), mark & DISALLOWS);
    if ((mark & NAMES_INDEX) !== 0) {
      const folder = folderPatternOf(entries, start, next);
      push(at, textEnd, textEnd + folder.length, folder.length, 0);
      folders.push(folder);
      textEnd += folder.length;
    }
  }
  const order = Float64Array.from(keys).sort();
  const text = folders.length === 0 ? entries : joined(entries, folders, textEnd);
  const count = order.length;
  const ranked = {
    text,
    starts: new Int32Array(count),
    ends: new Int32Array(count),
    hasStar: new Uint8Array(count),
    entryOfRank: new Int32Array(count),
  };
  for (let rank = 0; rank < count; rank++) {
    const position = order[rank]! % positionRange;
    ranked.starts[rank] = starts[position]!;
    ranked.ends[rank] = ends[position]!;
    ranked.entryOfRank[rank] = entryOf[position]!;
    // The folder of an index file may have no star where the file's pattern has one.
    ranked.hasStar[rank] = holdsStar(text, starts[position]!, ends[position]!) ? 1 : 0;
  }
  return ranked;
}

function joined(first: Uint8Array, others: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  all.set(first);
  let at = first.length;
  for (const other of others) {
    all.set(other, at);
    at += other.length;
  }
  return all;
}
