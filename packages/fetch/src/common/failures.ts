// Defines the failure codes of exchanges (RFC 9309 §2.3.1), and maps an error of Node or undici, with the phase in which it occurred, to one
// of them. Imports no Node module.

/** The phase of a hop. `proxy`: connecting to a proxy; `head`: connected, the response head is incomplete; `body`: after the head. */
export type Phase = "resolve" | "proxy" | "connect" | "tls" | "head" | "body";

/** The state of a hop when an error occurs. */
export interface FailureContext {
  readonly phase: Phase;
  /** Whether the other side ended its half of the connection. */
  readonly ended: boolean;
  /** Bytes received over the connection. */
  readonly bytesRead: number;
}

const timeouts: Readonly<Record<Phase, { readonly code: Failure["code"]; readonly what: string }>> = {
  resolve: { code: "dns-timeout", what: "no address" },
  proxy: { code: "proxy", what: "no connection to the proxy" },
  connect: { code: "connect-timeout", what: "no connection" },
  tls: { code: "tls-timeout", what: "no TLS handshake" },
  head: { code: "timeout", what: "no complete response head" },
  body: { code: "timeout", what: "no complete body" },
};

/** The failure of a hop that exceeds the time limit of a phase. */
export function timeoutIn(phase: Phase, timeoutMs: number): Failure {
  const { code, what } = timeouts[phase];
  return { code, message: `${what} within ${timeoutMs} ms` };
}

/** Failure codes by the error codes of Node and OpenSSL for refused certificates. */
export const certificateCodes: Readonly<Record<string, FailureCode>> = {
  CERT_HAS_EXPIRED: "tls-expired",
  CERT_NOT_YET_VALID: "tls-expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "tls-wrong-host",
  HOSTNAME_MISMATCH: "tls-wrong-host",
  DEPTH_ZERO_SELF_SIGNED_CERT: "tls-untrusted",
  SELF_SIGNED_CERT_IN_CHAIN: "tls-untrusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "tls-untrusted",
  UNABLE_TO_GET_ISSUER_CERT: "tls-untrusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "tls-untrusted",
  CERT_UNTRUSTED: "tls-untrusted",
  CERT_REJECTED: "tls-untrusted",
  CERT_REVOKED: "tls-untrusted",
  CERT_SIGNATURE_FAILURE: "tls-untrusted",
  CERT_CHAIN_TOO_LONG: "tls-untrusted",
  INVALID_CA: "tls-untrusted",
  INVALID_PURPOSE: "tls-untrusted",
  PATH_LENGTH_EXCEEDED: "tls-untrusted",
};

/** Error codes of a shortage on this machine, which may be temporary. A forbidden connection (EACCES, EPERM) is not a shortage. */
const localCodes = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EADDRINUSE"]);
const unreachableCodes = new Set(["ENETUNREACH", "EHOSTUNREACH", "ENETDOWN", "EHOSTDOWN", "EADDRNOTAVAIL"]);
const notFoundCodes = new Set(["ENOTFOUND", "ENODATA", "EAI_NODATA", "EAI_NONAME", "ENONAME"]);
const invalidNameCodes = new Set(["EBADNAME", "EINVAL", "ERR_INVALID_ARG_VALUE", "ERR_INVALID_ARG_TYPE"]);
const dnsTimeoutCodes = new Set(["ETIMEOUT", "ETIMEDOUT", "ECANCELLED"]);
const resetCodes = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED"]);

/**
 * Maps any error to a failure. An unknown error gets a code of its phase: `dns-failed`, `proxy`, `network-unreachable`,
 * `tls-handshake`; in the head `closed`, `incomplete` or `protocol`; in the body `incomplete`.
 */
export function failureOf(error: unknown, context: FailureContext): Failure {
  const code = failureCodeOf(error, context);
  const message = messageOf(error);
  return code === "protocol" ? { code, message, strict: true } : { code, message };
}

