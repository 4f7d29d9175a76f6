// Removes the prefix that syslog, journald, a container runtime or its tools put before a server's line.
import { instantOf } from "./instant.ts";
import { isOfServer, noAccessRecord } from "./server-messages.ts";
import { type LineLogFormat, type LineParser, type LogProblem, isLogProblem } from "./types.ts";

const date = String.raw`\d{4}-\d\d-\d\d`;
const clock = String.raw`\d\d:\d\d:\d\d(?:\.\d{1,9})?`;
const instant = String.raw`${date}T${clock}(?:Z|[+-]\d\d:?\d\d)`;
const syslogTime = String.raw`[A-Z][a-z]{2} [ \d]\d ${clock}`;
/** journald's short-full: `Thu 2026-11-21 06:55:09 UTC`. */
const weekdayTime = String.raw`[A-Z][a-z]{2} ${date} ${clock} [A-Z]{1,5}`;
const program = String.raw`[\w./@-]{1,100}`;
const color = String.raw`(?:\u001b\[[\d;]{0,20}m)?`;

const prefixes: readonly RegExp[] = [
  // CRI, as in Kubernetes: `2026-11-21T06:55:09.391287654Z stdout F `.
  new RegExp(String.raw`^${instant} (?:stdout|stderr) [FP](?::\S{0,100})? `),
  // Syslog (RFC 3164), perhaps with a priority, and journald: `Mar 12 00:00:03 web1 nginx[12]: `.
  new RegExp(
    String.raw`^(?:<\d{1,3}>)?(?:${syslogTime}|${instant}|${weekdayTime}) [\w.:-]{1,255} ${program}(?:\[\d{1,10}\])?: `,
  ),
  // Syslog (RFC 5424) without structured data: `<134>1 2026-11-21T06:55:09Z web1 nginx 12 - - `.
  new RegExp(String.raw`^<\d{1,3}>1 ${instant} [\w.:-]{1,255} ${program} \S{1,128} \S{1,32} - `),
  // `docker compose logs`: `web-1 | `, with or without colors.
  new RegExp(String.raw`^${color}[\w.-]{1,255} {1,255}\| ?${color} ?`),
  // `kubectl logs --prefix`: `[pod/web-5d8f/nginx] `.
  /^\[pod\/[\w.-]{1,255}\/[\w.-]{1,255}\] /,
];

/** The maximum number of characters of a prefix. */
const longest = 1_024;

/** Captures the stream of a CRI line, and the tag: P for a part of a line, F for the last part or a whole line. */
const criLine = new RegExp(String.raw`^${instant} (stdout|stderr) ([FP])(?::\S{0,100})? `);

/** The problem of a line that is only a part of a server's line. */
export const dividedLine: LogProblem = {
  code: "not-a-log-line",
  message:
    "is a part of a line that was too long for the container runtime (P in CRI logs, 16 KiB without a line end in Docker's)",
};

/**
 * Finds the parts into which a CRI runtime divides long lines. No part may be read as a line, because a client can choose where a part
 * begins.
 */
export class DividedLines {
  readonly #open: Set<string>;

  /** `open` is the member `open` of an earlier instance, whose log the new instance continues. */
  constructor(open: Iterable<string> = []) {
    this.#open = new Set(open);
  }

  /** The streams whose last line was a part of a line, but not its last part. */
  get open(): readonly string[] {
    return [...this.#open];
  }

  /** Whether a line is a part. Must be called for each line of a log, in order. */
  isPart(line: string): boolean {
    if (line[4] !== "-" || line[10] !== "T") return false;
    const [, stream, tag] = criLine.exec(line.slice(0, longest)) ?? [];
    if (stream === undefined) return false;
    const wasOpen = this.#open.delete(stream);
    if (tag === "P") this.#open.add(stream);
    return wasOpen || tag === "P";
  }
}

/** The time that `--timestamps` of docker and kubectl adds, possibly after one of the prefixes. */
const timestamp = new RegExp(`^${instant} `);

/**
 * The length of all prefixes before the server's line, in characters; 0 if there are none. `beginsWithTime`: whether the server's line
 * itself begins with a time; a time is then part of the prefix only if another time follows it.
 */
export function prefixLengthOf(line: string, beginsWithTime = false): number {
  const start = line.slice(0, longest);
  let length = 0;
  for (const prefix of prefixes) {
    length = prefix.exec(start)?.[0].length ?? 0;
    if (length > 0) break;
  }
  const time = timestamp.exec(start.slice(length))?.[0].length ?? 0;
  if (time === 0) return length;
  const next = start.slice(length + time).split(" ", 1)[0]!;
  return beginsWithTime && instantOf(next) === undefined ? length : length + time;
}

const ofServer = noAccessRecord("is a message of the server about itself");

/** The problem of a line that a server wrote about itself, perhaps behind a prefix; undefined for any other line. */
export function problemOfMessage(line: string): LogProblem | undefined {
  return isOfServer(line) || isOfServer(line.slice(prefixLengthOf(line))) ? ofServer : undefined;
}

/** The line that the server wrote; the line itself if it has no prefix. */
function withoutPrefix(line: string, { beginsWithTime = false }: LineLogFormat): string {
  const length = prefixLengthOf(line, beginsWithTime);
  return length === 0 ? line : line.slice(length);
}

/**
 * A format with other members. Descriptors are copied instead of values, because a call of the getters would compile the kind's patterns.
 */
export function withMembers(format: LineLogFormat, members: Partial<LineLogFormat>): LineLogFormat {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(format)) as LineLogFormat;
  return Object.assign(copy, members);
}

/**
 * The same format for lines that may have a prefix. `isOwn`: the format is a user's own pattern, which may itself describe a prefix or text
 * that looks like one. For such a format, a line is parsed with its prefix if the format recognizes the line only with the prefix, or if
 * the line without the prefix does not have the format.
 */
export function behindPrefix(format: LineLogFormat, isOwn = false): LineLogFormat {
  const { mayBe } = format;
  return withMembers(format, {
    mayBeBehindPrefix: true,
    recognizes: (line: string) => format.recognizes(withoutPrefix(line, format)),
    ...(mayBe === undefined ? {} : { mayBe: (line: string) => mayBe(withoutPrefix(line, format)) }),
    createParser(): LineParser {
      const parse = format.createParser();
      const divided = new DividedLines();
      return (line) => {
        if (divided.isPart(line)) return dividedLine;
        const inner = withoutPrefix(line, format);
        // A line whose fields are separated by " | " begins like a line of `docker compose logs`.
        if (isOwn && inner !== line && !format.recognizes(inner) && format.recognizes(line)) return parse(line);
        const parsed = parse(inner);
        const isOther = parsed !== undefined && isLogProblem(parsed) && parsed.code === "not-a-log-line";
        if (!isOther) return parsed;
        return problemOfMessage(line) ?? (isOwn && inner !== line ? parse(line) : parsed);
      };
    },
  });
}

/**
 * Whether the text at the position of the user contains "-" as one of several words. This "-" is the sign of a missing ident or user, so
 * another text precedes the client.
 */
export function isBehindText(user: string): boolean {
  return / - |^- | -$/.test(user);
}
