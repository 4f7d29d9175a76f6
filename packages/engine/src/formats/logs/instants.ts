// Converts the times of a log, as bytes, to instants as bytes of JSON strings. The instant of a minute is computed once.
import { type LogClock, timeTextOf } from "@robots-stream/logs";
import { ByteMemo } from "../../records/byte-keys.ts";
import { type Words, putBytes, putWords, viewOf, wordsOf } from "../../records/words.ts";

const zero = 0x30;
const colon = 0x3a;
const slash = 0x2f;
const dash = 0x2d;
const point = 0x2e;
const letterT = 0x54;
const letterZ = 0x5a;
/** The lengths of times up to the hours, `10/Dec/2025:10` and `2025-12-10T10`, and of the minutes or seconds after them, `:00`. */
const accessHourLength = 14;
const isoHourLength = 13;
const partLength = 3;
/** The length of an instant like `2025-12-10T10:00:00Z` without its zone, and as a whole. */
const utcSecondsEnd = 19;
const instantLength = 20;
/** The length of a time without a zone, like `2025-12-10T10:00:00`. */
const localLength = 19;
/** The length of the longest zone: ` +0530`, or `+05:30`. */
const longestZone = 6;
/** The number of digits of seconds since 1970. */
const epochDigits = 10;
/** The length of `2025-12-10`, and of `10:00:00`. */
const dateLength = 10;
const timeOfDayLength = 8;

/** The instant of the times of one minute, up to the minute; and whether it is known. Otherwise it is the time without a zone. */
interface Minute {
  readonly instant: Words;
  readonly hasZone: boolean;
  /** The beginning of the minute in seconds since 1970, if the instant is known. */
  readonly seconds: number;
}

/**
 * Converts times. The methods write an instant to `out` at the offset `to` and return the offset after the written bytes; for a time whose
 * instant is not known, they write the time without a zone. For a time in a form that is not described below, they return -1; the log's
 * parser then converts the time with `timeTextOf`.
 */
