// A request of a log and the origin to fall back on in, its URL out, or why there is none: RFC 9112 §3.3.
import type { LogProblem, LogRequest } from "./types.ts";

/** The origin for requests whose log line gives none. */
export interface Base {
  readonly scheme: "http" | "https";
  /** Host and perhaps port. */
  readonly host: string;
}

const noHost: LogProblem = { code: "no-host", message: "does not name the host of the request" };
const strangeHost: LogProblem = { code: "no-host", message: "names an invalid host" };

/**
 * The URL of a request. A target that begins with "/" follows scheme and host, also where it begins with "//": it is never
 * resolved as a link is. Any other is the URL. Where nothing says the scheme, it is that of `base`, or https.
 * Line ends, tabs, spaces and other controls in the target become percent-escapes.
 */
export function urlOf({ target, scheme, host }: LogRequest, base: Base | undefined): string | LogProblem {
  if (!target.startsWith("/")) return escaped(target.replace(/^ws(s?):/i, "http$1:"));
  const authority = host ?? base?.host;
  if (authority === undefined) return noHost;
  // A Host header is the client's text: it must not extend into the path or the userinfo.
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
