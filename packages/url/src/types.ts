// The types for the parts of a URL that a reader of robots.txt needs (origin and target, or the reason why it has none), and the class of all
// errors that this package throws: each has a stable code for programs and a message for people.

/**
 * Scheme, host and port as the URL standard serializes them: `https://example.com`, `http://h:8080`, `ftp://[::1]`.
 * Lower-case, with non-ASCII labels as punycode and without the scheme's default port. A trailing dot of the host is kept and
 * makes a different origin. Two URLs share a robots.txt if and only if these strings are equal.
 */
export type Origin = string;

/** The parts of a URL that a reader of robots.txt needs. */
export interface ParsedTarget {
  readonly origin: Origin;
  /**
   * Path and query in the form that is compared with rules: ASCII, beginning with `/`, without a fragment, with escapes in
   * upper case. Dot segments and `//` are not changed.
   */
  readonly target: string;
}

/** The reason why a text has no origin and target: it is not a valid absolute URL, or its scheme has no robots.txt. */
export type UrlProblem = "invalid-url" | "unsupported-scheme";

/** Codes of {@link UrlError}. */
export type UrlErrorCode = "ERR_NOT_A_STRING" | "ERR_NOT_A_FUNCTION" | "ERR_NOT_AN_ORIGIN" | "ERR_NOT_A_TARGET";

/** Thrown synchronously for a mistake of the caller, never because of a URL's content. Compare `code`; the message may change. */
export class UrlError extends TypeError {
  readonly code: UrlErrorCode;

  constructor(code: UrlErrorCode, message: string) {
    super(message);
    this.name = "UrlError";
    this.code = code;
  }
}
