// Sorts keys with counts in bounded memory: writes sorted runs to a temporary file, and merges the runs.
import { TempFile } from "@robots-stream/engine/internal";

/** A key with its count, which has six bytes in the file. */
export interface KeyCount {
  readonly key: Buffer;
  readonly count: number;
}

/** Bytes read at once from a run. */
const readBytes = 64 * 1_024;

const keyLengthBytes = 2;
const countBytes = 6;
const headBytes = keyLengthBytes + countBytes;

/** Sorted runs of keys of at most 65,535 bytes. */
export class SortedRuns {
  readonly #file: TempFile;
  /** Where each run begins and ends in the file. */
  readonly #runs: { readonly start: number; readonly end: number }[] = [];

  /** The temporary file is in `folder`. */
  constructor(folder: string) {
    this.#file = new TempFile(folder);
  }

  /** Writes a run. Throws an `IoError` when the temporary file cannot be written. */
  add(run: readonly KeyCount[]): void {
    const start = this.#file.length;
    const pieces: Buffer[] = [];
    let bytes = 0;
    const write = (): void => {
      this.#file.append(Buffer.concat(pieces), bytes);
      pieces.length = 0;
      bytes = 0;
    };
    for (const { key, count } of sortedKeys(run)) {
      const head = Buffer.alloc(headBytes);
      head.writeUInt16BE(key.length, 0);
      head.writeUIntBE(count, keyLengthBytes, countBytes);
      pieces.push(head, key);
      bytes += headBytes + key.length;
      if (bytes >= readBytes) write();
    }
    write();
    this.#runs.push({ start, end: this.#file.length });
  }

  /** All keys of the runs and of `last`, which stays in memory, in order. A key is in the result as often as it was added. */
  *sorted(last: readonly KeyCount[]): Generator<KeyCount> {
    const heads: Head[] = [];
    const runs = [...this.#runs.map((each) => this.#read(each)), sortedKeys(last).values()];
    for (const [number, run] of runs.entries()) {
      const { value } = run.next();
      if (value !== undefined) heads.push({ next: value, run, number });
    }
    heads.sort(order);
    while (heads.length > 0) {
      const first = heads[0]!;
      yield first.next;
      const { value } = first.run.next();
      if (value === undefined) heads.shift();
      else {
        first.next = value;
        sink(heads);
      }
    }
  }

  /** Removes the temporary file. */
  close(): void {
    this.#file.close();
  }

  *#read({ start, end }: { readonly start: number; readonly end: number }): Generator<KeyCount, undefined> {
    let unread = Buffer.alloc(0);
    for (let position = start; position < end || unread.length > 0;) {
      const isShort = unread.length < headBytes || unread.length < headBytes + unread.readUInt16BE(0);
      if (isShort) {
        const more = Buffer.allocUnsafe(Math.min(readBytes, end - position));
        const bytes = this.#file.read(more, 0, more.length, position);
        if (bytes === 0) throw this.#file.missing();
        position += bytes;
        unread = Buffer.concat([unread, more.subarray(0, bytes)]);
        continue;
      }
      const keyEnd = headBytes + unread.readUInt16BE(0);
      const count = unread.readUIntBE(keyLengthBytes, countBytes);
      yield { key: unread.subarray(headBytes, keyEnd), count };
      unread = unread.subarray(keyEnd);
    }
    return undefined;
  }
}

function sortedKeys(run: readonly KeyCount[]): readonly KeyCount[] {
  return run.toSorted((one, other) => Buffer.compare(one.key, other.key));
}

/** A run with its next key. Runs are numbered in the order in which their keys were added. */
interface Head {
  next: KeyCount;
  readonly run: Iterator<KeyCount, undefined>;
  readonly number: number;
}

function order(one: Head, other: Head): number {
  return Buffer.compare(one.next.key, other.next.key) || one.number - other.number;
}

/** Moves the first head, whose key has changed, to its place among the other heads, which are sorted. */
function sink(heads: Head[]): void {
  const first = heads[0]!;
  let from = 1;
  let to = heads.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (order(heads[middle]!, first) < 0) from = middle + 1;
    else to = middle;
  }
  heads.copyWithin(0, 1, from);
  heads[from - 1] = first;
}
