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

/** Classes of status codes. "other" is any other status code, or none. */
export const statusClasses = ["2xx", "304", "3xx", "404", "4xx", "5xx", "other"] as const;

/** A class of status codes. */
export type StatusClass = (typeof statusClasses)[number];

/** The number of a status code's class. */
export function statusClassOf(status: number): number {
  if (status >= 200 && status < 300) return 0;
  if (status === 304) return 1;
  if (status >= 300 && status < 400) return 2;
  if (status === 404) return 3;
  if (status >= 400 && status < 500) return 4;
  return status >= 500 && status < 600 ? 5 : 6;
}

/** Whether the server delivered the requested resource. */
export const servedNames = ["served", "refused", "other"] as const;

/** `served`: 2xx and 304; `refused`: 4xx and 5xx; `other`: redirects, and other or missing status codes. */
export type Served = (typeof servedNames)[number];

const servedByClass: readonly number[] = [0, 0, 2, 1, 1, 1, 2];

/** The position in `servedNames` for the number of a class of status codes. */
export function servedOf(statusClass: number): number {
  return servedByClass[statusClass] ?? 2;
}

/** Whether a fetch of /robots.txt succeeded: GET with 200 or 304. */
export function isSuccessfulFetch(method: number, status: number): boolean {
  return method === 0 && (status === 200 || status === 304);
}
