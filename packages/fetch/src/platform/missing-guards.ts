// Lists the guards that a transport over the platform's fetch lacks, as data. The README's table has a row for each.

/** A guard that the transports over sockets have and the transport over fetch lacks. */
export interface MissingGuard {
  readonly name: MissingGuardName;
  /** The effect of the guard's absence, in one sentence. */
  readonly effect: string;
}

/** The name of a guard. */
export type MissingGuardName = (typeof rows)[number][0];

const rows = [
  [
    "resolved-addresses",
    "a name that resolves to a private address is requested: only addresses written in the URL are refused",
  ],
  ["pinned-address", "the platform resolves a name itself, and again for each request"],
  ["per-address-turns", "simultaneous requests are limited for each origin, not for each IP address"],
  [
    "header-limit",
    "the size of a response head is checked only after the platform has read it; the platform decides how much it reads",
  ],
  [
    "connect-timeout",
    "name lookup, connection and response head share one time limit, connectTimeoutMs + headersTimeoutMs",
  ],
  ["whole-coded-body", "a compressed body that is cut off may count as whole, if the platform accepts it"],
  [
    "framing",
    "the platform decides about conflicting lengths, bare CRs, and a reset at the end of a body without a length",
  ],
  ["lenient-reading", "a response that the platform's parser refuses is not read a second time"],
  ["own-connections", "the platform may keep connections open after a request, and after close"],
  [
    "redirects-in-browsers",
    'a browser hides the target of a redirect, which gives redirect-opaque; with opaqueRedirects: "follow" the browser follows it without guards, and the hops are not recorded',
  ],
  [
    "headers-in-browsers",
    "in a browser, a page can only read origins that allow it by CORS; the browser sends its own User-Agent, and hides Retry-After and other fields",
  ],
  ["failure-reasons", "if the platform gives no reason for a failure, its code is network-unreachable"],
  ["proxies", "the platform's own proxies are used, or none"],
  ["tls-options", "the platform judges certificates; their failures are distinguished only if it gives a code"],
  ["ftp", "an ftp:// origin is scheme-unsupported"],
] as const;

/** All missing guards. In a network with private servers, use a transport over sockets. */
export const missingGuards: readonly MissingGuard[] = Object.freeze(
  rows.map(([name, effect]) => Object.freeze({ name, effect })),
);
