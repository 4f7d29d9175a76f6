// Reads the text of a time as milliseconds since the epoch.
import { type LogClock, timeIn } from "@robots-stream/logs";

/** Maximum length of the text of a time, in characters. */
export const longestTime = 64;

/** The window of `since` and `until`, in milliseconds since the epoch: from `sinceMs` on, and before `untilMs`. */
export interface TimeWindow {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** The time of a record. */
export interface ReadTime {
  /** Milliseconds since the epoch; NaN for a text that is not a time. */
  readonly ms: number;
  /**
   * Whether the time has a zone, or counts from the epoch, or is shown by the log's clock at exactly one instant. If not, the instant is
   * not certain, and `ms` is the time in UTC or by the log's clock.
   */
  readonly hasZone: boolean;
}

const noTime: ReadTime = { ms: Number.NaN, hasZone: true };

/** Reads a text that is a time; `clock` is the clock that wrote times without a zone. */
export function readTime(text: string, clock?: LogClock): ReadTime {
  const time = timeIn(text);
  if (time === undefined) return noTime;
  const fractionMs = Number(time.fraction.slice(1, 4).padEnd(3, "0"));
  if (time.hasZone || clock === undefined) return { ms: time.ms + fractionMs, hasZone: time.hasZone };
  const ms = clock.utcMsOf(time.ms) + fractionMs;
  return { ms, hasZone: clock.isSure && !time.isDate };
}

/** `2025`, `2025-12`, `2025-12-10`, `2025-12-10T10Z`, `2025-12-10T10:00Z`, `2025-12-10T100059Z`: a time as far as it is known. */
const period =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,]\d{1,9})?)?)?(Z|[+-]\d\d:?\d\d)?)?)?)?$/i;
/** The length of the period in seconds, if the last known part is the day, the hour, the minute or the second. */
const secondsByPart = [86_400, 3_600, 60, 1];

/** A time that may not be known to the second: the first and the last second of it since 1970. */
export interface Period {
  readonly fromSeconds: number;
  /** Inclusive. */
  readonly toSeconds: number;
}

/** The year, month, day, hour, minute or second that a text names (W3C-DTF; UTC without a zone); undefined for any other text. */
export function periodOf(text: string): Period | undefined {
  const found = text.length > longestTime ? null : period.exec(text);
  if (found === null) return undefined;
  const [, year = "", month, day, hour, minute, second, zone] = found;
  const date = `${year}-${month ?? "01"}-${day ?? "01"}`;
  const { ms } = readTime(`${date}T${hour ?? "00"}:${minute ?? "00"}:${second ?? "00"}${zone ?? "Z"}`);
  if (Number.isNaN(ms)) return undefined;
  const fromSeconds = ms / 1_000;
  if (day !== undefined) {
    const known = [hour, minute, second].filter((part) => part !== undefined).length;
    return { fromSeconds, toSeconds: fromSeconds + secondsByPart[known]! - 1 };
  }
  const next = month === undefined ? Date.UTC(Number(year) + 1, 0) : Date.UTC(Number(year), Number(month));
  return { fromSeconds, toSeconds: next / 1_000 - 1 };
}
