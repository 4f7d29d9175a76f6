// Finds the origin, the target (the text that rules are compared with) and the crawler of each record in a batch.
import type { RowTracker, Batch } from "../records/batch.ts";
import type { OriginState } from "../origins/origin-state.ts";
import {
  notInBytes,
  spanSize,
  targetEndAt,
  targetStartAt,
  type PackedRecords,
  headStartAt,
  urlEndAt,
  urlStartAt,
} from "../records/packed.ts";
import type { LogClock } from "@robots-stream/logs";
import { type Crawlers, hasNoQuestion, noCrawler, outsideWindow } from "../questions/questions.ts";
import { type OriginTable, elsewhere } from "../origins/origins.ts";
import { type Shard, isInShard } from "../common/shard.ts";
import type { RecordVersions } from "../robots/history/as-of.ts";
import type { Tally } from "../origins/tally.ts";
import { RecordTimes } from "./record-times.ts";
import { locateUrl, parseRequestUrl } from "../common/target.ts";
import type { TimeWindow } from "../common/times.ts";
import { UrlInBytes } from "./target-bytes.ts";

export interface LocatedBatch {
  readonly count: number;
  /** The buffer that contains the heads, see `Batch`. */
  readonly heads: Buffer;
  /** The buffer that contains the targets. */
  readonly bytes: Buffer;
  /** `spanSize` numbers per record: start and end of its head, start and end of its target. */
  readonly spans: Int32Array;
  /** The state of each record's origin; undefined if no robots.txt applies. The deciding stage replaces a state that is not ready. */
  readonly states: (OriginState | undefined)[];
  /**
   * Texts of the records whose target starts at `notInBytes`; the end of such a target is an index of this list. A text is the target or,
   * for a record without a state, the reason why no robots.txt applies.
   */
  readonly made: readonly string[];
  /** With `agentField`: the index of each record's first question. Absent: 0 for every record. */
  readonly firsts?: Uint32Array | undefined;
  /** The last user of the batch calls this function after its last use. The memory of the batch is then reused. */
  readonly recycle: (() => void) | undefined;
  /**
   * A queue that keeps the order calls this function once the rows of this batch and of all earlier batches are built, and before it builds
   * a row of a later batch. The argument is the number of bytes of all rows so far.
   */
  readonly onDecided?: ((rowBytes: number) => void) | undefined;
  /** Is told where the rows of the records end; only for a queue that does not keep the order. */
  readonly tracker?: RowTracker | undefined;
}

/** A record's target; for a record without a state, the reason why no robots.txt applies. */
export function targetOf({ spans, bytes, made }: LocatedBatch, record: number): string {
  const start = spans[record * spanSize + targetStartAt]!;
  const end = spans[record * spanSize + targetEndAt]!;
  return start === notInBytes ? made[end]! : bytes.toString("latin1", start, end);
}

/** The index of the first question for a record. */
export function firstOf({ firsts, states }: LocatedBatch, record: number): number {
  return states[record]?.first ?? firsts?.[record] ?? 0;
}

export interface LocatorOptions {
  /** The table of origins. It must have been created with the same value of `shard` as this locator. */
  readonly origins: OriginTable;
  readonly tally: Tally;
  /** The part of the origins that this run decides: records of other origins are counted and left out. */
  readonly shard?: Shard | undefined;
  /** Set with `agentField`, where each record names its crawler; undefined: all questions apply to every record. */
  readonly crawlers?: Crawlers | undefined;
  /** Records of this shard outside this window of times are counted and left out. */
  readonly window?: TimeWindow | undefined;
  /** Set when records are decided by their time: `versionAt` returns the version of the robots.txt that decides a record. */
  readonly asOf?: Pick<RecordVersions, "versionAt"> | undefined;
  /** The clock that wrote times without a zone; undefined: such times are read as UTC. */
  readonly logClock?: LogClock | undefined;
}

/** Finds the origin, target and crawler of each record. */
export class Locator {
  readonly #options: LocatorOptions;
  readonly #times: RecordTimes;
  readonly #url = new UrlInBytes();

  constructor(options: LocatorOptions) {
    this.#options = options;
    this.#times = new RecordTimes(options.logClock);
  }

