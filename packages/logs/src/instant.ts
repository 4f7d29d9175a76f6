// Reads a time as logs write it, and converts it to an instant in UTC as ISO 8601: 2025-12-10T10:00:00Z, with the fraction of the log;
// times without a zone by the clock that wrote them.

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The maximum number of days whose offset is kept. */
const mostDays = 1_000;
/** The first and the last instant that a time can have (see `timeIn`), and a day more on both sides. */
const earliestMs = Date.UTC(999, 11, 31);
const latestMs = Date.UTC(10_000, 0, 1);

/** A clock that shows the time of one zone. */
export class LogClock {
  readonly name: string;
  /** Whether the clock shows the last converted time at exactly one instant: not twice, as at the end of summer time, and not never. */
  isSure = true;
  /** The number of times that were converted. */
  conversions = 0;
  readonly #format: Intl.DateTimeFormat;
  /** The offset of the days, as the clock shows them, on which it does not change; NaN for other days. */
  readonly #offsets = new Map<number, number>();
  /** The last converted minute of a day on which the offset changes, its offset, and whether this is the only one. */
  #minute = Number.NaN;
  #minuteOffset = 0;
  #isMinuteSure = true;

  /** `zone`: an IANA time zone, or an offset such as +09:00. Throws a `RangeError` for any other text. */
  constructor(zone: string) {
    this.name = zone;
    this.#format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  }

  /**
   * The instant at which the clock shows a time, both in milliseconds since 1970. Sets `isSure`. A time that the clock shows twice is the
   * first of both instants; a time that it skips is read with the offset before the change.
   */
  utcMsOf(shownMs: number): number {
    this.conversions++;
    const day = Math.floor(shownMs / dayMs);
    let offset = this.#offsets.get(day);
    if (offset === undefined) {
      const [before, after] = [this.#offsetAt((day - 1) * dayMs), this.#offsetAt((day + 2) * dayMs)];
      offset = before === after ? before : Number.NaN;
      if (this.#offsets.size === mostDays) this.#offsets.clear();
      this.#offsets.set(day, offset);
    }
    this.isSure = true;
    return shownMs - (Number.isNaN(offset) ? this.#changingOffsetOf(shownMs) : offset);
  }

  /** The offset at a time of a day on which, or next to which, the offset changes. Sets `isSure`. */
  #changingOffsetOf(shownMs: number): number {
    const minute = Math.floor(shownMs / 60_000);
    if (minute !== this.#minute) {
      const [before, after] = [this.#offsetAt(shownMs - dayMs), this.#offsetAt(shownMs + dayMs)];
      const isBefore = this.#offsetAt(shownMs - before) === before;
      const isAfter = this.#offsetAt(shownMs - after) === after;
      this.#minute = minute;
      this.#minuteOffset = isBefore || !isAfter ? before : after;
      this.#isMinuteSure = before === after || isBefore !== isAfter;
    }
    this.isSure = this.#isMinuteSure;
    return this.#minuteOffset;
  }

  /** The difference between the time that the clock shows at an instant and UTC, in milliseconds. */
  #offsetAt(utcMs: number): number {
    const at = Math.min(latestMs, Math.max(earliestMs, utcMs));
    const parts = new Map(this.#format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const [year = 0, month = 1, day, hour, minute, second] = (
      ["year", "month", "day", "hour", "minute", "second"] as const
    ).map((part) => parts.get(part));
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
  }
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** `2025-12-10`, `2025-12-10T10:00:00.123+01:00`, `2025/12/10 10:00`. */
const iso =
  /^(\d{4})([-/])(\d\d)\2(\d\d)(?:[T\s](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** Common Log Format, `10/Dec/2025:10:00:00.123 +0100`, in brackets or not; HAProxy writes the fraction, and no zone. */
const common = /^\[?(\d{1,2})\/([a-z]{3})\/(\d{4}):(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(?: ([+-]\d{4}))?\]?$/i;

/** `20251210100000`, as in an index of a web archive. */
const compact = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(Z)?$/;

/** Seconds since 1970, with or without a fraction; or milliseconds, microseconds or nanoseconds since 1970. */
const epoch = /^(\d{10})(\d{3}|\d{6}|\d{9})?(?:\.(\d{1,9}))?$/;

/** The maximum length of a time, in characters. */
const longest = 64;

/** An earlier year means that there is no time: programs write a time that was never set as the year 1. */
const firstMs = Date.UTC(1_000, 0);
const endMs = Date.UTC(10_000, 0);

/** A time as it is written. */
export interface LogTime {
  /** Milliseconds since 1970 of the whole second. Of a time without a zone: as if its zone were UTC. */
  readonly ms: number;
  /** The fraction of the second: ".123", or "". */
  readonly fraction: string;
  /** Whether the instant is known: the time has a zone, or counts from 1970. */
  readonly hasZone: boolean;
  /** Whether the time is only a date. */
  readonly isDate: boolean;
}

/** Reads a time. Undefined for a time of another form, a time that does not exist, and a year before 1000. */
export function timeIn(text: string): LogTime | undefined {
  if (text.length > longest) return undefined;
  const [, year, , month, day, hour, minute = "0", second = "0", fraction, zone] = iso.exec(text) ?? [];
  if (year !== undefined) {
    const time = timeOf([year, month!, day!, hour ?? "0", minute, second], fraction, zone);
    return time === undefined || hour !== undefined ? time : { ...time, isDate: true };
  }
  const [, dayOf, name, yearOf, hours, minutes, seconds, part, offset] = common.exec(text) ?? [];
  if (yearOf !== undefined) {
    const number = months.indexOf(name!.toLowerCase()) + 1;
    return timeOf([yearOf, String(number), dayOf!, hours!, minutes!, seconds!], part, offset);
  }
  const digits = compact.exec(text);
  if (digits !== null) return timeOf(digits.slice(1, 7), undefined, digits[7]);
  const since = epoch.exec(text);
  if (since === null) return undefined;
  const significant = `${since[2] ?? ""}${since[3] ?? ""}`.replace(/0+$/, "").slice(0, 9);
  const ms = Number(since[1]) * 1_000;
  return { ms, fraction: significant === "" ? "" : `.${significant}`, hasZone: true, isDate: false };
}

function timeOf(parts: readonly string[], fraction: string | undefined, zone: string | undefined): LogTime | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  // Second 60 is a leap second. Date.UTC reads 31 April as 1 May, and adds 1900 to years below 100.
  if (year < 1_000 || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 60) return undefined;
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  const [, sign, zoneHours = 0, zoneMinutes = 0] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone ?? "") ?? [];
  if (Number(zoneHours) > 23 || Number(zoneMinutes) > 59) return undefined;
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === "-" ? -60_000 : 60_000);
  const ms = Date.UTC(year, month - 1, day, hour, minute, second) - offset;
  // The zone can move the time into the year 999 or 10000.
  if (ms < firstMs || ms >= endMs) return undefined;
  return { ms, fraction: fraction === undefined ? "" : `.${fraction}`, hasZone: zone !== undefined, isDate: false };
}

/**
 * The instant of the `time` of a `LogRequest`. Undefined for a text that is no time (see `timeIn`), and for a time without a zone, unless
 * `clock` shows it at exactly one instant.
 */
export function instantOf(time: string, clock?: LogClock): string | undefined {
  const text = timeTextOf(time, clock);
  return text?.endsWith("Z") === true ? text : undefined;
}

/** The instant of a time, like `instantOf`; for a time whose instant is not known, the time without a zone: 2025-12-10T10:00:00. */
export function timeTextOf(time: string, clock?: LogClock): string | undefined {
  const read = timeIn(time);
  if (read === undefined) return undefined;
  const { ms, fraction, hasZone, isDate } = read;
  const text = (of: number): string => `${new Date(of).toISOString().slice(0, -5)}${fraction}`;
  if (hasZone) return `${text(ms)}Z`;
  if (isDate) return text(ms).slice(0, 10);
  const utcMs = clock?.utcMsOf(ms);
  return clock?.isSure === true && utcMs !== undefined ? `${text(utcMs)}Z` : text(ms);
}
