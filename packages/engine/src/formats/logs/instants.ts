// The bytes of a log's times in, the instants out, as bytes of JSON strings or in seconds: only the first line of each hour or minute is
// computed.
import { instantOf } from "@robots-stream/logs";
import { putBytes, putWords, viewOf, wordsOf } from "../../records/words.ts";
import { WrittenInstant } from "./written-instant.ts";

const zero = 0x30;
const colon = 0x3a;
const slash = 0x2f;
const dash = 0x2d;
const point = 0x2e;
/** Where the seconds are in `2025-12-10T10:00:00Z`, in UTC and as written, and in `10/Dec/2025:10:00:00.123`. */
const utcSecondAt = 17;
const isoSecondAt = 17;
const localSecondAt = 18;
/** The length of the longest zone, `+05:30`. */
const longestZone = 6;
/** `10/Dec/2025:10:00:00 +0100`: its length, and where its minutes begin, where they end, and where its zone begins. */
const accessLength = 26;
const minuteAt = 15;
const minuteLength = 17;
const accessSecondAt = 18;
const zoneAt = 20;
/** `2025-12-10`. */
const dateLength = 10;
/** `2025-12-10T10:00:00Z`. */
const instantLength = 20;

/**
 * Reads times. Members that write return the offset after what they wrote, or -1 for a time that `instantOf` has to read; those that give
 * whole seconds since 1970, NaN for such a time.
 */
export class Instants {
  /** The last time that was computed, or the last date. */
  readonly #asked: Uint8Array = new Uint8Array(accessLength);
  readonly #askedView: DataView = viewOf(this.#asked);
  /** What its minute, or the last date, is in UTC, if it is an instant. */
  #instant = wordsOf("");
  #hasInstant = false;
  readonly #minutes = new Minutes();
  /** The last minute of a time in seconds since 1970, in seconds, and what it is. */
  #epochMinute = -1;
  #epochInstant = wordsOf("");
  /** What `#instant` is in seconds since 1970; and its hour, of a time in Common Log Format with a zone of whole hours. */
  #minuteSeconds = Number.NaN;
  #hourSeconds = Number.NaN;
  readonly #written = new WrittenInstant();

