// The types for log lines and log formats.
//
// Strings contain bytes: a line is a Latin-1 string with one character per byte (`buffer.toString("latin1")`), and so is each fact. Logs
// contain bytes in any encoding, and the escapes of web servers encode bytes.

import type { Captured } from "./pattern/captures.ts";

/** The host that a field names, and the scheme that its port implies. */
export interface NamedHost {
  /**
   * The host, with its port unless the port is 80 or 443. Undefined for a field that names no host. A text that can be no host is returned
   * as it is, and `urlOf` refuses it.
   */
  readonly host: string | undefined;
  readonly scheme: "http" | "https" | undefined;
}

/** One request in a log. Values that are missing in the log, or written as "-", are undefined; only `status` is then "-". */
export interface LogRequest {
  readonly method: string | undefined;
  /** The request target (RFC 9112 §3.2) with the log's escapes decoded: "/path?query", or an absolute URL. */
  readonly target: string;
  readonly scheme: "http" | "https" | undefined;
  /** The host, possibly with a port, as sent by the client or as named in the server's configuration. */
  readonly host: string | undefined;
  /** The User-Agent header. */
  readonly userAgent: string | undefined;
  /** The time as written in the log; `timeIn` and `instantOf` read it. A time in UTC without a zone in the log has a "Z" here. */
  readonly time: string | undefined;
  /**
   * The client's address or name: the first address of X-Forwarded-For if a line has this header before the address of the peer (the other
   * end of the connection), else the peer.
   */
  readonly client: string | undefined;
  /**
   * All addresses if the log has several: the addresses of X-Forwarded-For, then the peer's, separated by commas. The client may have
   * forged the first addresses, so search from the right for an address that can be trusted. Absent if `client` is the only address, if the
   * peer's address precedes X-Forwarded-For in the line, and in JSON logs.
   */
  readonly clients?: string;
  /** The status as written in the log; "-" for a request that got none. Undefined if the log does not record statuses. */
  readonly status: string | undefined;
  /** The size of the response as written in the log, in bytes. */
  readonly bytes: string | undefined;
  /** The Referer header. */
  readonly referer: string | undefined;
  /**
   * The target that the client may have sent instead, if the server writes both alike: IIS writes a space of the path as "+", so that "/a+b"
   * may be "/a%20b".
   */
  readonly otherTarget?: string;
  /** Present if `target` may be only a part of what the client sent: the log has no query, or the server may have cut the target. */
  readonly isPartial?: true;
  /** Present if the line shows that the log has no field for the User-Agent header: no request of it then names a crawler. */
  readonly lacksAgents?: true;
}

/** The reasons why a line has no URL, as stable codes. */
export type LogProblemCode =
  /** The line does not have the format. */
  | "not-a-log-line"
  /** The line holds the beginning of another line. */
  | "joined-lines"
  /** A record of another kind in the same log: an event about a request that has an access record of its own, or a message of the server. */
  | "no-access-record"
  /** A connection without a request: the request is empty or "-". */
  | "no-request"
  /** The bytes sent were not HTTP: the beginning of a TLS handshake, another protocol. */
  | "not-http"
  /** An HTTP request without a URL: `OPTIONS *`, `CONNECT host:443`, a target that is not a path. */
  | "no-url"
  /** No field has the requested host, or the field's text cannot be a host. */
  | "no-host";

/** The problem of a line without a URL. */
export interface LogProblem {
  readonly code: LogProblemCode;
  /** An English phrase to be printed after the position of the line: "is not an HTTP request". */
  readonly message: string;
  /**
   * The request of a line whose problem is "no-url", with its target as in the log (`*`, or `host:443` of a CONNECT); absent if the
   * format's parser does not return it.
   */
  readonly request?: LogRequest;
  /** Present if the record is no request, but shows that the log has the User-Agent header. */
  readonly hasAgents?: true;
}

/**
 * Parses one line, given without its line end. Returns the request or the problem; undefined for a header or comment line.
 * Never throws; linear in the line. A parser stores the contents of header lines, so each log needs its own parser.
 */
export interface LineParser {
  (line: string): LogRequest | LogProblem | undefined;
  /**
   * A line with which a new parser continues at this point of the log, in addition to the last line that `isHeading` recognizes; undefined
   * if there is none.
   */
  heading?(): string | undefined;
}

