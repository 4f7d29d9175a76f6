// Reads `--since` and `--until` into the time window of the records to decide. Mistakes are thrown as UsageErrors.
import { shownWordOf, timeMsOf, type TimeWindow, UsageError } from "@robots-stream/engine/internal";
import { type FlagValues, lastOf } from "./command-line.ts";
import { msOfTime } from "./values.ts";

/** The flags of the window. */
export type WindowFlagName = "since" | "until";

/** The window, and whether it depends on the time at which the run starts. */
export interface AskedWindow extends TimeWindow {
  readonly isRelative: boolean;
}

/** Reads the flags; undefined without a window. Throws a `UsageError` for a value that is not a time, and for an empty window. */
export function windowOf(values: FlagValues<WindowFlagName>, now: () => number = Date.now): AskedWindow | undefined {
  const [since, until] = (["since", "until"] as const).map((flag) => {
    const text = lastOf(values, flag);
    return text === undefined ? undefined : momentOf(flag, text, now);
  });
  if (since === undefined && until === undefined) return undefined;
  const [sinceMs, untilMs] = [since?.ms ?? -Infinity, until?.ms ?? Infinity];
  if (sinceMs >= untilMs) {
    throw new UsageError("wrong-value", "--since is not before --until: no time is between them");
  }
  return { sinceMs, untilMs, isRelative: since?.isRelative === true || until?.isRelative === true };
}

/** Converts a date, an instant or an age ("24h") to milliseconds since the epoch. */
function momentOf(
  flag: string,
  text: string,
  now: () => number,
): { readonly ms: number; readonly isRelative: boolean } {
  const ago = /[smhd]$/.test(text) ? msOfTime(text) : Number.NaN;
  if (!Number.isNaN(ago)) return { ms: now() - ago, isRelative: true };
  // A number without a unit is refused: it could mean seconds, days or a year.
  const ms = /^\d+$/.test(text) ? Number.NaN : timeMsOf(text);
  if (!Number.isNaN(ms)) return { ms, isRelative: false };
  throw new UsageError(
    "wrong-value",
    `--${flag} ${shownWordOf(text, 60)}: must be a date, a time, or how long ago`,
    `for example: --${flag} 2025-12-10, --${flag} 2025-12-10T08:00Z, --${flag} 24h`,
  );
}
