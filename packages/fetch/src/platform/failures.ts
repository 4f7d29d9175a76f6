// Maps an error of the platform's fetch to a stable failure code.
import { type Failure, type FailureCode, type Phase, certificateCodes, codeOf, failureOf } from "../common/failures.ts";

/** Error codes of name resolution. `connectCodes` has the error codes of connecting. */
const resolveCodes: ReadonlySet<string> = new Set(["ENOTFOUND", "ENODATA", "EAI_AGAIN", "EAI_NODATA", "EAI_NONAME"]);
const connectCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "ENETDOWN",
  "EHOSTDOWN",
  "EADDRNOTAVAIL",
  "EACCES",
  "EPERM",
]);

/** Error codes that do not occur in the transports over sockets. */
const otherCodes: Readonly<Record<string, FailureCode>> = {
  UND_ERR_CONNECT_TIMEOUT: "connect-timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "incomplete",
  ConnectionRefused: "connect-refused",
  ConnectionClosed: "closed",
  FailedToOpenSocket: "connect-refused",
};

/**
 * Maps an error to a failure. `isHeadRead` means that the error occurred while the body was read. An error without a code or a known name
 * is `network-unreachable`, or `incomplete` in a body.
 */
export function failureOfFetch(error: unknown, isHeadRead: boolean): Failure {
  const cause = causeOf(error);
  const code = codeOf(cause);
  if (Object.hasOwn(otherCodes, code)) return { code: otherCodes[code]!, message: messageOf(cause) };
  const phase = phaseOf(code, isHeadRead);
  const isKnown = code !== "" || isParserError(cause);
  if (!isKnown) return { code: isHeadRead ? "incomplete" : "network-unreachable", message: messageOf(error) };
  const failure = failureOf(cause, { phase, ended: /closed/i.test(messageOf(cause)), bytesRead: bytesReadIn(cause) });
  return { code: failure.code, message: failure.message };
}

function phaseOf(code: string, isHeadRead: boolean): Phase {
  if (isHeadRead) return "body";
  if (resolveCodes.has(code)) return "resolve";
  if (connectCodes.has(code)) return "connect";
  return Object.hasOwn(certificateCodes, code) ? "tls" : "head";
}

/** The cause of an error: fetch rejects with a TypeError, and Node puts the original error into its `cause`. */
function causeOf(error: unknown): unknown {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? cause : error;
}

function isParserError(error: unknown): boolean {
  return error instanceof Error && error.name === "HTTPParserError";
}

/** Bytes received over the socket of an error; undici's errors have a `socket` member. */
function bytesReadIn(error: unknown): number {
  const bytes = (error as { readonly socket?: { readonly bytesRead?: unknown } } | null | undefined)?.socket?.bytesRead;
  return typeof bytes === "number" ? bytes : 0;
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
