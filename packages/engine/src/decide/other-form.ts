// A target as it stands in a record in, the form of it that is asked for out, where that is another one: without dot segments and
// escapes of unreserved octets.
import type { MatcherTable } from "@robots-stream/core/internal";
import { normalizeTarget } from "@robots-stream/url";
import type { OriginState } from "../origins/origin-state.ts";

/** What forms are written for. */
export interface OtherFormOptions {
  readonly table: MatcherTable;
  /** Whether it is the other form that is asked for. */
  readonly isNormalized: boolean;
  /** Whether records are counted that the other form would be decided otherwise. */
  readonly counts: boolean;
}

/** The other form of one target at a time. */
export class OtherForm {
  /** The form, its first `size` bytes. */
  bytes: Buffer = Buffer.alloc(1_024);
  size = 0;
  /** Whether it is to be asked for. */
  isAsked = false;
  readonly #options: OtherFormOptions;

  constructor(options: OtherFormOptions) {
    this.#options = options;
  }

  /** Takes a target, from `start` to `end`. Gives whether the record counts: the two forms are decided otherwise. */
  write(state: OriginState, raw: Buffer, start: number, end: number): boolean {
    const { table, isNormalized, counts } = this.#options;
    this.isAsked = false;
    if (!mayHaveOther(raw, start, end)) return false;
    const text = raw.toString("latin1", start, end);
    const normalized = normalizeTarget(text);
    if (normalized === text) return false;
    const bytes = (this.bytes = roomFor(this.bytes, normalized));
    const size = (this.size = bytes.write(normalized));
    this.isAsked = isNormalized;
    if (!counts) return false;
    const isOther = (block: number): boolean =>
      table.isAllowed(table.find(block, raw, start, end)) !== table.isAllowed(table.find(block, bytes, 0, size));
    const { block: first, others } = state;
    // Crawlers of one group share a matcher: it is asked once.
    return isOther(first) || others.some((block, index) => block !== (others[index - 1] ?? first) && isOther(block));
  }
}

/** A buffer that has room for a text. */
export function roomFor(buffer: Buffer, text: string): Buffer {
  return buffer.length < text.length * 3 ? Buffer.allocUnsafe(text.length * 6) : buffer;
}

/** Whether a target may have another form: nearly none does. */
function mayHaveOther(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (bytes[at] === 0x25 || (bytes[at] === 0x2e && bytes[at - 1] === 0x2f)) return true;
  }
  return false;
}
