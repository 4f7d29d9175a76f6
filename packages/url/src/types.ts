// What a URL is to a robots.txt reader: its origin and its target, or why it has none.

/**
 * Scheme, host and port as the URL standard serializes them: `https://example.com`, `http://h:8080`, `ftp://[::1]`.
 * Lower-case, other letters than ASCII as punycode, without the scheme's default port; a trailing dot of the host stays
 * and makes another origin. Two URLs share a robots.txt if and only if these strings are equal.
 */
export type Origin = string;

/** What a robots.txt reader needs of a URL. */
export interface ParsedTarget {
  readonly origin: Origin;
  /**
   * Path and query as rules are compared with them: begins with `/`, has no fragment, is ASCII, escapes in upper case,
   * dot segments and `//` as they were.
   */
  readonly target: string;
}

/** Why a text has no origin and target: it is no absolute URL, or one of a scheme that has no robots.txt. */
export type UrlProblem = "invalid-url" | "unsupported-scheme";
