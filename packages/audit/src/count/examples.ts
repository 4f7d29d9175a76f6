// Keeps examples of a cell's requests: the targets with the smallest hashes, as texts without the values of parameters.
import { escapedTextOf } from "./names.ts";

/** The maximum number of examples of a cell. */
export const mostExamples = 3;
/** The maximum number of examples of a cell after the directories of its origin were folded. */
export const mostWhenFolded = 1;
/** The maximum number of bytes of an example; a longer target is cut. */
const maxExampleBytes = 200;

/** An example: the target of a request that a cell counts. */
export interface Example {
  /** The upper half of the hash of origin and raw target. */
  readonly high: number;
  /** The lower half of this hash. */
  readonly low: number;
  readonly target: string;
}

/** Examples of the cells of a table, by the cells' positions. */
export class Examples {
  readonly #byCell: (Example[] | undefined)[] = [];
  readonly #withValues: boolean;
  readonly #most: number;

  constructor(withValues: boolean, most: number) {
    this.#withValues = withValues;
    this.#most = most;
  }

  /** The examples of a cell, sorted by hash. */
  of(cell: number): readonly Example[] {
    return this.#byCell[cell] ?? [];
  }

  /**
   * Adds a target, `bytes` from `start` to `end`, with its hash. The text of the example is made only if the hash is new and among the
   * smallest of the cell.
   */
  add(cell: number, high: number, low: number, bytes: Uint8Array, start: number, end: number): void {
    const known = this.#byCell[cell];
    if (known !== undefined) {
      const last = known[this.#most - 1];
      if (last !== undefined && (high > last.high || (high === last.high && low >= last.low))) return;
      for (let index = 0; index < known.length; index++) {
        if (known[index]!.high === high && known[index]!.low === low) return;
      }
    }
    this.addExample(cell, { high, low, target: exampleTextOf(bytes, start, end, this.#withValues) });
  }

  /** Adds an example from another table or from a document. */
  addExample(cell: number, example: Example): void {
    const known = (this.#byCell[cell] ??= []);
    if (known.some(({ high, low }) => high === example.high && low === example.low)) return;
    known.push(example);
    known.sort((one, other) => one.high - other.high || one.low - other.low);
    if (known.length > this.#most) known.pop();
  }
}

/** A target as text: printable ASCII, cut at 200 bytes, with `…` for the values of parameters unless `withValues`. */
export function exampleTextOf(bytes: Uint8Array, start: number, end: number, withValues: boolean): string {
  const cut = Math.min(end, start + maxExampleBytes);
  const text = escapedTextOf(bytes, start, cut) + (cut < end ? "…" : "");
  const query = text.indexOf("?");
  if (withValues || query < 0) return text;
  const parameters = text.slice(query + 1).split("&");
  const names = parameters.map((parameter) => {
    const equals = parameter.indexOf("=");
    // A parameter without a name may be a secret as a whole.
    return equals < 0 ? "…" : `${parameter.slice(0, equals)}=…`;
  });
  return `${text.slice(0, query)}?${names.join("&")}`;
}
