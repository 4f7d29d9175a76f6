// Tests whether a field of a log line has its usual form. A line with a field of another form is left to the log's parser.
import type { PatternField } from "@robots-stream/logs";

/** Words of four equal bytes: spaces, commas, opening brackets. */
const spaces = 0x20202020;
const commas = 0x2c2c2c2c;
const brackets = 0x5b5b5b5b;
const dash = 0x2d;
const dot = 0x2e;
const colon = 0x3a;
const slash = 0x2f;
const zero = 0x30;
const nine = 0x39;
const bracket = 0x5b;
const underscore = 0x5f;
const letterT = 0x54;
/** "HTTP", "http" and "CONN" as words whose first byte is the lowest. */
const httpWord = 0x50545448;
const schemeWord = 0x70747468;
const connectWord = 0x4e4e4f43;

/** Maximum number of digits: every JSON reader represents such a number exactly. */
const mostDigits = 15;

const kinds: readonly PatternField[] = [
  "user",
  "method",
  "target",
  "protocol",
  "status",
  "bytes",
  "clientAndPort",
  "time",
  "client",
  "peer",
  "date",
];

/** The kind of a field for `isPlainField`; 0 for fields that need no such check. */
export function kindOfField(field: PatternField): number {
  return kinds.indexOf(field) + 1;
}

/**
 * The character that `field` must not contain, in each byte of a word; 0 for a field that may contain any. `end` is the text after the
 * field.
 */
export function excludedFrom(field: PatternField, end: string): number {
  // A field with a comma is a list of addresses, which the parser reads; `isPlainField` finds it in a client's field.
  if (field === "list") return commas;
  // With several brackets, the parser takes the last one as the beginning of the time.
  if (field === "time") return brackets;
  // A space in the user's name may mean that other text precedes the line.
  if (field === "user") return spaces;
  // A field that ends at the first space contains none.
  const isOfUrl = field === "target" || field === "query" || field === "markedQuery";
  return isOfUrl && !end.startsWith(" ") ? spaces : 0;
}

/**
 * The length in bytes that a time or a protocol has in nearly all lines. The scanner skips these bytes, because all of them are checked
 * later. 0 for every other field.
 */
export function lengthOfField(field: PatternField): number {
  return field === "time" ? 26 : field === "protocol" ? 8 : 0;
}

/**
 * Whether the field `bytes[start, end)` has the usual form of its kind. Four bytes of `view` must be readable at each offset of the field.
 */
export function isPlainField(kind: number, bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
  switch (kind) {
    case 1:
      return bytes[start] !== bracket;
    case 2:
      return isMethod(bytes, view, start, end);
    case 3:
      return bytes[start] === slash || isUrl(bytes, view, start, end);
    case 4:
      return isProtocol(bytes, view, start, end);
    case 5:
      return end - start === 3 && isNumber(bytes, start, end);
    case 6:
      return isMissing(bytes, start, end) || isNumber(bytes, start, end);
    case 7:
      return isAddressAndPort(bytes, start, end);
    case 8:
      return isPlainTime(bytes, start, end);
    case 9:
    case 10:
      return isPlainClient(bytes, start, end);
    default:
      return end - start === 10 || isMissing(bytes, start, end);
  }
}

/** Whether a target, which is either a path or a URL, begins with `http://` or `https://`. */
export function isUrl(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
  if (end - start < 8 || view.getInt32(start, true) !== schemeWord) return false;
  const colonAt = start + (bytes[start + 4] === 0x73 ? 5 : 4);
  return bytes[colonAt] === colon && bytes[colonAt + 1] === slash && bytes[colonAt + 2] === slash;
}

/** Whether a field is an address, a colon and a port of up to five digits. False for an address in brackets, which the parser reads. */
function isAddressAndPort(bytes: Uint8Array, start: number, end: number): boolean {
  const at = endOfAddress(bytes, start, end);
  if (at <= start || end - at > 6 || isMissing(bytes, start, at)) return false;
  // The parser reads a list of addresses, and any other text.
  return isPlainClient(bytes, start, at);
}

/** Whether a field is an address of IPv4. */
function isIpv4(bytes: Uint8Array, start: number, end: number): boolean {
  let dots = 0;
  let from = start;
  let number = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte >= zero && byte <= nine) number = number * 10 + byte - zero;
    else if (byte === dot && at > from && at - from < 4 && number < 256) {
      dots++;
      from = at + 1;
      number = 0;
    } else return false;
  }
  return dots === 3 && end > from && end - from < 4 && number < 256;
}

/** Whether a field has no value, or certainly has one address without brackets or one name, so that `mayBeClient` is true for it. */
function isPlainClient(bytes: Uint8Array, start: number, end: number): boolean {
  if (isIpv4(bytes, start, end) || isMissing(bytes, start, end)) return true;
  let colons = 0;
  /** The start of the current label or group. */
  let from = start;
  let isHex = true;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    const lower = byte | 0x20;
    if (byte === dot || byte === colon) {
      if (byte === dot || at - from > 4) isHex = false;
      if (byte === colon) colons++;
      from = at + 1;
    } else if (!isDigit(byte)) {
      if (lower < 0x61 || lower > 0x66) isHex = false;
      if ((lower < 0x61 || lower > 0x7a) && byte !== dash && byte !== underscore) return false;
    }
  }
  if (colons > 0) return isHex && colons > 1 && colons < 8 && end - from <= 4;
  const last = bytes[end - 1]! | 0x20;
  return bytes[start] !== dash && last >= 0x61 && last <= 0x7a && bytes[from] !== zero;
}

/** Whether a time that the caller does not read certainly has one time: of the Common Log Format, or of ISO 8601. */
function isPlainTime(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start === 26 && bytes[start + 2] === slash) return true;
  if (end - start < 20 || end - start > 35 || bytes[start + 4] !== dash || bytes[start + 10] !== letterT) return false;
  for (let at = start + 11; at < end; at++) if (bytes[at] === letterT) return false;
  return true;
}

/** The end of the address in a field that consists of an address, a colon and a port; -1 for any other field. */
export function endOfAddress(bytes: Uint8Array, start: number, end: number): number {
  let at = end - 1;
  while (at > start && isDigit(bytes[at]!)) at--;
  return bytes[at] === colon && at < end - 1 ? at : -1;
}

/** Whether a field has no value: it is empty or "-". */
export function isMissing(bytes: Uint8Array, start: number, end: number): boolean {
  return end === start || (end - start === 1 && bytes[start] === dash);
}

/** Whether a field is a method in capital letters, as almost all methods are. False for CONNECT, because its target is not a path. */
export function isMethod(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! < 0x41 || bytes[at]! > 0x5a) return false;
  return end > start && view.getInt32(start, true) !== connectWord;
}

/** Whether a field is the version of HTTP: `HTTP/1.1`, `HTTP/2`. */
export function isProtocol(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
  const length = end - start;
  if ((length !== 8 && length !== 6) || view.getInt32(start, true) !== httpWord) return false;
  const hasMinor = length === 6 || (bytes[start + 6] === dot && isDigit(bytes[start + 7]!));
  return bytes[start + 4] === slash && isDigit(bytes[start + 5]!) && hasMinor;
}

/** Whether a field consists of at most `mostDigits` digits without a leading zero, so that its bytes are a JSON number. */
export function isNumber(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! < 0x30 || bytes[at]! > 0x39) return false;
  const digits = end - start;
  return digits > 0 && digits <= mostDigits && (digits === 1 || bytes[start] !== zero);
}

export function isDigit(byte: number): boolean {
  return byte >= zero && byte <= nine;
}
