// Reads a field of digits from packed records as a number, without making a string.
import { type FieldSpans, notInBytes } from "../records/packed.ts";

const zero = 0x30;
/** Maximum number of digits, because a longer number would not be exact. */
const mostDigits = 15;

/** A record's field of digits as a number; `otherwise` if the record lacks the field, or the field is not 1 to `mostDigits` digits. */
export function numberIn(field: FieldSpans | undefined, bytes: Buffer, record: number, otherwise: number): number {
  if (field === undefined) return otherwise;
  const start = field.startOf(record);
  const end = field.endOf(record);
  if (start === notInBytes) {
    const text = field.decoded[end]!;
    return /^\d{1,15}$/.test(text) ? Number(text) : otherwise;
  }
  if (end === start || end - start > mostDigits) return otherwise;
  let number = 0;
  for (let at = start; at < end; at++) {
    const digit = bytes[at]! - zero;
    if (digit < 0 || digit > 9) return otherwise;
    number = number * 10 + digit;
  }
  return number;
}

/**
 * The status of a record, also if it is written with decimals ("404.0"): 0 if its text is `-` or a negative number, which logs write for a
 * request without an answer; -1 if the record has no status.
 */
export function statusIn(field: FieldSpans | undefined, bytes: Buffer, record: number): number {
  const number = numberIn(field, bytes, record, -1);
  if (number >= 0 || field === undefined) return number;
  const text = field.textOf(bytes, record);
  // Programs that store statuses as floating-point numbers, because some are missing, write them so.
  return /^\d{3}\.0+$/.test(text) ? Number(text) : text.startsWith("-") ? 0 : -1;
}
