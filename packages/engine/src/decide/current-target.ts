// The target of the record that is being decided: its normalized form, and the decisions of the blocks about it. Each block decides a record
// only once, whatever the order of the questions.
import type { MatcherTable } from "@robots-stream/core/internal";
import type { OriginState } from "../origins/origin-state.ts";
import type { RecordRange } from "../records/packed.ts";
import { TargetBytes, isRobotsTxt, otherFormOf } from "../locate/target-bytes.ts";
import type { Turn } from "../records/rows.ts";

interface OtherFormOptions {
  readonly table: MatcherTable;
  /** Whether rules are compared with the normalized form. */
  readonly isNormalized: boolean;
  /** Whether to count records whose two forms are decided differently. */
  readonly counts: boolean;
}

/** Computes the other form of one target at a time. The other form is the normalized form, if that differs from the target. */
export class OtherForm {
  /** The other form of the current target. */
  readonly target: TargetBytes = new TargetBytes();
  /** Whether rules are compared with the other form of the current target. */
  isAsked = false;
  readonly #options: OtherFormOptions;

  constructor(options: OtherFormOptions) {
    this.#options = options;
  }

  /**
   * Sets the current target, `targets[targetStart, targetEnd)`. Returns whether to count its record: some block of the state allows one of
   * the two forms and disallows the other. Always false without `counts`.
   */
  write(state: OriginState, { targets, targetStart, targetEnd }: RecordRange): boolean {
    const { table, isNormalized, counts } = this.#options;
    this.isAsked = false;
    const normalized = otherFormOf(targets, targetStart, targetEnd);
    if (normalized === undefined) return false;
    const size = this.target.write(normalized);
    const { bytes } = this.target;
    this.isAsked = isNormalized;
    if (!counts) return false;
    const robotsTxtBlock = isRobotsTxt(bytes, 0, size) ? state.robotsTxtBlock : 0;
    const isOther = (block: number): boolean =>
      table.isAllowed(table.find(block, targets, targetStart, targetEnd)) !==
      table.isAllowed(table.find(robotsTxtBlock || block, bytes, 0, size));
    return isOther(state.block) || state.others.some(isOther);
  }
}

/** The cached decisions about the current record. */
export class AskedPlaces {
  readonly #table: MatcherTable;
  /**
   * By block number: the address of the block's decision about the current record; 0 when the block has not decided. Valid only for the
   * blocks in `#block` and `#others`.
   */
  #places = new Int32Array(8);
  /** Whether a decision about the current record may have taken long. */
  wasSlow = false;
  /** From this index on, all elements of `#places` are 0. */
  #end = 0;
  #block = 0;
  #others: readonly number[] = [];

  constructor(table: MatcherTable) {
    this.#table = table;
  }

  /**
   * Returns the address of the decision about the current record's target, `target[start, end)`, by the block with this number. Counts the
   * decision in `turn`.
   */
  find(state: OriginState, number: number, target: Buffer, start: number, end: number, turn: Turn): number {
    const block = state.blockOf(number);
    // The decisions of moved or rebuilt blocks have other addresses.
    if (this.#block !== state.block || this.#others !== state.others) this.#turnTo(state);
    const known = this.#places[number]!;
    if (known !== 0) {
      turn.count(false);
      return known;
    }
    const place = this.#table.find(block, target, start, end);
    this.#places[number] = place;
    if (number >= this.#end) this.#end = number + 1;
    const isSlow = this.#table.isSlow(block, end - start);
    this.wasSlow ||= isSlow;
    turn.count(isSlow);
    return place;
  }

  /** Empties the cache. Call after the last row of a record. */
  clear(): void {
    for (let number = 0; number < this.#end; number++) this.#places[number] = 0;
    this.#end = 0;
    this.wasSlow = false;
  }

  #turnTo({ block, others }: OriginState): void {
    this.clear();
    this.#block = block;
    this.#others = others;
    if (others.length >= this.#places.length) this.#places = new Int32Array((others.length + 1) * 2);
  }
}
