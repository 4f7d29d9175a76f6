// Counts requests for one origin by the names of query parameters.
import { CellTable } from "./cell-table.ts";
import { classRoom, stateRoom } from "./keys.ts";
import { Names, foldedName } from "./names.ts";

/** The maximum number of distinct parameter names of one request that are counted. */
const maxParameters = 16;
/** The maximum number of bytes of a name; a longer name is counted as `…`. */
const maxNameBytes = 64;

const equalsSign = 0x3d;
const ampersand = 0x26;

/** The counts of an origin by parameter name. If there are more names than the limit, all are folded into `…`. */
export class Parameters {
  names: Names = new Names();
  folded = false;
  /** Requests by parameter, state and class of status. */
  requests: CellTable = new CellTable(["sum"]);
  /** The number of the name `…`; -1 until it is needed. */
  #folded = -1;
  readonly #limit: number;
  /** The positions of the names of the current request. */
  readonly #seenStarts = new Int32Array(maxParameters);
  readonly #seenEnds = new Int32Array(maxParameters);

  constructor(limit: number) {
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
      const number = this.folded
        ? this.#foldedNumber()
        : this.names.numberOf(bytes, this.#seenStarts[index]!, this.#seenEnds[index]!);
      this.addRequests(number, state, statusClass, 1);
    }
    if (isNameless) this.addRequests(this.#foldedNumber(), state, statusClass, 1);
    if (this.names.count > this.#limit) this.fold();
  }

  #foldedNumber(): number {
    if (this.#folded < 0) this.#folded = this.names.numberOfText(foldedName);
    return this.#folded;
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

  /** Adds `requests` to the cell of a parameter, state and class of status codes. */
  addRequests(parameter: number, state: number, statusClass: number, requests: number): void {
    const cell = this.requests.cellOf((parameter * stateRoom + state) * classRoom + statusClass);
    this.requests.add(cell, 0, requests);
  }

  /** Adds a row of a document. */
  addNamed(name: string, state: number, statusClass: number, requests: number): void {
    const number = this.folded ? this.#foldedNumber() : this.names.numberOfText(name);
    this.addRequests(number, state, statusClass, requests);
    if (this.names.count > this.#limit) this.fold();
  }

  /** Folds all parameters into `…`. */
  fold(): void {
    if (this.folded) return;
    const { names, requests } = this;
    this.folded = true;
    this.names = new Names();
    this.#folded = -1;
    this.requests = new CellTable(requests.kinds);
    this.#addTable(names, requests);
  }

  /** Adds the parameters of another origin. */
  addAll(other: Parameters): void {
    if (other.folded) this.fold();
    this.#addTable(other.names, other.requests);
    if (this.names.count > this.#limit) this.fold();
  }

  #addTable(names: Names, requests: CellTable): void {
    const numbers = Array.from({ length: names.count }, (_, number) =>
      this.folded ? this.#foldedNumber() : this.names.numberOfText(names.textOf(number)),
    );
    const room = stateRoom * classRoom;
    for (let cell = 0; cell < requests.count; cell++) {
      const key = requests.keyOf(cell);
      const parameter = Math.floor(key / room);
      this.requests.addFrom(numbers[parameter]! * room + (key - parameter * room), requests, cell);
    }
  }
}
