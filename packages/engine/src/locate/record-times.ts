// Reads the times of packed records as milliseconds since 1970. Makes no string for an instant in the same minute as the previous one.
import type { LogClock } from "@robots-stream/logs";
import { type PackedRecords, notInBytes } from "../records/packed.ts";
import { type ReadTime, longestTime, readTime } from "../common/times.ts";

const zero = 0x30;
const colon = 0x3a;
const letterZ = 0x5a;
/** An instant like `2025-12-10T09:00:59Z`: its length, the offset of the seconds, and the offset of the byte after them. */
const instantLength = 20;
const secondsAt = 17;
const afterSeconds = 19;

export class RecordTimes {
  /** Whether the instant of the last time is certain (see `ReadTime.hasZone`); true for a record without a time. */
  hasZone = true;
  readonly #clock: LogClock | undefined;
  /** The last instant that was parsed, and the start of its minute. Neighbouring records are mostly of the same minute. */
  readonly #last = new Uint8Array(instantLength);
  #minuteMs = Number.NaN;
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
  msOf({ fields: { time }, bytes, seconds, hasNoZone }: PackedRecords, record: number): number {
    const known = seconds[record];
    this.hasZone = true;
    if (known !== undefined && !Number.isNaN(known)) {
      if (hasNoZone[record] !== 1) return known * 1_000;
      this.hasZone = false;
      return this.#clock?.utcMsOf(known * 1_000) ?? known * 1_000;
    }
    if (time === undefined) return Number.NaN;
    const start = time.startOf(record);
    const end = time.endOf(record);
    if (start === notInBytes) return this.#msOfText(time.decoded[end]!);
    if (end - start === instantLength) return this.#msInBytes(bytes, start);
    return end - start > longestTime ? Number.NaN : this.#msOfText(bytes.toString("latin1", start, end));
  }

  #msInBytes(bytes: Buffer, start: number): number {
    const tens = bytes[start + secondsAt]! - zero;
    const ones = bytes[start + secondsAt + 1]! - zero;
    const isPlain = tens >= 0 && tens < 6 && ones >= 0 && ones < 10;
    const ofMinute = (tens * 10 + ones) * 1_000;
    if (isPlain && !Number.isNaN(this.#minuteMs) && this.#isLastMinute(bytes, start)) return this.#minuteMs + ofMinute;
    const ms = this.#msOfText(bytes.toString("latin1", start, start + instantLength));
    const isInstant = bytes[start + afterSeconds] === letterZ && bytes[start + secondsAt - 1] === colon;
    if (Number.isNaN(ms) || !isPlain || !isInstant) return ms;
    for (let at = 0; at < instantLength; at++) this.#last[at] = bytes[start + at]!;
    this.#minuteMs = ms - ofMinute;
    return ms;
  }

  #isLastMinute(bytes: Buffer, start: number): boolean {
    const last = this.#last;
    for (let at = secondsAt - 1; at >= 0; at--) if (bytes[start + at] !== last[at]) return false;
    for (let at = afterSeconds; at < instantLength; at++) if (bytes[start + at] !== last[at]) return false;
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
