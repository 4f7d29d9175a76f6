// Replaces a full table of origins by a new one during a run, so that a run with endless new origins evicts the oldest ones.
import type { Locator } from "../locate/locate.ts";
import type { LocatedBatch } from "../locate/located-batch.ts";
import type { Batch } from "../records/batch.ts";
import type { OriginTable } from "../origins/origins.ts";
import type { Rows } from "../records/rows.ts";
import type { Spill } from "../records/spill.ts";
import type { Decider } from "./decide.ts";
import type { Taken, WaitingQueue } from "./waiting-queue.ts";

/** A table of origins, with what holds and decides its records. */
export interface Generation {
  readonly origins: OriginTable;
  readonly locator: Locator;
  readonly queue: WaitingQueue;
  readonly decider: Pick<Decider, "hasBegun">;
  readonly spill: Spill;
}

/** Makes a generation; its origins may take the results of an earlier table. */
export type CreateGeneration = (earlier: OriginTable | undefined) => Generation;

/** A generation with batches. */
interface Open extends Generation {
  /** Batches that are located, and not in the queue yet. */
  onTheWay: number;
  /** Whether the queue was empty when it was last asked. */
  isEmpty: boolean;
}

/**
 * The generations of a run, usually one. When the table of one is full, another one follows. It takes over the results of the one before as
 * records need them. A generation ends when none of its records waits; its results stay until the second generation after it.
 */
export class Generations implements WaitingQueue {
  readonly #create: CreateGeneration;
  readonly #isOrdered: boolean;
  #current: Open;
  /** The generation whose results the current one takes. */
  #before: Open | undefined;
  /** Generations that have not ended, oldest first; the last one is the current one. */
  #open: readonly Open[];
  readonly #ofBatch = new WeakMap<LocatedBatch, Open>();
  #isDropping = false;

  constructor(create: CreateGeneration, isOrdered: boolean) {
    this.#create = create;
    this.#isOrdered = isOrdered;
    this.#current = opened(create(undefined));
    this.#open = [this.#current];
  }

  /** The table that takes new origins. */
  get origins(): OriginTable {
    return this.#current.origins;
  }

  /** The tables that may hold decisions. */
  get tables(): readonly OriginTable[] {
    return this.#open.map(({ origins }) => origins);
  }

  get waitingBytes(): number {
    return this.#open.reduce((bytes, { queue }) => bytes + queue.waitingBytes, 0);
  }

  /** Records that wait in a file. */
  get spilledRecords(): number {
    return this.#open.reduce((count, { spill }) => count + spill.count, 0);
  }

  /** Locates a batch; first begins another generation when the table is full. */
  locate(batch: Batch): LocatedBatch {
    if (this.#current.origins.isFull) this.#begin();
    return this.#current.locator.locate(batch);
  }

  /** Call after `locate`, with the object for the located batch that will be passed to the queue. */
  send(batch: LocatedBatch): LocatedBatch {
    this.#current.onTheWay++;
    this.#ofBatch.set(batch, this.#current);
    return batch;
  }

  add(batch: LocatedBatch): void {
    const generation = this.#ofBatch.get(batch)!;
    generation.onTheWay--;
    generation.isEmpty = false;
    const isBehind = this.#isOrdered && this.#open.some((each) => each !== generation && !each.isEmpty);
    generation.queue.add(batch, isBehind);
  }

  /** Does nothing: each table releases its states in its own queue. */
  release(): void {}

  take(rows: Rows): Taken {
    // The rows of a record are adjacent.
    const begun = this.#open.find(({ decider }) => decider.hasBegun);
    if (begun?.queue.take(rows) === "taken") return "taken";
    let taken: Taken = "empty";
    for (const generation of this.#open) {
      const one = generation.queue.take(rows);
      generation.isEmpty = one === "empty";
      if (one === "taken") return one;
      if (one !== "empty" && taken !== "later") taken = one;
      // In order, records of later generations wait.
      if (one !== "empty" && this.#isOrdered) break;
    }
    if (this.#open.length > 1) this.#endEmpty();
    return taken;
  }

  dropWaiting(): void {
    this.#isDropping = true;
    for (const { queue } of this.#open) queue.dropWaiting();
  }

  dropAll(): void {
    for (const { queue } of this.#open) queue.dropAll();
  }

  /** Frees memory and temporary files. */
  close(): void {
    for (const { spill, origins } of new Set([...this.#open, this.#before ?? this.#current])) {
      spill.close();
      origins.close();
    }
  }

  #begin(): void {
    const before = this.#before;
    this.#before = this.#current;
    this.#before.origins.forgetEarlier();
    this.#current = opened(this.#create(this.#before.origins));
    if (this.#isDropping) this.#current.queue.dropWaiting();
    this.#open = [...this.#open, this.#current];
    if (before !== undefined && !this.#open.includes(before)) before.origins.close();
  }

  /** Ends the generations to which no record belongs any more, neither one in a batch nor one that waits. */
  #endEmpty(): void {
    const ended = this.#open.filter((each) => each !== this.#current && each.isEmpty && each.onTheWay === 0);
    this.#open = this.#open.filter((each) => !ended.includes(each));
    for (const generation of ended) {
      generation.origins.retire();
      generation.spill.close();
      if (generation !== this.#before) generation.origins.close();
    }
  }
}

function opened(generation: Generation): Open {
  return { ...generation, onTheWay: 0, isEmpty: true };
}
