// A line of a log with a prefix of syslog, journald, a container runtime or its tools in, the line of the server out.
import { instantOf } from "./instant.ts";
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
  // CRI, as Kubernetes has it: `2026-11-21T06:55:09.391287654Z stdout F `.
  new RegExp(String.raw`^${instant} (?:stdout|stderr) [FP](?::\S{0,100})? `),
  // Syslog (RFC 3164), perhaps with a priority, and journald: `Mar 12 00:00:03 web1 nginx[12]: `.
  new RegExp(
    String.raw`^(?:<\d{1,3}>)?(?:${syslogTime}|${instant}|${weekdayTime}) [\w.:-]{1,255} ${program}(?:\[\d{1,10}\])?: `,
  ),
  // Syslog (RFC 5424) without structured data: `<134>1 2026-11-21T06:55:09Z web1 nginx 12 - - `.
  new RegExp(String.raw`^<\d{1,3}>1 ${instant} [\w.:-]{1,255} ${program} \S{1,128} \S{1,32} - `),
  // `docker compose logs`: `web-1  | `, in colors or not.
  new RegExp(String.raw`^${color}[\w.-]{1,255} {1,255}\| ?${color} ?`),
  // `kubectl logs --prefix`: `[pod/web-5d8f/nginx] `.
  /^\[pod\/[\w.-]{1,255}\/[\w.-]{1,255}\] /,
];

/** Longer prefixes are not looked for. */
const longest = 1_024;

/** The stream of a CRI line, and its tag: P for a part of a line, F for the last part or a whole line. */
const criLine = new RegExp(String.raw`^${instant} (stdout|stderr) ([FP])(?::\S{0,100})? `);

/** The problem of a part of a line. */
export const dividedLine: LogProblem = {
  code: "not-a-log-line",
  message:
    "is a part of a line that was too long for the container runtime (P in CRI logs, 16 KiB without a line end in Docker's)",
};

/** Finds the parts into which a CRI runtime divides long lines. None of them is a line of its own: a client may choose where one begins. */
export class DividedLines {
  readonly #open: Set<string>;

  /** `open`: where to go on, see there. */
  constructor(open: Iterable<string> = []) {
    this.#open = new Set(open);
  }

  /** The streams whose last line was a part and not the last one. */
  get open(): readonly string[] {
    return [...this.#open];
  }

  /** Whether a line is a part. Call for each line, in their order. */
  isPart(line: string): boolean {
    if (line[4] !== "-" || line[10] !== "T") return false;
    const [, stream, tag] = criLine.exec(line.slice(0, longest)) ?? [];
    if (stream === undefined) return false;
    const wasOpen = this.#open.delete(stream);
    if (tag === "P") this.#open.add(stream);
    return wasOpen || tag === "P";
  }
}

/** The time that `--timestamps` of docker and kubectl adds, also behind one of the prefixes. */
const timestamp = new RegExp(`^${instant} `);

/** The length of all that is in front of the line that the server wrote; `beginsWithTime`: whether that begins with a time itself. */
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

/** The line that the server wrote; the line itself if it has no prefix. */
function withoutPrefix(line: string, { beginsWithTime = false }: LineLogFormat): string {
  const length = prefixLengthOf(line, beginsWithTime);
  return length === 0 ? line : line.slice(length);
}

/**
 * The format, whose lines may be behind a prefix. `isOwn`: of a user's own pattern, which may contain the prefix, or text that looks like
 * one. A line is read with the prefix if it has the right shape only then, or if it does not have the format without the prefix.
 */
export function behindPrefix(format: LineLogFormat, isOwn = false): LineLogFormat {
  const { mayBe } = format;
  // Descriptors, not a spread: the getters compile a kind's patterns.
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(format)) as LineLogFormat;
  return Object.assign(copy, {
    mayBeBehindPrefix: true,
    recognizes: (line: string) => format.recognizes(withoutPrefix(line, format)),
    ...(mayBe === undefined ? {} : { mayBe: (line: string) => mayBe(withoutPrefix(line, format)) }),
    createParser(): LineParser {
      const parse = format.createParser();
      const divided = new DividedLines();
      return (line) => {
        if (divided.isPart(line)) return dividedLine;
        const inner = withoutPrefix(line, format);
        // The fields of a pattern with " | " between them begin as a line of docker compose.
        if (isOwn && inner !== line && !format.recognizes(inner) && format.recognizes(line)) return parse(line);
        const parsed = parse(inner);
        const isOther = parsed !== undefined && isLogProblem(parsed) && parsed.code === "not-a-log-line";
        return isOwn && isOther && inner !== line ? parse(line) : parsed;
      };
    },
  });
}

/**
 * Whether the text of a user's name is more than that: it has the "-" of a missing identity or name between spaces, so that another text is
 * in front of the client.
 */
export function isBehindText(user: string): boolean {
  return / - |^- | -$/.test(user);
}
