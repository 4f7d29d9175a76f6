// Batches of records in, each record's origin, target and crawler out: the robots.txt, the text that rules are compared with, and the agent.
import { parseTarget } from "@robots-stream/url";
import { RawUrlScanner } from "@robots-stream/url/internal";
import {
  PackedRecords,
  headStartAt,
  notInBytes,
  spanSize,
  targetEndAt,
  targetStartAt,
  urlEndAt,
  urlStartAt,
} from "../records/packed.ts";
import type { Batch } from "../records/batch.ts";
import { type Crawlers, noCrawler } from "./crawlers.ts";
import type { LocatedBatch } from "./located-batch.ts";
import type { OriginState } from "../origins/origin-state.ts";
import { type OriginTable, elsewhere } from "../origins/origins.ts";
import { type Shard, isInShard } from "../shard.ts";
import type { Tally } from "../tally.ts";
import { locateUrl, surelyShort } from "./target.ts";

/** What a locator needs. */
export interface LocatorOptions {
  /** Of the same shard. */
  readonly origins: OriginTable;
  readonly tally: Tally;
  /** The part of the origins that the run is about: records of others are counted and left out. */
  readonly shard?: Shard | undefined;
  /** Where each record names its crawler; undefined: all questions are about every record. */
  readonly crawlers?: Crawlers | undefined;
}

/** Finds origins, targets and crawlers. */
export class Locator {
  readonly #origins: OriginTable;
  readonly #tally: Tally;
  readonly #shard: Shard | undefined;
  readonly #crawlers: Crawlers | undefined;
  readonly #scanner = new RawUrlScanner();
  /**
   * By record of the batch, of those whose URL stands in the bytes in a form that needs no change: the end of its authority,
   * the end of its target (-1 for all other records), and a hash of the URL up to the end of its authority.
   */
  #authorityEnds = new Int32Array(1_024);
  #targetEnds = new Int32Array(1_024);
  #hashes = new Int32Array(1_024);

  constructor({ origins, tally, shard, crawlers }: LocatorOptions) {
    this.#origins = origins;
    this.#tally = tally;
    this.#shard = shard;
    this.#crawlers = crawlers;
  }

  /**
   * Locates every record; the loading of new origins starts here, if a known crawler requested them. The batch is used up:
   * its spans are written over. Records of other shards are left out, so those after them move down: `kept` <= `record`.
   */
  locate(batch: Batch): LocatedBatch {
    this.#origins.matchers.evict();
    const packed = batch.packed ?? packedOf(batch, this.#crawlers !== undefined);
    const { count, heads, bytes, spans } = packed;
    const states = new Array<OriginState | undefined>(count);
    const firsts = this.#crawlers === undefined ? undefined : new Uint32Array(count);
    const made: string[] = [];
    this.#measure(packed);
    let kept = 0;
    for (let record = 0; record < count; record++) {
      const first = this.#crawlers?.firstOf(packed, record) ?? 0;
      let state = first === noCrawler ? undefined : this.#stateInBytes(packed, record, first);
      let targetStart: number = notInBytes;
      let targetEnd = made.length;
      if (state !== undefined) {
        targetStart = this.#authorityEnds[record]!;
        targetEnd = this.#targetEnds[record]!;
      } else if (first === noCrawler) {
        if (this.#isElsewhere(packed, record)) state = elsewhere;
        else made.push("not-a-crawler");
      } else {
        const located = locateUrl(packed.urlOf(record));
        if (typeof located !== "string") state = this.#origins.stateOf(located.origin, first);
        else if (this.#shard !== undefined && !isInShard(undefined, this.#shard)) state = elsewhere;
        if (state !== elsewhere) made.push(typeof located === "string" ? located : located.target);
      }
      if (state === elsewhere) continue;
      states[kept] = state;
      if (firsts !== undefined) firsts[kept] = first;
      const to = kept * spanSize;
      if (kept < record) spans.copyWithin(to, record * spanSize + headStartAt, record * spanSize + urlStartAt);
      spans[to + targetStartAt] = targetStart;
      spans[to + targetEndAt] = targetEnd;
      kept++;
    }
    states.length = kept;
    this.#tally.elsewhere += count - kept;
    return { count: kept, heads, bytes, spans, states, made, firsts, recycle: packed.recycle };
  }

  /** Goes over the URLs that need no change, so that all their origins are looked up at once. */
  #measure({ count, bytes, spans }: PackedRecords): void {
    if (this.#hashes.length < count) {
      this.#authorityEnds = new Int32Array(count * 2);
      this.#targetEnds = new Int32Array(count * 2);
      this.#hashes = new Int32Array(count * 2);
    }
    const hashes = this.#hashes;
    const scanner = this.#scanner;
    for (let record = 0; record < count; record++) {
      const start = spans[record * spanSize + urlStartAt]!;
      const end = spans[record * spanSize + urlEndAt]!;
      const authorityEnd = start === notInBytes ? -1 : scanner.authorityEndOf(bytes, start, end);
      let targetEnd = authorityEnd < 0 ? -1 : scanner.targetEndOf(bytes, authorityEnd, end);
      if (targetEnd - authorityEnd > surelyShort) targetEnd = -1;
      this.#authorityEnds[record] = authorityEnd;
      this.#targetEnds[record] = targetEnd;
      hashes[record] = targetEnd < 0 ? 0 : this.#origins.hashOf(bytes, start, authorityEnd);
    }
    this.#origins.prepare(hashes, count);
  }

  /** The state for a URL that needs no change; undefined for all others. */
  #stateInBytes({ bytes, spans }: PackedRecords, record: number, first: number): OriginState | undefined {
    if (this.#targetEnds[record]! < 0) return undefined;
    const start = spans[record * spanSize + urlStartAt]!;
    const end = this.#authorityEnds[record]!;
    const known = this.#origins.find(bytes, start, end, this.#hashes[record]!, first);
    if (known !== undefined) return known;
    const parsed = parseTarget(bytes.toString("latin1", start, end));
    return parsed === undefined ? undefined : this.#origins.findOrigin(bytes, start, end, parsed.origin, first);
  }

  /** Whether a record belongs to another shard, without loading its origin. */
  #isElsewhere(packed: PackedRecords, record: number): boolean {
    if (this.#shard === undefined) return false;
    const located = locateUrl(packed.urlOf(record));
    return !isInShard(typeof located === "string" ? undefined : located.origin, this.#shard);
  }
}

/** Records that came as strings, their heads and then, where they are asked for, their User-Agent headers side by side. */
function packedOf({ heads, urls, agents = [] }: Batch, hasAgents: boolean): PackedRecords {
  const headText = heads.join("");
  const bytes = Buffer.from(hasAgents ? headText + agents.join("") : headText, "latin1");
  const packed = new PackedRecords(bytes, bytes, heads.length);
  let headStart = 0;
  let agentStart = headText.length;
  for (let record = 0; record < heads.length; record++) {
    const headEnd = headStart + heads[record]!.length;
    packed.pushDecoded(headStart, headEnd, urls[record]!);
    headStart = headEnd;
    if (!hasAgents) continue;
    const agentEnd = agentStart + (agents[record] ?? "").length;
    packed.pushAgent(agentStart, agentEnd);
    agentStart = agentEnd;
  }
  return packed;
}
