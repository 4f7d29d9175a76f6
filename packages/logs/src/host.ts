// Reads the host of a request in a field of a log or a record, and tells placeholders and patterns, which name no host, from hosts.

/** The host that a field names, and the scheme that its port implies. */
export interface NamedHost {
  /**
   * The host, with its port unless the port is 80 or 443. Undefined for a field that names no host. A text that can be no host is returned
   * as it is, and `urlOf` refuses it.
   */
  readonly host: string | undefined;
  readonly scheme: "http" | "https" | undefined;
}

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
