// Reads the host of a request in a field of a log or a record, and tells placeholders and patterns, which name no host, from hosts; makes
// the URL of a request, with a fallback origin, or finds the reason why the request has no URL (RFC 9112 §3.3).
import type { LogProblem, LogRequest, NamedHost } from "./types.ts";

/**
 * Names that stand for any host or for none: nginx's `_` and `""`, `default` of virtual servers, Apache's `_default_`, the texts that
 * programs print for a missing value, and the unspecified addresses, to which no request can be sent (RFC 1122 §3.2.1.3, RFC 4291 §2.5.2).
 */
const placeholders: ReadonlySet<string> = new Set([
  "",
  "-",
  "_",
  "default",
  "_default",
  "_default_",
  "default_server",
  "default-server",
  "catchall",
  "catch-all",
  "catch_all",
  "any",
  "unknown",
  "none",
  "null",
  "(null)",
  "nil",
  "undefined",
  "n/a",
  "0.0.0.0",
  "::",
  "[::]",
]);

/**
 * Signs of a pattern of hosts in a server's configuration: a wildcard, a leading dot, a regular expression (nginx writes "~" before one),
 * a variable that was not replaced.
 */
const pattern = /^[~^.$]|\*|\\[.dDwWsS-]|\(\?|\$$|[${]\{/;

const bareIpv6 = /^[\da-f]*:[\da-f]*:[\da-f:.]*$/i;
const portOf = /:(?:\d{0,5}|-|\*)$/;

/** A name or an address with or without a port. Bytes above 0x7f, and percent escapes of them, are parts of names in other scripts. */
const aHost = /^(?:\[[\da-f:.]{2,45}\]|(?:[\w.~-]|[^\0-\x7f]|%[\da-f]{2})+)(?::\d{1,5})?$/i;

/** Whether a text can be the host of a request: a name or an address, with or without a port. */
export function canBeHost(text: string): boolean {
  return aHost.test(text);
}

/** Whether a text names a host to which a request can be sent: no placeholder, no pattern of hosts, and no text that cannot be a host. */
export function isHostOfRequest(text: string): boolean {
  const { host } = namedHostOf(text);
  return host !== undefined && canBeHost(host);
}

/** The text of a field if it names a host; undefined for another text, and without a text. */
export function hostTextOf(field: string | undefined): string | undefined {
  return field === undefined || namedHostOf(field).host === undefined ? undefined : field;
}

/** Reads the host in a field. Every reader of a field that may name the host of a request calls this function. */
export function namedHostOf(field: string): NamedHost {
  const text = field.length > 1 && field.startsWith('"') && field.endsWith('"') ? field.slice(1, -1) : field;
  if (bareIpv6.test(text)) return bareNamed(text);
  const port = portOf.exec(text)?.[0] ?? "";
  const name = port === "" ? text : text.slice(0, -port.length);
  const scheme = port === ":443" ? "https" : port === ":80" ? "http" : undefined;
  // Some formats write the server's port after a host that has its own. If they differ, it is not known which one the client used.
  if (port !== "" && portOf.test(name)) {
    const isTwice = name.endsWith(port) && !portOf.test(name.slice(0, -port.length));
    return isTwice ? namedHostOf(name) : { host: text, scheme: undefined };
  }
  if (placeholders.has(name.toLowerCase()) || pattern.test(name)) return { host: undefined, scheme: undefined };
  return { host: scheme === undefined && /\d$/.test(port) ? text : name, scheme };
}

/**
 * The host in an IPv6 address without brackets, perhaps with a port. If the text means one address, and another with a port, it names no
 * host.
 */
function bareNamed(text: string): NamedHost {
  const [port = ""] = /:\d{1,5}$/.exec(text) ?? [];
  const address = text.slice(0, text.length - port.length);
  if (port === "" || !isIpv6(address))
    return { host: placeholders.has(text) ? undefined : `[${text}]`, scheme: undefined };
  return isIpv6(text) ? { host: undefined, scheme: undefined } : namedHostOf(`[${address}]${port}`);
}

function isIpv6(text: string): boolean {
  if (text.length > 45) return false;
  const groups = text
    .replace(/:[\d.]*\.[\d.]*$/, ":0:0")
    .split(":")
    .filter((group) => group !== "");
  const [, shortened] = text.split("::");
  const isOfGroups = groups.every((group) => /^[\da-f]{1,4}$/i.test(group)) && !/:::|::.*::|^:(?!:)|[^:]:$/.test(text);
  return isOfGroups && (shortened === undefined ? groups.length === 8 : groups.length < 8);
}

/** The fallback origin for requests whose log line has none. */
export interface Base {
  readonly scheme: "http" | "https";
  /** The host, possibly with a port. */
  readonly host: string;
}

/**
 * Replacement origins, keyed by host: in lower case, without a dot at the end of the name, with or without a port. A key without a port
 * applies to every port that has no key of its own.
 */
export type HostBases = ReadonlyMap<string, Base>;

const noHost: LogProblem = { code: "no-host", message: "does not name the host of the request" };
const strangeHost: LogProblem = { code: "no-host", message: "names an invalid host" };

/**
 * The URL of a request. A target that begins with "/" is appended to scheme and host, even if it begins with "//": it is never resolved
 * like a link. Any other target is the URL itself, with `ws:` and `wss:` replaced by `http:` and `https:`. A host that is a placeholder or
 * a pattern of hosts (`_`, `*.shop.example`) counts as missing, also in an absolute target. A missing scheme follows from a port 80 or 443
 * of the host; else it is that of `base`, else https. Line ends, tabs, spaces and other control characters in the target are
 * percent-encoded. If `hosts` has the host of the request or of an absolute target, the origin in `hosts` replaces scheme and host. Returns
 * the problem "no-host" if neither the request nor `base` has a host, and for a text that cannot be a host.
 */
export function urlOf(
  { target, scheme, host }: Pick<LogRequest, "target" | "scheme" | "host">,
  base: Base | undefined,
  hosts?: HostBases,
): string | LogProblem {
  if (!target.startsWith("/")) {
    const [all, written = "", path = "/"] = withoutHost.exec(target) ?? [];
    if (all !== undefined && hostTextOf(written) === undefined) {
      return urlOf({ target: path.startsWith("/") ? path : `/${path}`, scheme, host: undefined }, base);
    }
    const url = escaped(target.replace(/^ws(s?):/i, "http$1:"));
    return hosts === undefined ? url : withOriginOf(url, hosts);
  }
  const named = host === undefined ? undefined : namedHostOf(host);
  if (named?.host === undefined) {
    if (base === undefined) return noHost;
    return `${scheme ?? base.scheme}://${base.host}${escaped(target)}`;
  }
  const known = scheme ?? named.scheme;
  const replaced = hosts === undefined ? undefined : baseOfHost(named.host, known, hosts);
  if (replaced !== undefined) return `${replaced.scheme}://${replaced.host}${escaped(target)}`;
  // The client chooses the Host header, so its text must not extend into the path or the user info.
  if (!canBeHost(named.host)) return strangeHost;
  // The port that implies another scheme than the one in the log is part of the origin.
  const port = known === named.scheme || named.scheme === undefined ? "" : named.scheme === "https" ? ":443" : ":80";
  return `${known ?? base?.scheme ?? "https"}://${named.host}${port}${escaped(target)}`;
}

/** An absolute target: the text in the place of the host, which has no user info or is a regular expression, and the text after it. */
const withoutHost = /^[a-z]{2,5}:\/\/(~[^/]*|[^/?#@]*)(.*)$/is;

/** The origin that `hosts` has for a host; undefined if it has none. */
function baseOfHost(written: string, scheme: "http" | "https" | undefined, hosts: HostBases): Base | undefined {
  // A dot at the end of a host name does not change the host.
  const host = written.toLowerCase().replace(/(?<=[^.])\.(?=:\d{1,5}$|$)/, "");
  const port = /:\d{1,5}$/.exec(host)?.[0];
  if (port !== undefined) return hosts.get(host) ?? hosts.get(host.slice(0, -port.length));
  // A port `:443` or `:80` of the log was converted to the scheme, so it is restored for the look-up.
  const usual = scheme === undefined ? undefined : hosts.get(host + (scheme === "https" ? ":443" : ":80"));
  return usual ?? hosts.get(host);
}

/** An absolute URL, with its origin replaced if `hosts` has its host. */
function withOriginOf(url: string, hosts: HostBases): string {
  const [all, scheme = "", authority = ""] = /^(https?):\/\/([^/?#\\]*)/i.exec(url) ?? [];
  if (all === undefined) return url;
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  const named = baseOfHost(host, scheme.toLowerCase() as Base["scheme"], hosts);
  return named === undefined ? url : `${named.scheme}://${named.host}${url.slice(all.length)}`;
}

function escaped(target: string): string {
  // oxlint-disable-next-line no-control-regex
  return target.replaceAll(/[\x00-\x20\x7f]/g, (byte) => {
    return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  });
}