/** A field that a log may have for each request in addition to the URL. */
export type LogFact = "time" | "client" | "method" | "status" | "bytes" | "referer" | "userAgent";

/** Samples of log lines, from which the tests of readers build their input. The strings contain bytes, like all lines. */
export interface LogSamples {
  /** A line before the records that defines their fields. */
  readonly heading?: string;
  /**
   * A template for a record of a request over https. Placeholders: `{url}` for the URL, or `{scheme}`, `{host}`, `{target}`,
   * `{path}` and `{query}` ("-" if empty) for its parts; `{other}` for the text of any other field.
   */
  readonly record: string;
  /** Lines without a URL. The first is a line of this log that is damaged or records no request. */
  readonly broken: readonly [string, ...string[]];
  /** Parts of lines and whole lines, which tests combine at random. */
  readonly fragments: readonly string[];
  /** The name of the format that is detected for records made from `record`, if it is another format. */
  readonly detectedAs?: string;
  /** The lines of one log, from its first one on, as its documentation shows them. */
  readonly log?: readonly string[];
  /** Lines whose fields were chosen to mislead: quotes, spaces, escapes, addresses of IPv6. */
  readonly hostile?: readonly string[];
}

/** The meaning of a field of a pattern, as far as a reader of bytes needs it. */
export type PatternField =
  | Exclude<LogFact, "time">
  /** An address and a port: `192.0.2.1:1234`. */
  | "clientAndPort"
  /** A time in a form that `timeIn` reads. */
  | "time"
  /** A date and a time of day, as two fields. */
  | "date"
  | "timeOfDay"
  /** The path, with its query unless there is a field for it. */
  | "target"
  | "query"
  /** The query with its "?". */
  | "markedQuery"
  | "protocol"
  /** A text that `schemeOf` converts to the scheme. */
  | "scheme"
  /** A host that `originOf` converts to the beginning of the URL. */
  | "host"
  /** A user's name. The parser must read a line in which this name begins with "[". */
  | "user"
  /** Fields that are not read: a single word, and a word or a list with spaces after its commas. */
  | "other"
  | "list"
  /** A further address, which is not read: of the peer, after X-Forwarded-For. */
  | "peer"
  /** Values of headers; `capturedIn` finds the host and the agent among them. */
  | "captures";

/** A field, and the text that ends it. */
export interface PatternStep {
  readonly field: PatternField;
  /**
   * The text after the field. The field does not contain the first character of this text. Empty only in the last step, for a field that
   * ends with the line or at the space of `hasRest`.
   */
  readonly end: string;
  /** Whether `end` is a part of the next field, such as the "/" between a host and a path. Such an `end` has one character. */
  readonly keepsEnd?: boolean;
  /** Whether spaces may precede the field. */
  readonly isPadded?: boolean;
  /**
   * Characters with which the field may mean something else than its text: the parser must read a line with one of them in the field. Those
   * of a time do not count, because a reader of bytes reads the whole time.
   */
  readonly without?: string;
}

/** A field of a JSON record: a field of a pattern, a request line, or a path whose query is the field "query". */
export type ObjectField = PatternField | "request" | "path";

/** The shape of a log's lines: a sequence of fields, each followed by a fixed text; or a JSON object with the fields as members. */
export interface LogPattern {
  /**
   * For lines that are JSON objects: the names of each field's members, of which the first one with a text is used. `steps` then only lists
   * the fields.
   */
  readonly members?: ReadonlyMap<ObjectField, readonly string[]>;
  /** The text at the beginning of each line; absent: none. */
  readonly start?: string;
  readonly steps: readonly PatternStep[];
  /** Whether a space and any other text may follow the last field. */
  readonly hasRest: boolean;
  /** For `hasRest`: whether the parser must read a line whose text after that space has a quote anywhere, or a letter in its first word. */
  readonly checksRest?: boolean;
  /**
   * What two lines in one have twice. With `hasRest`, the parser must read a line that has it from its last field on and text behind that
   * field.
   */
  readonly beginning?: RegExp;
  /** The character that follows the time in each `beginning`; absent if it is not always the same. */
  readonly behindTime?: string | undefined;
  /** Converts the field "userAgent" to the header; absent: the field is the header. */
  headerOf?(field: string): string;
  /** The scheme and host of a host field. The parser has to read the line if the result or its `host` is undefined. */
  originOf?(host: string): NamedHost | undefined;
  /** Finds the two headers in a field with captured headers. */
  capturedIn?(field: string): Captured;
  /** The scheme in a scheme field, if it has one. */
  schemeOf?(field: string): "http" | "https" | undefined;
  /** Whether the peer's address is in a field after X-Forwarded-For: the parser must then find all addresses of a line. */
  readonly hasPeer?: boolean;
  /** Whether the zone of the fields `date` and `timeOfDay` is not known; otherwise they are in UTC. */
  readonly hasLocalTime?: boolean;
  /** Whether the parser must read a line whose client is missing, because the client may be elsewhere in the line. */
  readonly needsClient?: boolean;
}