export class Instants {
  /** By the bytes of a time up to the minute, and of its zone; undefined for a text that is no time. */
  readonly #minutes: ByteMemo<Minute | undefined>;
  /** Such bytes of one time. */
  readonly #key = Buffer.alloc(localLength + longestZone + 8);
  readonly #keyView = viewOf(this.#key);
  /** A date and a time of day, as one time (see `join`). */
  readonly joined: Buffer = Buffer.alloc(localLength + longestZone + 8);
  readonly joinedView: DataView = viewOf(this.joined);
  /** Where the minutes of the last time end, and where its zone begins. */
  #minuteEnd = 0;
  #zoneFrom = 0;
  /** A time in whole seconds since 1970, and its instant without "Z", by its ten bytes; undefined if they are no digits. */
  readonly #seconds = new ByteMemo((written) => {
    const seconds = /^\d{10}$/.test(written) ? Number(written) : -1;
    if (seconds < 0) return undefined;
    return { seconds, instant: wordsOf(new Date(seconds * 1_000).toISOString().slice(0, utcSecondsEnd)) };
  });

  /** `clock`: the clock that wrote times without a zone. */
  constructor(clock?: LogClock) {
    this.#minutes = new ByteMemo((written) => minuteOf(written, clock));
  }

  /** The seconds since 1970 of a time like those of `putTime`, without a fraction, whose instant is known; -1 for any other time. */
  secondsOf(bytes: Buffer, view: DataView, start: number, end: number): number {
    const minute = this.#find(bytes, view, start, end);
    if (minute === undefined) {
      return end - start === epochDigits ? (this.#seconds.resultOf(bytes, start, end)?.seconds ?? -1) : -1;
    }
    const minuteEnd = this.#minuteEnd;
    return minute.hasZone && this.#zoneFrom === minuteEnd + partLength ? minute.seconds + partAt(bytes, minuteEnd) : -1;
  }

  /** Writes the instant of a time in Common Log Format, in ISO 8601, or in seconds since 1970. */
  putTime(bytes: Buffer, view: DataView, start: number, end: number, out: DataView, to: number): number {
    const minute = this.#find(bytes, view, start, end);
    if (minute === undefined) return this.#putEpoch(bytes, view, start, end, out, to);
    const after = putBytes(view, this.#minuteEnd, this.#zoneFrom, out, putWords(minute.instant, out, to));
    if (minute.hasZone) out.setInt8(after, letterZ);
    return minute.hasZone ? after + 1 : after;
  }

  /** Finds the minute of a time in Common Log Format or in ISO 8601, and sets `#minuteEnd` and `#zoneFrom`; undefined for other times. */
  #find(bytes: Buffer, view: DataView, start: number, end: number): Minute | undefined {
    const length = bytes[start + 2] === slash ? accessHourLength : bytes[start + 4] === dash ? isoHourLength : 0;
    const hourEnd = start + length;
    const secondsEnd = hourEnd + 2 * partLength;
    if (length === 0 || end < secondsEnd) return undefined;
    const zoneFrom = endOfFraction(bytes, secondsEnd, end);
    if (zoneFrom < 0 || end - zoneFrom > longestZone) return undefined;
    if (partAt(bytes, hourEnd) < 0 || partAt(bytes, hourEnd + partLength) < 0) return undefined;
    const minuteEnd = hourEnd + partLength;
    this.#minuteEnd = minuteEnd;
    this.#zoneFrom = zoneFrom;
    const key = this.#keyView;
    const keyLength = putBytes(view, zoneFrom, end, key, putBytes(view, start, minuteEnd, key, 0));
    return this.#minutes.resultOf(this.#key, 0, keyLength);
  }

  /** Writes the instant of a time that consists of ten digits (seconds since 1970) and an optional fraction. */
  #putEpoch(bytes: Buffer, view: DataView, start: number, end: number, out: DataView, to: number): number {
    const secondsEnd = start + epochDigits;
    if (end < secondsEnd) return -1;
    const instant = this.#seconds.resultOf(bytes, start, secondsEnd)?.instant;
    if (instant === undefined || endOfFraction(bytes, secondsEnd, end) !== end) return -1;
    // Leaves out trailing zeros, as `instantOf` does.
    let fractionEnd = end;
    while (fractionEnd > secondsEnd && bytes[fractionEnd - 1] === zero) fractionEnd--;
    if (fractionEnd === secondsEnd + 1) fractionEnd = secondsEnd;
    const after = putBytes(view, secondsEnd, fractionEnd, out, putWords(instant, out, to));
    out.setInt8(after, letterZ);
    return after + 1;
  }

  /**
   * Joins a date and a time of day to one time at the beginning of `joined`, and returns its length; 0 when they have another form.
   * `isLocal`: they have no zone; otherwise they are in UTC.
   */
  join(view: DataView, dateStart: number, dateEnd: number, start: number, end: number, isLocal: boolean): number {
    if (dateEnd - dateStart !== dateLength || end - start !== timeOfDayLength) return 0;
    const joined = this.joinedView;
    putBytes(view, dateStart, dateEnd, joined, 0);
    joined.setInt8(dateLength, letterT);
    putBytes(view, start, end, joined, dateLength + 1);
    joined.setInt8(localLength, letterZ);
    return isLocal ? localLength : instantLength;
  }
}

function minuteOf(written: string, clock: LogClock | undefined): Minute | undefined {
  const minuteEnd = (written[2] === "/" ? accessHourLength : isoHourLength) + partLength;
  const text = timeTextOf(`${written.slice(0, minuteEnd)}:59${written.slice(minuteEnd)}`, clock);
  const hasZone = text?.length === instantLength;
  if (!hasZone && text?.length !== localLength) return undefined;
  const instant = text.slice(0, utcSecondsEnd - partLength);
  return { instant: wordsOf(instant), hasZone, seconds: Date.parse(`${instant}:00Z`) / 1_000 };
}

/**
 * The end of the fraction at `start`, a point and one to nine digits. Returns `start` when no point is there, and -1 when the point has no
 * digits or more than nine.
 */
function endOfFraction(bytes: Uint8Array, start: number, end: number): number {
  if (start >= end || bytes[start] !== point) return start;
  let at = start + 1;
  while (at < end && bytes[at]! >= zero && bytes[at]! <= zero + 9) at++;
  return at - start < 2 || at - start > 10 ? -1 : at;
}

/** The number below 60 that a colon and two digits represent; -1 for other bytes. */
function partAt(bytes: Uint8Array, at: number): number {
  const tens = bytes[at + 1]! - zero;
  const ones = bytes[at + 2]! - zero;
  return bytes[at] === colon && tens >= 0 && tens < 6 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}
