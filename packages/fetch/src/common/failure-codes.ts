// Defines the failure codes of exchanges (RFC 9309 §2.3.1), and the type of a failure inside this package.

/** Every way in which an exchange can end without a usable response. The README explains each code. */
export const failureCodes = [
  "dns-not-found",
  "dns-failed",
  "dns-timeout",
  "dns-invalid",
  "connect-refused",
  "connect-timeout",
  "network-unreachable",
  "local-resources",
  "blocked-address",
  "blocked-port",
  "proxy",
  "proxy-refused",
  "tls-expired",
  "tls-untrusted",
  "tls-wrong-host",
  "tls-handshake",
  "tls-timeout",
  "timeout",
  "reset",
  "closed",
  "protocol",
  "headers-too-large",
  "incomplete",
  "encoding",
  "redirect-limit",
  "redirect-loop",
  "redirect-invalid",
  "redirect-scheme",
  "redirect-opaque",
  "ftp-not-found",
  "ftp-refused",
  "ftp-unsupported",
  "scheme-unsupported",
  "not-cached",
  "aborted",
] as const;

/** A stable code: users and tests compare it, stores keep it, programs print it. */
export type FailureCode = (typeof failureCodes)[number];

/** An `ExchangeFailure` without its URL. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  /** Set when the strict parser refused the response: the lenient parser may be able to read it. */
  readonly strict?: true;
  /** Set for a `timeout` of an origin that had enough time to answer (follow.ts). */
  readonly slow?: true;
}

/**
 * The error that is thrown to end a request with this failure, for example when the address guard or a proxy refuses the connection.
 * Callers of this package never see this error.
 */
export class RefusedError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}
