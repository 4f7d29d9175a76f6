// Converts times without a zone to instants, for a log whose clock shows the time of a known zone.

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The maximum number of days whose offset is kept. */
const mostDays = 1_000;
/** The first and the last instant that a time can have (see `timeIn`), and a day more on both sides. */
const firstMs = Date.UTC(999, 11, 31);
const lastMs = Date.UTC(10_000, 0, 1);

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
    const at = Math.min(lastMs, Math.max(firstMs, utcMs));
    const parts = new Map(this.#format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const [year = 0, month = 1, day, hour, minute, second] = (
      ["year", "month", "day", "hour", "minute", "second"] as const
    ).map((part) => parts.get(part));
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
  }
}
