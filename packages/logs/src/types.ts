// What a log line says, and what a log format is: the nouns of this package.
//
// Strings are bytes: a line comes as a Latin-1 string, one character a byte (`buffer.toString("latin1")`), and so do the
// facts. Logs hold bytes of any encoding, and the escapes of web servers mean bytes.

/** One request, as a log records it. Values that the log lacks, or writes as "-", are undefined. */
export interface LogRequest {
  readonly method: string | undefined;
  /** The request target (RFC 9112 §3.2), the log's escapes undone: "/path?query", or an absolute URL. */
  readonly target: string;
  readonly scheme: "http" | "https" | undefined;
  /** Host and perhaps port, as the client or the server's configuration named it. */
  readonly host: string | undefined;
  /** The User-Agent header. */
  readonly userAgent: string | undefined;
  /** As the log writes it. */
  readonly time: string | undefined;
  readonly status: string | undefined;
}

/** Why a line has no URL. Stable codes. */
export type LogProblemCode =
  /** The line is none of this format. */
  | "not-a-log-line"
  /** A connection without a request: the request is empty or "-". */
  | "no-request"
  /** The bytes sent were not HTTP: the beginning of a TLS handshake, another protocol. */
  | "not-http"
  /** An HTTP request that is about no URL: `OPTIONS *`, `CONNECT host:443`, a target that is no path. */
  | "no-url"
  /** No field gives the requested host, or the field cannot be a host. */
  | "no-host";

/** A line without a URL. */
export interface LogProblem {
  readonly code: LogProblemCode;
  /** In words, to follow the place: "is not an HTTP request". */
  readonly message: string;
}

/**
 * Parses one line, without its line end, to the request it records; undefined for a header or comment line of the log.
 * Never throws; linear in the line. It keeps what header lines say, so each log needs a parser of its own.
 */
export type LineParser = (line: string) => LogRequest | LogProblem | undefined;

/** A field of a request that a log may have besides the URL. */
export type LogFact = "time" | "method" | "status" | "userAgent";

/** What lines of a log look like: what tests of readers make their sources of. Bytes, as all lines. */
export interface LogSamples {
  /** A line before the records that says how they are read. */
  readonly heading?: string;
  /**
   * A record of a request over https: `{url}` stands for its URL, or `{scheme}`, `{host}`, `{target}`, `{path}` and `{query}` ("-" for
   * none) for its parts, and `{other}` for the text of any other field.
   */
  readonly record: string;
  /** Lines that tell of no URL; the first is a line of this log that is damaged or about nothing. */
  readonly broken: readonly [string, ...string[]];
  /** Parts of lines, and whole ones, to be put together at random. */
  readonly fragments: readonly string[];
}

/** A log of lines that are no JSON. */
export interface LineLogFormat {
  readonly name: string;
  /** In a few words. */
  readonly about: string;
  /** The fields that its lines have besides the URL. */
  readonly facts: readonly LogFact[];
  /** Whether its lines give the requested host; otherwise only absolute targets have a URL without `base`. */
  readonly namesHost: boolean;
  /** Whether a line is surely one of this format. */
  recognizes(line: string): boolean;
  /** Whether a line says how those after it are to be read. A new parser that is given the last such line can parse any line after it. */
  isHeading?(line: string): boolean;
  /** Gives a reader of one log from its first line on. */
  createParser(): LineParser;
  readonly samples: LogSamples;
}

/** A log of one JSON object a line. Its strings are text, as JSON.parse gives it, and so are the facts. */
export interface ObjectLogFormat {
  readonly name: string;
  readonly about: string;
  /** The members that are needed, of the outermost object. */
  readonly members: readonly string[];
  /** Whether a line is surely one of this format. */
  recognizes(line: string): boolean;
  /** The request, from the values of the members in the same order, undefined where there is none. Never throws. */
  requestOf(values: readonly unknown[]): LogRequest | LogProblem;
  readonly samples: LogSamples;
}

/** Whether a parsed line is a problem, not a request. */
export function isLogProblem(parsed: Pick<LogRequest, "target"> | LogProblem): parsed is LogProblem {
  return "code" in parsed;
}
