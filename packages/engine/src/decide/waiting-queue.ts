// The interface between the group stage and the queue in which records wait for their robots.txt.
import type { Decider } from "./decide.ts";
import type { LocatedBatch } from "../locate/located-batch.ts";
import type { OriginState } from "../origins/origin-state.ts";
import type { OriginTable } from "../origins/origins.ts";
import type { Rows } from "../records/rows.ts";
import type { Spill } from "../records/spill.ts";
import type { Tally } from "../tally.ts";

/**
 * The result of `take`. "taken": it built rows or made progress, and is to be called again; "waiting": all records wait for
 * their robots.txt; "later": records are ready, but taking them later costs less; "empty": there is no record.
 */
export type Taken = "taken" | "waiting" | "later" | "empty";

/** A queue of waiting records: in parking-queue.ts ready records pass waiting ones, ordered-queue.ts keeps the order. */
export interface WaitingQueue {
  /** Memory of the waiting records, in bytes. */
  readonly waitingBytes: number;
  /**
   * Adds a batch, whose rows `take` builds. The next batch may be added after `take` has returned a result other than "taken". With
   * `isBehind`, rows of another queue come first, so the next batch may be added before `take` is called; only for ordered queues.
   */
  add(batch: LocatedBatch, isBehind?: boolean): void;
  /** Called when an origin is ready. */
  release(state: OriginState): void;
  /** Builds some of the rows that can be written now, until the rows are full. */
  take(rows: Rows): Taken;
  /** Gives up and counts all records that are not ready, now and from now on. */
  dropWaiting(): void;
  /** Gives up and counts all records, except the rest of a record that has some of its rows. */
  dropAll(): void;
}

/** The settings of a queue. */
export interface WaitingQueueOptions {
  readonly decider: Decider;
  readonly tally: Tally;
  readonly origins: Pick<OriginTable, "stateAt">;
  /** Memory for waiting records. */
  readonly maxBytes: number;
  /**
   * Takes the records beyond that memory. The spill of a `ParkingQueue` keeps nothing in memory, the spill of an
   * `OrderedQueue` up to `maxBytes`.
   */
  readonly spill: Spill;
}
