// The texts of flags' values in, numbers and sizes out; or the mistake, in words that help.
import { UsageError } from "./exit.ts";
import { printableOf } from "./text.ts";

/** A number, with a fraction or without. */
export function numberOf(flag: string, text: string, min: number, max: number): number {
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError("wrong-value", `--${flag} ${printableOf(text, 60)}: must be a number from ${min} to ${max}`);
}

/** A whole number. */
export function wholeOf(flag: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(
    "wrong-value",
    `--${flag} ${printableOf(text, 60)}: must be a whole number from ${min} to ${max}`,
  );
}

/** Bytes, or KiB and MiB with K and M; up to 256 MiB. */
export function sizeOf(flag: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const [, digits, unit = ""] = /^(\d{1,12})([kKmM]?)(?:i?[bB])?$/.exec(text) ?? [];
  const factor = unit === "" ? 1 : unit.toLowerCase() === "k" ? 1_024 : 1_048_576;
  const bytes = digits === undefined ? Number.NaN : Number(digits) * factor;
  if (bytes >= 1 && bytes <= 268_435_456) return bytes;
  throw new UsageError(
    "wrong-value",
    `--${flag} ${printableOf(text, 60)}: must be a size from 1 to 256M, like 512000 or 1M`,
  );
}
