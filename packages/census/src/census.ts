// Counts origins one after another: finds the robots.txt in force at the end of each period, and adds it to the sums (docs/CENSUS.md).
import { type CensusCrawler, CrawlerIndex } from "./answers.ts";
import { type CensusDocument, type CensusSlice, type DocumentFacts, documentType, schemaVersion } from "./document.ts";
import { type FileFacts, factsOf } from "./file-facts.ts";
import { type PeriodKind, periodOf, periodsFrom } from "./periods.ts";
import { Slice } from "./slice.ts";
import { type Change, pairOf, pairs, type Result } from "./tables.ts";

/** One answer to a request for the robots.txt of an origin. */
export interface CensusCapture {
  /** Seconds since 1970, the latest possible second; undefined for a file without a date. */
  readonly atSeconds: number | undefined;
  /** "no-robots-txt" is found by the census itself. */
  readonly result: Exclude<Result, "no-robots-txt">;
  /** Identifies the bytes of the file: equal versions have equal bytes. Needed for "robots-txt". */
  readonly version?: string | undefined;
}

/** An origin with everything that is known about its robots.txt. */
export interface CensusOrigin {
  readonly captures: readonly CensusCapture[];
  /** The number of the origin's group in `CensusOptions.groups`; undefined for an origin that the list of groups lacks. */
  readonly group?: number | undefined;
  /** The bytes of a version. The caller does not change them afterwards. */
  bytesOf(version: string): Uint8Array;
  /** Whether only the beginning of a version is known. */
  isCut(version: string): boolean;
}

/** Options of a census. */
export interface CensusOptions {
  readonly crawlers: readonly CensusCrawler[];
  /** Undefined: only the newest capture of each origin counts. */
  readonly by?: PeriodKind | undefined;
  /** The number of groups of origins. Default: 0. */
  readonly groups?: number | undefined;
  /** Limit of the work for the proof about one class of crawlers in a file, in steps of some tens of nanoseconds. Default: 1,000,000. */
  readonly mostSteps?: number | undefined;
}

/** The robots.txt of an origin in force. */
interface InForce {
  readonly result: Result;
  readonly facts: FileFacts | undefined;
}

/** The most keys in the facts that are kept, because many origins have the same file. */
const mostKeptKeys = 131_072;

/** The sums of a census. The memory for them does not depend on the number of origins. */
export class Census {
  readonly #index: CrawlerIndex;
  readonly #by: PeriodKind | undefined;
  /** Origins that `by` cannot count, because none of their captures has a date. */
  #undated = 0;
  /** By group, then by period. Position 0: all origins; then each group; at the end the origins without a group. */
  readonly #slices: Map<string, Slice>[];
  readonly #facts = new Map<string, FileFacts>();
  #keptKeys = 0;

  /** Throws an `AuditError` (`ERR_INVALID_OPTION`). */
  constructor({ crawlers, by, groups = 0, mostSteps = 1_000_000 }: CensusOptions) {
    this.#index = new CrawlerIndex(crawlers, mostSteps);
    this.#by = by;
    this.#slices = Array.from({ length: groups === 0 ? 1 : groups + 2 }, () => new Map<string, Slice>());
  }

