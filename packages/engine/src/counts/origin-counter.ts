// Adds up counts by origin, given in any order and any number of times. Returns each origin once, with its sum, in bounded memory.
import { tmpdir } from "node:os";
import { SortedRuns } from "../robots/archive/sorted-runs.ts";
import { hashOf } from "../shard.ts";

/** An origin and how many records have it. */
export interface OriginCount {
  readonly origin: string;
  readonly count: number;
}

/** The settings of a counter. */
export interface OriginCounterOptions {
  /**
   * "name": by the bytes of the origins. "hash": by a hash first. Neighbours then belong to different operators, so a program that requests
   * them in order spreads its load.
   */
  readonly order: "name" | "hash";
  /** Origins that are held in memory; further ones go to a temporary file. */
  readonly mostHeld?: number;
  /** The folder of the temporary file. */
  readonly folder?: string;
}

/** Largest sum; it has six bytes in the temporary file. */
const mostCount = 2 ** 48 - 1;

/** Longest origin that is counted: the key of the temporary file has a limit, and so have the keys of snapshots. */
export const longestCounted = 8_192;

const hashBytes = 4;

/** Counts origins. At most `mostHeld` are in memory, each twice: as a counted origin, and as a key that waits to be sorted. */
export class OriginCounter {
  readonly #runs: SortedRuns;
  readonly #mostHeld: number;
  readonly #keyStart: number;
  readonly #held = new Map<string, number>();

  constructor({ order, mostHeld = 100_000, folder = tmpdir() }: OriginCounterOptions) {
    this.#keyStart = order === "hash" ? hashBytes : 0;
    this.#mostHeld = mostHeld;
    this.#runs = new SortedRuns(folder, mostHeld);
  }

  /** Adds to the sum of an origin of at most `longestCounted` characters. Throws an `IoError` when the temporary file cannot be written. */
  add(origin: string, count: number): void {
    const before = this.#held.get(origin);
    this.#held.set(origin, Math.min((before ?? 0) + count, mostCount));
    if (before === undefined && this.#held.size === this.#mostHeld) this.#spill();
  }

  /** Every origin once, in the order of the settings. Call once. */
  *origins(): Generator<OriginCount> {
    this.#spill();
    let key: Buffer | undefined;
    let sum = 0;
    for (const { key: next, place } of this.#runs.sorted()) {
      if (key !== undefined && !key.equals(next)) {
        yield { origin: this.#originOf(key), count: sum };
        sum = 0;
      }
      key = next;
      sum = Math.min(sum + place.offset, mostCount);
    }
    if (key !== undefined) yield { origin: this.#originOf(key), count: sum };
  }

  /** Removes the temporary file. Idempotent. */
  close(): void {
    this.#held.clear();
    this.#runs.close();
  }

  #originOf(key: Buffer): string {
    return key.toString("latin1", this.#keyStart);
  }

  #spill(): void {
    const start = this.#keyStart;
    for (const [origin, count] of this.#held) {
      const key = Buffer.allocUnsafe(start + origin.length);
      if (start > 0) key.writeUInt32BE(hashOf(origin), 0);
      key.write(origin, start, "latin1");
      this.#runs.add(key, { offset: count, length: 0 });
    }
    this.#held.clear();
  }
}
