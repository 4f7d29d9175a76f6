// The texts of flags' values in, numbers and sizes out; or the mistake, in words that help.
import { UsageError } from "./exit.ts";
import { shownWordOf } from "./text.ts";

/** A number, with a fraction or without. */
export function numberOf(flag: string, text: string, min: number, max: number): number {
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError("wrong-value", `--${flag} ${shownWordOf(text, 60)}: must be a number from ${min} to ${max}`);
}

/** A whole number. */
export function wholeOf(flag: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(
    "wrong-value",
    `--${flag} ${shownWordOf(text, 60)}: must be a whole number from ${min} to ${max}`,
  );
}

/** Bytes, or KiB, MiB and GiB with K, M and G; up to `most`, which is written the same way. */
export function sizeOf(flag: string, text: string | undefined, otherwise: number, most = "256M"): number {
  if (text === undefined) return otherwise;
  const bytes = bytesOf(text);
  if (bytes >= 1 && bytes <= bytesOf(most)) return bytes;
  throw new UsageError(
    "wrong-value",
    `--${flag} ${shownWordOf(text, 60)}: must be a size from 1 to ${most}, like 512000 or 1M`,
  );
}

/** NaN for what is no size. */
function bytesOf(text: string): number {
  const [, digits, unit = ""] = /^(\d{1,12})([kKmMgG]?)(?:i?[bB])?$/.exec(text) ?? [];
  return digits === undefined ? Number.NaN : Number(digits) * 1_024 ** ["", "k", "m", "g"].indexOf(unit.toLowerCase());
}