  /**
   * Locates every record of a batch. Looks up the origin of each record in the table, which starts loading new origins. Does not look up
   * the origin of a record without a question. Overwrites the batch's spans, so the batch must not be used again. Records of other shards
   * or outside the window are left out, and later records move down in the arrays. Invariant of the loop: `kept` <= `record`.
   */
  locate(batch: Batch): LocatedBatch {
    this.#options.origins.tick();
    this.#options.origins.matchers.evict();
    const hasTimes = this.#options.window !== undefined || this.#options.asOf !== undefined;
    const packed = batch.records;
    const { count, heads, bytes, spans } = packed;
    const states = new Array<OriginState | undefined>(count);
    const made: string[] = [];
    const firsts = this.#firstsOf(packed);
    let kept = 0;
    let outside = 0;
    for (let record = 0; record < count; record++) {
      const first = firsts === undefined ? 0 : firsts[record]!;
      if (first === outsideWindow) {
        // A record of another shard counts as elsewhere even if it is outside the window, so that the counts of all shards add up to those
        // of one run.
        if (!this.#isElsewhere(packed, record)) {
          outside++;
          this.#readTime(packed, record);
        }
        continue;
      }
      let state = hasNoQuestion(first) ? undefined : this.#stateInBytes(packed, record, first);
      let targetStart: number = notInBytes;
      let targetEnd = made.length;
      if (state !== undefined) {
        targetStart = this.#url.authorityEnd;
        targetEnd = this.#url.targetEnd;
      } else if (hasNoQuestion(first)) {
        if (this.#isElsewhere(packed, record)) state = elsewhere;
        else if (packed.lacksAgentField(record)) this.#options.tally.withoutAgentField++;
        if (state !== elsewhere) made.push(first === noCrawler ? "not-a-crawler" : "unknown-crawler");
      } else {
        const located = locateUrl(packed.urlOf(record));
        if (typeof located !== "string") state = this.#options.origins.stateOf(located.origin, first);
        else if (this.#options.shard !== undefined && !isInShard(undefined, this.#options.shard)) state = elsewhere;
        if (state !== elsewhere) made.push(typeof located === "string" ? located : located.target);
      }
      if (state === elsewhere) continue;
      const ms = hasTimes ? this.#readTime(packed, record) : Number.NaN;
      if (this.#options.asOf !== undefined && state !== undefined) {
        const agent = this.#options.crawlers?.questions[first]?.agent;
        const version = this.#options.asOf.versionAt(state.origin, ms, agent);
        state = this.#options.origins.versionOf(state, version, first);
      }
      states[kept] = state;
      if (firsts !== undefined) firsts[kept] = first;
      const to = kept * spanSize;
      if (kept < record) spans.copyWithin(to, record * spanSize + headStartAt, record * spanSize + urlStartAt);
      spans[to + targetStartAt] = targetStart;
      spans[to + targetEndAt] = targetEnd;
      kept++;
    }
    states.length = kept;
    this.#options.tally.outside += outside;
    this.#options.tally.elsewhere += count - kept - outside;
    const asked = this.#options.crawlers === undefined ? undefined : firsts;
    const { tracker } = batch;
    return { count: kept, heads, bytes, spans, states, made, firsts: asked, recycle: packed.recycle, tracker };
  }

  /**
   * For each record: the index of its first question, or a value that questions.ts defines in place of an index, such as `outsideWindow`.
   * Undefined if the locator has neither `crawlers` nor a window: every index is then 0.
   */
  #firstsOf(packed: PackedRecords): Uint32Array | undefined {
    const crawlers = this.#options.crawlers;
    const window = this.#options.window;
    if (crawlers === undefined && window === undefined) return undefined;
    const firsts = new Uint32Array(packed.count);
    for (let record = 0; record < packed.count; record++) {
      if (window !== undefined && !isInside(this.#times.msOf(packed, record), window)) firsts[record] = outsideWindow;
      else if (crawlers !== undefined) firsts[record] = crawlers.firstOf(packed, record);
    }
    return firsts;
  }

  /** Reads the time of a record, and counts the record if it has no time that can be read, or a time without a zone. */
  #readTime(packed: PackedRecords, record: number): number {
    const ms = this.#times.msOf(packed, record);
    if (Number.isNaN(ms)) this.#options.tally.timeless++;
    else if (!this.#times.hasZone) this.#options.tally.zoneless++;
    return ms;
  }

  /**
   * The state of a record's origin, if the URL is a range of the bytes, in a form that needs no change. Its target is then where `#url`
   * found it. Undefined for other records.
   */
  #stateInBytes({ bytes, spans }: PackedRecords, record: number, first: number): OriginState | undefined {
    const start = spans[record * spanSize + urlStartAt]!;
    if (start === notInBytes || !this.#url.find(bytes, start, spans[record * spanSize + urlEndAt]!)) return undefined;
    const end = this.#url.authorityEnd;
    const known = this.#options.origins.find(bytes, start, end, first);
    if (known !== undefined) return known;
    const parsed = parseRequestUrl(bytes.toString("latin1", start, end));
    return parsed === undefined ? undefined : this.#options.origins.findOrigin(bytes, start, end, parsed.origin, first);
  }

  /** Whether the origin of a record belongs to another shard. Does not load the origin. */
  #isElsewhere(packed: PackedRecords, record: number): boolean {
    if (this.#options.shard === undefined) return false;
    const located = locateUrl(packed.urlOf(record));
    return !isInShard(typeof located === "string" ? undefined : located.origin, this.#options.shard);
  }
}

/** Whether a time is in a window. A record without a time is not. */
function isInside(ms: number, { sinceMs, untilMs }: TimeWindow): boolean {
  return ms >= sinceMs && ms < untilMs;
}
