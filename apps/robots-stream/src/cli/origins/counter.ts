// Counts by origin in, each origin once with the sum of its counts out. Counts may come in any order and several times per origin; memory
// is bounded: sorted runs of counts are written to a temporary file and merged.
import { tmpdir } from "node:os";
import { hashOf, TempFile } from "@robots-stream/engine/internal";

interface OriginCount {
  readonly origin: string;
  readonly count: number;
}

interface OriginCounterOptions {
  /**
   * The order in which the origins are returned. "name": by the bytes of the origin. "hash": by a hash of the origin, and then by its
   * bytes. Neighbours then mostly belong to different operators, so a program that requests the origins in this order spreads its load.
   */
  readonly order: "name" | "hash";
  /** Maximum number of origins in memory, 100,000 by default; further ones go into a temporary file. */
  readonly mostOrigins?: number;
}

/** Maximum of a sum: it has six bytes in the temporary file. A larger sum becomes this number. */
const mostCount = 2 ** 48 - 1;

/** Maximum length of an origin in characters: the keys of the temporary file and of snapshots have a limited length. */
export const longestCounted = 8_192;

const hashBytes = 4;

/** Adds up counts by origin. At most `mostOrigins` origins are in memory. */
export class OriginCounter {
  readonly #runs: SortedRuns;
  readonly #mostOrigins: number;
  readonly #keyStart: number;
  readonly #counts = new Map<string, number>();

  constructor({ order, mostOrigins = 100_000 }: OriginCounterOptions) {
    this.#keyStart = order === "hash" ? hashBytes : 0;
    this.#mostOrigins = mostOrigins;
    this.#runs = new SortedRuns();
  }

  /**
   * Adds `count` to the sum of an origin, which has at most `longestCounted` characters. Throws an `IoError` when the temporary file cannot
   * be written.
   */
  add(origin: string, count: number): void {
    const before = this.#counts.get(origin);
    this.#counts.set(origin, Math.min((before ?? 0) + count, mostCount));
    if (before === undefined && this.#counts.size === this.#mostOrigins) this.#runs.add(this.#takeKeys());
  }

  /** Every origin once with its sum, in the order that the option `order` names. Call once. */
  *origins(): Generator<OriginCount> {
    let key: Buffer | undefined;
    let sum = 0;
    for (const { key: next, count } of this.#runs.sorted(this.#takeKeys())) {
      if (key !== undefined && !key.equals(next)) {
        yield { origin: this.#originOf(key), count: sum };
        sum = 0;
      }
      key = next;
      sum = Math.min(sum + count, mostCount);
    }
    if (key !== undefined) yield { origin: this.#originOf(key), count: sum };
  }

  /** Removes the temporary file. Idempotent. */
  close(): void {
    this.#counts.clear();
    this.#runs.close();
  }

  #originOf(key: Buffer): string {
    return key.toString("latin1", this.#keyStart);
  }

  /** Returns the sums in memory with their keys, and forgets them. */
  #takeKeys(): readonly KeyCount[] {
    const start = this.#keyStart;
    const keys = [...this.#counts].map(([origin, count]) => {
      const key = Buffer.allocUnsafe(start + origin.length);
      if (start > 0) key.writeUInt32BE(hashOf(origin), 0);
      key.write(origin, start, "latin1");
      return { key, count };
    });
    this.#counts.clear();
    return keys;
  }
}

/** A key with its count, which has six bytes in the file. */
interface KeyCount {
  readonly key: Buffer;
  readonly count: number;
}

const readBytes = 64 * 1_024;

const keyLengthBytes = 2;
const countBytes = 6;
const headBytes = keyLengthBytes + countBytes;

/** Sorted runs of keys of at most 65,535 bytes. */
class SortedRuns {
  readonly #file = new TempFile(tmpdir());
  /** Where each run begins and ends in the file. */
  readonly #runs: { readonly start: number; readonly end: number }[] = [];

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
    heads.sort(compareHeads);
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

function compareHeads(one: Head, other: Head): number {
  return Buffer.compare(one.next.key, other.next.key) || one.number - other.number;
}

/** Moves the first head, whose key has changed, to its place among the other heads, which are sorted. */
function sink(heads: Head[]): void {
  const first = heads[0]!;
  let from = 1;
  let to = heads.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (compareHeads(heads[middle]!, first) < 0) from = middle + 1;
    else to = middle;
  }
  heads.copyWithin(0, 1, from);
  heads[from - 1] = first;
}
