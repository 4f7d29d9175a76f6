// Reads a log of JSON records, and builds one row per request with the members that the rows of text logs have.
import { isAscii } from "node:buffer";
import {
  type LogClock,
  type LogRequest,
  type ObjectLogFormat,
  isLogProblem,
  jsonRecordOf,
  problemOfMessage,
  timeTextOf,
  urlOf,
} from "@robots-stream/logs";
import type { Block } from "../../records/blocks.ts";
import type { PackedRecords } from "../../records/packed.ts";
import { type FieldTexts, RowHeads, pushTexts } from "../../records/row-heads.ts";
import { viewBeyond } from "../../records/words.ts";
import type { ReadOptions, ReaderKnowledge, Reject } from "../../records/batch.ts";
import { byteStringOf, utf8TextOf } from "../../text.ts";
import { type LineTaker, rejectOf, trimmed } from "../line-reader.ts";
import { noMembers } from "../ndjson/asked-members.ts";
import { whyNoObject } from "../ndjson/read.ts";
import { ObjectWalker } from "../ndjson/walk.ts";
import { checkMissingTime } from "../time-field.ts";
import { missingAgentField, missingBase } from "../url-field.ts";
import { PlainRows } from "./plain-rows.ts";
import {
  type RowShape,
  checkTextsOfLog,
  isOriginAssumed,
  requestFieldsOf,
  requestTextsOf,
  rowShapeOf,
  rowValueOf,
  rowValuesOf,
  timeMember,
} from "./row.ts";
import { LineParts, wrappedLineOf, prefixLengthOf } from "./wrapped.ts";

export class ObjectRows implements LineTaker {
  readonly #log: ObjectLogFormat;
  readonly #options: ReadOptions;
  readonly #shape: RowShape;
  readonly #heads = new RowHeads();
  readonly #instants: LastInstant;
  #block: Block | undefined;
  /** Whether all bytes of the block are ASCII. The Latin-1 strings of its bytes are then also the decoded texts. */
  #isAscii = false;
  #view: DataView = noView;
  /** The reader of records as bytes; undefined when only the parser can read the records. */
  readonly #plain: PlainRows | undefined;
  readonly #parts: LineParts;
  #hasRecord: boolean;

  constructor(log: ObjectLogFormat, options: ReadOptions) {
    const { source, agentField, time, texts, from, writer, asksRequest = false, logClock } = options;
    this.#log = log;
    this.#options = options;
    this.#instants = new LastInstant(logClock);
    const facts = log.facts ?? [];
    this.#shape = rowShapeOf(asksRequest ? [] : facts, options.logRows);
    this.#hasRecord = from !== undefined;
    this.#parts = new LineParts(from?.known);
    const { names } = rowShapeOf(facts);
    // The log format determines the member with the User-Agent header, so `agentField` must be a name for such a member.
    const hasAgent = facts.includes("userAgent") && (agentField === undefined || /user.?agent/i.test(agentField));
    if (agentField !== undefined && !hasAgent) throw missingAgentField(source, agentField, names);
    const hasTime = facts.includes("time") && /time/i.test(time?.field ?? timeMember);
    if (time !== undefined && !hasTime) checkMissingTime(source, time, names);
    checkTextsOfLog(source, texts, names);
    writer.startRows(this.#shape.names, undefined);
    this.#plain = this.#plainReader();
  }

  #plainReader(): PlainRows | undefined {
    const {
      lineEnd,
      maxLineBytes,
      base,
      hostBases,
      agentField,
      time,
      texts,
      writer,
      asksRequest = false,
      logClock,
    } = this.#options;
    const { pattern } = this.#log;
    const openings = writer.memberOpenings();
    if (pattern === undefined || openings === undefined || asksRequest) return undefined;
    const asksAddress = texts?.some(({ name }) => name === "address") === true;
    const asks = { asksAgent: agentField !== undefined, asksTime: time !== undefined, asksAddress };
    return new PlainRows({
      pattern,
      lineEnd,
      maxLineBytes,
      base,
      hostBases,
      shape: this.#shape,
      openings,
      logClock,
      ...asks,
    });
  }

  begin(block: Block): void {
    this.#block = block;
    this.#isAscii = isAscii(block.bytes);
    this.#view = viewBeyond(block.bytes);
    this.#heads.begin(block.bytes.length);
  }

