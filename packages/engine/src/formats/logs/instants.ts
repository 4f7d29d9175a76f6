// Converts the times of a log, as bytes, to instants as bytes of JSON strings. Consecutive times of the same hour or minute are computed
// once.
import { type LogClock, instantOf, timeTextOf } from "@robots-stream/logs";
import { putBytes, putWords, viewOf, wordsOf } from "../../records/words.ts";

const zero = 0x30;
const colon = 0x3a;
const slash = 0x2f;
const dash = 0x2d;
const quote = 0x22;
const point = 0x2e;
/**
 * Offsets of the minutes in `10/Dec/2025:10:00:00 +0100` and in `2025-12-10T10:00:00Z`. The seconds begin three bytes after the minutes.
 */
const accessMinuteAt = 15;
const isoMinuteAt = 14;
const secondsBehind = 3;
/** Offset of the seconds in an instant like `2025-12-10T10:00:00Z`, and the length of such an instant without a fraction. */
const utcSecondAt = 17;
const instantLength = 20;
/** The length of a time without a zone, like `2025-12-10T10:00:00`. */
const localLength = 19;
/** The length of the longest zone: ` +0530`, or `+05:30`. */
const longestZone = 6;
/** The length of `2025-12-10`. */
const dateLength = 10;

/**
 * Converts times. The methods write an instant to `out` at the offset `to` and return the offset after the written bytes; for a time whose
 * instant is not known, they write the time without a zone. For a time in a form that is not described below, they return -1; the log's
 * parser then converts the time with `timeTextOf`.
 */
export class Instants {
  readonly #clock: LogClock | undefined;
  readonly #hours: Hours;
  /** The last date that `putDateAndTime` converted; the beginning of its instants, up to "T"; and whether the date exists. */
  readonly #date: DataView = viewOf(Buffer.alloc(dateLength));
  #dateInstant = wordsOf("");
  #hasDate = false;
  /** The last minute that `#putEpoch` computed: its first second, in seconds since 1970, and its instant up to the seconds. */
  #epochMinute = -1;
  #epochInstant = wordsOf("");

  /** `clock`: the clock that wrote times without a zone. */
  constructor(clock?: LogClock) {
    this.#clock = clock;
    this.#hours = new Hours(clock);
  }

  /**
   * Writes the instant of a time, and the closing quote of the JSON string. The time is in Common Log Format, in ISO 8601, or in seconds
   * since 1970.
   */
  putTime(bytes: Buffer, view: DataView, start: number, end: number, out: DataView, to: number): number {
    const minuteAt = minuteAtOf(bytes, start);
    if (minuteAt > 0) return this.#hours.put(bytes, view, start, end, minuteAt, out, to);
    return this.#putEpoch(bytes, view, start, end, out, to);
  }

  /** Writes the instant of a time that consists of ten digits (seconds since 1970) and an optional fraction, and the closing quote. */
  #putEpoch(bytes: Buffer, view: DataView, start: number, end: number, out: DataView, to: number): number {
    const secondsEnd = start + 10;
    if (end < secondsEnd) return -1;
    let seconds = 0;
    for (let at = start; at < secondsEnd; at++) {
      const digit = bytes[at]! - zero;
      if (digit < 0 || digit > 9) return -1;
      seconds = seconds * 10 + digit;
    }
    if (endOfFraction(bytes, secondsEnd, end) !== end) return -1;
    const second = seconds % 60;
    if (seconds - second !== this.#epochMinute) {
      this.#epochMinute = seconds - second;
      this.#epochInstant = wordsOf(new Date(this.#epochMinute * 1_000).toISOString().slice(0, utcSecondAt));
    }
    const secondsTo = putWords(this.#epochInstant, out, to);
    const tens = (second / 10) | 0;
    out.setInt16(secondsTo, (zero + tens) | ((zero + second - tens * 10) << 8), true);
    // Leaves out trailing zeros, as `instantOf` does.
    let fractionEnd = end;
    while (fractionEnd > secondsEnd && bytes[fractionEnd - 1] === zero) fractionEnd--;
    if (fractionEnd === secondsEnd + 1) fractionEnd = secondsEnd;
    return putEnd(out, putBytes(view, secondsEnd, fractionEnd, out, secondsTo + 2), true);
  }