  /** The seconds of a time that `putTime` writes. */
  secondsOf(bytes: Buffer, view: DataView, start: number, end: number, isLocal: boolean): number {
    if (!isLocal && end - start === accessLength && bytes[start + 2] === slash) {
      if (!this.#isInstant(bytes, view, start, end)) return Number.NaN;
      if (view.getInt16(start + zoneAt + 4, true) === twoZeros) {
        return (
          this.#hourSeconds + twoDigitsOf(bytes, start + minuteAt) * 60 + twoDigitsOf(bytes, start + accessSecondAt)
        );
      }
    }
    // A fraction is as long as the time.
    const out = this.#written.roomFor(end - start);
    return this.#written.secondsUpTo(this.putTime(bytes, view, start, end, out, 0, isLocal));
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
    if (bytes[start + 2] === slash) {
      return isLocal
        ? this.#minutes.put(bytes, view, start, end, localSecondAt, " +0000", out, to)
        : this.#putAccessTime(bytes, view, start, end, out, to);
    }
    if (isLocal) return -1;
    if (bytes[start + 4] === dash) return this.#minutes.put(bytes, view, start, end, isoSecondAt, undefined, out, to);
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

  /** Writes a time in Common Log Format, and the closing quote. */
  #putAccessTime(bytes: Buffer, view: DataView, start: number, end: number, out: DataView, to: number): number {
    if (!this.#isInstant(bytes, view, start, end)) return -1;
    const secondsTo = putWords(this.#instant, out, to);
    // Zones of whole hours have the minutes of UTC.
    if (view.getInt16(start + zoneAt + 4, true) === twoZeros) {
      out.setInt16(secondsTo - 3, view.getInt16(start + minuteAt, true), true);
    }
    const secondsAt = start + accessSecondAt;
    out.setInt32(secondsTo, bytes[secondsAt]! | (bytes[secondsAt + 1]! << 8) | utcEnd, true);
    return secondsTo + 4;
  }

  /** Whether a time in Common Log Format is an instant; then `#instant` is its minute, or one of its hour if its zone has whole hours. */
  #isInstant(bytes: Buffer, view: DataView, start: number, end: number): boolean {
    if (end - start !== accessLength) return false;
    const asked = this.#askedView;
    const isWholeHours = view.getInt16(start + zoneAt + 4, true) === twoZeros;
    const isSameHour =
      view.getInt32(start + 10, true) === asked.getInt32(10, true) &&
      view.getInt32(start + 8, true) === asked.getInt32(8, true) &&
      view.getInt32(start + 4, true) === asked.getInt32(4, true) &&
      view.getInt32(start, true) === asked.getInt32(0, true) &&
      view.getInt32(start + zoneAt, true) === asked.getInt32(zoneAt, true) &&
      view.getInt16(start + zoneAt + 4, true) === asked.getInt16(zoneAt + 4, true) &&
      bytes[start + 14] === colon;
    const isAsked =
      isSameHour &&
      (view.getInt16(start + minuteAt, true) === asked.getInt16(minuteAt, true) ||
        (isWholeHours && this.#hasInstant && isBelowSixty(bytes, start + minuteAt)));
    if (!isAsked) {
      const zone = bytes.toString("latin1", start + zoneAt, end);
      this.#remember(`${bytes.toString("latin1", start, start + minuteLength)}:00${zone}`, minuteLength);
      this.#asked.set(bytes.subarray(start, end));
      const minute = this.#hasInstant && isWholeHours ? twoDigitsOf(bytes, start + minuteAt) : 0;
      this.#hourSeconds = this.#minuteSeconds - minute * 60;
    }
    return this.#hasInstant && bytes[start + minuteLength] === colon && isBelowSixty(bytes, start + accessSecondAt);
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
    if (!this.#isAsked(bytes, dateStart, dateLength, 0)) {
      this.#remember(`${bytes.toString("latin1", dateStart, dateEnd)}T00:00:00Z`, dateLength + 1);
      this.#asked.set(bytes.subarray(dateStart, dateEnd));
    }
    if (!this.#hasInstant || !isTimeOfDay(bytes, start)) return -1;
    const timeAt = putBytes(view, start, end, out, putWords(this.#instant, out, to));
    out.setInt16(timeAt, utcEnd >> 16, true);
    return timeAt + 2;
  }

  #isAsked(bytes: Buffer, start: number, length: number, from: number): boolean {
    const asked = this.#asked;
    // The last bytes change most often.
    for (let at = length - 1; at >= 0; at--) if (bytes[start + at] !== asked[from + at]) return false;
    return true;
  }

  /** Computes the first `length` bytes of an instant. */
  #remember(time: string, length: number): void {
    const instant = instantOf(time);
    this.#hasInstant = instant?.length === instantLength;
    this.#instant = wordsOf(instant?.slice(0, length) ?? "");
    this.#minuteSeconds = instant === undefined ? Number.NaN : Date.parse(instant) / 1_000;
  }
}

/** Writes times of which all before the seconds, and the zone, are the same within a minute. */
class Minutes {
  /** The bytes of the last minute and its zone, and the minute in UTC; without an instant, it is none. */
  #minute = "";
  #zone = "";
  #instant = wordsOf("");
  #hasInstant = false;
  readonly #minuteBytes = Buffer.alloc(32);
  readonly #zoneBytes = Buffer.alloc(32);

  /** The seconds are at `start + secondAt`, and a fraction may follow. `zone` stands for the zone that the time does not have. */
  put(
    bytes: Buffer,
    view: DataView,
    start: number,
    end: number,
    secondAt: number,
    zone: string | undefined,
    out: DataView,
    to: number,
  ): number {
    const secondsAt = start + secondAt;
    if (end < secondsAt + 2 || !isBelowSixty(bytes, secondsAt)) return -1;
    const zoneFrom = endOfFraction(bytes, secondsAt + 2, end);
    if (zoneFrom < 0 || end - zoneFrom > longestZone || (zone !== undefined && zoneFrom !== end)) return -1;
    if (!this.#isAsked(bytes, start, secondsAt, zoneFrom, end)) {
      this.#minute = bytes.toString("latin1", start, secondsAt);
      this.#zone = bytes.toString("latin1", zoneFrom, end);
      this.#minuteBytes.write(this.#minute, "latin1");
      this.#zoneBytes.write(this.#zone, "latin1");
      const instant = instantOf(`${this.#minute}00${zone ?? this.#zone}`);
      this.#hasInstant = instant?.length === instantLength;
      this.#instant = wordsOf(instant?.slice(0, utcSecondAt) ?? "");
    }
    if (!this.#hasInstant) return -1;
    const after = putBytes(view, secondsAt, zoneFrom, out, putWords(this.#instant, out, to));
    out.setInt16(after, utcEnd >> 16, true);
    return after + 2;
  }

  #isAsked(bytes: Buffer, start: number, secondsAt: number, zoneFrom: number, end: number): boolean {
    const [minute, zone] = [this.#minuteBytes, this.#zoneBytes];
    if (this.#minute.length !== secondsAt - start || this.#zone.length !== end - zoneFrom) return false;
    // The last bytes change most often.
    for (let at = secondsAt - 1; at >= start; at--) if (bytes[at] !== minute[at - start]) return false;
    for (let at = zoneFrom; at < end; at++) if (bytes[at] !== zone[at - zoneFrom]) return false;
    return true;
  }
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
