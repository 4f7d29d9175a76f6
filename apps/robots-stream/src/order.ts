// Batches in, their rows out in the order of the input: a batch goes out when all before it have, and all its robots.txt are there.
import type { Decider } from "./decide.ts";
import type { WaitingRoom } from "./group.ts";
import type { LocatedBatch } from "./locate.ts";
import type { OriginState } from "./origins.ts";
import type { Tally } from "./tally.ts";
import type { UrlProblem } from "@robots-stream/url";

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
  #line: Waiting[] = [];
  #lineAt = 0;
  readonly #waitingFor = new Map<OriginState, Waiting[]>();
  #dropping = false;

  constructor(decider: Decider, tally: Tally) {
    this.#decider = decider;
    this.#tally = tally;
  }

  get isEmpty(): boolean {
    return this.#lineAt === this.#line.length;
  }

  add(batch: LocatedBatch): string {
    const missing = new Set<OriginState>();
    let bytes = 0;
    for (let index = 0; index < batch.heads.length; index++) {
      const state = batch.states[index];
      if (state !== undefined && state.matchers === undefined) missing.add(state);
      bytes += batch.heads[index]!.length + batch.targets[index]!.length + recordOverhead;
    }
    if (this.isEmpty && (missing.size === 0 || this.#dropping)) return this.#rowsOf(batch);
    const waiting: Waiting = { batch, bytes, missing: missing.size };
    this.#line.push(waiting);
    this.waitingBytes += bytes;
    for (const state of missing) {
      const others = this.#waitingFor.get(state);
      if (others === undefined) this.#waitingFor.set(state, [waiting]);
      else others.push(waiting);
    }
    return "";
  }

  release(state: OriginState): void {
    for (const waiting of this.#waitingFor.get(state) ?? []) waiting.missing--;
    this.#waitingFor.delete(state);
  }

  take(): string | undefined {
    const first = this.#line[this.#lineAt];
    if (first === undefined || (first.missing > 0 && !this.#dropping)) return undefined;
    this.#lineAt++;
    if (this.#lineAt > 64) {
      this.#line = this.#line.slice(this.#lineAt);
      this.#lineAt = 0;
    }
    this.waitingBytes -= first.bytes;
    return this.#rowsOf(first.batch);
  }

  dropWaiting(): void {
    this.#dropping = true;
    this.#waitingFor.clear();
  }

  #rowsOf({ heads, states, targets }: LocatedBatch): string {
    let rows = "";
    for (let index = 0; index < heads.length; index++) {
      const head = heads[index]!;
      const state = states[index];
      const target = targets[index]!;
      if (state === undefined) rows += this.#decider.rowsOfProblem(head, target as UrlProblem);
      else if (state.matchers !== undefined) rows += this.#decider.rowsOf(head, state, target);
      else this.#tally.dropped++;
    }
    return rows;
  }
}
