// The interface between the group stage and the queue in which records wait for their robots.txt.
import type { Decider } from "./decide.ts";
import type { LocatedBatch } from "../locate/located-batch.ts";
import type { OriginState } from "../origins/origin-state.ts";
import type { OriginTable } from "../origins/origins.ts";
import type { Rows } from "../records/rows.ts";
import type { Spill } from "../records/spill.ts";
import type { Tally } from "../origins/tally.ts";

/**
 * The result of `take`. "taken": it built rows or made progress; call it again. "waiting": all records wait for their robots.txt. "later":
 * records are ready, but taking them later costs less. "empty": there is no record.
 */
export type Taken = "taken" | "waiting" | "later" | "empty";

/** A queue of waiting records. In a `ParkingQueue`, ready records overtake waiting ones; an `OrderedQueue` keeps the input order. */
export interface WaitingQueue {
  /** Memory of the waiting records, in bytes. */
  readonly waitingBytes: number;
  /**
   * Adds a batch, whose rows `take` builds. The next batch may be added after `take` has returned a result other than "taken". With
   * `isBehind`, rows of another queue come first, so the next batch may be added before `take` is called; only for ordered queues.
   */
  add(batch: LocatedBatch, isBehind?: boolean): void;
  /** Call when a state becomes ready. */
  release(state: OriginState): void;
  /** Builds some of the rows that can be written now, until the rows are full. */
  take(rows: Rows): Taken;
  /** Gives up all records whose robots.txt is not loaded, including later ones, and counts them as not decided. */
  dropWaiting(): void;
  /**
   * Gives up all records, including later ones, and counts them as not decided. A record that has some of its rows still gets the others.
   */
  dropAll(): void;
}

/** The settings of a queue. */
export interface WaitingQueueOptions {
  readonly decider: Decider;
  readonly tally: Tally;
  readonly origins: Pick<OriginTable, "stateAt">;
  /** Memory limit for waiting records, in bytes. */
  readonly maxBytes: number;
  /**
   * For a `ParkingQueue`, the store of the records beyond that limit, which keeps nothing in memory. For an `OrderedQueue`, the store of
   * all waiting records, which keeps up to `maxBytes` bytes in memory.
   */
  readonly spill: Spill;
}
