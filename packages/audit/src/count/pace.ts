// Requests with their minutes in, a sample of whole minutes with their requests out.
import { mix32 } from "../hash.ts";

/**
 * The minutes with the smallest hashes, in which a crawler asked an origin, with all requests of these minutes. A minute that
 * was dropped had `limit` smaller ones before it, so the kept minutes are whole in any order.
 */
export class PaceMinutes {
  readonly #limit: number;
  readonly #requests = new Map<number, number>();
  #threshold = Infinity;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds requests of a minute since 1970. */
  add(minute: number, requests: number): void {
    const known = this.#requests.get(minute);
    if (known !== undefined) this.#requests.set(minute, known + requests);
    else if (mix32(minute) < this.#threshold) {
      this.#requests.set(minute, requests);
      if (this.#requests.size > this.#limit * 2) this.#prune();
    }
  }

  /** Adds the minutes of another crawler or origin. */
  addAll(other: PaceMinutes): void {
    for (const [minute, requests] of other.entries()) this.add(minute, requests);
  }

  /** The minutes, sorted. */
  entries(): readonly (readonly [minute: number, requests: number])[] {
    this.#prune();
    return [...this.#requests].toSorted(([one], [other]) => one - other);
  }

  #prune(): void {
    if (this.#requests.size <= this.#limit) return;
    const sorted = [...this.#requests.keys()].toSorted((one, other) => mix32(one) - mix32(other));
    this.#threshold = mix32(sorted[this.#limit]!);
    for (const minute of sorted.slice(this.#limit)) this.#requests.delete(minute);
  }
}
