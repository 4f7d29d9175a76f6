// The notations in which servers and proxies write the patterns of their logs: the meaning of each directive, as data.
import type { Escape } from "../quoted.ts";
import { type TimeForm, apacheFormOf, strftimeFormOf } from "./time-form.ts";

/** The meaning of a directive. */
export type Directive =
  | "client"
  /** X-Forwarded-For: the addresses that the client and the proxies wrote. */
  | "forwarded"
  /** An address and a port, `192.0.2.1:1234`. */
  | "clientAndPort"
  /** The host that the client requested. */
  | "host"
  /** The name of the virtual server that answered. */
  | "serverName"
  | "scheme"
  | "user"
  | "request"
  | "method"
  /** The path and the query, or an absolute URL. */
  | "target"
  /** The path without its query. */
  | "path"
  | "query"
  /** The query with its "?", or nothing. */
  | "markedQuery"
  | "protocol"
  | "status"
  | "bytes"
  | "referer"
  | "userAgent"
  | "time"
  /** A time without a zone. */
  | "localTime"
  /** A time, or a part of it, in the form that the pattern names. */
  | "formedTime"
  | "port"
  /** Headers of the request, or of the response, that HAProxy captured: `{host|agent}`, or nothing. */
  | "captures"
  | "responseCaptures"
  /** Fields that are not read: a single word, a field that may be a list ("a, b"), and a field that may have spaces. */
  | "other"
  | "list"
  | "spaced"
  /** No field: the directive is left out of the steps. */
  | "nothing";

/** A server's notation for the patterns of its logs. */
export interface Notation {
  /** The name of the notation in messages. */
  readonly name: string;
  /** Matches patterns in this notation; the first of `notations` whose sign matches is chosen. */
  readonly sign: RegExp;
  /** Matches a directive at a position. */
  readonly directive: RegExp;
  /** How the server escapes bytes; "backslash" by default. */
  readonly escape?: Escape;
  /** A directive for a field of one word that is not read. A pattern for an old log may have it in the place of another. */
  readonly word: string;
  /**
   * The fields that a directive writes, with the texts around them; undefined for a directive that the notation does not have. `found` is
   * the match of `directive`.
   */
  meaningOf(found: RegExpExecArray): readonly Part[] | undefined;
}

/** A field by its meaning, or the text between two fields. */
export type Part =
  | {
      readonly is: Directive;
      readonly isPadded?: boolean;
      readonly escape?: Escape;
      readonly form?: TimeForm;
      /** For "spaced": the meaning of the field without quotes, if no server or client writes a space in it. */
      readonly unquoted?: "other" | "list";
    }
  | { readonly text: string };

/** The meanings of request headers, keyed by the header's name in lower case. */
const headers: Readonly<Record<string, Directive>> = {
  host: "host",
  ":authority": "host",
  "x-envoy-original-host": "host",
  "x-forwarded-host": "host",
  "x-original-host": "host",
  "user-agent": "userAgent",
  referer: "referer",
  referrer: "referer",
  "x-forwarded-for": "forwarded",
  "x-real-ip": "client",
  "true-client-ip": "client",
  "cf-connecting-ip": "client",
  "x-forwarded-proto": "scheme",
  ":scheme": "scheme",
  ":method": "method",
  ":path": "target",
};

function headerOf(name: string): Directive {
  return headers[name.toLowerCase()] ?? "spaced";
}

function headerPart(name: string): readonly Part[] {
  const directive = headerOf(name);
  return directive === "spaced" ? [otherHeader(name)] : [{ is: directive }];
}

const is = (directive: Directive): readonly Part[] => [{ is: directive }];

/** Headers whose values are words, or lists of words with spaces after the commas. */
const headersOfWords =
  /^(?:(?:.*-)?(?:ip|id|proto|protocol|scheme|port|host|country|ipcountry|ray|length|encoding|language|etag|token|upgrade|connection|ranges?|ssl|tls|cipher)|accept|dnt|expect|if-none-match|if-match|origin|sec-fetch-.*|traceparent|x-cache|x-requested-with)$/i;

/** A header that is not read. */
function otherHeader(name: string): Part {
  return { is: "spaced", ...(headersOfWords.test(name) ? { unquoted: "list" as const } : {}) };
}

/** A variable of a module, such as mod_ssl's: only names of certificates, and their times, have spaces. */
function variableOf(name: string): Part {
  return { is: "spaced", ...(/_(?:DN|CERT|V_)/.test(name) ? {} : { unquoted: "other" as const }) };
}

/** The directives of mod_log_config and mod_logio. lighttpd's accesslog.format and varnishncsa's -F have the same directives. */
const apacheLetters: Readonly<Record<string, Directive>> = {
  h: "client",
  a: "client",
  v: "serverName",
  V: "serverName",
  l: "other",
  u: "user",
  r: "request",
  m: "method",
  U: "path",
  q: "markedQuery",
  H: "protocol",
  s: "status",
  b: "bytes",
  B: "bytes",
  O: "bytes",
  p: "port",
  f: "spaced",
};

