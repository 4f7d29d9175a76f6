// Parses the head of an HTTP/1 response, from a proxy or from a record of an archive, into status and fields (RFC 9112 §4, §5).

/** The parsed head of a response. */
export interface HttpHead {
  /** The HTTP version: "1.1", "1.0" or "2". */
  readonly version: string;
  readonly status: number;
  /** Names in lower case; repeated fields are joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns the offset of the end of a head, and the offset of the first byte after its empty line; undefined without an empty line. Lines
 * may end in a bare LF.
 */
export function headEndOf(message: {
  indexOf(text: string): number;
}): { readonly end: number; readonly restStart: number } | undefined {
  const crlf = message.indexOf("\r\n\r\n");
  const lf = message.indexOf("\n\n");
  if (crlf === -1 && lf === -1) return undefined;
  return crlf !== -1 && (lf === -1 || crlf < lf) ? { end: crlf, restStart: crlf + 4 } : { end: lf, restStart: lf + 2 };
}

/** Largest head, as in the default of `maxHeaderBytes` (limits.ts). */
const maxHeadBytes = 65_536;

/**
 * Parses a head, the text up to the end that `headEndOf` found, one character per byte. Returns undefined when the first line is not
 * a status line, when the head is too large, and when the head contains a NUL or a bare CR, on which parsers disagree (RFC 9112 §2.2).
 */
export function httpHeadOf(head: string): HttpHead | undefined {
  if (head.length > maxHeadBytes || /\0|\r(?!\n|$)/.test(head)) return undefined;
  // A line that begins with a space or tab continues the previous field (RFC 9112 §5.2).
  const [first = "", ...lines] = head.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  const [, version, status] = /^HTTP\/(\d(?:\.\d)?) (\d{3})(?!\d)/.exec(first) ?? [];
  if (version === undefined) return undefined;
  const fields = lines.flatMap((line) => {
    const colon = line.indexOf(":");
    return colon < 1 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()] as const];
  });
  return { version, status: Number(status), headers: fieldsOf(fields) };
}

/** Header fields by name, in lower case; repeated fields are joined with ", ". */
export function fieldsOf(fields: Iterable<readonly [name: string, value: string]>): Readonly<Record<string, string>> {
  // No prototype: a field may have the name of any member of Object.prototype.
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [written, value] of fields) {
    // Spaces before the colon do not belong to the name (RFC 9112 §5.1).
    const name = written.trimEnd().toLowerCase();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}
