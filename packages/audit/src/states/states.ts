// Defines the closed lists of states, directions, verifications, methods and classes of status codes. Counts use positions in these lists.

/**
 * The states of requests; the number of a state is its position. `undecidable:…` ends with the reason, `not-bound:…` with the state that
 * the request would have if robots.txt bound the crawler. Requests of no known crawler have no state; they are counted in the totals.
 */
export const stateCodes = [
  "robots-txt",
  "undecidable:no-url",
  "undecidable:no-file",
  "undecidable:outage",
  "undecidable:no-time",
  "undecidable:asterisk",
  "undecidable:connect",
  "allowed",
  "violation",
  "grace",
  "not-bound:allowed",
  "not-bound:violation",
  "not-bound:grace",
] as const;

/** A state of a request. */
export type StateCode = (typeof stateCodes)[number];

/** The number of a state. */
export function stateNumberOf(code: StateCode): number {
  return stateCodes.indexOf(code);
}

/**
 * The change before a request in grace: "tightened" if the newer version disallows the request, "loosened" if the newer version allows it.
 */
export const directions = ["none", "tightened", "loosened"] as const;

/** A direction of a change; "none" outside grace. */
export type Direction = (typeof directions)[number];

/** The results of checking whether a client is the crawler that its User-Agent header names. */
export const verifications = ["no-check", "verified", "claimed", "false"] as const;

/**
 * The result of verification. `no-check`: no check was made. `verified`: the client is the crawler. `claimed`: nothing is proved. `false`:
 * the client is not the crawler.
 */
export type Verification = (typeof verifications)[number];

/** The methods that counts distinguish. */
export const methodNames = ["GET", "HEAD", "POST", "OPTIONS", "CONNECT", "other"] as const;

/** A method, or "other". */
export type MethodName = (typeof methodNames)[number];

/** The number of a method that is written as in a log. */
export function methodNumberOf(method: string): number {
  const at = (methodNames as readonly string[]).indexOf(method);
  return at < 0 ? methodNames.length - 1 : at;
}

/**
 * The classes of answers; each request has one. `served`: 2xx and 304; `redirected`: other 3xx; `not-found`: 404 and 410; `refused`: see
 * `refusals`; `failed`: 5xx; `no-answer`: no status, 000, 1xx and 499 (the client closed the connection); `other`: any other status;
 * `not-known`: the input records no status.
 */
export const statusClasses = [
  "served",
  "redirected",
  "not-found",
  "refused",
  "failed",
  "no-answer",
  "other",
  "not-known",
] as const;

/** A class of answers. */
export type StatusClass = (typeof statusClasses)[number];

/** The status codes with which a server refuses a client. */
const refusals: ReadonlySet<number> = new Set([401, 402, 403, 407, 429, 444, 451]);

/** The number of the class of a status code; 0 is the status of a request without an answer, -1 of an input that records no status. */
export function statusClassOf(status: number): number {
  if (status === 304) return 0;
  if (status === 404 || status === 410) return 2;
  if (refusals.has(status)) return 3;
  if (status === 0 || status === 499) return 5;
  switch (Math.floor(status / 100)) {
    case 1:
      return 5;
    case 2:
      return 0;
    case 3:
      return 1;
    case 5:
      return 4;
    default:
      return status < 0 ? 7 : 6;
  }
}

/** The classes of answers of which documents keep examples: those of requests that the server did not serve, and why. */
export const missedClasses: readonly StatusClass[] = ["redirected", "not-found", "refused", "failed"];

const missed: readonly boolean[] = statusClasses.map((name) => missedClasses.includes(name));

/** Whether documents keep examples of a class, given its number. */
export function isMissed(statusClass: number): boolean {
  return missed[statusClass]!;
}

/** The name of the class of a status code; see `statusClassOf`. */
export function classNameOf(status: number): StatusClass {
  return statusClasses[statusClassOf(status)]!;
}

/** The status that documents contain for all statuses of more than three digits. */
export const largestStatus = 1_000;

/** A status code as documents contain it: -1 if the input records no status, `largestStatus` for one of more than three digits. */
export function countedStatusOf(status: number): number {
  return status < 0 ? -1 : Math.min(Math.floor(status), largestStatus);
}

/** Whether a fetch of /robots.txt succeeded: GET with 200 or 304. */
export function isSuccessfulFetch(method: number, status: number): boolean {
  return method === 0 && (status === 200 || status === 304);
}