  /** Writes the instant of a date and a time of day, and the closing quote. `isLocal`: they have no zone; otherwise they are in UTC. */
  putDateAndTime(
    bytes: Buffer,
    view: DataView,
    dateStart: number,
    dateEnd: number,
    start: number,
    end: number,
    out: DataView,
    to: number,
    isLocal: boolean,
  ): number {
    if (dateEnd - dateStart !== dateLength || end - start !== 8 || (isLocal && this.#clock !== undefined)) return -1;
    if (!areEqual(view, dateStart, this.#date, 0, dateLength)) {
      for (let at = 0; at < dateLength; at++) this.#date.setInt8(at, bytes[dateStart + at]!);
      const instant = instantOf(`${bytes.toString("latin1", dateStart, dateEnd)}T00:00:00Z`);
      this.#hasDate = instant?.length === instantLength;
      this.#dateInstant = wordsOf(instant?.slice(0, dateLength + 1) ?? "");
    }
    if (!this.#hasDate || !isTimeOfDay(bytes, start)) return -1;
    const timeAt = putBytes(view, start, end, out, putWords(this.#dateInstant, out, to));
    return putEnd(out, timeAt, !isLocal);
  }
}

/** Writes the zone of an instant, and the closing quote of the JSON string; returns the offset after them. */
function putEnd(out: DataView, to: number, hasZone: boolean): number {
  if (hasZone) {
    out.setInt16(to, utcEnd >> 16, true);
    return to + 2;
  }
  out.setInt8(to, quote);
  return to + 1;
}

/** The offset of the minutes in a time in Common Log Format or in ISO 8601; 0 for a time of another form. */
function minuteAtOf(bytes: Buffer, start: number): number {
  if (bytes[start + 2] === slash) return accessMinuteAt;
  return bytes[start + 4] === dash ? isoMinuteAt : 0;
}

/** Converts times whose bytes before the minutes are a date and an hour. Caches the instant of the last date, hour and zone. */
class Hours {
  readonly #clock: LogClock | undefined;
  /** The cached time: its bytes before the minutes, its minutes, and its zone. */
  readonly #hour = viewOf(Buffer.alloc(accessMinuteAt));
  #hourLength = 0;
  #minutes = 0;
  readonly #zone = viewOf(Buffer.alloc(longestZone));
  #zoneLength = 0;
  /** The instant of the cached time, up to the seconds; and whether the time has an instant. */
  #instant = wordsOf("");
  #hasInstant = false;
  /** Whether the instant is known; otherwise it is the time without a zone. */
  #hasZone = true;

  constructor(clock: LogClock | undefined) {
    this.#clock = clock;
  }

  /**
   * Writes the instant of the time `bytes[start, end)`, and the closing quote; returns -1 for a time that it cannot convert. The minutes of
   * the time are at `start + minuteAt`; a fraction may follow the seconds.
   */
  put(bytes: Buffer, view: DataView, start: number, end: number, minuteAt: number, out: DataView, to: number): number {
    const zoneFrom = this.#zoneOf(bytes, view, start, end, minuteAt);
    if (zoneFrom < 0) return -1;
    const minutesAt = start + minuteAt;
    const secondsTo = putWords(this.#instant, out, to);
    if (this.#hasWholeHours(view, zoneFrom, end)) {
      out.setInt16(secondsTo - secondsBehind, view.getInt16(minutesAt, true), true);
    }
    return putEnd(out, putBytes(view, minutesAt + secondsBehind, zoneFrom, out, secondsTo), this.#hasZone);
  }

  /** Sets `#instant` for a time and returns the offset of the time's zone; -1 for a time that cannot be converted here. */
  #zoneOf(bytes: Buffer, view: DataView, start: number, end: number, minuteAt: number): number {
    const minutesAt = start + minuteAt;
    const secondsAt = minutesAt + secondsBehind;
    if (end < secondsAt + 2) return -1;
    const zoneFrom = endOfFraction(bytes, secondsAt + 2, end);
    const zoneLength = end - zoneFrom;
    if (zoneFrom < 0 || zoneLength > longestZone) return -1;
    const isWholeHours = this.#hasWholeHours(view, zoneFrom, end);
    const isAsked =
      this.#hourLength === minuteAt &&
      this.#zoneLength === zoneLength &&
      areEqual(view, start, this.#hour, 0, minuteAt) &&
      areEqual(view, zoneFrom, this.#zone, 0, zoneLength) &&
      (isWholeHours || view.getInt16(minutesAt, true) === this.#minutes);
    if (!isAsked) this.#remember(bytes, start, minutesAt, zoneFrom, end, isWholeHours);
    const isTime = bytes[secondsAt - 1] === colon && isBelowSixty(bytes, minutesAt) && isBelowSixty(bytes, secondsAt);
    return this.#hasInstant && isTime ? zoneFrom : -1;
  }

  #remember(
    bytes: Buffer,
    start: number,
    minutesAt: number,
    zoneFrom: number,
    end: number,
    isWholeHours: boolean,
  ): void {
    this.#hourLength = minutesAt - start;
    this.#zoneLength = end - zoneFrom;
    for (let at = start; at < minutesAt; at++) this.#hour.setInt8(at - start, bytes[at]!);
    for (let at = zoneFrom; at < end; at++) this.#zone.setInt8(at - zoneFrom, bytes[at]!);
    this.#minutes = bytes.readInt16LE(minutesAt);
    const minutes = isWholeHours ? "00" : bytes.toString("latin1", minutesAt, minutesAt + 2);
    const text = timeTextOf(
      `${bytes.toString("latin1", start, minutesAt)}${minutes}:00${bytes.toString("latin1", zoneFrom, end)}`,
      this.#clock,
    );
    this.#hasZone = text?.length === instantLength;
    this.#hasInstant = this.#hasZone || text?.length === localLength;
    this.#instant = wordsOf(text?.slice(0, utcSecondAt) ?? "");
  }

  /** Whether the minutes of a time are the minutes of its instant. The log's clock may differ from UTC by any time. */
  #hasWholeHours(view: DataView, zoneFrom: number, end: number): boolean {
    return hasWholeHours(view, zoneFrom, end) && (zoneFrom < end || this.#clock === undefined);
  }
}

/** Whether a zone differs from UTC by whole hours, so that the minutes of a time are the minutes in UTC. */
function hasWholeHours(view: DataView, start: number, end: number): boolean {
  return end - start < 2 || view.getInt16(end - 2, true) === twoZeros;
}

/** Whether two ranges of `length` bytes are equal. */
function areEqual(one: DataView, start: number, other: DataView, otherStart: number, length: number): boolean {
  let at = 0;
  for (; at < length - 3; at += 4) {
    if (one.getInt32(start + at, true) !== other.getInt32(otherStart + at, true)) return false;
  }
  for (; at < length; at++) if (one.getInt8(start + at) !== other.getInt8(otherStart + at)) return false;
  return true;
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

/** "00" as half of a word. */
const twoZeros = 0x3030;

/** `Z"`, as the upper half of a word. */
const utcEnd = (0x5a << 16) | (0x22 << 24);

/** Whether eight bytes are a time of day, like 10:00:59. */
function isTimeOfDay(bytes: Uint8Array, start: number): boolean {
  const hour = twoDigitsOf(bytes, start);
  const minute = twoDigitsOf(bytes, start + 3);
  const second = twoDigitsOf(bytes, start + 6);
  const isInRange = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60;
  return isInRange && bytes[start + 2] === colon && bytes[start + 5] === colon;
}

/** Whether two bytes are digits of a number below 60. */
function isBelowSixty(bytes: Uint8Array, at: number): boolean {
  const number = twoDigitsOf(bytes, at);
  return number >= 0 && number < 60;
}

/** The number that two digits represent; -1 when one of the bytes is not a digit. */
function twoDigitsOf(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]! - zero;
  const ones = bytes[at + 1]! - zero;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}
