// Reads the times of packed records as milliseconds since 1970. Makes no string for an instant in the same hour as the previous one.
import type { LogClock } from "@robots-stream/logs";
import { inSeconds, notInBytes, type PackedRecords } from "../records/packed.ts";
import { type ReadTime, longestTime, readTime } from "../common/times.ts";

const zero = 0x30;
const colon = 0x3a;
const letterZ = 0x5a;
/** An instant like `2025-12-10T09:00:59Z`: its length, the offsets of minutes and seconds, and the offset of the byte after them. */
const instantLength = 20;
const minutesAt = 14;
const secondsAt = 17;
const afterSeconds = 19;

export class RecordTimes {
  /** Whether the instant of the last time is certain (see `ReadTime.hasZone`); true for a record without a time. */
  hasZone = true;
  readonly #clock: LogClock | undefined;
  /** The last instant that was parsed, up to its minutes; and the start of its hour. Neighbouring records are mostly of the same hour. */
  readonly #hour = new Uint8Array(minutesAt);
  #hourMs = Number.NaN;
  #text = "";
  #textTime: ReadTime = readTime("");

  /** `clock`: the clock that wrote times without a zone; undefined: such times are read as UTC. */
  constructor(clock?: LogClock) {
    this.#clock = clock;
  }

  /** Whole seconds since 1970; -1 for a record without a time that can be read, and for a time before 1970. */
  secondsOf(packed: PackedRecords, record: number): number {
    const ms = this.msOf(packed, record);
    return ms >= 0 ? Math.floor(ms / 1_000) : -1;
  }

  /** Milliseconds since 1970; NaN for a record without a time that can be read. */
  msOf({ fields: { time }, bytes }: PackedRecords, record: number): number {
    this.hasZone = true;
    if (time === undefined) return Number.NaN;
    const start = time.startOf(record);
    const end = time.endOf(record);
    if (start === inSeconds) return end * 1_000;
    if (start === notInBytes) return this.#msOfText(time.decoded[end]!);
    if (end - start === instantLength) return this.#msInBytes(bytes, start);
    return end - start > longestTime ? Number.NaN : this.#msOfText(bytes.toString("latin1", start, end));
  }

  /** The time of an instant in the bytes: of `10:59:59` at most once an hour by its text, else by its minutes and seconds. */
  #msInBytes(bytes: Buffer, start: number): number {
    const minutes = belowSixty(bytes, start + minutesAt);
    const seconds = belowSixty(bytes, start + secondsAt);
    const isInstant =
      minutes >= 0 && seconds >= 0 && bytes[start + secondsAt - 1] === colon && bytes[start + afterSeconds] === letterZ;
    const inHour = (minutes * 60 + seconds) * 1_000;
    if (isInstant && this.#isLastHour(bytes, start)) return this.#hourMs + inHour;
    const ms = this.#msOfText(bytes.toString("latin1", start, start + instantLength));
    if (!isInstant || Number.isNaN(ms)) return ms;
    for (let at = 0; at < minutesAt; at++) this.#hour[at] = bytes[start + at]!;
    this.#hourMs = ms - inHour;
    return ms;
  }

  #isLastHour(bytes: Buffer, start: number): boolean {
    const hour = this.#hour;
    for (let at = minutesAt - 1; at >= 0; at--) if (bytes[start + at] !== hour[at]) return false;
    return true;
  }

  #msOfText(text: string): number {
    if (text !== this.#text) {
      this.#text = text;
      this.#textTime = readTime(text.trim(), this.#clock);
    }
    this.hasZone = this.#textTime.hasZone;
    return this.#textTime.ms;
  }
}

/** The number below 60 that two digits represent; -1 for other bytes. */
function belowSixty(bytes: Buffer, at: number): number {
  const tens = bytes[at]! - zero;
  const ones = bytes[at + 1]! - zero;
  return tens >= 0 && tens < 6 && ones >= 0 && ones < 10 ? tens * 10 + ones : -1;
}
