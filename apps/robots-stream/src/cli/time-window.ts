// Defines the flags of the time window of the records to decide, and reads the window. Mistakes are thrown as UsageErrors.
import { UsageError } from "@robots-stream/engine";
import { shownWordOf } from "@robots-stream/engine/internal";
import { flag, type FlagValues, given } from "./flag.ts";
import { msOfMoment, msOfTime } from "./values.ts";

/** The flags for both ends of the window. The flag `--time-field` is defined in input-settings.ts. */
export const windowFlags = [
  flag({
    name: "since",
    value: "TIME",
    about: "Decide only records from this time on: a date, an instant (UTC without a zone), or an age: 24h, 7d.",
  }),
  flag({
    name: "until",
    value: "TIME",
    about:
      "Decide only records before this time. A date means the start of its day: --until 2026-12-01 excludes that day.",
  }),
];

/** The window, and whether it depends on the time at which the run starts. */
export interface RequestedWindow {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly isRelative: boolean;
}

/** Reads the flags; undefined without a window. Throws a `UsageError` for a value that is not a time, and for an empty window. */
export function windowOf(values: FlagValues, now: () => number = Date.now): RequestedWindow | undefined {
  const flags = given(values, windowFlags);
  const [since, until] = (["since", "until"] as const).map((name) => {
    const text = flags.get(name);
    return text === undefined ? undefined : momentOf(name, text, now);
  });
  if (since === undefined && until === undefined) return undefined;
  const [sinceMs, untilMs] = [since?.ms ?? -Infinity, until?.ms ?? Infinity];
  if (sinceMs >= untilMs) {
    const isDate = /^\d{4}-\d\d-\d\d$/.test(flags.get("until") ?? "");
    const hint = isDate
      ? "a date in --until excludes its day; one whole day: --since 2025-12-10 --until 2025-12-11"
      : undefined;
    throw new UsageError("wrong-value", "--since is not before --until: no time is between them", hint);
  }
  return { sinceMs, untilMs, isRelative: since?.isRelative === true || until?.isRelative === true };
}

/** Converts a date, an instant or an age ("24h") to milliseconds since the epoch. */
function momentOf(
  name: string,
  text: string,
  now: () => number,
): { readonly ms: number; readonly isRelative: boolean } {
  const ago = /[smhd]$/.test(text) ? msOfTime(text) : Number.NaN;
  if (!Number.isNaN(ago)) return { ms: now() - ago, isRelative: true };
  const ms = msOfMoment(text);
  if (!Number.isNaN(ms)) return { ms, isRelative: false };
  throw new UsageError(
    "wrong-value",
    `--${name} ${shownWordOf(text, 60)}: must be a date, a time, or how long ago`,
    `for example: --${name} 2025-12-10, --${name} 2025-12-10T08:00Z, --${name} 24h`,
  );
}
