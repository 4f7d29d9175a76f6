// Counts origins one after another: finds the robots.txt in force at the end of each period, and adds it to the sums (docs/CENSUS.md).
import { type CensusCrawler, CrawlerIndex } from "./crawlers.ts";
import { type FileFacts, factsOf } from "./file-facts.ts";
import { type PeriodKind, periodOf, periodsFrom } from "./periods.ts";
import { type Change, changes, Slice } from "./slice.ts";
import { cellOf, groundOf, isKnown, type Result, stateOf } from "./states.ts";

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

/** The most keys in the facts that are kept, because many origins have the same file. The pairs of the crawlers count as some keys. */
const mostKeptKeys = 32_768;
const keysOfCells = 8;

/** The sums of a census. The memory for them does not depend on the number of origins. */
export class Census {
  readonly index: CrawlerIndex;
  readonly by: PeriodKind | undefined;
  readonly mostSteps: number;
  /** Origins that `by` cannot count, because none of their captures has a date. */
  undated = 0;
  /** By group, then by period. Position 0: all origins; then each group; at the end the origins without a group. */
  readonly #slices: Map<string, Slice>[];
  readonly #facts = new Map<string, FileFacts>();
  #keptKeys = 0;

  /** Throws an `AuditError` (`ERR_INVALID_OPTION`). */
  constructor({ crawlers, by, groups = 0, mostSteps = 1_000_000 }: CensusOptions) {
    this.index = new CrawlerIndex(crawlers);
    this.by = by;
    this.mostSteps = mostSteps;
    this.#slices = Array.from({ length: groups === 0 ? 1 : groups + 2 }, () => new Map<string, Slice>());
  }

  /** Counts an origin. Each origin must be given once, with all of its captures. */
  addOrigin(origin: CensusOrigin): void {
    const captures = this.#inForce(origin.captures);
    if (captures.length === 0) this.undated++;
    const numbers = this.#slices.length === 1 ? [0] : [0, (origin.group ?? this.#slices.length - 2) + 1];
    let before: InForce | undefined;
    let known: InForce | undefined;
    const named = new Set<number>();
    for (const { period, capture } of captures) {
      const now = this.#read(capture, origin);
      const slices = numbers.map((number) => this.#sliceOf(number, period));
      for (const slice of slices) {
        slice.captured++;
        if (before?.facts === now.facts && before?.result === now.result) continue;
        if (before !== undefined) slice.addOrigin(before.result, before.facts, -1);
        slice.addOrigin(now.result, now.facts, 1);
      }
      before = now;
      if (!isKnown(now.result)) continue;
      if (known === undefined) for (const slice of slices) slice.entered++;
      if (known === undefined || known.facts !== now.facts) this.#addChanges(slices, known, now, named);
      known = now;
    }
  }

  /** The capture in force at the end of each period in which it changes, oldest first. */
  #inForce(
    captures: readonly CensusCapture[],
  ): readonly { readonly period: string; readonly capture: CensusCapture }[] {
    const dated = captures.filter(({ atSeconds }) => atSeconds !== undefined);
    if (this.by === undefined) {
      const newest = (dated.length > 0 ? dated : captures).toSorted(compareCaptures).at(-1);
      return newest === undefined ? [] : [{ period: "", capture: newest }];
    }
    const last = new Map<string, CensusCapture>();
    for (const capture of dated.toSorted(compareCaptures)) last.set(periodOf(capture.atSeconds!, this.by), capture);
    return [...last].map(([period, capture]) => ({ period, capture }));
  }

  #read({ result, version }: CensusCapture, origin: CensusOrigin): InForce {
    if (result !== "robots-txt" || version === undefined) return { result, facts: undefined };
    const isCut = origin.isCut(version);
    const key = isCut ? `${version} cut` : version;
    let facts = this.#facts.get(key);
    if (facts === undefined) {
      const { index, mostSteps } = this;
      facts = factsOf(origin.bytesOf(version), { index, mostSteps, isCut });
      this.#keptKeys += facts.keys.length + keysOfCells;
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
      for (const slice of slices) slice.changes[crawler * changes.length + changes.indexOf(change)]!++;
    };
    for (let crawler = 0; crawler < this.index.crawlers.length; crawler++) {
      const cell = cellIn(now, crawler);
      if (groundOf(cell) === "own" && !named.has(crawler)) {
        named.add(crawler);
        if (known !== undefined) add(crawler, "first-named");
      }
      if (known === undefined) continue;
      const [old, next] = [stateOf(cellIn(known, crawler)), stateOf(cell)];
      if (old === next || old === "not-proved" || next === "not-proved") continue;
      if (next === "closed") add(crawler, "closed");
      else if (old === "closed") add(crawler, "opened");
    }
  }

  #sliceOf(group: number, period: string): Slice {
    const slices = this.#slices[group]!;
    let slice = slices.get(period);
    if (slice === undefined) slices.set(period, (slice = new Slice(this.index.crawlers.length)));
    return slice;
  }

  /**
   * The slices of a group from the first period of all origins to the last; each has the stocks at the end of its period. Throws an
   * `AuditError` (`ERR_INVALID_OPTION`) for too many periods.
   */
  *slicesOf(group: number): Generator<{ readonly period: string; readonly slice: Slice }> {
    const stocks = new Slice(this.index.crawlers.length);
    for (const period of periodsFrom(this.#slices[0]!.keys())) {
      const own = this.#slices[group]!.get(period);
      if (own !== undefined) stocks.addStocks(own);
      const slice = new Slice(this.index.crawlers.length);
      slice.addStocks(stocks);
      if (own !== undefined) slice.addFlows(own);
      yield { period, slice };
    }
  }
}

const openToAll = cellOf("open", "none");

/** The pair of state and ground of a crawler; an origin without a robots.txt is open to every crawler. */
function cellIn({ facts }: InForce, crawler: number): number {
  return facts?.cells[crawler] ?? openToAll;
}

/** The order by time. Of captures at the same second, the order does not depend on that of the input. */
function compareCaptures(one: CensusCapture, other: CensusCapture): number {
  const keyOf = ({ result, version = "" }: CensusCapture): string => `${result} ${version}`;
  return (one.atSeconds ?? 0) - (other.atSeconds ?? 0) || (keyOf(one) < keyOf(other) ? -1 : 1);
}
