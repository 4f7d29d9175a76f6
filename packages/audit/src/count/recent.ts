// Adds up requests that differ only in target, size, and time within a quarter of an hour, so that most requests need no look-up in the tables by time,
// method and decision.
import { secondsPerQuarter } from "../time.ts";
import { bucketOf, classRoom, methodRoom, secondsOfBucket } from "./keys.ts";
import type { OriginCounts } from "./origin-counts.ts";
import { firstOutcome } from "./outcomes.ts";

/** The number of sums, a power of two. */
const room = 2_048;

/** The facts that the requests of a sum share: origin; outcome; actor, method and class of status as one number; the quarter of an hour. */
const factSize = 4;
const originAt = 0;
const outcomeAt = 1;
const restAt = 2;
const bucketAt = 3;

/** Marks an empty sum, instead of the number of an origin. */
const none = -1;

const sumSize = 4;
const requestsAt = 0;
const bytesAt = 1;
const firstAt = 2;
const lastAt = 3;

/**
 * Sums of requests, as a hash table whose places hold one sum each. If a request has other facts than the sum in its place, that sum is
 * first moved to the tables of its origin. The tables are therefore complete only after `flush`.
 */
export class RecentRequests {
  readonly #origins: readonly OriginCounts[];
  readonly #facts = new Int32Array(room * factSize).fill(none);
  readonly #sums = new Float64Array(room * sumSize);
  /** The quarter of an hour (bucket) of the last request that has a time, and its first second. */
  #bucket = 0;
  #bucketSeconds = -Infinity;

  /** @param origins the counts of each origin, by its number; call `flush` before you replace an element */
  constructor(origins: readonly OriginCounts[]) {
    this.#origins = origins;
  }

  /**
   * Adds a request. `outcome` is the number of an outcome of the origin, or of a state for a request without an outcome; `atSeconds` is -1
   * without a time.
   */
  add(
    origin: number,
    outcome: number,
    actor: number,
    method: number,
    statusClass: number,
    atSeconds: number,
    bytes: number,
  ): void {
    const bucket = atSeconds < 0 ? 0 : this.#bucketOf(atSeconds);
    const rest = (actor * methodRoom + method) * classRoom + statusClass;
    let hash = Math.imul(origin, 0x9e3779b1) ^ Math.imul(outcome, 0x85ebca6b) ^ Math.imul(rest, 0xc2b2ae35);
    hash ^= hash >>> 15;
    const place = hash & (room - 1);
    const facts = this.#facts;
    const sums = this.#sums;
    const fact = place * factSize;
    const sum = place * sumSize;
    if (
      facts[fact + restAt] !== rest ||
      facts[fact + outcomeAt] !== outcome ||
      facts[fact + originAt] !== origin ||
      facts[fact + bucketAt] !== bucket
    ) {
      this.#move(place);
      facts[fact + originAt] = origin;
      facts[fact + outcomeAt] = outcome;
      facts[fact + restAt] = rest;
      facts[fact + bucketAt] = bucket;
      sums[sum + firstAt] = atSeconds;
      sums[sum + lastAt] = atSeconds;
    }
    sums[sum + requestsAt]!++;
    sums[sum + bytesAt]! += bytes;
    if (atSeconds < sums[sum + firstAt]!) sums[sum + firstAt] = atSeconds;
    else if (atSeconds > sums[sum + lastAt]!) sums[sum + lastAt] = atSeconds;
  }

  /** Moves all sums to the tables. */
  flush(): void {
    for (let place = 0; place < room; place++) this.#move(place);
  }

  #bucketOf(atSeconds: number): number {
    const behind = atSeconds - this.#bucketSeconds;
    if (behind >= 0 && behind < secondsPerQuarter) return this.#bucket;
    this.#bucket = bucketOf(atSeconds, 0);
    this.#bucketSeconds = secondsOfBucket(this.#bucket)!;
    return this.#bucket;
  }

  /** Moves a sum to the tables of its origin, and empties its place. */
  #move(place: number): void {
    const facts = this.#facts;
    const sums = this.#sums;
    const fact = place * factSize;
    const sum = place * sumSize;
    const requests = sums[sum + requestsAt]!;
    if (requests === 0) return;
    const outcome = facts[fact + outcomeAt]!;
    const rest = facts[fact + restAt]!;
    const statusClass = rest % classRoom;
    const method = Math.floor(rest / classRoom) % methodRoom;
    const actor = Math.floor(rest / (classRoom * methodRoom));
    const counts = this.#origins[facts[fact + originAt]!]!;
    const hasOutcome = outcome >= firstOutcome;
    const state = hasOutcome ? counts.outcomes.of(outcome).state : outcome;
    const first = sums[sum + firstAt]!;
    counts.addTime(first, actor, state, statusClass, requests, sums[sum + bytesAt]!);
    counts.addMethod(actor, method, state, requests);
    if (hasOutcome) counts.addDecision(outcome, actor, statusClass, requests, first, sums[sum + lastAt]!);
    facts[fact + originAt] = none;
    sums[sum + requestsAt] = 0;
    sums[sum + bytesAt] = 0;
  }
}
