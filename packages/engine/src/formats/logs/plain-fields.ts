// Tests whether a field of a log line has its usual form. A line with a field of another form is left to the log's parser.
import { mayBeClient, type PatternField } from "@robots-stream/logs";
import { ByteMemo } from "../../records/byte-keys.ts";
import { isDigit } from "../../records/words.ts";

const dash = 0x2d;
const dot = 0x2e;
const colon = 0x3a;
const slash = 0x2f;
const zero = 0x30;
const bracket = 0x5b;
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
  "client",
  "peer",
];

/** The kind of a field for `isPlainField`; 0 for fields that need no such check. */
export function kindOfField(field: PatternField): number {
  return kinds.indexOf(field) + 1;
}

/** Whether each text of a field with the client is certainly one address or one name, which the parser would give as it is. */
export function clientMemo(): ByteMemo<boolean> {
  return new ByteMemo((text) => /^[\w.:-]*$/.test(text) && mayBeClient(text));
}

/**
 * Whether the field `bytes[start, end)` has the usual form of its kind. Four bytes of `view` must be readable at each offset of the field.
 */
export function isPlainField(
  kind: number,
  bytes: Buffer,
  view: DataView,
  start: number,
  end: number,
  clients: ByteMemo<boolean>,
): boolean {
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
      return isAddressAndPort(bytes, start, end, clients);
    default:
      return isIpv4(bytes, start, end) || clients.resultOf(bytes, start, end);
  }
}

/** Whether a target, which is either a path or a URL, begins with `http://` or `https://`. */
function isUrl(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
  if (end - start < 8 || view.getInt32(start, true) !== schemeWord) return false;
  const colonAt = start + (bytes[start + 4] === 0x73 ? 5 : 4);
  return bytes[colonAt] === colon && bytes[colonAt + 1] === slash && bytes[colonAt + 2] === slash;
}

/** Whether a field is an address, a colon and a port of up to five digits. False for an address in brackets, which the parser reads. */
function isAddressAndPort(bytes: Buffer, start: number, end: number, clients: ByteMemo<boolean>): boolean {
  const at = endOfAddress(bytes, start, end);
  if (at <= start || end - at > 6 || isMissing(bytes, start, at)) return false;
  return isIpv4(bytes, start, at) || clients.resultOf(bytes, start, at);
}

/** Whether a field is an address of IPv4. */
function isIpv4(bytes: Uint8Array, start: number, end: number): boolean {
  let dots = 0;
  let from = start;
  let number = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (isDigit(byte)) number = number * 10 + byte - zero;
    else if (byte === dot && at > from && at - from < 4 && number < 256) {
      dots++;
      from = at + 1;
      number = 0;
    } else return false;
  }
  return dots === 3 && end > from && end - from < 4 && number < 256;
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
  for (let at = start; at < end; at++) if (!isDigit(bytes[at]!)) return false;
  const digits = end - start;
  return digits > 0 && digits <= mostDigits && (digits === 1 || bytes[start] !== zero);
}
