// Sorts keys in bounded memory: writes sorted runs of keys to a temporary file, and merges the runs.
import { TempFile } from "@robots-stream/engine/internal";

/** A range of bytes in a file. */
interface Place {
  readonly offset: number;
  readonly length: number;
}

/** A key with the place of its record. */
export interface KeyedPlace {
  readonly key: Buffer;
  readonly place: Place;
}

/** Default number of keys that are sorted at once in memory: about 20 MB. */
const runKeys = 100_000;

/** Bytes read at once from a run. */
const readBytes = 64 * 1_024;

const keyLengthBytes = 2;
const offsetBytes = 6;
const lengthBytes = 4;
const headBytes = keyLengthBytes + offsetBytes + lengthBytes;

/** Sorts keys of at most 65,535 bytes; equal keys stay in the order in which they were added. */
export class SortedRuns {
  readonly #runKeys: number;
  readonly #file: TempFile;
  /** Where each run begins and ends in the file. */
  readonly #runs: { readonly start: number; readonly end: number }[] = [];
  #keys: KeyedPlace[] = [];

  /** The temporary file is in `folder`. */
  constructor(folder: string, mostKeys: number = runKeys) {
    this.#file = new TempFile(folder);
    this.#runKeys = mostKeys;
  }

  /** Adds a key. Throws an `IoError` when the temporary file cannot be written. */
  add(key: Buffer, place: Place): void {
    this.#keys.push({ key, place });
    if (this.#keys.length >= this.#runKeys) this.#spill();
  }

  /** All keys in order. Call once. */
  *sorted(): Generator<KeyedPlace> {
    const last = this.#takeSorted();
    const heads: Head[] = [];
    for (const [number, run] of [...this.#runs.map((each) => this.#read(each)), last.values()].entries()) {
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
    this.#keys = [];
    this.#file.close();
  }

  #takeSorted(): readonly KeyedPlace[] {
    const keys = this.#keys.toSorted((one, other) => Buffer.compare(one.key, other.key));
    this.#keys = [];
    return keys;
  }

  #spill(): void {
    const start = this.#file.length;
    const pieces: Buffer[] = [];
    let bytes = 0;
    const write = (): void => {
      this.#file.append(Buffer.concat(pieces), bytes);
      pieces.length = 0;
      bytes = 0;
    };
    for (const { key, place } of this.#takeSorted()) {
      const head = Buffer.alloc(headBytes);
      head.writeUInt16BE(key.length, 0);
      head.writeUIntBE(place.offset, keyLengthBytes, offsetBytes);
      head.writeUInt32BE(place.length, keyLengthBytes + offsetBytes);
      pieces.push(head, key);
      bytes += headBytes + key.length;
      if (bytes >= readBytes) write();
    }
    write();
    this.#runs.push({ start, end: this.#file.length });
  }

  *#read({ start, end }: { readonly start: number; readonly end: number }): Generator<KeyedPlace, undefined> {
    let held = Buffer.alloc(0);
    for (let position = start; position < end || held.length > 0;) {
      const isShort = held.length < headBytes || held.length < headBytes + held.readUInt16BE(0);
      if (isShort) {
        const more = Buffer.allocUnsafe(Math.min(readBytes, end - position));
        const count = this.#file.read(more, 0, more.length, position);
        if (count === 0) throw this.#file.missing();
        position += count;
        held = Buffer.concat([held, more.subarray(0, count)]);
        continue;
      }
      const keyEnd = headBytes + held.readUInt16BE(0);
      const offset = held.readUIntBE(keyLengthBytes, offsetBytes);
      const length = held.readUInt32BE(keyLengthBytes + offsetBytes);
      yield { key: held.subarray(headBytes, keyEnd), place: { offset, length } };
      held = held.subarray(keyEnd);
    }
    return undefined;
  }
}

/** A run with its next key. Runs are numbered in the order in which their keys were added. */
interface Head {
  next: KeyedPlace;
  readonly run: Iterator<KeyedPlace, undefined>;
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
