// Splits the request line in a log (RFC 9112 §3, as real clients send it) into method and target, or finds why it has no URL.
import type { LogProblem, LogRequest } from "./types.ts";

/** The method and target of a request. */
export interface RequestLine {
  readonly method: string;
  readonly target: string;
  /** As in `LogRequest`. */
  readonly isPartial?: true;
}

/** The number of characters of a request line that every server writes: some cut what is longer, and the version at its end. */
const surelyWhole = 250;

/** The problem of a request line; for an HTTP request without a URL also its method and target. */
export interface RequestProblem extends LogProblem {
  readonly line?: RequestLine;
}

const noRequest: LogProblem = { code: "no-request", message: "is a connection without a request" };
const notHttp: LogProblem = { code: "not-http", message: "is not an HTTP request" };

/** Splits a request line whose log escapes are decoded already. A request line without a version is from HTTP/0.9, or was cut. */
export function requestLineOf(line: string): RequestLine | RequestProblem {
  if (line === "" || line === "-") return noRequest;
  const space = line.indexOf(" ");
  const method = line.slice(0, space);
  if (space <= 0 || !isToken(method)) return notHttp;
  // AWS writes "-" as the method of a malformed request.
  if (method === "-") return noRequest;
  const last = line.lastIndexOf(" ");
  const version = line.slice(last + 1);
  const isVersioned = /^HTTP\/\d(?:\.\d)?$/.test(version);
  if (!isVersioned && /^[A-Z]+\/\d(?:\.\d)?$/.test(version)) return notHttp;
  const target = withoutSpaces(line.slice(space + 1, isVersioned ? Math.max(last, space + 1) : undefined));
  const problem = problemOfTarget(method, target, isVersioned);
  if (problem === undefined) {
    return isVersioned || line.length < surelyWhole ? { method, target } : { method, target, isPartial: true };
  }
  return problem.code === "no-url" ? { ...problem, line: { method, target } } : problem;
}

/** The reason why a target has no URL, if it is neither in origin-form nor in absolute-form (RFC 9112 §3.2); else undefined. */
export function problemOfTarget(method: string | undefined, target: string, isHttp = true): LogProblem | undefined {
  if (method === "CONNECT") return isHttp ? noUrl("is a CONNECT, which has no URL") : notHttp;
  if (target.startsWith("/") || isAbsolute(target)) return undefined;
  if (!isHttp) return notHttp;
  if (target === "*") return noUrl("is about the server as a whole: *");
  return noUrl(target === "" ? "has an empty target" : "has a target that is not a path");
}

/** The request; or its problem, which keeps the request if that is an HTTP request without a URL, such as `OPTIONS *`. */
export function withProblem(request: LogRequest, problem: LogProblem | undefined): LogRequest | LogProblem {
  if (problem === undefined) return request;
  return problem.code === "no-url" ? { ...problem, request } : problem;
}

/**
 * The path of a field that never has the query: a server decoded the "?" or "#" in it (IIS's cs-uri-stem, nginx's $uri, Apache's %U), because
 * a "?" that the client sends begins the query, and no client sends a fragment.
 */
export function pathAsSent(path: string): string {
  return path.replaceAll("?", "%3F").replaceAll("#", "%23");
}

/** Whether a target is an absolute URL: it has a scheme and an authority. */
export function isAbsolute(target: string): boolean {
  return /^[a-z][a-z0-9+.-]{0,30}:\/\//i.test(target);
}

function noUrl(message: string): LogProblem {
  return { code: "no-url", message };
}

/** Whether a text is a `token` of RFC 9110 §5.6.2, the grammar of methods. */
function isToken(text: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(text);
}

/** A text without the spaces at both ends; spaces inside it are kept. */
function withoutSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) === 0x20) start++;
  while (end > start && text.charCodeAt(end - 1) === 0x20) end--;
  return text.slice(start, end);
}