function failureCodeOf(error: unknown, context: FailureContext): FailureCode {
  const code = codeOf(error);
  if (localCodes.has(code) || hasNoPort(error)) return "local-resources";
  if (code === "UND_ERR_HEADERS_OVERFLOW") return "headers-too-large";
  switch (context.phase) {
    case "resolve":
      return resolveCodeOf(code);
    case "proxy":
      return "proxy";
    case "connect":
      return connectCodeOf(code);
    case "tls":
      return tlsCodeOf(code);
    case "head":
      return headCodeOf(error, code, context);
    case "body":
      return bodyCodeOf(error, code);
  }
}

function resolveCodeOf(code: string): FailureCode {
  if (notFoundCodes.has(code)) return "dns-not-found";
  if (invalidNameCodes.has(code)) return "dns-invalid";
  return dnsTimeoutCodes.has(code) ? "dns-timeout" : "dns-failed";
}

function connectCodeOf(code: string): FailureCode {
  if (code === "ECONNREFUSED") return "connect-refused";
  if (code === "ETIMEDOUT") return "connect-timeout";
  if (resetCodes.has(code)) return "reset";
  return "network-unreachable";
}

function tlsCodeOf(code: string): FailureCode {
  if (Object.hasOwn(certificateCodes, code)) return certificateCodes[code] ?? "tls-untrusted";
  if (code === "ETIMEDOUT") return "tls-timeout";
  return "tls-handshake";
}

function headCodeOf(error: unknown, code: string, context: FailureContext): FailureCode {
  if (resetCodes.has(code)) return "reset";
  if (code === "ETIMEDOUT") return "timeout";
  if (unreachableCodes.has(code)) return "network-unreachable";
  if (isBadResponse(error, code) || isParserError(error)) return "protocol";
  // In TLS 1.3 the server's refusal arrives only after the client has finished its own half of the handshake.
  if (code.startsWith("ERR_SSL") || code === "EPROTO") return "tls-handshake";
  if (context.bytesRead === 0) return "closed";
  return context.ended ? "incomplete" : "protocol";
}

function bodyCodeOf(error: unknown, code: string): FailureCode {
  if (code === "ETIMEDOUT") return "timeout";
  return isBadResponse(error, code) || isParserError(error) ? "protocol" : "incomplete";
}

/**
 * Whether no local port is left for one more connection to the same address. True only for IPv4 addresses: for IPv6, EADDRNOTAVAIL means
 * that this machine has no IPv6 address to use.
 */
function hasNoPort(error: unknown): boolean {
  if (codeOf(error) !== "EADDRNOTAVAIL" || error instanceof AggregateError) return false;
  return error instanceof Error && "address" in error && /^\d+\.\d+\.\d+\.\d+$/.test(String(error.address));
}

/** Whether the HTTP parser refused the bytes. False when the connection ended in the middle of a message. */
function isParserError(error: unknown): boolean {
  // Tested by name and text: undici 8 leaves the code of most parser errors undefined.
  return error instanceof Error && error.name === "HTTPParserError" && !error.message.includes("Invalid EOF state");
}

/** Whether the error is undici's "bad response" or "bad upgrade", which have the same code as a closed socket. */
function isBadResponse(error: unknown, code: string): boolean {
  return code === "UND_ERR_SOCKET" && error instanceof Error && error.message.startsWith("bad ");
}

/**
 * Returns the code of an error; "" without a code. An AggregateError contains one error for each address that was tried: returns the first
 * code of a local shortage, else the first code other than a missing route, else the first code.
 */
export function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "";
  if (error instanceof AggregateError) {
    const codes = error.errors.map(codeOf).filter((code) => code !== "");
    // A local shortage comes first, because the other codes then do not describe the server.
    const local = codes.find((code) => localCodes.has(code));
    if (local !== undefined) return local;
    return codes.find((code) => !unreachableCodes.has(code)) ?? codes[0] ?? ownCodeOf(error);
  }
  return ownCodeOf(error);
}

function ownCodeOf(error: object): string {
  const code: unknown = "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  const text = error instanceof Error ? error.message || codeOf(error) : String(error);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

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
