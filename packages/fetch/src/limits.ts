// The bounds of one exchange: defaults, and a caller's own values checked.
import { type Checks, readOptions, wholeNumber, withDefaults } from "./options.ts";

/** Bounds of one exchange: one origin's request with all its redirects. */
export interface Limits {
  /** Resolving, connecting and the TLS handshake of one hop. */
  readonly connectTimeoutMs: number;
  /** From a ready connection to the end of the response's head, interim (1xx) responses included; for each hop. */
  readonly headersTimeoutMs: number;
  /** The whole exchange, redirects and body included. Starts when the exchange starts, not while it waits for its turn. */
  readonly deadlineMs: number;
  /** Redirects followed; one more ends the exchange with the failure `redirect-limit` (RFC 9309 §2.3.1.2: at least five). */
  readonly maxRedirects: number;
  /**
   * Bytes of one response head: of its names and values, and of all that comes before it ends, status line and interim (1xx)
   * responses included. As many again may frame a body: sizes and extensions of chunks, and trailers.
   */
  readonly maxHeaderBytes: number;
  /** Decoded bytes of the body; the rest is not read (RFC 9309 §2.5: at least 500 KiB). */
  readonly maxBytes: number;
  /** Content codings stacked on one another. */
  readonly maxContentEncodings: number;
}

/** 5 s, 10 s and 20 s; 5 redirects; 64 KiB of headers; 512,000 decoded bytes; 5 codings. */
export const defaultLimits: Limits = Object.freeze({
  connectTimeoutMs: 5_000,
  headersTimeoutMs: 10_000,
  deadlineMs: 20_000,
  maxRedirects: 5,
  maxHeaderBytes: 65_536,
  maxBytes: 512_000,
  maxContentEncodings: 5,
});

/** Smallest sensible and largest possible value (a timer holds at most 2^31 - 1 ms, a buffer is kept whole). */
const checks: Checks<Limits> = {
  connectTimeoutMs: wholeNumber(1, 2_147_483_647),
  headersTimeoutMs: wholeNumber(1, 2_147_483_647),
  deadlineMs: wholeNumber(1, 2_147_483_647),
  maxRedirects: wholeNumber(0, 100),
  maxHeaderBytes: wholeNumber(256, 16_777_216),
  maxBytes: wholeNumber(1, 268_435_456),
  maxContentEncodings: wholeNumber(0, 20),
};

/** The defaults with the caller's values over them. Throws `ERR_INVALID_OPTION` for an unknown name or a value out of range. */
export function limitsOf(given: Partial<Limits> = {}): Limits {
  return Object.freeze(withDefaults(defaultLimits, readOptions<Partial<Limits>>(given, checks, "limits")));
}
