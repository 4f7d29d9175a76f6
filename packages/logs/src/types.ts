// The types for log lines and log formats.
//
// Strings stand for bytes: a line is a Latin-1 string with one character per byte (`buffer.toString("latin1")`), and so are the
// facts. Logs contain bytes in any encoding, and the escapes of web servers encode bytes.

/** One request in a log. Values that are missing in the log, or written as "-", are undefined. */
export interface LogRequest {
  readonly method: string | undefined;
  /** The request target (RFC 9112 §3.2) with the log's escapes decoded: "/path?query", or an absolute URL. */
  readonly target: string;
  readonly scheme: "http" | "https" | undefined;
  /** The host, possibly with a port, as sent by the client or as named in the server's configuration. */
  readonly host: string | undefined;
  /** The User-Agent header. */
  readonly userAgent: string | undefined;
  /** The time as written in the log. */
  readonly time: string | undefined;
  readonly status: string | undefined;
}

/** The reasons why a line has no URL, as stable codes. */
export type LogProblemCode =
  /** The line does not have the format. */
  | "not-a-log-line"
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
}

/**
 * Parses one line, given without its line end. Returns the request or the problem; undefined for a header or comment line.
 * Never throws; linear in the line. A parser stores the contents of header lines, so each log needs its own parser.
 */
export type LineParser = (line: string) => LogRequest | LogProblem | undefined;

/** A field that a log may have for each request in addition to the URL. */
export type LogFact = "time" | "method" | "status" | "userAgent";

/** Samples of log lines, from which the tests of readers build their input. The strings stand for bytes, like all lines. */
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
}

/** A log format whose lines are text, not JSON. */
export interface LineLogFormat {
  readonly name: string;
  /** A description in a few words. */
  readonly about: string;
  /** The fields of its lines in addition to the URL. */
  readonly facts: readonly LogFact[];
  /** Whether its lines contain the requested host. If not, only absolute targets have a URL without `base`. */
  readonly namesHost: boolean;
  /** Whether a line is surely one of this format. */
  recognizes(line: string): boolean;
  /** Whether a line defines the fields of the following lines. A new parser must get the last such line before other lines. */
  isHeading?(line: string): boolean;
  /** Makes a parser for one log, which must get the lines from the first line on. */
  createParser(): LineParser;
  readonly samples: LogSamples;
}

/** A log format with one JSON object per line. Its strings and the facts are text as returned by JSON.parse, not bytes. */
export interface ObjectLogFormat {
  readonly name: string;
  readonly about: string;
  /** The names of the required members of the outermost object. */
  readonly members: readonly string[];
  /** Whether a line is surely one of this format. */
  recognizes(line: string): boolean;
  /** Makes the request from the values of `members`, in the same order; a missing member is undefined. Never throws. */
  requestOf(values: readonly unknown[]): LogRequest | LogProblem;
  readonly samples: LogSamples;
}

/** Whether the result of a parser is a problem, not a request. */
export function isLogProblem(parsed: Pick<LogRequest, "target"> | LogProblem): parsed is LogProblem {
  return "code" in parsed;
}
