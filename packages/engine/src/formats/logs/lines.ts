// The input formats of logs of text lines, also of those with a user's pattern, and the request in each of their lines.
import {
  isLogProblem,
  isPatternProblem,
  type LineLogFormat,
  type LineParser,
  type LogFact,
  logFormatOf,
  type LogPattern,
  type LogProblem,
  type LogRequest,
  patternIn,
} from "@robots-stream/logs";
import {
  type Beginning,
  countOfLines,
  type Evidence,
  evidenceOfLines,
  type InputFormat,
  isMost,
  isObjectLike,
  isPlainJson,
  type ReadOptions,
} from "../input-format.ts";
import { byteStringOf, shownWordOf } from "../../common/text.ts";
import type { Block } from "../../records/blocks.ts";
import { firstPlaceOf, isDigit, viewBeyond } from "../../records/words.ts";
import { readLines } from "../line-reader.ts";
import type { ReaderKnowledge } from "../../records/batch.ts";
import { agentMember, timeMember } from "../log-members.ts";
import { type LogLines, RequestLines } from "./request-lines.ts";
import { hasAgentsAmong, memberOfText, rowShapeOf } from "./row.ts";
import { innerOf, wrappedLineOf } from "./wrapped.ts";
import { checkFixedFields } from "../asked-fields.ts";
import { UsageError } from "../../common/errors.ts";

/** The input format of a log. The formats come from `@robots-stream/logs`; add one there. */
export function lineLogInput(log: LineLogFormat): InputFormat {
  return {
    name: log.name,
    about: log.about,
    endings: [],
    ...(log.isHeading === undefined ? { recordsAreLines: true } : {}),
    makesLogRows: true,
    // Getters, because a log format with a user's pattern compiles the pattern when it is first needed.
    get namesHost(): boolean {
      return log.namesHost;
    },
    ...(log.headingNamesHost === undefined ? {} : { headingNamesHost: log.headingNamesHost }),
    ...(log.hasServerPaths === true ? { hasServerPaths: () => true } : {}),
    countLines: ({ wholeLines }) => countOfLines(wholeLines, (line) => log.recognizes(line)),
    mayBe: ({ wholeLines }) => isMost(wholeLines, (line) => log.recognizes(line) || log.mayBe?.(line) === true),
    // A parser remembers header lines, so each line gets a new parser.
    samples: { ...log.samples, isSilent: (line) => log.createParser()(line) === undefined },
    recognize: (beginning) => evidenceOfLog(log, beginning),
    hasAgentsIn(lines) {
      if (!log.facts.includes("userAgent")) return false;
      const parse = log.createParser();
      return hasAgentsAmong(lines.map((line) => parse(innerOf(line))));
    },
    read: (chunks, options) => readLines(chunks, options, new RequestLines(new TextLines(log, options), options)),
  };
}

/**
 * The evidence that a source is in the format `log`: "heading" when a heading of the format is found, "most-lines" when at least half of
 * the first lines match; otherwise undefined. Also undefined when the format's parser rejects all records after the heading, because logs
 * with different fields may have similar headings.
 */
function evidenceOfLog(log: LineLogFormat, beginning: Beginning): Evidence | undefined {
  const { wholeLines, recordLines } = beginning;
  const [first = ""] = wholeLines;
  if (isPlainJson(beginning)) return undefined;
  // A JSON object is a line of no text log. It would fit no pattern, but all patterns would be compiled to find this out.
  const recognizes = (line: string): boolean => !isObjectLike(line) && log.recognizes(line);
  // The first line may be damaged, so a line that names the fields is a heading at any position.
  const at = isHeading(first) && recognizes(first) ? 0 : wholeLines.findIndex((line) => isNaming(log, line));
  // Without a heading, the lines themselves are the evidence.
  if (at < 0) return evidenceOfLines(recordLines, recognizes);
  return wholeLines[at]!.startsWith("#") && !readsSome(log, wholeLines.slice(at)) ? undefined : "heading";
}

/** Whether a line begins with "#", like the lines that describe a log, or with "CDX ", like the header of a web archive index. */
function isHeading(line: string): boolean {
  return line.startsWith("#") || line.startsWith("CDX ");
}

/** Whether a line begins with "#" and is a heading of this format. */
function isNaming(log: LineLogFormat, line: string): boolean {
  return line.startsWith("#") && log.isHeading?.(line) === true && log.recognizes(line);
}

/** Whether the format's parser accepts at least one of the records in `lines` as a log line; true when `lines` has no record. */
function readsSome(log: LineLogFormat, lines: readonly string[]): boolean {
  const parse = log.createParser();
  const records = lines.map((line) => parse(line)).filter((parsed) => parsed !== undefined);
  return records.length === 0 || records.some((parsed) => !isLogProblem(parsed) || parsed.code !== "not-a-log-line");
}

