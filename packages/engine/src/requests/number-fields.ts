// A field of digits of packed records in, its number out, without a string.
import { notInBytes, type PackedRecords } from "../records/packed.ts";

const zero = 0x30;
/** More digits are no exact number. */
const mostDigits = 15;

/** The status or the bytes of a record; `otherwise` for a record without them, and for a text that is no number. */
export function numberIn(packed: PackedRecords, name: "status" | "bytes", record: number, otherwise: number): number {
  const known = packed.numbers[name]?.[record];
  if (known !== undefined && !Number.isNaN(known)) return known;
  const field = packed.fields[name];
  if (field === undefined) return otherwise;
  const { bytes } = packed;
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