/** A log format whose lines are text, not JSON. */
export interface LineLogFormat {
  readonly name: string;
  /** A description in a few words. */
  readonly about: string;
  /** The fields of its lines in addition to the URL. */
  readonly facts: readonly LogFact[];
  /** Whether its lines contain the requested host. If not, a line whose target is not absolute has a URL only with `base`. */
  readonly namesHost: boolean;
  /** For a log whose heading lines name its fields: whether one of them is the requested host; undefined for a line that is no heading. */
  readonly headingNamesHost?: (line: string) => boolean | undefined;
  /** Whether a line certainly has this format. */
  recognizes(line: string): boolean;
  /** Whether a line that another format recognizes may also have this format. */
  mayBe?(line: string): boolean;
  /** Whether the parser, the shapes and the recognition are made from a pattern. */
  readonly isOfPattern?: boolean;
  /** The URL of the format's documentation. */
  readonly documented?: string;
  /** Whether the parser looks for the prefix that syslog or a container runtime puts before a line. */
  readonly mayBeBehindPrefix?: boolean;
  /** Whether the lines begin with a time, which must not be taken for the timestamp of a prefix. */
  readonly beginsWithTime?: boolean;
  /** Whether the paths of its lines are those after the server's rewrites (nginx's $uri, Envoy's :PATH), so that the client may have requested others. */
  readonly hasServerPaths?: boolean;
  /** Whether a line defines the fields of the following lines. A new parser must get the last such line before other lines. */
  isHeading?(line: string): boolean;
  /** Makes a parser for one log. Give it the log's lines in order. If the first of them is not the log's first line, see `isHeading`. */
  createParser(): LineParser;
  /**
   * The shapes of most lines, for a reader of bytes; `heading` is the last line that defined the fields. The reader may read a line itself
   * only if the line fits a shape and has no quotes, backslashes or control characters inside its fields. The result must then be the same
   * as the parser's. The reader must pass every other line to the parser. No line fits two shapes.
   */
  patternsOf?(heading: string | undefined): readonly LogPattern[];
  readonly samples: LogSamples;
}

/** A log format with one JSON object per line. Its strings and the facts are text as returned by JSON.parse, not bytes. */
export interface ObjectLogFormat {
  readonly name: string;
  readonly about: string;
  /** The URL, or URLs, of the documentation of its server or vendor. */
  readonly documented?: string;
  /**
   * The fields of records, in addition to the URL, that become fields of rows as in text logs; absent for a log whose records are
   * themselves the rows.
   */
  readonly facts?: readonly LogFact[];
  /** Whether each record names the requested host. */
  readonly namesHost: boolean;
  /** The names of the members of the outermost object that `requestOf` reads. */
  readonly members: readonly string[];
  /** Whether a line certainly has this format. */
  recognizes(line: string): boolean;
  /** Whether a line is a message that the server may write into the same log; absent if it writes none. */
  isMessage?(line: string): boolean;
  /** Makes the request from a record as returned by JSON.parse. Never throws. */
  requestOf(record: Readonly<Record<string, unknown>>): LogRequest | LogProblem;
  /** Whether the path of a record is that after the server's rewrites; undefined for a record without a path. */
  hasServerPath?(record: Readonly<Record<string, unknown>>): boolean | undefined;
  /** The shape of records without nested values for readers of bytes; absent if only the parser can read the records. */
  readonly pattern?: LogPattern;
  readonly samples: LogSamples;
}

/** Whether the result of a parser is a problem, not a request. */
export function isLogProblem(parsed: Pick<LogRequest, "target"> | LogProblem): parsed is LogProblem {
  return "code" in parsed;
}
