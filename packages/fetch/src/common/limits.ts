// Defines the limits of one exchange, with their defaults and the checks of a caller's values.
import { type Checks, readOptions, wholeNumber, withDefaults } from "./options.ts";

/** The limits of one exchange: the request to one origin, with all its redirects. */
export interface Limits {
  /** Time for name resolution, connecting and the TLS handshake of one hop. */
  readonly connectTimeoutMs: number;
  /** Time from the established connection to the end of the response head, including interim (1xx) responses; for each hop. */
  readonly headersTimeoutMs: number;
  /** Time for the whole exchange, including redirects and body, but not the time in which the exchange waits for its turn. */
  readonly deadlineMs: number;
  /**
   * Largest number of redirects. One more redirect ends the exchange with the failure `redirect-limit` (RFC 9309 §2.3.1.2: at least five).
   */
  readonly maxRedirects: number;
  /**
   * Bytes of one response head. Limits the sum of its field names and values, and also all bytes received before the end of the head,
   * including status line and interim (1xx) responses. The framing of the body (chunk sizes, chunk extensions, trailers) may take the
   * same number of bytes again, and 16 bytes for each byte of content.
   */
  readonly maxHeaderBytes: number;
  /** Decoded bytes of the body; the rest is not read (RFC 9309 §2.5: at least 500 KiB). */
  readonly maxBytes: number;
  /** Largest number of content codings applied to one body. */
  readonly maxContentEncodings: number;
}

/**
 * The defaults: 5 s to connect, 10 s for a head, 20 s for an exchange; 5 redirects; 64 KiB of headers; 512,000 decoded bytes; 5 codings.
 */
export const defaultLimits: Limits = Object.freeze({
  connectTimeoutMs: 5_000,
  headersTimeoutMs: 10_000,
  deadlineMs: 20_000,
  maxRedirects: 5,
  maxHeaderBytes: 65_536,
  maxBytes: 512_000,
  maxContentEncodings: 5,
});

/** The smallest and the largest allowed values: a timer takes at most 2^31 - 1 ms, and a body is one buffer in memory. */
const checks: Checks<Limits> = {
  connectTimeoutMs: wholeNumber(1, 2_147_483_647),
  headersTimeoutMs: wholeNumber(1, 2_147_483_647),
  deadlineMs: wholeNumber(1, 2_147_483_647),
  maxRedirects: wholeNumber(0, 100),
  maxHeaderBytes: wholeNumber(256, 16_777_216),
  maxBytes: wholeNumber(1, 268_435_456),
  maxContentEncodings: wholeNumber(0, 20),
};

/** The defaults, overridden by the caller's values. Throws `ERR_INVALID_OPTION` for an unknown name or a value out of range. */
export function limitsOf(given: Partial<Limits> = {}): Limits {
  return Object.freeze(withDefaults(defaultLimits, readOptions<Partial<Limits>>(given, checks, "limits")));
}
