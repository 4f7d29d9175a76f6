// Makes the URL of a request in a log, with a fallback origin, or finds the reason why it has none (RFC 9112 §3.3).
import type { LogProblem, LogRequest } from "./types.ts";

/** The fallback origin for requests whose log line has none. */
export interface Base {
  readonly scheme: "http" | "https";
  /** The host, possibly with a port. */
  readonly host: string;
}

const noHost: LogProblem = { code: "no-host", message: "does not name the host of the request" };
const strangeHost: LogProblem = { code: "no-host", message: "names an invalid host" };

/**
 * The URL of a request. A target that begins with "/" is appended to scheme and host, even if it begins with "//": it is never
 * resolved like a link. Any other target is the URL itself. A missing scheme is taken from `base`, else it is https. Line ends,
 * tabs, spaces and other control characters in the target are percent-encoded.
 */
export function urlOf(
  { target, scheme, host }: Pick<LogRequest, "target" | "scheme" | "host">,
  base: Base | undefined,
): string | LogProblem {
  if (!target.startsWith("/")) return escaped(target.replace(/^ws(s?):/i, "http$1:"));
  const authority = host ?? base?.host;
  if (authority === undefined) return noHost;
  // The client chooses the Host header, so its text must not extend into the path or the user info.
  // oxlint-disable-next-line no-control-regex
  if (/[\x00-\x20/?#@\\]/.test(authority)) return strangeHost;
  return `${scheme ?? base?.scheme ?? "https"}://${authority}${escaped(target)}`;
}

function escaped(target: string): string {
  // oxlint-disable-next-line no-control-regex
  return target.replaceAll(/[\x00-\x20\x7f]/g, (byte) => {
    return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  });
}