  takePlain(start: number): number {
    if (this.#plain === undefined || !this.#isAscii) return -1;
    const next = this.#plain.take(this.#block!.bytes, this.#view, start, this.#heads);
    if (next < 0) return -1;
    this.#hasRecord = true;
    return next;
  }

  take(raw: string, number: number, rejects: Reject[], lineStart: number): void {
    const line = trimmed(raw);
    if (line === "") return;
    const part = this.#parts.rejectOf(this.#options.source, number, line);
    if (part !== undefined) {
      rejects.push(part);
      return;
    }
    const { source, base, hostBases, agentField, writer, asksRequest = false } = this.#options;
    const text = textOf(line, this.#isAscii);
    const record = jsonRecordOf(text);
    if (record === undefined) {
      const { code, message } = this.#whyNoRecord(raw, lineStart, text);
      rejects.push(rejectOf(source, number, code, message, line));
      return;
    }
    const log = this.#log;
    const request = log.requestIn!(record);
    const url = isLogProblem(request) ? request : urlOf(request, base, hostBases);
    if (typeof url !== "string") {
      if (asksRequest && isLogProblem(request) && request.request !== undefined) {
        this.#addWithoutUrl(request.request);
        return;
      }
      const { code, message } = url;
      const isMistake = code === "no-host" && base === undefined && !log.namesHost;
      if (isMistake && !this.#hasRecord) throw missingBase(`${source}:${number}`);
      rejects.push(rejectOf(source, number, code, isMistake ? `${message} (--base)` : message, line));
      return;
    }
    this.#hasRecord = true;
    // A JSON escape, or a percent escape that some logs decode, may represent a character that is not ASCII.
    const isPlainText = this.#isAscii && !/\\[ux]|%/.test(line);
    const bytes = isPlainText ? (request as LogRequest) : bytesOf(request as LogRequest);
    const agent = agentField === undefined ? undefined : bytes.userAgent;
    const fields = this.#fieldsOf(bytes);
    const openings = writer.memberOpenings();
    if (openings !== undefined) this.#addObject(openings, url, bytes, line, agent, fields);
    else {
      const values = rowValuesOf(this.#shape, byteStringOf(url), bytes, line, this.#options.logClock);
      this.#heads.add(writer.headOfFields(this.#shape.names, values), url, { agent, ...fields });
    }
    if (isOriginAssumed(bytes)) this.#heads.packed.assumedOrigins++;
  }

  /**
   * Adds a row that is a JSON object. A URL or a User-Agent header without escapes is recorded as a range of the row's bytes, so that
   * finding the origin and the crawler creates no string.
   */
  #addObject(
    openings: readonly string[],
    url: string,
    request: LogRequest,
    line: string,
    agent: string | undefined,
    fields: FieldTexts,
  ): void {
    const { facts, keepsLine } = this.#shape;
    const heads = this.#heads;
    const { packed } = heads;
    let head = `${openings[0]!}"`;
    const urlStart = head.length;
    const isPlainUrl = withoutEscapes.test(url);
    head = isPlainUrl ? `${head}${url}"` : `${openings[0]!}${JSON.stringify(byteStringOf(url))}`;
    const urlEnd = head.length - 1;
    let agentStart = 0;
    let agentEnd = 0;
    for (let index = 0; index < facts.length; index++) {
      const fact = facts[index]!;
      const value = fact === "time" ? this.#instants.textOf(request.time) : rowValueOf(fact, request[fact], undefined);
      if (value === undefined) continue;
      head += openings[index + 1]!;
      if (typeof value === "number") head += String(value);
      else if (fact !== "time" && escaped.test(value)) head += JSON.stringify(value);
      else {
        if (fact === "userAgent") agentStart = head.length + 1;
        head += `"${value}"`;
        if (fact === "userAgent") agentEnd = head.length - 1;
      }
    }
    if (keepsLine) head += openings.at(-1)! + JSON.stringify(line);
    const start = heads.to;
    heads.makeRoom(head.length);
    heads.to += heads.bytes.write(head, start, "latin1");
    if (isPlainUrl) packed.push(start, heads.to, start + urlStart, start + urlEnd);
    else packed.pushDecoded(start, heads.to, url);
    if (agent !== undefined && agentEnd > 0) packed.pushField("agent", start + agentStart, start + agentEnd);
    else if (agent !== undefined) packed.pushDecodedField("agent", agent);
    if (fields !== noFields) pushTexts(packed, fields);
  }

  /** The fields of a request that the run needs besides the User-Agent header. */
  #fieldsOf(request: LogRequest): FieldTexts {
    const { time, texts, asksRequest = false } = this.#options;
    if (time === undefined && texts === undefined && !asksRequest) return noFields;
    return {
      time: time === undefined ? undefined : request.time,
      ...(asksRequest ? requestFieldsOf(request) : {}),
      ...requestTextsOf(texts, request),
    };
  }

  /** Adds a record for a request without a URL; the target, like `*`, takes the place of the URL. */
  #addWithoutUrl(request: LogRequest): void {
    const bytes = bytesOf(request);
    const { userAgent: agent, time, target } = bytes;
    const texts = requestTextsOf(this.#options.texts, bytes);
    this.#heads.add("", target, { agent, time, ...requestFieldsOf(bytes), ...texts });
  }

  #whyNoRecord(raw: string, lineStart: number, text: string): Pick<Reject, "code" | "message"> {
    const problem = problemOfMessage(text);
    if (problem !== undefined) return problem;
    const walker = new ObjectWalker(this.#block!, this.#options.lineEnd);
    const start = walker.skipSpace(lineStart + prefixLengthOf(raw));
    if (!walker.walk(start, noMembers)) return whyNoObject(walker, start, lineStart);
    return { code: "not-a-log-line", message: `has no line of ${this.#log.name} in its member "log"` };
  }

  end(): PackedRecords {
    // The heads are copies, so nothing refers to the block any more.
    this.#block!.recycle();
    return this.#heads.finish();
  }

  known(): ReaderKnowledge | undefined {
    return this.#hasRecord ? this.#parts.known : undefined;
  }
}

/** Matches URLs whose bytes, text and JSON string are the same. */
const withoutEscapes = /^[!#-[\]-~]*$/;
/** Matches a character that a JSON string has to escape. */
// oxlint-disable-next-line no-control-regex
const escaped = /["\\\x00-\x1f]/;

const noFields: FieldTexts = {};
const noView = new DataView(new ArrayBuffer(0));

/** The decoded text of the line that the program wrote, without the prefix or the record that a container runtime or syslog added. */
function textOf(line: string, hasOnlyAscii: boolean): string {
  const prefix = prefixLengthOf(line);
  const inner = prefix === 0 ? line : line.slice(prefix);
  return wrappedLineOf(line) ?? (hasOnlyAscii ? inner : utf8TextOf(inner));
}

/** Converts times as `timeTextOf` does and caches the last one, because most records have the same minute as the record before. */
class LastInstant {
  readonly #clock: LogClock | undefined;
  /** The last time: its text before the seconds and its text after them. The instant of the last time is divided likewise. */
  #before = "";
  #behind = "";
  #instantBefore = "";
  #instantBehind = "";

  constructor(clock: LogClock | undefined) {
    this.#clock = clock;
  }

  textOf(time: string | undefined): string | undefined {
    if (time === undefined) return undefined;
    const seconds = time.slice(secondsAt, secondsAt + 2);
    const isSameMinute =
      this.#before !== "" && time.startsWith(this.#before) && time.slice(secondsAt + 2) === this.#behind;
    if (isSameMinute && /^[0-5]\d$/.test(seconds)) return this.#instantBefore + seconds + this.#instantBehind;
    const instant = timeTextOf(time, this.#clock);
    const isIso = instant !== undefined && isoUpToSeconds.test(time) && instant.slice(secondsAt).startsWith(seconds);
    this.#before = isIso ? time.slice(0, secondsAt) : "";
    this.#behind = time.slice(secondsAt + 2);
    this.#instantBefore = instant?.slice(0, secondsAt) ?? "";
    this.#instantBehind = instant?.slice(secondsAt + 2) ?? "";
    return instant;
  }
}

/** The offset of the seconds in an instant: the length of `2026-11-21T06:55:`. */
const secondsAt = 17;
const isoUpToSeconds = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/;

/** The request with its time, client, method, User-Agent header and referer as UTF-8 bytes in Latin-1 strings. */
function bytesOf(request: LogRequest): LogRequest {
  const { time, client, method, userAgent, referer } = request;
  const bytes = (text: string | undefined): string | undefined => (text === undefined ? undefined : byteStringOf(text));
  return {
    ...request,
    time: bytes(time),
    client: bytes(client),
    method: bytes(method),
    userAgent: bytes(userAgent),
    referer: bytes(referer),
  };
}
