// The head of an HTTP/1 response as text → its status and fields (RFC 9112 §4, §5): answers of proxies, and records of archives.

/** The content of a head. */
export interface HttpHead {
  /** "1.1", "1.0", "2". */
  readonly version: string;
  readonly status: number;
  /** Names in lower case; repeated fields are joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
}

/** Where a head ends in a message, and where the rest begins; undefined where it has no end. Lines may end in LF alone. */
export function headEndOf(message: {
  indexOf(text: string): number;
}): { readonly end: number; readonly restStart: number } | undefined {
  const crlf = message.indexOf("\r\n\r\n");
  const lf = message.indexOf("\n\n");
  if (crlf === -1 && lf === -1) return undefined;
  return crlf !== -1 && (lf === -1 || crlf < lf) ? { end: crlf, restStart: crlf + 4 } : { end: lf, restStart: lf + 2 };
}

/** Bound of a head, as of one that the network gives (limits.ts). */
const maxHeadBytes = 65_536;

/**
 * Reads the text before that end, one character a byte. Undefined where the first line is no status line, for a head that is too
 * large, and for one with a NUL or a CR alone, which parsers understand in different ways (RFC 9112 §2.2).
 */
export function httpHeadOf(head: string): HttpHead | undefined {
  if (head.length > maxHeadBytes || /\0|\r(?!\n|$)/.test(head)) return undefined;
  // A line that begins with a blank continues the field before it (RFC 9112 §5.2).
  const [first = "", ...lines] = head.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  const [, version, status] = /^HTTP\/(\d(?:\.\d)?) (\d{3})(?!\d)/.exec(first) ?? [];
  if (version === undefined) return undefined;
  // No prototype: a field may be named like anything.
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    // Blanks before the colon are none of the name: the parser of the network takes them away, too (RFC 9112 §5.1).
    const name = line.slice(0, colon).trimEnd().toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return { version, status: Number(status), headers };
}