  /** Counts an origin. Each origin must be given once, with all of its captures. */
  addOrigin(origin: CensusOrigin): void {
    const numbers = this.#slices.length === 1 ? [0] : [0, (origin.group ?? this.#slices.length - 2) + 1];
    let before: InForce | undefined;
    let known: InForce | undefined;
    const named = new Set<number>();
    for (const [period, capture] of this.#inForce(origin.captures)) {
      const now = this.#read(capture, origin);
      const slices = numbers.map((number) => this.#sliceOf(number, period));
      for (const slice of slices) {
        slice.totals.captured++;
        slice.addCapture(capture.atSeconds ?? null);
        if (before?.facts === now.facts && before?.result === now.result) continue;
        if (before !== undefined) slice.addOrigin(before.result, before.facts, -1);
        slice.addOrigin(now.result, now.facts, 1);
      }
      before = now;
      if (!isKnown(now)) continue;
      if (known === undefined) for (const slice of slices) slice.totals.entered++;
      if (known === undefined || known.facts !== now.facts) this.#addChanges(slices, known, now, named);
      known = now;
    }
    if (before === undefined) this.#undated++;
  }

  /** The capture in force at the end of each period in which it changes, oldest first. */
  #inForce(captures: readonly CensusCapture[]): Iterable<readonly [period: string, capture: CensusCapture]> {
    const dated = captures.filter(({ atSeconds }) => atSeconds !== undefined);
    const counted = this.#by !== undefined || dated.length > 0 ? dated : captures;
    const last = new Map<string, CensusCapture>();
    for (const capture of counted.toSorted(compareCaptures)) {
      last.set(this.#by === undefined ? "" : periodOf(capture.atSeconds!, this.#by), capture);
    }
    return last;
  }

  #read({ result, version }: CensusCapture, origin: CensusOrigin): InForce {
    if (result !== "robots-txt" || version === undefined) return { result, facts: undefined };
    const isCut = origin.isCut(version);
    const key = isCut ? `${version} cut` : version;
    let facts = this.#facts.get(key);
    if (facts === undefined) {
      facts = factsOf(origin.bytesOf(version), isCut, this.#index);
      this.#keptKeys += facts.keys.length;
      if (this.#keptKeys > mostKeptKeys) {
        this.#facts.clear();
        this.#keptKeys = 0;
      }
      this.#facts.set(key, facts);
    }
    return { result: facts.isRobotsTxt ? "robots-txt" : "no-robots-txt", facts };
  }

  /** Counts the changes of each crawler since the last known robots.txt. `named`: the crawlers that an earlier file named; it is updated. */
  #addChanges(slices: readonly Slice[], known: InForce | undefined, now: InForce, named: Set<number>): void {
    const add = (crawler: number, change: Change): void => {
      const key = JSON.stringify([this.#index.crawlers[crawler]!.productToken, change]);
      for (const slice of slices) slice.tables.changes.add(key, 1);
    };
    for (let crawler = 0; crawler < this.#index.crawlers.length; crawler++) {
      const [next, ground] = pairIn(now, crawler);
      if (ground === "own" && !named.has(crawler)) {
        named.add(crawler);
        if (known !== undefined) add(crawler, "first-named");
      }
      if (known === undefined) continue;
      const [old] = pairIn(known, crawler);
      if (old === next || old === "not-proved" || next === "not-proved") continue;
      if (next === "closed") add(crawler, "closed");
      else if (old === "closed") add(crawler, "opened");
    }
  }

  #sliceOf(group: number, period: string): Slice {
    const slices = this.#slices[group]!;
    let slice = slices.get(period);
    if (slice === undefined) slices.set(period, (slice = new Slice()));
    return slice;
  }

  /** The document with the sums and what the caller says about them. Throws an `AuditError` (`ERR_INVALID_OPTION`) for too many periods. */
  document(facts: DocumentFacts): CensusDocument {
    const groups = facts.groups.map(({ value }) => value);
    return {
      type: documentType,
      schemaVersion,
      ...facts,
      settings: { ...facts.settings, by: this.#by ?? null, mostSteps: this.#index.mostSteps },
      crawlers: this.#index.crawlers.map(({ productToken, names, boundByEverybody, bound }) => ({
        productToken,
        names,
        boundByEverybody,
        bound,
      })),
      undated: this.#undated,
      slices: [null, ...groups, ...(groups.length === 0 ? [] : [""])].flatMap((group, at) => this.#slicesOf(group, at)),
    };
  }

  /** The slices of a group from the first period of all origins to the last. */
  #slicesOf(group: string | null, number: number): readonly CensusSlice[] {
    const stocks = new Slice();
    return periodsFrom(this.#slices[0]!.keys()).map((period) => {
      const own = this.#slices[number]!.get(period);
      stocks.clearFlows();
      if (own !== undefined) stocks.add(own.plain(group, period));
      return stocks.plain(group, period);
    });
  }
}

function isKnown({ result }: InForce): boolean {
  return result !== "unreachable" && result !== "unread";
}

const openToAll = pairOf("open", "none");

/** The pair of state and ground of a crawler; an origin without a robots.txt is open to every crawler. */
function pairIn({ facts }: InForce, crawler: number): (typeof pairs)[number] {
  return pairs[facts?.pairs[crawler] ?? openToAll]!;
}

/** The order by time. Of captures at the same second, the order does not depend on that of the input. */
function compareCaptures(one: CensusCapture, other: CensusCapture): number {
  const keyOf = ({ result, version = "" }: CensusCapture): string => `${result} ${version}`;
  return (one.atSeconds ?? 0) - (other.atSeconds ?? 0) || (keyOf(one) < keyOf(other) ? -1 : 1);
}
