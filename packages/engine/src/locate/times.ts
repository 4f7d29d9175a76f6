// The time of each record in, whether it is in the asked window out. A time that cannot be read leaves the record in.
import { type PackedRecords, notInBytes } from "../records/packed.ts";

/** The window of `--since` and `--until`, in milliseconds since the epoch; `untilMs` is not part of it. */
export interface TimeWindow {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** A longer text is no time. */
const longestTime = 64;

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** `2025-12-10`, `2025-12-10T10:00:00.123+01:00`, `2025-12-10 10:00`; a time without a zone is UTC. */
const iso =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T\s](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?$/i;
/** `10/Dec/2025:10:00:00 +0100`, in brackets or not. */
const common = /^\[?(\d{1,2})\/([a-z]{3})\/(\d{4}):(\d\d):(\d\d):(\d\d)(?: ([+-]\d{4}))?\]?$/i;
/** `20251210100000`, as in an index of a web archive. */
const compact = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/;
/** Seconds since the epoch with or without a fraction; milli-, micro- and nanoseconds. */
const epoch = /^(\d{10})(?:\.\d{1,9})?$|^(?:\d{13}|\d{16}|\d{19})$/;

/** Milliseconds since the epoch; NaN for a text that is no time. */
export function timeMsOf(text: string): number {
  if (text.length > longestTime) return Number.NaN;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone] = iso.exec(text) ?? [];
  if (year !== undefined) return msOf([year, month!, day!, hour, minute, second], zone) + fractionMsOf(fraction);
  const [, dayOf, name, yearOf, hours, minutes, seconds, offset] = common.exec(text) ?? [];
  if (yearOf !== undefined) {
    const number = months.indexOf(name!.toLowerCase()) + 1;
    return msOf([yearOf, String(number), dayOf!, hours!, minutes!, seconds!], offset);
  }
  const digits = compact.exec(text);
  if (digits !== null) return msOf(digits.slice(1), undefined);
  const since = epoch.exec(text);
  if (since === null) return Number.NaN;
  return since[1] === undefined ? Number(text.slice(0, 13)) : Math.round(Number(text) * 1_000);
}

/** Year, month, day, hour, minute and second in a zone; NaN for a day or an hour that does not exist. */
function msOf(parts: readonly string[], zone: string | undefined): number {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  // Second 60 is a leap second.
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 60) return Number.NaN;
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return Number.NaN;
  const [, sign, hours = 0, minutes = 0] = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? "") ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return Date.UTC(year, month - 1, day, hour, minute, second) - (sign === "-" ? -offset : offset);
}

function fractionMsOf(digits: string): number {
  return digits === "" ? 0 : Math.floor(Number(`0.${digits}`) * 1_000);
}

/** Compares the times of records with a window. */
export class TimeFilter {
  #unread = 0;
  readonly #window: TimeWindow;
  /** The last time, which neighbouring records often share. */
  #last = "";
  #lastMs = Number.NaN;

  constructor(window: TimeWindow) {
    this.#window = window;
  }

  /** Whether the record's time is outside the window. Counts a time that cannot be read. */
  isOutside({ fields: { time }, bytes }: PackedRecords, record: number): boolean {
    const ms = time === undefined ? Number.NaN : this.#msIn(time, bytes, record);
    if (Number.isNaN(ms)) {
      this.#unread++;
      return false;
    }
    const { sinceMs, untilMs } = this.#window;
    return ms < sinceMs || ms >= untilMs;
  }

  /** The number of records since the last call whose time could not be read. */
  takeUnread(): number {
    const count = this.#unread;
    this.#unread = 0;
    return count;
  }

  #msIn(time: NonNullable<PackedRecords["fields"]["time"]>, bytes: Buffer, record: number): number {
    const start = time.startOf(record);
    const end = time.endOf(record);
    if (start !== notInBytes && end - start > longestTime) return Number.NaN;
    const text = start === notInBytes ? time.decoded[end]! : bytes.toString("latin1", start, end);
    if (text === this.#last) return this.#lastMs;
    this.#last = text;
    return (this.#lastMs = timeMsOf(text.trim()));
  }
}
