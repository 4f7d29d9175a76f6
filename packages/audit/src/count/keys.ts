// The parts of a cell's key. Each part has room for a fixed number of values, so that a key is one integer below 2^53.
import { secondsPerDay, secondsPerHour } from "../time.ts";

/** Room for the verifications of a crawler. */
export const verificationRoom = 4;
/** Crawlers with their verifications: `crawler * verificationRoom + verification`. */
export const actorRoom: number = 2 ** 14;
export const stateRoom = 16;
export const classRoom = 8;
/** Room for the outcomes of an origin, and for other parts of keys. */
export const outcomeRoom: number = 2 ** 22;
export const intervalRoom: number = 2 ** 14;
export const servedRoom = 4;
export const methodRoom = 8;
export const statusRoom = 1_024;
/** Room for the flags of a request in grace: proven (2) and disputed (1). */
export const graceRoom = 4;

/** Levels of folding of a time: 0 keeps the hour, 1 the day, 2 nothing. */
const dayLevel = 1;
export const noTimeLevel = 2;

/** The bucket of an instant at a level: hours since 1970, from 1; 0 without a time. `atSeconds` is -1 without a time. */
export function bucketOf(atSeconds: number, level: number): number {
  if (atSeconds < 0 || level >= noTimeLevel) return 0;
  if (level === dayLevel) return Math.floor(atSeconds / secondsPerDay) * 24 + 1;
  return Math.floor(atSeconds / secondsPerHour) + 1;
}

/** The bucket at a higher level: its day at level 1, 0 at level 2. */
export function coarserBucketOf(bucket: number, level: number): number {
  if (bucket === 0 || level >= noTimeLevel) return 0;
  return level === dayLevel ? Math.floor((bucket - 1) / 24) * 24 + 1 : bucket;
}

/** The beginning of a bucket in seconds since 1970; null without a time. */
export function secondsOfBucket(bucket: number): number | null {
  return bucket === 0 ? null : (bucket - 1) * secondsPerHour;
}

/** Splits a key. `rooms` starts with the room of the last part: `partsOf(key, [8, 16])` is the rest, the part of 16 values, the part of 8. */
export function partsOf(key: number, rooms: readonly number[]): readonly number[] {
  let rest = key;
  const parts = new Array<number>(rooms.length + 1).fill(0);
  for (let at = 0; at < rooms.length; at++) {
    const room = rooms[at]!;
    const next = Math.floor(rest / room);
    parts[rooms.length - at] = rest - next * room;
    rest = next;
  }
  parts[0] = rest;
  return parts;
}
