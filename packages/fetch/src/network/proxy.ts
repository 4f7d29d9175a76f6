// Chooses the proxy for a URL, from a proxy URL or from environment variables as curl reads them.
import { addressOf, AddressBlocks } from "./guard.ts";
import { FetchError } from "../common/errors.ts";
import { RefusedError } from "../common/failures.ts";

/** A proxy to connect to. */
export interface Proxy {
  readonly hostname: string;
  readonly port: number;
  /** Whether the connection to the proxy itself uses TLS. */
  readonly isSecure: boolean;
  /** The value of Proxy-Authorization. It is sent to the proxy only and never printed. */
  readonly authorization: string | undefined;
}

/** Returns the proxy for a URL; undefined for none. */
export type ProxyChoice = (url: URL) => Proxy | undefined;

/** The URL of a proxy, or a function that returns it for each requested URL. */
export type ProxyOption = string | ((url: URL) => string | undefined);

/**
 * Converts the option to a `ProxyChoice`. Throws `ERR_INVALID_OPTION` at once for an invalid proxy URL. The returned function throws a
 * `RefusedError` when the caller's function throws or returns an invalid value.
 */
export function proxyChoiceOf(option: ProxyOption | undefined): ProxyChoice {
  if (option === undefined) return () => undefined;
  if (typeof option === "string") {
    const proxy = proxyOf(option, "proxy");
    return () => proxy;
  }
  const known = new Map<string, Proxy>();
  return (url) => {
    try {
      const text: unknown = option(url);
      if (text === undefined) return undefined;
      if (typeof text !== "string") throw new FetchError("ERR_INVALID_OPTION", "the proxy must be a text");
      let proxy = known.get(text);
      if (proxy === undefined) known.set(text, (proxy = proxyOf(text, "proxy")));
      return proxy;
    } catch (error) {
      // The message of a caller's own error may quote a password, so it is left out.
      const why = error instanceof FetchError ? error.message : "the proxy function throws";
      throw new RefusedError({ code: "proxy", message: `no proxy could be chosen: ${why}` });
    }
  };
}

/** Parses "http://user:password@host:port", "https://host" or "host:port". Error messages never quote `text`: it may contain a password. */
function proxyOf(text: string, name: string): Proxy {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null || url.hostname === "")
    throw new FetchError("ERR_INVALID_OPTION", `${name} is not the URL of a proxy`);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    const what = `${name}: the scheme of a proxy must be http or https, not ${url.protocol.slice(0, 20)}`;
    throw new FetchError("ERR_INVALID_OPTION", what);
  }
  const isSecure = url.protocol === "https:";
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`;
  return {
    hostname: url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname,
    // curl's default ports. `URL` omits the scheme's default port, so the text shows whether a port was given.
    port: /:\d+\/*$/.test(text) ? Number(url.port || (isSecure ? 443 : 80)) : isSecure ? 443 : 1_080,
    isSecure,
    authorization: credentials === ":" ? undefined : `Basic ${Buffer.from(credentials).toString("base64")}`,
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Returns the proxies of the environment as a `proxy` option, or undefined when no proxy is set. Reads `http_proxy`, `https_proxy`,
 * `ftp_proxy` and `all_proxy`, and the exceptions in `no_proxy`, as curl does; lower case overrides upper case. Unlike curl, it also
 * reads HTTP_PROXY in upper case, except in a CGI program (REQUEST_METHOD is set), where a client's Proxy header sets that variable.
 * Throws `ERR_INVALID_OPTION` for an invalid proxy URL.
 */
export function proxyOfEnv(
  env: Readonly<Record<string, string | undefined>>,
): ((url: URL) => string | undefined) | undefined {
  const variable = (...names: readonly string[]): string | undefined => {
    for (const name of names) {
      const value = env[name];
      // An empty variable in lower case overrides the variable in upper case.
      if (value === undefined) continue;
      if (value !== "") proxyOf(value, name);
      return value === "" ? undefined : value;
    }
    return undefined;
  };
  const isCgi = env["REQUEST_METHOD"] !== undefined;
  const all = variable("all_proxy", "ALL_PROXY");
  const byScheme: Readonly<Record<string, string | undefined>> = {
    "http:": variable("http_proxy", ...(isCgi ? [] : ["HTTP_PROXY"])) ?? all,
    "https:": variable("https_proxy", "HTTPS_PROXY") ?? all,
    "ftp:": variable("ftp_proxy", "FTP_PROXY") ?? all,
  };
  if (Object.values(byScheme).every((value) => value === undefined)) return undefined;
  const isExcepted = exceptionsOf(env["no_proxy"] ?? env["NO_PROXY"] ?? "");
  return ({ protocol, hostname }) => (isExcepted(hostname) ? undefined : byScheme[protocol]);
}

/**
 * Returns a function that tells whether a no_proxy list contains a host. "*" alone contains all hosts. A name, with or without a leading
 * dot, contains itself and its subdomains. An address or a block ("10.0.0.0/8") contains hosts written as addresses.
 */
function exceptionsOf(list: string): (hostname: string) => boolean {
  const entries = list.split(/[\s,]+/).filter((entry) => entry !== "");
  if (entries.length === 1 && entries[0] === "*") return () => true;
  const names = new Set<string>();
  const blocks = new AddressBlocks();
  for (const entry of entries) {
    const isBlock = blocks.add(entry.replace(/^\[(.*)\]$/, "$1"));
    if (!isBlock) names.add(entry.toLowerCase().replace(/^\./, "").replace(/\.$/, ""));
  }
  return (hostname) => {
    const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
    const octets = addressOf(bare);
    if (octets !== undefined) return blocks.has(octets);
    for (let name = bare.toLowerCase().replace(/\.$/, ""); ; name = name.slice(name.indexOf(".") + 1)) {
      if (names.has(name)) return true;
      if (!name.includes(".")) return false;
    }
  };
}
