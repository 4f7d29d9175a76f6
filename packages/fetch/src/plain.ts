// The head of a response as nearly every server writes it → status, header fields and how the body is framed (RFC 9112 §4–§6);
// undefined for whatever a reader could stumble over: that is left to a whole parser.

/** How the end of a body is known (RFC 9112 §6.3): by its length, by chunks, or by the end of the connection. */
export type Framing = number | "chunked" | "close";

/** The head of a response. */
export interface PlainHead {
  readonly status: number;
  /** Names in lower case; the values of a name that comes twice are joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly framing: Framing;
  /** Where the body begins. */
  readonly bodyAt: number;
}

const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;
const COLON = 0x3a;
const ZERO = 0x30;

const isName = 1;
const isValue = 2;

/** What each octet may be part of: a field's name (RFC 9110 §5.6.2, token), its value (§5.5, obs-text included). */
const kinds = new Uint8Array(256);
for (let octet = 0; octet < 256; octet++) {
  if ((octet >= SPACE && octet !== 0x7f) || octet === TAB) kinds[octet] = isValue;
  if (/[!#$%&'*+.^_`|~0-9A-Za-z-]/.test(String.fromCharCode(octet))) kinds[octet] = isName | isValue;
}

const version = [...Buffer.from("HTTP/1.")];

/**
 * Reads a head that is whole within `bytes`. Gives it only where every parser reads the same: HTTP/1.0 or 1.1, a final
 * status, lines that end with CRLF, no folded field, no control character, one length or one coding or none.
 */
export function plainHeadOf(bytes: Buffer): PlainHead | undefined {
  const endAt = bytes.indexOf("\r\n\r\n", 0, "latin1");
  // From here on every run ends at a CR before the end of `bytes`.
  if (endAt < 12) return undefined;
  for (let at = 0; at < version.length; at++) if (bytes[at] !== version[at]) return undefined;
  const minor = bytes[7]! - ZERO;
  if ((minor !== 0 && minor !== 1) || bytes[8] !== SPACE) return undefined;
  const status = numberIn(bytes, 9, 12);
  // Interim responses are no answer, and 204 and 304 have no body whatever their fields say.
  if (status < 200 || status > 599 || status === 204 || status === 304) return undefined;
  let at = 12;
  if (bytes[at] === SPACE) while ((kinds[bytes[at]!]! & isValue) !== 0) at++;
  if (bytes[at] !== CR || bytes[at + 1] !== LF) return undefined;

  // No prototype: a field may be named like anything.
  const headers = Object.create(null) as Record<string, string>;
  let length: number | undefined;
  let isChunked = false;
  at += 2;
  while (at < endAt + 2) {
    const nameAt = at;
    while ((kinds[bytes[at]!]! & isName) !== 0) at++;
    if (at === nameAt || bytes[at] !== COLON) return undefined;
    const name = bytes.toString("latin1", nameAt, at).toLowerCase();
    at++;
    while (bytes[at] === SPACE || bytes[at] === TAB) at++;
    const valueAt = at;
    while ((kinds[bytes[at]!]! & isValue) !== 0) at++;
    if (bytes[at] !== CR || bytes[at + 1] !== LF) return undefined;
    let valueEnd = at;
    while (valueEnd > valueAt && (bytes[valueEnd - 1] === SPACE || bytes[valueEnd - 1] === TAB)) valueEnd--;
    at += 2;
    const value = bytes.toString("latin1", valueAt, valueEnd);
    if (name === "content-length") {
      // Two lengths, lengths that are none or have blanks behind them: for others to judge.
      if (length !== undefined || valueEnd === valueAt || valueEnd + 2 !== at || at - valueAt > 17) return undefined;
      length = numberIn(bytes, valueAt, valueEnd);
      if (length < 0) return undefined;
    } else if (name === "transfer-encoding") {
      if (isChunked || minor === 0 || value !== "chunked") return undefined;
      isChunked = true;
    }
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  if (isChunked && length !== undefined) return undefined;
  return { status, headers, framing: isChunked ? "chunked" : (length ?? "close"), bodyAt: endAt + 4 };
}

/** The decimal number in `bytes` from `start` to `end`; -1 where there is something else than digits. */
function numberIn(bytes: Buffer, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = bytes[at]! - ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}
