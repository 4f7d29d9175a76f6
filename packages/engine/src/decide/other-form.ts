// Computes the normalized form of a record's target when it differs from the target. The normalized form has no dot segments and no escapes
// of unreserved octets.
import type { MatcherTable } from "@robots-stream/core/internal";
import { normalizeTarget } from "@robots-stream/url";
import type { OriginState } from "../origins/origin-state.ts";
import type { RecordRange } from "../records/packed.ts";
import { isRobotsTxt, mayHaveOther, TargetBytes } from "../locate/target-bytes.ts";

export interface OtherFormOptions {
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
    if (!mayHaveOther(targets, targetStart, targetEnd)) return false;
    const text = targets.toString("latin1", targetStart, targetEnd);
    const normalized = normalizeTarget(text);
    if (normalized === text) return false;
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
