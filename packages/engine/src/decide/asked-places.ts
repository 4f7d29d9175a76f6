// What slow decisions about one record came to: crawlers of a few groups may come in any order, and each group is asked once.
import type { MatcherTable } from "@robots-stream/core/internal";
import type { OriginState } from "../origins/origin-state.ts";
import type { Turn } from "../records/turn.ts";

/** Where the decisions about the record under way stand. */
export class AskedPlaces {
  readonly #table: MatcherTable;
  /** By block, for slow blocks only; valid while the state has these blocks. */
  readonly #places = new Map<number, number>();
  #blocks: readonly number[] = [];

  constructor(table: MatcherTable) {
    this.#table = table;
  }

  /** Where the decision of a block about the record's target stands; the turn is told of it. */
  find(state: OriginState, block: number, target: Buffer, start: number, end: number, turn: Turn): number {
    if (!this.#table.isAsked(block, end - start)) {
      const place = this.#table.find(block, target, start, end);
      turn.count(false);
      return place;
    }
    // Blocks that were moved, or made again, are other ones.
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

  /** To be called when the record is done with. */
  clear(): void {
    if (this.#places.size > 0) this.#places.clear();
  }
}
