// Converts the bytes of a log's times to instants, as bytes of JSON strings or in seconds. Computes only the first time of each hour or
// minute.
import { instantOf } from "@robots-stream/logs";
import { putBytes, putWords, viewOf, wordsOf } from "../../records/words.ts";
import { WrittenInstant } from "./written-instant.ts";

const zero = 0x30;
const colon = 0x3a;
const slash = 0x2f;
const dash = 0x2d;
const point = 0x2e;
/** Where the minutes are in `10/Dec/2025:10:00:00 +0100` and in `2025-12-10T10:00:00Z`; the seconds are three bytes later. */
const accessMinuteAt = 15;
const isoMinuteAt = 14;
const secondsBehind = 3;
/** Where the seconds are in an instant, and its length without a fraction. */
const utcSecondAt = 17;
const instantLength = 20;
/** The length of the longest zone: ` +0530`, or `+05:30`. */
const longestZone = 6;
/** `2025-12-10`. */
const dateLength = 10;

/**
 * Reads times. Methods that write return the offset after the written bytes; methods that compute return whole seconds since 1970. For a
 * time that `instantOf` has to read, they return -1 and NaN.
 */
export class Instants {
  readonly #hours = new Hours();
  /** The last date that was computed, and the beginning of its instants, if it exists. */
  readonly #date: DataView = viewOf(Buffer.alloc(dateLength));
  #dateInstant = wordsOf("");
  #hasDate = false;
  /** The last minute that `#putEpoch` computed: its first second since 1970, and its instant. */
  #epochMinute = -1;
  #epochInstant = wordsOf("");

  readonly #written = new WrittenInstant();

  /** The seconds of a time that `putTime` writes. */
  secondsOf(bytes: Buffer, view: DataView, start: number, end: number, isLocal: boolean): number {
    const zone = isLocal ? " +0000" : undefined;
    if (bytes[start + 2] === slash) return this.#hours.secondsOf(bytes, view, start, end, accessMinuteAt, zone);
    if (isLocal) return Number.NaN;
    if (bytes[start + 4] === dash) return this.#hours.secondsOf(bytes, view, start, end, isoMinuteAt, zone);
    // A fraction is not longer than the time.
    const out = this.#written.roomFor(end - start);
    return this.#written.secondsUpTo(this.#putEpoch(bytes, view, start, end, out, 0));
  }

  /** The seconds of a date and a time of day that `putDateAndTime` writes. */
  secondsOfDateAndTime(
    bytes: Buffer,
    view: DataView,
    dateStart: number,
    dateEnd: number,
    start: number,
    end: number,
  ): number {
    const out = this.#written.roomFor(end - start);
    return this.#written.secondsUpTo(this.putDateAndTime(bytes, view, dateStart, dateEnd, start, end, out, 0));
  }

  /**
   * Writes a time, and the closing quote: in Common Log Format, ISO 8601, or seconds since 1970. A time without a zone is in UTC if
   * `isLocal`, otherwise it is not an instant.
   */
  putTime(
    bytes: Buffer,
    view: DataView,
    start: number,
    end: number,
    out: DataView,
    to: number,
    isLocal: boolean,
  ): number {
    const zone = isLocal ? " +0000" : undefined;
    if (bytes[start + 2] === slash) return this.#hours.put(bytes, view, start, end, accessMinuteAt, zone, out, to);
    if (isLocal) return -1;
    if (bytes[start + 4] === dash) return this.#hours.put(bytes, view, start, end, isoMinuteAt, zone, out, to);
    return this.#putEpoch(bytes, view, start, end, out, to);
  }

