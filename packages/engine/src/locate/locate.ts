// Batches of records in, each record's origin and target out: which robots.txt holds for it, and what it is asked.
import { parseTarget } from "@robots-stream/url";
import { RawUrlScanner } from "@robots-stream/url/internal";
import { PackedRecords } from "../records/packed.ts";
import type { Batch } from "../records/batch.ts";
import type { OriginState } from "../origins/origin-state.ts";
import { type OriginTable, elsewhere } from "../origins/origins.ts";
import { type Shard, isInShard } from "../shard.ts";
import type { Tally } from "../tally.ts";
import { locateUrl, surelyShort } from "./target.ts";
import { urlTextOf } from "../text.ts";

/** The records of a batch. */
export interface LocatedBatch {
  readonly count: number;
  /** What heads are pieces of, see `Batch`. */
  readonly heads: Buffer;
  /** What targets are pieces of. */
  readonly bytes: Buffer;
  /** Four numbers a record: where its head begins and ends, and its target. */
  readonly spans: Int32Array;
  /** undefined: no robots.txt speaks about the URL. A state may be forgotten until its record is decided. */
  readonly states: (OriginState | undefined)[];
  /** Targets of records whose target begins at -1, where it ends being the place here; where there is no origin, why. */
  readonly made: readonly string[];
  /** To be called when the batch is done with: its memory may then be used again. */
  readonly recycle: (() => void) | undefined;
  /**
   * To be called by a room that keeps the order when the rows of the batch and of all before it have been made, and none of
   * a later one: with the bytes of all rows so far.
   */
  readonly onDecided?: ((rowBytes: number) => void) | undefined;
}

/** What the rules are compared with; where there is no origin, why. */
export function targetOf({ spans, bytes, made }: LocatedBatch, record: number): string {
  const start = spans[record * 4 + 2]!;
  const end = spans[record * 4 + 3]!;
  return start < 0 ? made[end]! : bytes.toString("latin1", start, end);
}

/** Finds origins and targets. */
export class Locator {
  readonly #origins: OriginTable;
  readonly #tally: Tally;
  readonly #shard: Shard | undefined;
  readonly #scanner = new RawUrlScanner();
  /** Two numbers a record of the batch, where authority and target end if they need no change, and a hash of the former. */
  #ends = new Int32Array(2_048);
  #hashes = new Int32Array(1_024);

  /** With a `shard`, records of other origins are counted and left out; `origins` has to be of the same one. */
  constructor(origins: OriginTable, tally: Tally, shard?: Shard) {
    this.#origins = origins;
    this.#tally = tally;
    this.#shard = shard;
  }

  /** Locates every record; the loading of new origins begins here. Takes the batch: its places are written over. */
  locate(batch: Batch): LocatedBatch {
    this.#origins.trim();
    const packed = batch.packed ?? packedOf(batch);
    const { count, heads, bytes, spans, decoded } = packed;
    const states = new Array<OriginState | undefined>(count);
    const made: string[] = [];
    this.#measure(packed);
    const ends = this.#ends;
    const hashes = this.#hashes;
    let kept = 0;
    for (let record = 0; record < count; record++) {
      const at = record * 4 + 2;
      const start = spans[at]!;
      const end = spans[at + 1]!;
      let state: OriginState | undefined;
      let targetStart = -1;
      let targetEnd = ends[record * 2 + 1]!;
      if (targetEnd >= 0) {
        const authorityEnd = ends[record * 2]!;
        const hash = hashes[record]!;
        state = this.#origins.find(bytes, start, authorityEnd, hash) ?? this.#stateOfPrefix(bytes, start, authorityEnd);
        if (state !== undefined) targetStart = authorityEnd;
      }
      if (targetStart < 0) {
        const url = start < 0 ? decoded[end]! : urlTextOf(bytes.toString("latin1", start, end));
        const located = locateUrl(url);
        if (typeof located !== "string") state = this.#origins.stateOf(located.origin);
        else if (this.#shard !== undefined && !isInShard(undefined, this.#shard)) state = elsewhere;
        if (state !== elsewhere) {
          targetEnd = made.length;
          made.push(typeof located === "string" ? located : located.target);
        }
      }
      if (state === elsewhere) continue;
      states[kept] = state;
      if (kept < record) spans.copyWithin(kept * 4, record * 4, record * 4 + 2);
      spans[kept * 4 + 2] = targetStart;
      spans[kept * 4 + 3] = targetEnd;
      kept++;
    }
    if (kept < count) {
      states.length = kept;
      this.#tally.elsewhere += count - kept;
    }
    return { count: kept, heads, bytes, spans, states, made, recycle: packed.recycle };
  }

  /** Goes over the URLs that stand in the input as they are, so that all their origins are looked for at once. */
  #measure({ count, bytes, spans }: PackedRecords): void {
    if (this.#hashes.length < count) {
      this.#hashes = new Int32Array(count * 2);
      this.#ends = new Int32Array(count * 4);
    }
    const ends = this.#ends;
    const hashes = this.#hashes;
    const scanner = this.#scanner;
    for (let record = 0; record < count; record++) {
      const start = spans[record * 4 + 2]!;
      const end = spans[record * 4 + 3]!;
      const authorityEnd = start < 0 ? -1 : scanner.authorityEndOf(bytes, start, end);
      let targetEnd = authorityEnd < 0 ? -1 : scanner.targetEndOf(bytes, authorityEnd, end);
      if (targetEnd - authorityEnd > surelyShort) targetEnd = -1;
      ends[record * 2] = authorityEnd;
      ends[record * 2 + 1] = targetEnd;
      hashes[record] = targetEnd < 0 ? 0 : this.#origins.hashOf(bytes, start, authorityEnd);
    }
    this.#origins.prepare(hashes, count);
  }

  #stateOfPrefix(bytes: Buffer, start: number, end: number): OriginState | undefined {
    const parsed = parseTarget(bytes.toString("latin1", start, end));
    return parsed === undefined ? undefined : this.#origins.findOrigin(bytes, start, end, parsed.origin);
  }
}

/** Records that came as strings, their heads side by side. */
function packedOf({ heads, urls }: Batch): PackedRecords {
  const bytes = Buffer.from(heads.join(""), "latin1");
  const packed = new PackedRecords(bytes, bytes, heads.length);
  let start = 0;
  for (let record = 0; record < heads.length; record++) {
    const end = start + heads[record]!.length;
    packed.pushDecoded(start, end, urls[record]!);
    start = end;
  }
  return packed;
}
