// Caches slow decisions about one record: crawlers of one group may come in any order, and each group is matched only once.
import type { MatcherTable } from "@robots-stream/core/internal";
import type { OriginState } from "../origins/origin-state.ts";
import type { Turn } from "../records/turn.ts";

/** The cached decisions about the current record. */
export class AskedPlaces {
  readonly #table: MatcherTable;
  /** Decision offset by block, for slow blocks only; valid while `#blocks` is the state's list of blocks. */
  readonly #places = new Map<number, number>();
  #blocks: readonly number[] = [];

  constructor(table: MatcherTable) {
    this.#table = table;
  }

  /** Returns the offset of the block's decision about the record's target; counts the decision in `turn`. */
  find(state: OriginState, block: number, target: Buffer, start: number, end: number, turn: Turn): number {
    if (!this.#table.isAsked(block, end - start)) {
      const place = this.#table.find(block, target, start, end);
      turn.count(false);
      return place;
    }
    // Blocks that were moved or rebuilt have new numbers.
    if (this.#blocks !== state.others) {
      this.#places.clear();
      this.#blocks = state.others;
    }
    const known = this.#places.get(block);
    if (known !== undefined) {
      turn.count(false);
      return known;
    }
    const place = this.#table.find(block, target, start, end);
    this.#places.set(block, place);
    turn.count(true);
    return place;
  }

  /** Call after the last row of the record. */
  clear(): void {
    if (this.#places.size > 0) this.#places.clear();
  }
}
