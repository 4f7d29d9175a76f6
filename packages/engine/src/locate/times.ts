// Reads the text of a time as milliseconds since the epoch.
import { type LogClock, timeIn } from "@robots-stream/logs";

/** Maximum length of the text of a time, in characters. */
export const longestTime = 64;

/** The window of `--since` and `--until`, in milliseconds since the epoch: from `sinceMs` on, and before `untilMs`. */
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

/** Milliseconds since the epoch; NaN for a text that is not a time. A time without a zone is in UTC. */
export function timeMsOf(text: string): number {
  return readTime(text).ms;
}
