// The bytes of a log's times in, the instants out, as bytes of JSON strings: only the first line of each hour or minute is computed.
import { instantOf } from "@robots-stream/logs";
import { putBytes, putWords, viewOf, wordsOf } from "../../records/words.ts";

const zero = 0x30;
const colon = 0x3a;
const slash = 0x2f;
const dash = 0x2d;
const point = 0x2e;
/** Where the minutes are in `10/Dec/2025:10:00:00 +0100` and in `2025-12-10T10:00:00Z`; the seconds are three bytes behind. */
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

/** Writes instants. Members that write return the offset after what they wrote, or -1 for a time that `instantOf` has to read. */
export class Instants {
  readonly #hours = new Hours();
  /** The last date that was computed, and the beginning of its instants, if it exists. */
  readonly #date: DataView = viewOf(Buffer.alloc(dateLength));
  #dateInstant = wordsOf("");
  #hasDate = false;
  /** The last minute of a time in seconds since 1970, in seconds, and what it is. */
  #epochMinute = -1;
  #epochInstant = wordsOf("");

  /**
   * Writes a time, and the closing quote: in Common Log Format, ISO 8601, or seconds since 1970. Without a zone it is one of UTC if
   * `isLocal`, else none.
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
    // As `instantOf` does: digits that say nothing are left out.
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

/** Writes times that are the same before their minutes within an hour, and have the same zone. */
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

  /** The minutes are at `start + minuteAt`; a fraction may follow the seconds. `zone` stands for the zone that the time does not have. */
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
    const minutesAt = start + minuteAt;
    const secondsAt = minutesAt + secondsBehind;
    if (end < secondsAt + 2) return -1;
    const zoneFrom = endOfFraction(bytes, secondsAt + 2, end);
    const zoneLength = end - zoneFrom;
    if (zoneFrom < 0 || zoneLength > longestZone || (zone !== undefined && zoneLength > 0)) return -1;
    // Zones of whole hours have the minutes of UTC.
    const isWholeHours = zoneLength < 2 || view.getInt16(end - 2, true) === twoZeros;
    const isAsked =
      this.#hourLength === minuteAt &&
      this.#zoneLength === zoneLength &&
      areEqual(view, start, this.#hour, 0, minuteAt) &&
      areEqual(view, zoneFrom, this.#zone, 0, zoneLength) &&
      (isWholeHours || view.getInt16(minutesAt, true) === this.#minutes);
    if (!isAsked) this.#remember(bytes, start, minutesAt, zoneFrom, end, isWholeHours, zone);
    const isTime = bytes[secondsAt - 1] === colon && isBelowSixty(bytes, minutesAt) && isBelowSixty(bytes, secondsAt);
    if (!this.#hasInstant || !isTime) return -1;
    const secondsTo = putWords(this.#instant, out, to);
    if (isWholeHours) out.setInt16(secondsTo - secondsBehind, view.getInt16(minutesAt, true), true);
    const after = putBytes(view, secondsAt, zoneFrom, out, secondsTo);
    out.setInt16(after, utcEnd >> 16, true);
    return after + 2;
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
  }
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
