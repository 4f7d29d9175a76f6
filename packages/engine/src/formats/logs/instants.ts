// The bytes of a log's times in, the instants out, as bytes of JSON strings: only the first line of each hour or minute is computed.
import { instantOf } from "@robots-stream/logs";
import { putBytes, putWords, viewOf, wordsOf } from "../../records/words.ts";

const zero = 0x30;
const colon = 0x3a;
/** `10/Dec/2025:10:00:00 +0100`: its length, and where its minutes begin, where they end, and where its zone begins. */
const accessLength = 26;
const minuteAt = 15;
const minuteLength = 17;
const zoneAt = 20;
/** `2025-12-10`. */
const dateLength = 10;
/** `2025-12-10T10:00:00Z`, and its length up to the minutes. */
const instantLength = 20;
const minuteOfInstant = 16;

/** Writes instants. Members that write return the offset after what they wrote, or -1 for a time that `instantOf` has to read. */
export class Instants {
  /** The last time that was computed, or the last date. */
  readonly #asked: Uint8Array = new Uint8Array(accessLength);
  readonly #askedView: DataView = viewOf(this.#asked);
  /** What its minute, or the last date, is in UTC, if it is an instant. */
  #instant = wordsOf("");
  #hasInstant = false;
  /** The minute of `#instant` in milliseconds since 1970, and the minutes that the time that was computed has. */
  #minuteMs = Number.NaN;
  #askedMinute = 0;

  /** Writes a time in Common Log Format, and the closing quote. */
  putAccessTime(bytes: Buffer, view: DataView, start: number, end: number, out: DataView, to: number): number {
    if (!this.#finds(bytes, view, start, end)) return -1;
    const isWholeHours = view.getInt16(start + zoneAt + 4, true) === twoZeros;
    const secondsAt = start + minuteLength + 1;
    if (bytes[start + minuteLength] !== colon || !isBelowSixty(bytes, secondsAt)) return -1;
    const secondsTo = putWords(this.#instant, out, to);
    // Zones of whole hours have the minutes of UTC.
    if (isWholeHours) out.setInt16(secondsTo - 3, view.getInt16(start + minuteAt, true), true);
    out.setInt32(secondsTo, bytes[secondsAt]! | (bytes[secondsAt + 1]! << 8) | utcEnd, true);
    return secondsTo + 4;
  }

  /** Milliseconds since 1970 of a time in Common Log Format; NaN for a time that `instantOf` has to read. */
  msOfAccessTime(bytes: Buffer, view: DataView, start: number, end: number): number {
    if (!this.#finds(bytes, view, start, end) || bytes[start + minuteLength] !== colon) return Number.NaN;
    const seconds = twoDigitsOf(bytes, start + minuteLength + 1);
    if (seconds < 0 || seconds > 59) return Number.NaN;
    const isWholeHours = view.getInt16(start + zoneAt + 4, true) === twoZeros;
    // Zones of whole hours have the minutes of UTC.
    const minutes = isWholeHours ? twoDigitsOf(bytes, start + minuteAt) - this.#askedMinute : 0;
    return this.#minuteMs + minutes * 60_000 + seconds * 1_000;
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

  /** Makes the minute of a time in Common Log Format the known one; returns whether it is an instant. */
  #finds(bytes: Buffer, view: DataView, start: number, end: number): boolean {
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
      this.#askedMinute = twoDigitsOf(bytes, start + minuteAt);
    }
    return this.#hasInstant;
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
    this.#minuteMs = this.#hasInstant ? Date.parse(`${instant!.slice(0, minuteOfInstant)}:00Z`) : Number.NaN;
  }
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