/** The lines of one text log. */
class TextLines implements LogLines {
  readonly facts: readonly LogFact[];
  readonly namesHost: boolean;
  readonly isJson = false;
  readonly hasServerPaths: boolean;
  patterns: readonly LogPattern[];
  readonly #log: LineLogFormat;
  readonly #parse: LineParser;
  readonly #beginsWithTime: boolean;
  #bytes: Buffer = noBytes;
  #view: DataView = viewBeyond(noBytes);
  /** The last header line, which determines how later lines are parsed. */
  #heading: string | undefined;

  constructor(log: LineLogFormat, { from }: ReadOptions) {
    this.facts = log.facts;
    this.namesHost = log.namesHost;
    this.hasServerPaths = log.hasServerPaths === true;
    this.#log = log;
    this.#parse = log.createParser();
    this.#beginsWithTime = log.beginsWithTime === true;
    const { heading, second } = from?.known ?? {};
    if (typeof heading === "string") {
      this.#parse(heading);
      this.#heading = heading;
    }
    if (typeof second === "string") this.#parse(second);
    this.patterns = this.#patternsOf();
  }

  #patternsOf(): readonly LogPattern[] {
    return this.#log.patternsOf?.(this.#heading) ?? [];
  }

  checkAsked(options: ReadOptions): void {
    const { names } = rowShapeOf(this.facts);
    const time = this.facts.includes("time") ? timeMember : undefined;
    checkFixedFields(options, { names, agent: agentMember, time, texts: memberOfText });
  }

  begin({ bytes }: Block, view: DataView): void {
    this.#bytes = bytes;
    this.#view = view;
  }

  mayBePlain(start: number): boolean {
    if (this.#log.mayBeBehindPrefix !== true) return true;
    return !mayHavePrefix(this.#bytes, this.#view, start, this.#beginsWithTime);
  }

  requestIn(line: string): LogRequest | LogProblem | undefined {
    const wrapped = wrappedLineOf(line);
    const parsed = this.#parse(wrapped === undefined ? line : byteStringOf(wrapped));
    // Joined logs repeat the heading. After an equal heading, the patterns, and so the readers of bytes, stay the same.
    if (parsed === undefined && this.#log.isHeading?.(line) === true && line !== this.#heading) {
      this.#heading = line;
      this.patterns = this.#patternsOf();
    }
    return parsed;
  }

  isServerPath(): boolean {
    return this.hasServerPaths;
  }

  bytesOf(request: LogRequest): LogRequest {
    return request;
  }

  known(): ReaderKnowledge {
    return { heading: this.#heading, second: this.#parse.heading?.() };
  }
}

/**
 * Whether a line may begin with a prefix that only the parser can remove: a timestamp of a container runtime, or a pod's name from kubectl
 * (`[pod/…]`). A line with any other prefix does not match a pattern. With `beginsWithTime`, the log's own lines begin with a time too; a
 * runtime's timestamp is then recognized by the text after it, which is a second time, `stdout` or `stderr`.
 */
function mayHavePrefix(bytes: Buffer, view: DataView, start: number, beginsWithTime: boolean): boolean {
  const first = bytes[start]!;
  if (first === bracket) return bytes[start + 1] === letterP;
  if (bytes[start + 4] !== dash || !isDigit(first)) return false;
  if (!beginsWithTime) return true;
  // `indexOf` is not used, because a call of a native function for each line would cost as much as the search for several fields.
  const next = firstPlaceOf(spaces, view, start, Math.min(start + longestTimestamp, view.byteLength - 3)) + 1;
  return (
    isDigit(bytes[next]!) || (bytes[next] === letterS && bytes[next + 1] === letterT && bytes[next + 2] === letterD)
  );
}

/** A space in each byte of a word. */
const spaces = 0x20202020;
const dash = 0x2d;
const bracket = 0x5b;
const letterD = 0x64;
const letterP = 0x70;
const letterS = 0x73;
const letterT = 0x74;
const longestTimestamp = 40;

const noBytes = Buffer.alloc(0);

/** Maximum length of a pattern in characters. A line in a server's configuration has a few thousand at most. */
const longestPattern = 10_000;

/**
 * The input format for the pattern `written`, which has the form of the server's configuration. Throws a `UsageError` for a pattern that is
 * too long or invalid. Its message begins with `shown`, which names the pattern, and contains the position of the fault if it is known.
 */
export function logFormatInput(written: string, shown: string): InputFormat {
  if (written.length > longestPattern) {
    throw new UsageError("wrong-value", `${shown}: is longer than ${longestPattern} characters`);
  }
  const pattern = patternIn(written);
  const log = logFormatOf(pattern, `log-format ${pattern}`);
  if (!isPatternProblem(log)) return lineLogInput(log);
  const { message, position, hint } = log;
  const at = position === undefined ? "" : ` at character ${position}: ${aroundOf(pattern, position)}:`;
  throw new UsageError("wrong-value", `${shown}${at === "" ? ":" : at} ${message}`, hint);
}

/** The part of the pattern around a position, for a message. */
function aroundOf(pattern: string, position: number): string {
  const from = Math.max(0, position - 11);
  return shownWordOf(`${from > 0 ? "…" : ""}${pattern.slice(from, position + 30)}`, 60);
}
