// Keeps a sample of minutes and counts all requests of these minutes, to compute the pace of a crawler.
import { mix32 } from "../hash.ts";
import { CellTable } from "./cell-table.ts";

/**
 * A sample of the minutes in which a crawler sent requests to an origin: the `limit` minutes with the smallest hashes. A minute is dropped
 * only when `limit` minutes have smaller hashes, and a dropped minute is never added again. The count of a kept minute is therefore
 * complete, whatever the order of adding.
 */
export class PaceMinutes {
  readonly #limit: number;
  #requests = new CellTable(["sum"]);
  #threshold = Infinity;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds requests of a minute. `minute` is the number of minutes since 1970. */
  add(minute: number, requests: number): void {
    if (mix32(minute) >= this.#threshold) return;
    this.#requests.add(this.#requests.cellOf(minute), 0, requests);
    if (this.#requests.count > this.#limit * 2) this.#prune();
  }

  /** Adds the minutes of another sample. */
  addAll(other: PaceMinutes): void {
    for (const [minute, requests] of other.entries()) this.add(minute, requests);
  }

  /** The kept minutes with their requests, sorted by minute. */
  entries(): readonly (readonly [minute: number, requests: number])[] {
    this.#prune();
    return this.#all().toSorted(([one], [other]) => one - other);
  }

  #all(): (readonly [minute: number, requests: number])[] {
    const { count } = this.#requests;
    return Array.from({ length: count }, (_, at) => [this.#requests.keyOf(at), this.#requests.valueOf(at, 0)] as const);
  }

  #prune(): void {
    if (this.#requests.count <= this.#limit) return;
    const sorted = this.#all().toSorted(([one], [other]) => mix32(one) - mix32(other));
    this.#threshold = mix32(sorted[this.#limit]![0]);
    this.#requests = new CellTable(["sum"]);
    for (const [minute, requests] of sorted.slice(0, this.#limit)) {
      this.#requests.add(this.#requests.cellOf(minute), 0, requests);
    }
  }
}