const apache: Notation = {
  name: "Apache's LogFormat",
  word: "%D",
  sign: /%/,
  directive: /%(?:[<>]|!?\d{3}(?:,\d{3})*)*(?:\{([^}]*)\})?(\^t[io]|[a-zA-Z%])/y,
  meaningOf([, argument, letter = ""]) {
    if (letter === "%") return [{ text: "%" }];
    if (letter === "i" && argument !== undefined) return headerPart(argument);
    if (letter === "t") return apacheTimeOf(argument);
    if (letter === "p") return is(argument === undefined || argument === "canonical" ? "port" : "other");
    if (letter === "a") return is(argument === undefined || argument === "c" ? "client" : "other");
    if (letter === "e" && argument === "HTTPS") return is("scheme");
    const directive = apacheLetters[letter];
    if (directive !== undefined) return is(directive);
    if (/^[oenCxi]$|^\^/.test(letter)) return argument === undefined ? undefined : [apacheValueOf(letter, argument)];
    return /^[ADIkLPRSTXFG]$/.test(letter) ? is("other") : undefined;
  },
};

/** Variables of Apache with the host of the request; SSL_TLS_SNI is the name that the client sent in the TLS handshake. */
const apacheHosts: Readonly<Record<string, Directive>> = {
  HTTP_HOST: "host",
  SERVER_NAME: "serverName",
  SSL_TLS_SNI: "serverName",
};

/** The values of a response's header, an environment variable, a note, a cookie and a variable of mod_ssl. */
function apacheValueOf(letter: string, name: string): Part {
  const host = letter === "x" || letter === "e" ? apacheHosts[name] : undefined;
  if (host !== undefined) return { is: host };
  if (letter === "n" || letter === "C") return { is: "spaced", unquoted: "other" };
  if (letter === "x" || (letter === "e" && /^SSL_|_(?:ID|CODE|IP|ADDR|PORT)$/.test(name))) return variableOf(name);
  return letter === "o" ? otherHeader(name) : { is: "spaced" };
}

function apacheTimeOf(argument: string | undefined): readonly Part[] | undefined {
  if (argument === undefined) return [{ text: "[" }, { is: "time" }, { text: "]" }];
  return formed(apacheFormOf(argument));
}

function formed(form: TimeForm | undefined): readonly Part[] | undefined {
  return form === undefined ? undefined : [{ is: "formedTime", form }];
}

const nginxVariables: Readonly<Record<string, Directive>> = {
  remote_addr: "client",
  proxy_protocol_addr: "client",
  proxy_add_x_forwarded_for: "forwarded",
  host: "host",
  server_name: "serverName",
  // The name that the client sent in the TLS handshake, and usual names of variables that configurations define.
  ssl_server_name: "serverName",
  vhost: "serverName",
  virtual_host: "serverName",
  domain: "serverName",
  remote_user: "user",
  time_local: "time",
  time_iso8601: "time",
  msec: "time",
  request: "request",
  request_method: "method",
  request_uri: "target",
  uri: "path",
  document_uri: "path",
  args: "query",
  query_string: "query",
  is_args: "nothing",
  server_protocol: "protocol",
  status: "status",
  body_bytes_sent: "bytes",
  bytes_sent: "bytes",
  scheme: "scheme",
  https: "scheme",
  server_port: "port",
  request_body: "spaced",
};

const nginx: Notation = {
  name: "nginx's log_format",
  word: "$x",
  sign: /\$\{?\w/,
  directive: /\$(?:\{(\w+)\}|(\w+))/y,
  meaningOf([, braced, name = braced ?? ""]) {
    const directive = nginxVariables[name];
    if (directive !== undefined) return is(directive);
    if (name.startsWith("http_")) return headerPart(name.slice(5).replaceAll("_", "-"));
    if (name.startsWith("sent_http_")) return [otherHeader(name.slice(10).replaceAll("_", "-"))];
    if (name.startsWith("cookie_")) return [{ is: "spaced", unquoted: "other" }];
    return is(name.startsWith("upstream_") ? "list" : "other");
  },
};

const envoyOperators: Readonly<Record<string, Directive>> = {
  START_TIME: "time",
  PROTOCOL: "protocol",
  RESPONSE_CODE: "status",
  BYTES_SENT: "bytes",
  REQUESTED_SERVER_NAME: "serverName",
  DOWNSTREAM_REMOTE_ADDRESS: "clientAndPort",
  DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT: "client",
  DOWNSTREAM_DIRECT_REMOTE_ADDRESS_WITHOUT_PORT: "client",
};

const envoy: Notation = {
  name: "Envoy's access log format",
  word: "%DURATION%",
  escape: "none",
  sign: /%[A-Z][A-Z_]{3,}(?:\([^)]*\))?(?::\d+)?%/,
  directive: /%(?:([A-Z][A-Z0-9_]+)(?:\(([^)]*)\))?(?::\d+)?)?%/y,
  meaningOf([, name, argument]) {
    if (name === undefined) return [{ text: "%" }];
    if (name === "REQ" && argument !== undefined) {
      // `%REQ(FIRST?SECOND)%`: Envoy writes the second header if the request does not have the first.
      const [first = "", second] = argument.split("?");
      const directive = headerOf(first);
      return is(directive === "spaced" && second !== undefined ? headerOf(second) : directive);
    }
    if (name === "START_TIME" || name === "START_TIME_LOCAL") {
      return argument === undefined ? is("time") : formed(strftimeFormOf(argument, name === "START_TIME"));
    }
    const isSpaced =
      /^(?:RESP|TRAILER|DYNAMIC_METADATA|FILTER_STATE)$/.test(name) && !/^X-ENVOY-/i.test(argument ?? "");
    return is(envoyOperators[name] ?? (isSpaced ? "spaced" : "other"));
  },
};

