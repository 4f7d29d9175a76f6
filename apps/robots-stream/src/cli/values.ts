// The readers of flags' values: they convert the text after a flag, and throw a UsageError for an invalid text.
import { nearestOf } from "@robots-stream/core/internal";
import { UsageError } from "@robots-stream/engine";
import { readTime, shownWordOf } from "@robots-stream/engine/internal";

/** Converts the text after a flag; `flag` is the flag's name for messages. Throws a `UsageError` for an invalid text. */
export type Reader<T> = (text: string, flag: string) => T;

/** The error for a text that is not what `must` says. */
function wrong(flag: string, text: string, must: string): UsageError {
  return new UsageError("wrong-value", `--${flag} ${shownWordOf(text, 60)}: must be ${must}`);
}

/**
 * Finds a flag's value among the known names, ignoring case. For any other value, throws a `UsageError` that lists the known names and
 * suggests the nearest one, if there is one.
 */
export function choiceOf<T extends string>(flag: string, text: string, known: readonly T[]): T {
  const found = known.find((name) => name.toLowerCase() === text.toLowerCase());
  if (found !== undefined) return found;
  const near = nearestOf(text, known) ?? (text.length > 2 ? known.find((name) => name.endsWith(text)) : undefined);
  throw new UsageError(
    "wrong-value",
    `--${flag} ${text === "" ? '""' : shownWordOf(text, 60)}: must be one of ${known.join(", ")}`,
    near === undefined ? undefined : `did you mean ${near}?`,
  );
}

/**
 * Returns the row of `rows` whose name is the flag's value, ignoring case. For any other value, throws the `UsageError` of `choiceOf`.
 */
export function rowOf<T extends { readonly name: string }>(flag: string, text: string, rows: readonly T[]): T {
  const names = rows.map(({ name }) => name);
  return rows[names.indexOf(choiceOf(flag, text, names))]!;
}

/** Reads one of `names`, in any case. */
export function oneOf<T extends string>(names: readonly T[]): Reader<T> {
  return (text, flag) => choiceOf(flag, text, names);
}

/** Reads a comma-separated list of `names`. */
export function someOf<T extends string>(names: readonly T[]): Reader<readonly T[]> {
  return (list, flag) => list.split(",").map((text) => choiceOf(flag, text.trim(), names));
}

/** Reads a number of seconds from `min` to a day, with or without a fraction, as milliseconds. */
export function secondsFrom(min: number): Reader<number> {
  return (text, flag) => {
    const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= 86_400) return Math.ceil(value * 1_000);
    throw wrong(flag, text, `a number from ${min} to 86400`);
  };
}

/** Reads a whole number from `min` to `max`. */
export function wholeFrom(min: number, max: number): Reader<number> {
  return (text, flag) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw wrong(flag, text, `a whole number from ${min} to ${max}`);
  };
}

/** Reads a size as bytes. The bounds are sizes, too; the units K, M and G mean KiB, MiB and GiB. */
export function sizeFrom(least = "1", most = "256M"): Reader<number> {
  return (text, flag) => {
    const bytes = bytesOfSize(text);
    if (bytes >= bytesOfSize(least) && bytes <= bytesOfSize(most)) return bytes;
    throw wrong(flag, text, `a size from ${least} to ${most}, like 512000 or 1M`);
  };
}

const unitBytes: Readonly<Record<string, number>> = { "": 1, k: 1_024, m: 1_048_576, g: 1_073_741_824 };

/** Converts a size to bytes: "512000", "64K", "1M", "1GiB". Returns NaN for other texts. */
function bytesOfSize(text: string): number {
  const [, digits, unit = ""] = /^(\d{1,12})([kKmMgG]?)(?:i?[bB])?$/.exec(text) ?? [];
  return digits === undefined ? Number.NaN : Number(digits) * (unitBytes[unit.toLowerCase()] ?? Number.NaN);
}

const unitMs: Readonly<Record<string, number>> = { "": 1_000, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a duration of at most 3,650 days as milliseconds: "90", "90s", "30m", "12h", "7d". A number without a unit means seconds. */
export const age: Reader<number> = (text, flag) => {
  const ms = msOfTime(text);
  if (ms >= 0 && ms <= 3_650 * 86_400_000) return ms;
  throw wrong(flag, text, "a time like 90s, 30m, 12h or 7d");
};

/** Converts a duration, with the same units, to milliseconds. Returns NaN for other texts. */
export function msOfTime(text: string): number {
  const [, digits, unit = ""] = /^(\d{1,9}(?:\.\d{1,3})?)([smhd]?)$/.exec(text) ?? [];
  return digits === undefined ? Number.NaN : Math.round(Number(digits) * (unitMs[unit] ?? Number.NaN));
}

/** Converts a date, or a date and a time, to milliseconds since 1970. Returns NaN for other texts. */
export function msOfMoment(text: string): number {
  // A number without a unit is refused: it could mean seconds, days or a year.
  return /^\d+$/.test(text) ? Number.NaN : readTime(text).ms;
}

/** Reads a date, or a date and a time, as milliseconds since 1970. A time without a zone is UTC. */
export const moment: Reader<number> = (text, flag) => {
  const ms = msOfMoment(text);
  if (!Number.isNaN(ms)) return ms;
  throw new UsageError(
    "wrong-value",
    `--${flag} ${shownWordOf(text, 60)}: must be a date or a time`,
    `for example: --${flag} 2026-11-21, --${flag} 2026-11-21T08:00Z`,
  );
};

/** A part of the origins: its number, from 1, and the number of parts. */
export interface Shard {
  readonly part: number;
  readonly count: number;
}

/** Reads the number of a part, from 1, and the number of parts, such as "2/4". */
export const shard: Reader<Shard> = (text, flag) => {
  const [, part = 0, count = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (part >= 1 && part <= count) return { part, count };
  throw new UsageError(
    "wrong-value",
    `--${flag} ${shownWordOf(text, 60)}: must be a part and the number of parts, like 1/1`,
    `for example, the second of four: --${flag} 2/4`,
  );
};
