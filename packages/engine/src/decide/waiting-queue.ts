// What the group stage asks of the queue in which records wait for their robots.txt.
import type { Decider } from "./decide.ts";
import type { LocatedBatch } from "../locate/located-batch.ts";
import type { OriginState } from "../origins/origin-state.ts";
import type { OriginTable } from "../origins/origins.ts";
import type { Rows } from "../records/rows.ts";
import type { Spill } from "../records/spill.ts";
import type { Tally } from "../tally.ts";

/**
 * What `take` did or found: "taken", it made rows or came nearer to making some, and is to be called again; "waiting", all
 * records wait for their robots.txt; "later", records are ready, but taking them pays later; "empty", there is no record.
 */
export type Taken = "taken" | "waiting" | "later" | "empty";

/** Where records wait: parking-queue.ts lets those pass that are ready, ordered-queue.ts keeps them in line. */
export interface WaitingQueue {
  /** Memory of the records that wait, in bytes. */
  readonly waitingBytes: number;
  /** Takes a batch, whose rows come with `take`; the next may come when `take` has given something else than "taken". */
  add(batch: LocatedBatch): void;
  /** Says that an origin is ready. */
  release(state: OriginState): void;
  /** Makes some of the rows that can go out now, until the rows are full. */
  take(rows: Rows): Taken;
  /** Gives up and counts all records that are not ready, now and from now on. */
  dropWaiting(): void;
  /** Gives up and counts all that comes, but for the rest of a record some of whose rows are made. */
  dropAll(): void;
}

/** What a queue needs. */
export interface WaitingQueueOptions {
  readonly decider: Decider;
  readonly tally: Tally;
  readonly origins: Pick<OriginTable, "stateAt">;
  /** Memory for what waits. */
  readonly maxBytes: number;
  /** Takes what there is no memory for; that of a `ParkingQueue` keeps nothing in memory, that of an `OrderedQueue` up to `maxBytes`. */
  readonly spill: Spill;
}
