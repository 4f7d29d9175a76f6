// A field of a log line in, whether it is what it is on most lines out: other fields are for the log's parser.
import type { PatternField } from "@robots-stream/logs";
import { firstMarkOf } from "../../records/words.ts";

/** A space and a comma in each byte of a word. */
const spaces = 0x20202020;
const commas = 0x2c2c2c2c;
const dash = 0x2d;
const dot = 0x2e;
const slash = 0x2f;
const zero = 0x30;
const nine = 0x39;
const bracket = 0x5b;
/** "HTTP", "http" and "CONN" as words whose first byte is the lowest. */
const httpWord = 0x50545448;
const schemeWord = 0x70747468;
const connectWord = 0x4e4e4f43;

/** Most digits of a number: it is exact as a JSON number for every reader. */
const mostDigits = 15;

const kinds: readonly (PatternField | undefined)[] = [
  undefined,
  "client",
  "user",
  "method",
  "target",
  "query",
  "protocol",
  "status",
  "bytes",
  "scheme",
];

/** The kind of a field, which ends with a text, for `isPlainField`; 0 for fields of which any value is plain. */
export function kindOfField(field: PatternField, end: string): number {
  // Where a space ends the field, none is in it.
  if (end.startsWith(" ") && (field === "target" || field === "query")) return field === "target" ? kinds.length : 0;
  return Math.max(kinds.indexOf(field), 0);
}

/** The length that a field has on nearly all lines, for fields whose bytes are all checked later; 0 for other fields. */
export function lengthOfField(field: PatternField): number {
  return field === "time" ? 26 : field === "protocol" ? 8 : 0;
}

/** Whether a field of a kind can be copied. `view` has four bytes from every offset of the field. */
export function isPlainField(kind: number, bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
  switch (kind) {
    case 1:
      // A list of addresses.
      return isWithout(commas, view, start, end);
    case 2:
      return bytes[start] !== bracket;
    case 3:
      return isMethod(bytes, view, start, end);
    case 4:
      return bytes[start] === slash && isWithout(spaces, view, start, end);
    case 5:
      return isWithout(spaces, view, start, end);
    case 6:
      return isProtocol(bytes, view, start, end);
    case 7:
      return end - start === 3 && isNumber(bytes, start, end);
    case 8:
      return isMissing(bytes, start, end) || isNumber(bytes, start, end);
    case 10:
      return bytes[start] === slash;
    default: {
      const length = end - start;
      return view.getInt32(start, true) === schemeWord && (length === 4 || (length === 5 && bytes[start + 4] === 0x73));
    }
  }
}

/** Whether a field has no value: it is empty or "-". */
export function isMissing(bytes: Uint8Array, start: number, end: number): boolean {
  return end === start || (end - start === 1 && bytes[start] === dash);
}

/** Whether a field is without a character, which `stops` has in each byte. */
function isWithout(stops: number, view: DataView, start: number, end: number): boolean {
  for (let at = start; at < end; at += 4) {
    const four = view.getInt32(at, true) ^ stops;
    const marks = (four - 0x01010101) & ~four & 0x80808080;
    if (marks !== 0) return at + firstMarkOf(marks) >= end;
  }
  return true;
}

/** Whether a field is a method in capitals, as almost all are; not CONNECT, whose target is no path. */
function isMethod(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! < 0x41 || bytes[at]! > 0x5a) return false;
  return end > start && view.getInt32(start, true) !== connectWord;
}

/** Whether a field is the version of HTTP: `HTTP/1.1`, `HTTP/2`. */
function isProtocol(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
  const length = end - start;
  if ((length !== 8 && length !== 6) || view.getInt32(start, true) !== httpWord) return false;
  const hasMinor = length === 6 || (bytes[start + 6] === dot && isDigit(bytes[start + 7]!));
  return bytes[start + 4] === slash && isDigit(bytes[start + 5]!) && hasMinor;
}

/** Whether a field is a number that is written as in JSON. */
function isNumber(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! < 0x30 || bytes[at]! > 0x39) return false;
  const digits = end - start;
  return digits > 0 && digits <= mostDigits && (digits === 1 || bytes[start] !== zero);
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= nine;
}