  /** Writes a time that is ten digits, the seconds since 1970, and perhaps a fraction. */
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
    const after = putBytes(view, secondsEnd, fractionEnd, out, secondsTo + 2);
    out.setInt16(after, utcEnd >> 16, true);
    return after + 2;
  }

  /** Writes a date and a time of day in UTC, and the closing quote. */
  putDateAndTime(
    bytes: Buffer,
    view: DataView,
    dateStart: number,
    dateEnd: number,
    start: number,
    end: number,
    out: DataView,
    to: number,
  ): number {
    if (dateEnd - dateStart !== dateLength || end - start !== 8) return -1;
    if (!areEqual(view, dateStart, this.#date, 0, dateLength)) {
      for (let at = 0; at < dateLength; at++) this.#date.setInt8(at, bytes[dateStart + at]!);
      const instant = instantOf(`${bytes.toString("latin1", dateStart, dateEnd)}T00:00:00Z`);
      this.#hasDate = instant?.length === instantLength;
      this.#dateInstant = wordsOf(instant?.slice(0, dateLength + 1) ?? "");
    }
    if (!this.#hasDate || !isTimeOfDay(bytes, start)) return -1;
    const timeAt = putBytes(view, start, end, out, putWords(this.#dateInstant, out, to));
    out.setInt16(timeAt, utcEnd >> 16, true);
    return timeAt + 2;
  }
}

/** Writes times in forms whose bytes before the minutes stay the same within an hour. Caches the last hour and zone. */
class Hours {
  /** The bytes before the minutes of the last computed time, its minutes, and its zone. */
  readonly #hour = viewOf(Buffer.alloc(accessMinuteAt));
  #hourLength = 0;
  #minutes = 0;
  readonly #zone = viewOf(Buffer.alloc(longestZone));
  #zoneLength = 0;
  /** Its minute in UTC up to the seconds, if it is an instant. */
  #instant = wordsOf("");
  #hasInstant = false;
  /** The same in seconds since 1970. */
  #instantSeconds = Number.NaN;

  /** The minutes are at `start + minuteAt`; a fraction may follow the seconds. `zone` is the zone of a time that has none itself. */
  put(
    bytes: Buffer,
    view: DataView,
    start: number,
    end: number,
    minuteAt: number,
    zone: string | undefined,
    out: DataView,
    to: number,
  ): number {
    const zoneFrom = this.#zoneOf(bytes, view, start, end, minuteAt, zone);
    if (zoneFrom < 0) return -1;
    const minutesAt = start + minuteAt;
    const secondsTo = putWords(this.#instant, out, to);
    if (hasWholeHours(view, zoneFrom, end)) {
      out.setInt16(secondsTo - secondsBehind, view.getInt16(minutesAt, true), true);
    }
    const after = putBytes(view, minutesAt + secondsBehind, zoneFrom, out, secondsTo);
    out.setInt16(after, utcEnd >> 16, true);
    return after + 2;
  }

  /** The seconds since 1970 of a time that `put` writes, without its fraction; NaN for another one. */
  secondsOf(
    bytes: Buffer,
    view: DataView,
    start: number,
    end: number,
    minuteAt: number,
    zone: string | undefined,
  ): number {
    const zoneFrom = this.#zoneOf(bytes, view, start, end, minuteAt, zone);
    if (zoneFrom < 0) return Number.NaN;
    const minutesAt = start + minuteAt;
    const minutes = hasWholeHours(view, zoneFrom, end) ? twoDigitsOf(bytes, minutesAt) : 0;
    return this.#instantSeconds + minutes * 60 + twoDigitsOf(bytes, minutesAt + secondsBehind);
  }

  /** Sets `#instant` for a time and returns the offset of its zone; -1 for an invalid time. */
  #zoneOf(
    bytes: Buffer,
    view: DataView,
    start: number,
    end: number,
    minuteAt: number,
    zone: string | undefined,
  ): number {
    const minutesAt = start + minuteAt;
    const secondsAt = minutesAt + secondsBehind;
    if (end < secondsAt + 2) return -1;
    const zoneFrom = endOfFraction(bytes, secondsAt + 2, end);
    const zoneLength = end - zoneFrom;
    if (zoneFrom < 0 || zoneLength > longestZone || (zone !== undefined && zoneLength > 0)) return -1;
    const isWholeHours = hasWholeHours(view, zoneFrom, end);
    const isAsked =
      this.#hourLength === minuteAt &&
      this.#zoneLength === zoneLength &&
      areEqual(view, start, this.#hour, 0, minuteAt) &&
      areEqual(view, zoneFrom, this.#zone, 0, zoneLength) &&
      (isWholeHours || view.getInt16(minutesAt, true) === this.#minutes);
    if (!isAsked) this.#remember(bytes, start, minutesAt, zoneFrom, end, isWholeHours, zone);
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
    zone: string | undefined,
  ): void {
    this.#hourLength = minutesAt - start;
    this.#zoneLength = end - zoneFrom;
    for (let at = start; at < minutesAt; at++) this.#hour.setInt8(at - start, bytes[at]!);
    for (let at = zoneFrom; at < end; at++) this.#zone.setInt8(at - zoneFrom, bytes[at]!);
    this.#minutes = bytes.readInt16LE(minutesAt);
    const minutes = isWholeHours ? "00" : bytes.toString("latin1", minutesAt, minutesAt + 2);
    const instant = instantOf(
      `${bytes.toString("latin1", start, minutesAt)}${minutes}:00${zone ?? bytes.toString("latin1", zoneFrom, end)}`,
    );
    this.#hasInstant = instant?.length === instantLength;
    this.#instant = wordsOf(instant?.slice(0, utcSecondAt) ?? "");
    this.#instantSeconds = this.#hasInstant ? Date.parse(instant!) / 1_000 : Number.NaN;
  }
}

/** Whether a zone is one of whole hours, which have the minutes of UTC. */
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

/** The end of a fraction of one to nine digits that may begin at `start`; -1 for a point without digits, or with more. */
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

/** The number of two digits; -1 when they are none. */
function twoDigitsOf(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]! - zero;
  const ones = bytes[at + 1]! - zero;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}
