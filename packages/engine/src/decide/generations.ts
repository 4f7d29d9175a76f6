// Replaces a full table of origins by a new one during a run, so that a run with endless new origins needs bounded memory.
import type { Locator, LocatedBatch } from "../locate/locate.ts";
import type { Batch } from "../records/batch.ts";
import type { OriginTable } from "../origins/origins.ts";
import type { Rows } from "../records/rows.ts";
import type { Spill } from "../records/spill.ts";
import type { Decider } from "./decide.ts";
import type { RecordQueue, Taken, WaitingQueue } from "./waiting-queue.ts";

/** A table of origins, and the parts that locate, hold and decide the records of these origins. */
export interface Generation {
  readonly origins: OriginTable;
  readonly locator: Locator;
  readonly queue: WaitingQueue;
  readonly decider: Pick<Decider, "hasBegun">;
  readonly spill: Spill;
}

/** Makes a generation, whose table may take results from the table `earlier`. */
export type CreateGeneration = (earlier: OriginTable | undefined) => Generation;

/** A generation that has not ended. */
interface Open extends Generation {
  /** Number of batches that were passed to `send` and are not in the queue yet. */
  onTheWay: number;
  /** Whether the queue is empty: its last `take` returned "empty", and no batch was added since. */
  isEmpty: boolean;
}

/**
 * The generations of a run, usually one. When the table of the current generation is full, the next generation begins. Its table takes the
 * result of an origin from the previous table when a record needs this result. An earlier generation ends when it has no more records, in
 * batches or in its queue. The results of an ended generation stay until the second generation after it begins.
 */
export class Generations implements RecordQueue {
  readonly #create: CreateGeneration;
  readonly #isOrdered: boolean;
  #current: Open;
  /** The previous generation, from whose table the current one takes results. */
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

  /** The tables of the generations that have not ended. The table of an ended generation has freed its decisions. */
  get tables(): readonly OriginTable[] {
    return this.#open.map(({ origins }) => origins);
  }

  get waitingBytes(): number {
    return this.#open.reduce((bytes, { queue }) => bytes + queue.waitingBytes, 0);
  }

  /** Number of records that wait in a file. */
  get spilledRecords(): number {
    return this.#open.reduce((count, { spill }) => count + spill.count, 0);
  }

  /** Locates the records of a batch in the table of the current generation. When this table is full, begins the next generation first. */
  locate(batch: Batch): LocatedBatch {
    if (this.#current.origins.isFull) this.#begin();
    return this.#current.locator.locate(batch);
  }

  /**
   * Assigns a located batch to the current generation; returns the batch. Call after `locate`, with the object that is passed to `add`
   * later.
   */
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

  take(rows: Rows): Taken {
    // A record with only some of its rows is completed first, because the rows of a record must be adjacent.
    const begun = this.#open.find(({ decider }) => decider.hasBegun);
    if (begun?.queue.take(rows) === "taken") return "taken";
    let taken: Taken = "empty";
    for (const generation of this.#open) {
      const one = generation.queue.take(rows);
      generation.isEmpty = one === "empty";
      if (one === "taken") return one;
      if (one !== "empty" && taken !== "later") taken = one;
      // In an ordered run, records of later generations wait for all records of earlier generations.
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

  /** Ends the earlier generations that have no more records, neither in a batch that is not queued yet nor in the queue. */
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
