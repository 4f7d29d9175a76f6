// Batches in, their rows out in the order of the input: a batch goes out when all before it have, and all its robots.txt are there.
import type { Decider } from "./decide.ts";
import type { WaitingRoom } from "./group.ts";
import type { LocatedBatch } from "./locate.ts";
import type { OriginState } from "./origins.ts";
import type { Rows } from "./rows.ts";
import type { Tally } from "./tally.ts";

interface Waiting {
  readonly batch: LocatedBatch;
  readonly bytes: number;
  /** Origins that are not there yet. */
  missing: number;
}

/** Memory of a record besides its bytes. */
const recordOverhead = 64;

/** Keeps the input's order. While batches wait, the origins of later ones are already being loaded. */
export class OrderedRoom implements WaitingRoom {
  waitingBytes = 0;
  readonly #decider: Decider;
  readonly #tally: Tally;
  readonly #maxBytes: number;
  #line: Waiting[] = [];
  #lineAt = 0;
  readonly #waitingFor = new Map<OriginState, Waiting[]>();
  #dropping = false;

  /** Holds about `maxBytes`. */
  constructor(decider: Decider, tally: Tally, maxBytes: number) {
    this.#decider = decider;
    this.#tally = tally;
    this.#maxBytes = maxBytes;
  }

  get isBehind(): boolean {
    return false;
  }

  get isFull(): boolean {
    return this.waitingBytes > this.#maxBytes;
  }

  get isEmpty(): boolean {
    return this.#lineAt === this.#line.length;
  }

  add(batch: LocatedBatch, rows: Rows): void {
    const missing = new Set<OriginState>();
    for (const state of batch.states) if (state !== undefined && state.matchers === undefined) missing.add(state);
    if (this.isEmpty && (missing.size === 0 || this.#dropping)) {
      this.#decide(batch, rows);
      return;
    }
    const bytes = batch.heads.length + batch.text.length + batch.count * recordOverhead;
    const waiting: Waiting = { batch, bytes, missing: missing.size };
    this.#line.push(waiting);
    this.waitingBytes += bytes;
    for (const state of missing) {
      const others = this.#waitingFor.get(state);
      if (others === undefined) this.#waitingFor.set(state, [waiting]);
      else others.push(waiting);
    }
  }

  release(state: OriginState): void {
    for (const waiting of this.#waitingFor.get(state) ?? []) waiting.missing--;
    this.#waitingFor.delete(state);
  }

  take(rows: Rows): boolean {
    const first = this.#line[this.#lineAt];
    if (first === undefined || (first.missing > 0 && !this.#dropping)) return false;
    this.#lineAt++;
    if (this.#lineAt > 64) {
      this.#line = this.#line.slice(this.#lineAt);
      this.#lineAt = 0;
    }
    this.waitingBytes -= first.bytes;
    this.#decide(first.batch, rows);
    return true;
  }

  dropWaiting(): void {
    this.#dropping = true;
    this.#waitingFor.clear();
  }

  #decide(batch: LocatedBatch, rows: Rows): void {
    for (let record = 0; record < batch.count; record++) {
      if (!this.#decider.decide(batch, record, rows)) this.#tally.dropped++;
    }
    batch.recycle?.();
    batch.onDecided?.(rows.allBytes);
  }
}
