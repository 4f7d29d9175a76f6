// A target as it stands in a record in, its normalized form out where that is another: without dot segments and escapes of
// unreserved octets.
import type { MatcherTable } from "@robots-stream/core/internal";
import { normalizeTarget } from "@robots-stream/url";
import type { OriginState } from "../origins/origin-state.ts";
import type { RecordRange } from "../records/record-range.ts";
import { TargetBytes, isRobotsTxt } from "./target-bytes.ts";

/** What forms are written for. */
export interface OtherFormOptions {
  readonly table: MatcherTable;
  /** Whether the normalized form is what decides. */
  readonly isNormalized: boolean;
  /** Whether records are counted that the two forms would be decided differently for. */
  readonly counts: boolean;
}

/** The other form of one target at a time. */
export class OtherForm {
  /** The form. */
  readonly target: TargetBytes = new TargetBytes();
  /** Whether it decides. */
  isAsked = false;
  readonly #options: OtherFormOptions;

  constructor(options: OtherFormOptions) {
    this.#options = options;
  }

  /** Takes a record's target. Gives whether the record counts: its two forms are decided differently. */
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
    const { block: first, others } = state;
    // Crawlers of one group share a matcher: it is asked once.
    return isOther(first) || others.some((block, index) => block !== (others[index - 1] ?? first) && isOther(block));
  }
}

/** Whether a target may have another form: nearly none does. */
function mayHaveOther(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (bytes[at] === 0x25 || (bytes[at] === 0x2e && bytes[at - 1] === 0x2f)) return true;
  }
  return false;
}
