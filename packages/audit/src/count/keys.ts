// Defines the parts of the keys of cells. Each part has room for a fixed number of values, so that a key is one integer below 2^53.
import { secondsPerDay, secondsPerHour, secondsPerQuarter } from "../time.ts";

/** The last second that counts can represent, in the year 2514. */
export const lastSecond: number = 2 ** 34 - 1;
/** Room for the results of the verification of a crawler. */
export const verificationRoom = 4;
/** Room for actors. An actor is a crawler with a result of verification: `crawler * verificationRoom + verification`. */
export const actorRoom: number = 2 ** 14;
export const stateRoom = 16;
export const classRoom = 8;
/** Room for the outcomes of an origin. */
export const outcomeRoom: number = 2 ** 22;
export const intervalRoom: number = 2 ** 14;
export const methodRoom = 8;
/** Room for status codes. The part of a key is the status as documents contain it (`countedStatusOf`), plus one. */
export const statusRoom = 1_024;
/** Room for a flip: a change of the decision by a candidate file. */
export const flipRoom = 2;
/** Room for the flags of a request in grace: proven (2) and disputed (1). */
export const graceRoom = 4;

/**
 * Levels of folding of a time: 0 keeps the quarter of an hour, 1 the hour, 2 the day, 3 nothing. Days of time zones begin at quarters of
 * hours in UTC.
 */
export const hourLevel = 1;
export const dayLevel = 2;
export const noTimeLevel = 3;

/** The number of quarters of an hour that a bucket has at each level but the last. */
const quartersOf: readonly number[] = [1, secondsPerHour / secondsPerQuarter, secondsPerDay / secondsPerQuarter];

/**
 * Returns the bucket of an instant: the number of its quarter of an hour since 1970, counted from 1. At level 1 this is the first quarter of
 * its hour, at level 2 of its day. The bucket is 0 without a time (`atSeconds` is -1), and for every instant at level 3.
 */
export function bucketOf(atSeconds: number, level: number): number {
  return atSeconds < 0 ? 0 : coarserBucketOf(Math.floor(atSeconds / secondsPerQuarter) + 1, level);
}

/** Returns a bucket folded to `level`. */
export function coarserBucketOf(bucket: number, level: number): number {
  if (bucket === 0 || level >= noTimeLevel) return 0;
  const quarters = quartersOf[level]!;
  return Math.floor((bucket - 1) / quarters) * quarters + 1;
}

/** The beginning of a bucket in seconds since 1970; null without a time. */
export function secondsOfBucket(bucket: number): number | null {
  return bucket === 0 ? null : (bucket - 1) * secondsPerQuarter;
}

/**
 * Splits a key into its parts, writes them to `parts`, and returns `parts`. `rooms` has the rooms of all parts except the first, from the
 * last part to the second. With `rooms` 8 and 16, the result is the first part, then the part with room 16, then the part with room 8.
 */
export function splitKey(parts: number[], key: number, rooms: readonly number[]): readonly number[] {
  let rest = key;
  for (let at = 0; at < rooms.length; at++) {
    const room = rooms[at]!;
    const next = Math.floor(rest / room);
    parts[rooms.length - at] = rest - next * room;
    rest = next;
  }
  parts[0] = rest;
  return parts;
}
