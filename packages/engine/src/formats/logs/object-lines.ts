// The input formats of logs of JSON records, and the request in each of their lines. The rows of a log with facts have the members that the rows of text logs have; the
// rows of other logs are the records.
import { isAscii } from "node:buffer";
import {
  isLogProblem,
  jsonRecordOf,
  type LogFact,
  type LogPattern,
  type LogProblem,
  type LogRequest,
  type ObjectLogFormat,
  problemOfMessage,
} from "@robots-stream/logs";
import type { Block } from "../../records/blocks.ts";
import { countOfLines, evidenceOfLines, type InputFormat, isPlainJson, type ReadOptions } from "../input-format.ts";
import type { ReaderKnowledge } from "../../records/batch.ts";
import { byteStringOf, utf8TextOf } from "../../common/text.ts";
import { readLines, trimmed } from "../line-reader.ts";
import { checkMissingText, checkMissingTime, checkTexts } from "../asked-fields.ts";
import { AskedMembers } from "../ndjson/asked-members.ts";
import { keyTaken, whyNoObject } from "../ndjson/read.ts";
import { ObjectWalker } from "../ndjson/walk.ts";
import { missingAgentField, takenName } from "../url-field.ts";
import { logFacts, timeMember } from "../log-members.ts";
import { type LogLines, RequestLines } from "./request-lines.ts";
import type { LineProblem } from "../line-reader.ts";
import { hasAgentsAmong, memberOfText, rowShapeOf } from "./row.ts";
import { innerOf, prefixLengthOf, wrappedLineOf } from "./wrapped.ts";

type JsonRecord = Readonly<Record<string, unknown>>;

/** A record with a request, or the reason why a line is a reject. */
type Taken = { readonly record: JsonRecord } | LineProblem;

/** The lines of one log of JSON records. */
class ObjectLines implements LogLines {
  readonly facts: readonly LogFact[] | undefined;
  readonly namesHost: boolean;
  readonly isJson = true;
  readonly hasServerPaths: boolean;
  readonly patterns: readonly LogPattern[];
  readonly #log: ObjectLogFormat;
  readonly #options: ReadOptions;
  /** Finds a member with the key that the result gets in the output. No record that is a row may have such a member. */
  readonly #taken: AskedMembers;
  #block: Block | undefined;
  #walker: ObjectWalker | undefined;
  /** Whether all bytes of the block are ASCII. The Latin-1 strings of its bytes are then also the decoded texts. */
  #isAscii = false;
  /** The record of the last request, and its start in the block. */
  #record: JsonRecord = {};
  #recordAt = 0;

  constructor(log: ObjectLogFormat, options: ReadOptions) {
    this.facts = log.facts;
    this.namesHost = log.namesHost;
    this.hasServerPaths = log.hasServerPath !== undefined;
    this.patterns = log.pattern === undefined ? [] : [log.pattern];
    this.#log = log;
    this.#options = options;
    this.#taken = new AskedMembers([Buffer.from(options.writer.resultKey, "latin1")]);
  }

  begin(block: Block): void {
    this.#block = block;
    this.#walker = undefined;
    this.#isAscii = isAscii(block.bytes);
  }

  mayBePlain(): boolean {
    return this.#isAscii;
  }

  requestIn(raw: string, start: number): LogRequest | LogProblem | LineProblem {
    const taken = this.facts === undefined ? this.#rowIn(raw, start) : this.#recordIn(raw, start);
    if ("code" in taken) return taken;
    this.#record = taken.record;
    return this.#log.requestOf(taken.record);
  }

