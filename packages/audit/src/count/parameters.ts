// Counts requests for one origin by the names of query parameters.
import { classRoom, stateRoom } from "./keys.ts";
import { NamedTables } from "./named-tables.ts";

/** The maximum number of distinct parameter names of one request that are counted. */
const maxParameters = 16;
/** The maximum number of bytes of a name; a longer name is counted as `…`. */
const maxNameBytes = 64;

const equalsSign = 0x3d;
const ampersand = 0x26;

const forms = { requests: { room: stateRoom * classRoom, kinds: ["sum"] } } as const;

/**
 * The requests for an origin by parameter name, state and class of status. If there are more names than the limit, all are folded into
 * `…`: level 1.
 */
export class Parameters extends NamedTables<"requests"> {
  readonly #limit: number;
  /** The positions of the names of the current request. */
  readonly #seenStarts = new Int32Array(maxParameters);
  readonly #seenEnds = new Int32Array(maxParameters);

  constructor(limit: number) {
    super(forms, 1, (name) => name);
    this.#limit = limit;
  }

  /**
   * Counts a request once for each distinct parameter name in its query, `bytes` from `start` to `end`, and once as `…` if a name is
   * missing or too long. Folding does not change the sum over all parameters.
   */
  addQuery(bytes: Uint8Array, start: number, end: number, state: number, statusClass: number): void {
    let seen = 0;
    let isNameless = false;
    let at = start;
    while (at < end && seen < maxParameters) {
      let nameEnd = -1;
      let next = at;
      for (; next < end && bytes[next] !== ampersand; next++) {
        if (bytes[next] === equalsSign && nameEnd < 0) nameEnd = next;
      }
      // A parameter without "=" may be a secret value; its text is not kept.
      if (nameEnd > at && nameEnd - at <= maxNameBytes) {
        if (!this.#isSeen(seen, bytes, at, nameEnd)) {
          this.#seenStarts[seen] = at;
          this.#seenEnds[seen++] = nameEnd;
        }
      } else if (next > at) isNameless = true;
      at = next + 1;
    }
    for (let index = 0; index < seen; index++) {
      const number =
        this.level > 0
          ? this.foldedNumber()
          : this.names.numberOf(bytes, this.#seenStarts[index]!, this.#seenEnds[index]!);
      this.#addRequest(number, state, statusClass);
    }
    if (isNameless) this.#addRequest(this.foldedNumber(), state, statusClass);
    this.keepWithinLimits();
  }

  protected override exceedsLimits(): boolean {
    return this.names.count > this.#limit;
  }

  /** Whether the name from `start` to `end` is one of the first `seen` names of the current request. */
  #isSeen(seen: number, bytes: Uint8Array, start: number, end: number): boolean {
    for (let index = 0; index < seen; index++) {
      const from = this.#seenStarts[index]!;
      if (this.#seenEnds[index]! - from !== end - start) continue;
      let length = 0;
      while (length < end - start && bytes[from + length] === bytes[start + length]) length++;
      if (length === end - start) return true;
    }
    return false;
  }

  #addRequest(parameter: number, state: number, statusClass: number): void {
    const { cells } = this.tables.requests;
    cells.add(cells.cellOf((parameter * stateRoom + state) * classRoom + statusClass), 0, 1);
  }
}
