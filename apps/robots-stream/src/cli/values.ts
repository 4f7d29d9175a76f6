// Converts values of flags to numbers, sizes and times. Throws a UsageError for an invalid value.
import { UsageError } from "@robots-stream/engine";
import { shownWordOf } from "@robots-stream/engine/internal";

/** Converts a text to a number from `min` to `max`, with or without a fraction. */
export function numberOf(flag: string, text: string, min: number, max: number): number {
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError("wrong-value", `--${flag} ${shownWordOf(text, 60)}: must be a number from ${min} to ${max}`);
}

/** Converts a text to a whole number from `min` to `max`. */
export function wholeOf(flag: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(
    "wrong-value",
    `--${flag} ${shownWordOf(text, 60)}: must be a whole number from ${min} to ${max}`,
  );
}

/** Bounds of a size, in the syntax that flags use: "1M". The default of `least` is "1", the default of `most` is "256M". */
export interface SizeBounds {
  readonly least?: string;
  readonly most?: string;
}

/** Converts a size within the bounds to bytes; the units K, M and G mean KiB, MiB and GiB. Returns undefined for an undefined text. */
export function sizeOf(flag: string, text: string, bounds?: SizeBounds): number;
export function sizeOf(flag: string, text: string | undefined, bounds?: SizeBounds): number | undefined;
export function sizeOf(flag: string, text: string | undefined, bounds: SizeBounds = {}): number | undefined {
  if (text === undefined) return undefined;
  const { least = "1", most = "256M" } = bounds;
  const bytes = bytesOfSize(text);
  if (bytes >= bytesOfSize(least) && bytes <= bytesOfSize(most)) return bytes;
  throw new UsageError(
    "wrong-value",
    `--${flag} ${shownWordOf(text, 60)}: must be a size from ${least} to ${most}, like 512000 or 1M`,
  );
}

const unitBytes: Readonly<Record<string, number>> = { "": 1, k: 1_024, m: 1_048_576, g: 1_073_741_824 };

/** Converts a size to bytes: "512000", "64K", "1M", "1GiB". Returns NaN for other texts. */
function bytesOfSize(text: string): number {
  const [, digits, unit = ""] = /^(\d{1,12})([kKmMgG]?)(?:i?[bB])?$/.exec(text) ?? [];
  return digits === undefined ? Number.NaN : Number(digits) * (unitBytes[unit.toLowerCase()] ?? Number.NaN);
}

const unitMs: Readonly<Record<string, number>> = { "": 1_000, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Converts a duration of at most 3,650 days to milliseconds: "90", "90s", "30m", "12h", "7d". A number without a unit means seconds. */
export function timeOf(flag: string, text: string): number {
  const ms = msOfTime(text);
  if (ms >= 0 && ms <= 3_650 * 86_400_000) return ms;
  throw new UsageError("wrong-value", `--${flag} ${shownWordOf(text, 60)}: must be a time like 90s, 30m, 12h or 7d`);
}

/** Converts a duration, with the same units, to milliseconds. Returns NaN for other texts. */
export function msOfTime(text: string): number {
  const [, digits, unit = ""] = /^(\d{1,9}(?:\.\d{1,3})?)([smhd]?)$/.exec(text) ?? [];
  return digits === undefined ? Number.NaN : Math.round(Number(digits) * (unitMs[unit] ?? Number.NaN));
}

/** A part of the origins: its number, from 1, and the number of parts. */
export interface Shard {
  readonly part: number;
  readonly count: number;
}

/**
 * Reads `--shard`: the number of a part, from 1, and the number of parts, such as "2/4". Undefined without the flag. Throws a `UsageError`
 * for any other text.
 */
export function shardOf(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined;
  const [, part = 0, count = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (part >= 1 && part <= count) return { part, count };
  throw new UsageError(
    "wrong-value",
    `--shard ${shownWordOf(text, 60)}: must be a part and the number of parts, like 1/1`,
    "for example, the second of four: --shard 2/4",
  );
}