  /** The record in a line that becomes a row: the line itself, or the record that another record has as its message. Sets `#taken`. */
  #rowIn(raw: string, lineStart: number): Taken {
    const line = trimmed(raw);
    const wrapped = wrappedLineOf(line);
    const problem = this.#walk(raw, lineStart);
    if (problem !== undefined) return problemOfMessage(wrapped ?? line.slice(prefixLengthOf(line))) ?? problem;
    const { text, close } = this.#walkerOf();
    const inner = wrapped === undefined ? undefined : jsonRecordOf(wrapped);
    return { record: inner ?? jsonRecordOf(utf8TextOf(text.slice(this.#recordAt, close + 1))) ?? {} };
  }

  /** The record that the program wrote, without the prefix or the record that a container runtime or syslog added. */
  #recordIn(raw: string, lineStart: number): Taken {
    const line = trimmed(raw);
    const inner = line.slice(prefixLengthOf(line));
    const text = wrappedLineOf(line) ?? (this.#isAscii ? inner : utf8TextOf(inner));
    const record = jsonRecordOf(text);
    if (record !== undefined) return { record };
    const notOfLog = {
      code: "not-a-log-line",
      message: `has no line of ${this.#log.name} in its member "log"`,
    } as const;
    return problemOfMessage(text) ?? this.#walk(raw, lineStart) ?? notOfLog;
  }

  /** Walks over the record in a line, behind a prefix and white space; returns the problem of a line that is no record. */
  #walk(raw: string, lineStart: number): LineProblem | undefined {
    const walker = this.#walkerOf();
    this.#recordAt = walker.skipSpace(lineStart + prefixLengthOf(raw));
    return walker.walk(this.#recordAt, this.#taken) ? undefined : whyNoObject(walker, this.#recordAt, lineStart);
  }

  headOf(hasRecord: boolean): string | LineProblem {
    const { source, writer } = this.#options;
    if (!this.#taken.has(0)) return writer.headOfObject(this.#walkerOf(), this.#recordAt);
    if (!hasRecord) throw takenName(source, utf8TextOf(writer.resultKey));
    return keyTaken(writer.resultKey);
  }

  isServerPath(): boolean {
    return this.#log.hasServerPath?.(this.#record) === true;
  }

  bytesOf(request: LogRequest, line: string): LogRequest {
    // A JSON escape, or a percent escape that some logs decode, may represent a character that is not ASCII.
    return this.#isAscii && !/\\[ux]|%/.test(line) ? request : bytesOf(request);
  }

  #walkerOf(): ObjectWalker {
    return (this.#walker ??= new ObjectWalker(this.#block!, this.#options.lineEnd));
  }

  known(): ReaderKnowledge {
    return {};
  }

  /**
   * The log format determines the members with the User-Agent header, the time and the texts, so the options must name these members.
   */
  checkAsked({ source, agentField, time, texts = [] }: ReadOptions): void {
    const { facts, members } = this.#log;
    const names = facts === undefined ? members : rowShapeOf(facts).names;
    const own = facts === undefined;
    const hasAgent = own || facts.includes("userAgent");
    if (agentField !== undefined && !(hasAgent && /user.?agent/i.test(agentField)))
      throw missingAgentField(source, agentField, own ? ["user_agent", ...names] : names);
    const hasTime = own || facts.includes("time");
    if (time !== undefined && !(hasTime && /time/i.test(time.field ?? timeMember)))
      checkMissingTime(source, time, own ? ["time", ...names] : names);
    if (!own) {
      checkTexts(source, texts, names, memberOfText);
      return;
    }
    const all = [...memberOfText.values(), ...names];
    for (const asked of texts) {
      const { name, field } = asked;
      if (!memberOfText.has(name) || (field !== undefined && !all.includes(field)))
        checkMissingText(source, asked, all);
    }
  }
}

/** The request with its texts besides the URL as UTF-8 bytes in Latin-1 strings. */
function bytesOf(request: LogRequest): LogRequest {
  const texts = logFacts.flatMap((fact) => {
    const text = request[fact];
    return text === undefined ? [] : [[fact, byteStringOf(text)]];
  });
  return { ...request, ...Object.fromEntries(texts) };
}

/** The input format of a log. The formats come from `@robots-stream/logs`; add one there. */
export function objectLogInput(log: ObjectLogFormat): InputFormat {
  return {
    name: log.name,
    about: log.about,
    endings: [],
    recordsAreLines: true,
    namesHost: log.namesHost,
    ...(log.facts === undefined ? { requestIn: requestIn(log) } : { makesLogRows: true }),
    countLines: ({ wholeLines }) => countOfLines(wholeLines, (line) => log.recognizes(line)),
    samples: log.samples,
    recognize(beginning) {
      if (isPlainJson(beginning)) return undefined;
      const lines = beginning.recordLines.filter((line) => log.isMessage?.(line) !== true);
      return evidenceOfLines(lines, (line) => log.recognizes(line));
    },
    hasAgentsIn: (lines) => hasAgentsAmong(lines.map((line) => parsedOf(log, innerOf(line)))),
    ...(log.hasServerPath === undefined ? {} : { hasServerPaths: (lines) => areOfServer(log, lines) }),
    read: (chunks, options) => readLines(chunks, options, new RequestLines(new ObjectLines(log, options), options)),
  };
}

/** Whether the first records have paths, all of them those after the server's rewrites. */
function areOfServer(log: ObjectLogFormat, lines: readonly string[]): boolean {
  const records = lines.map((line) => jsonRecordOf(innerOf(line))).filter((record) => record !== undefined);
  const known = records.flatMap((record) => log.hasServerPath!(record) ?? []);
  return known.length > 0 && !known.includes(false);
}

function parsedOf(log: ObjectLogFormat, line: string): ReturnType<ObjectLogFormat["requestOf"]> | undefined {
  const record = jsonRecordOf(line);
  return record === undefined ? undefined : log.requestOf(record);
}

function requestIn(log: ObjectLogFormat): NonNullable<InputFormat["requestIn"]> {
  return (record) => {
    const request = log.requestOf(record);
    return isLogProblem(request) ? undefined : request;
  };
}
