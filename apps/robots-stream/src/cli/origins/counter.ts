// Counts by origin in, each origin once with the sum of its counts out. Counts may come in any order and several times per origin; memory
// is bounded.
import { tmpdir } from "node:os";
import { hashOf } from "@robots-stream/engine/internal";
import { type KeyCount, SortedRuns } from "./sorted-runs.ts";

/** An origin and the sum of its counts. */
export interface OriginCount {
  readonly origin: string;
  readonly count: number;
}

export interface OriginCounterOptions {
  /**
   * The order in which the origins are returned. "name": by the bytes of the origin. "hash": by a hash of the origin, and then by its
   * bytes. Neighbours then mostly belong to different operators, so a program that requests the origins in this order spreads its load.
   */
  readonly order: "name" | "hash";
  /** Maximum number of origins in memory, 100,000 by default; further ones go into a temporary file. */
  readonly mostOrigins?: number;
  /** The folder of the temporary file; by default the system's folder for temporary files. */
  readonly folder?: string;
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

  constructor({ order, mostOrigins = 100_000, folder = tmpdir() }: OriginCounterOptions) {
    this.#keyStart = order === "hash" ? hashBytes : 0;
    this.#mostOrigins = mostOrigins;
    this.#runs = new SortedRuns(folder);
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