const haproxyVariables: Readonly<Record<string, Directive>> = {
  ci: "client",
  r: "request",
  HM: "method",
  HU: "target",
  HP: "path",
  HPO: "path",
  HQ: "markedQuery",
  HV: "protocol",
  ST: "status",
  B: "bytes",
  hr: "captures",
  hs: "responseCaptures",
  tr: "localTime",
  t: "localTime",
  trg: "time",
  trl: "time",
  T: "time",
  Tl: "time",
  Ts: "time",
};

const haproxy: Notation = {
  name: "HAProxy's log-format",
  word: "%ID",
  // Section 8.6 of HAProxy's manual. HAProxy does not escape the values of expressions, `%[…]`.
  escape: "hash",
  sign: /%\{[+-]|%(?:ci|cp|tr[gl]?|ft|bi|fi|sq|ST|HM|HU|HP|HV|hrl?)\b/,
  directive: /%(?:\{([^}]*)\})?(?:([a-zA-Z]+)|\[([^\]]*)\]|(%))/y,
  meaningOf([, flags = "", name, expression, percent]) {
    if (percent !== undefined) return [{ text: "%" }];
    const directive = name === undefined ? fetchOf(expression ?? "") : (haproxyVariables[name] ?? "other");
    const part: Part = name === undefined ? { is: directive, escape: "none" } : { is: directive };
    return flags.includes("+Q") ? [{ text: '"' }, part, { text: '"' }] : [part];
  },
};

/** The meaning of a sample fetch of HAProxy, such as `req.hdr(host)`. */
function fetchOf(expression: string): Directive {
  const header = /^(?:capture\.req\.hdr|req\.f?hdr|req\.hdrs?|hdr)\(([^),]*)/.exec(expression)?.[1];
  if (header !== undefined) return headerOf(header);
  const names: Readonly<Record<string, Directive>> = {
    src: "client",
    method: "method",
    path: "path",
    pathq: "target",
    query: "query",
    url: "target",
    status: "status",
    ssl_fc_sni: "serverName",
  };
  return names[expression.split(",")[0]!] ?? "spaced";
}

const squidCodes: Readonly<Record<string, Directive>> = {
  ">a": "client",
  ">A": "client",
  ts: "time",
  tu: "other",
  tl: "time",
  tg: "time",
  rm: "method",
  ">rm": "method",
  ru: "target",
  ">ru": "target",
  rp: "target",
  ">rp": "target",
  ">rd": "host",
  rd: "host",
  rv: "protocol",
  ">Hs": "status",
  Hs: "status",
  "<st": "bytes",
  un: "user",
  ul: "user",
  ui: "user",
};

const squid: Notation = {
  name: "Squid's logformat",
  word: "%tr",
  sign: /%["'#]?-?[\d.]*(?:>a|>Hs|<st|>ru|ru\b|ts\b|Ss\b)/,
  directive: /%(["'[#/]?)(-?)(\d*)(?:\.\d+)?(?:\{([^}]*)\})?(%|[<>]?[a-zA-Z_][a-zA-Z_:]*)/y,
  meaningOf([, , , width, argument, code = ""]) {
    if (code === "%") return [{ text: "%" }];
    if (code === ">h" && argument !== undefined) return is(headerOf(argument));
    if ((code === "tl" || code === "tg") && argument !== undefined)
      return formed(strftimeFormOf(argument, code === "tg"));
    const directive = squidCodes[code] ?? (/^[<>]?h$/.test(code) ? "spaced" : "other");
    return [{ is: directive, ...(Number(width) > 1 && !width!.startsWith("0") ? { isPadded: true } : {}) }];
  },
};

/** Sequences of directives that write one field, such as Squid's "%ts.%03tu": the seconds and the fraction are one time. */
export const joined: readonly (readonly [written: RegExp, directive: Directive])[] = [
  [/%ts\.%0?3?tu/y, "time"],
  [/(?:%v|%V):%p/y, "serverName"],
  [/\$server_name:\$server_port/y, "serverName"],
  [/\$(?:host|http_host):\$server_port/y, "host"],
  [/%U%q|%HP%HQ|\$(?:uri|document_uri|\{uri\})(?:\$is_args|\$\{is_args\})\$(?:args|query_string|\{args\})/y, "target"],
  [/%ci:%cp|%[ha]:%\{remote\}p|%>a:%>p|\$remote_addr:\$remote_port/y, "clientAndPort"],
];

/** The notations, the most specific first. */
export const notations: readonly Notation[] = [nginx, envoy, haproxy, squid, apache];
