// Caches the decisions about one record. The crawlers of a group may be asked about in any order; each group is matched only once.
import type { MatcherTable } from "@robots-stream/core/internal";
import type { OriginState } from "../origins/origin-state.ts";
import type { Turn } from "../records/turn.ts";

/** The cached decisions about the current record. */
export class AskedPlaces {
  readonly #table: MatcherTable;
  /** Decision offset by the block's number in the state, 0 without one; valid while the state has the same blocks. */
  #places = new Int32Array(8);
  /** Whether a decision about the current record was left to a matcher, which may be slow. */
  wasAsked = false;
  /** The numbers below this one may have a decision. */
  #end = 0;
  #block = 0;
  #others: readonly number[] = [];

  constructor(table: MatcherTable) {
    this.#table = table;
  }

  /** Returns the offset of the decision of a block, given by its number, about the record's target; counts the decision in `turn`. */
  find(state: OriginState, number: number, target: Buffer, start: number, end: number, turn: Turn): number {
    const block = state.blockOf(number);
    // Blocks that were moved or rebuilt have other decisions.
    if (this.#block !== state.block || this.#others !== state.others) this.#turnTo(state);
    const known = this.#places[number]!;
    if (known !== 0) {
      turn.count(false);
      return known;
    }
    const place = this.#table.find(block, target, start, end);
    this.#places[number] = place;
    if (number >= this.#end) this.#end = number + 1;
    const isAsked = this.#table.isAsked(block, end - start);
    this.wasAsked ||= isAsked;
    turn.count(isAsked);
    return place;
  }

  /** Call after the last row of the record. */
  clear(): void {
    for (let number = 0; number < this.#end; number++) this.#places[number] = 0;
    this.#end = 0;
    this.wasAsked = false;
  }

  #turnTo({ block, others }: OriginState): void {
    this.clear();
    this.#block = block;
    this.#others = others;
    if (others.length >= this.#places.length) this.#places = new Int32Array((others.length + 1) * 2);
  }
}
