// Reads a log of JSON records, one per line, and finds the request in each record. The rows of a log with facts have the members that the
// rows of text logs have; the rows of other logs are the records.
import { isAscii } from "node:buffer";
import {
  type LogProblem,
  type LogRequest,
  type ObjectLogFormat,
  isLogProblem,
  jsonRecordOf,
  problemOfMessage,
  urlOf,
} from "@robots-stream/logs";
import type { Block } from "../../records/blocks.ts";
import { PackedRecords } from "../../records/packed.ts";
import { type FieldTexts, RowHeads, pushTexts } from "../../records/row-heads.ts";
import { viewBeyond } from "../../records/words.ts";
import type { ReadOptions } from "../input-format.ts";
import type { ReaderKnowledge, Reject } from "../../records/batch.ts";
import { byteStringOf, utf8TextOf } from "../../common/text.ts";
import { type LineTaker, rejectOf, trimmed } from "../line-reader.ts";
import { checkMissingText } from "../asked-text.ts";
import { AskedMembers } from "../ndjson/asked-members.ts";
import { whyNoObject } from "../ndjson/read.ts";
import { ObjectWalker } from "../ndjson/walk.ts";
import { checkMissingTime } from "../time-field.ts";
import { missingAgentField, missingBase, takenName } from "../url-field.ts";
import { PlainRows } from "./plain-rows.ts";
import { timeMember } from "../log-members.ts";
import {
  type RowShape,
  checkTextsOfLog,
  isOriginAssumed,
  memberOfText,
  requestFieldsOf,
  requestTextsOf,
  rowShapeOf,
  rowValuesOf,
} from "./row.ts";
import { LineParts, prefixLengthOf, wrappedLineOf } from "./wrapped.ts";

/** A record with a request, or the reason why a line is a reject. */
type Taken = { readonly record: Readonly<Record<string, unknown>> } | Pick<Reject, "code" | "message">;

/** Reads the JSON records of one log. */
export class ObjectLines implements LineTaker {
  readonly #log: ObjectLogFormat;
  readonly #options: ReadOptions;
  /** The members of rows; undefined if the rows are the records. */
  readonly #shape: RowShape | undefined;
  /** The heads; undefined if the rows are the records, and the writer uses their own bytes as heads (`keepsObjects`). */
  readonly #heads: RowHeads | undefined;
  /** Finds a member with the key that the result gets in the output. No record that is a row may have such a member. */
  readonly #taken: AskedMembers;
  #block: Block | undefined;
  #walker: ObjectWalker | undefined;
  #records: PackedRecords | undefined;
  /** Whether all bytes of the block are ASCII. The Latin-1 strings of its bytes are then also the decoded texts. */
  #isAscii = false;
  #view: DataView = noView;
  /** The reader of records as bytes; undefined when only the parser can read the records. */
  readonly #plain: PlainRows | undefined;
  readonly #parts: LineParts;
  #hasRecord: boolean;

  constructor(log: ObjectLogFormat, options: ReadOptions) {
    const { from, writer, asksRequest = false, logRows } = options;
    this.#log = log;
    this.#options = options;
    this.#hasRecord = from !== undefined;
    this.#parts = new LineParts(from?.known);
    this.#taken = new AskedMembers([Buffer.from(writer.resultKey, "latin1")]);
    checkAsked(log, options);
    if (log.facts !== undefined) {
      this.#shape = rowShapeOf(asksRequest ? [] : log.facts, logRows);
      writer.startRows(this.#shape.names, undefined);
      this.#plain = plainRowsOf(log, this.#shape, options);
    }
    this.#heads = log.facts === undefined && writer.keepsObjects ? undefined : new RowHeads();
  }

  begin(block: Block): void {
    this.#block = block;
    this.#walker = undefined;
    this.#isAscii = isAscii(block.bytes);
    this.#view = viewBeyond(block.bytes);
    this.#heads?.begin(block.bytes.length);
    this.#records = this.#heads?.packed ?? new PackedRecords(block.bytes, block.bytes, 0);
  }

  takePlain(start: number): number {
    if (this.#plain === undefined || !this.#isAscii) return -1;
    const next = this.#plain.take(this.#block!.bytes, this.#view, start, this.#heads!);
    if (next < 0) return -1;
    this.#hasRecord = true;
    return next;
  }

  take(raw: string, number: number, rejects: Reject[], lineStart: number): void {
    const line = trimmed(raw);
    if (line === "") return;
    const { source, base, hostBases, asksRequest = false } = this.#options;
    const part = this.#parts.rejectOf(source, number, line);
    if (part !== undefined) {
      rejects.push(part);
      return;
    }
    const log = this.#log;
    const reject = ({ code, message }: Pick<Reject, "code" | "message">): void =>
      void rejects.push(rejectOf(source, number, code, message, line));
    const taken = this.#shape === undefined ? this.#rowIn(raw, line, lineStart) : this.#recordIn(raw, line, lineStart);
    if ("code" in taken) {
      reject(taken);
      return;
    }
    const request = log.requestOf(taken.record);
    const url = isLogProblem(request) ? request : urlOf(request, base, hostBases);
    if (typeof url !== "string") {
      const known = asksRequest && isLogProblem(request) ? request.request : undefined;
      if (known !== undefined) this.#addWithoutUrl(known);
      else reject(this.#problemOf(url, number));
      return;
    }
    if (this.#shape === undefined && this.#taken.has(0)) {
      const key = utf8TextOf(this.#options.writer.resultKey);
      if (!this.#hasRecord) throw takenName(source, key);
      reject({ code: "key-taken", message: `already has a member "${key}"; choose another name with --result-key` });
      return;
    }
    this.#hasRecord = true;
    // A JSON escape, or a percent escape that some logs decode, may represent a character that is not ASCII.
    const isPlainText = this.#isAscii && !/\\[ux]|%/.test(line);
    const bytes = isPlainText ? (request as LogRequest) : bytesOf(request as LogRequest);
    this.#add(bytes, url, line, raw, lineStart);
    if (log.hasServerPath?.(taken.record) === true) this.#records!.pushDecodedField("serverPath", "1");
    if (isOriginAssumed(bytes)) this.#records!.assumeOrigin();
  }

  /** Adds the record of a request. */
  #add(request: LogRequest, url: string, line: string, raw: string, lineStart: number): void {
    const { agentField, writer, logClock } = this.#options;
    const fields = this.#fieldsOf(request, agentField !== undefined);
    if (this.#shape !== undefined) {
      const values = rowValuesOf(this.#shape, byteStringOf(url), request, line, logClock);
      this.#heads!.add(writer.headOfFields(this.#shape.names, values), url, fields);
      return;
    }
    const start = startOf(this.#walkerOf(), raw, lineStart);
    if (this.#heads !== undefined) this.#heads.add(writer.headOfObject(this.#walkerOf(), start), url, fields);
    else {
      this.#records!.pushDecoded(start, this.#walkerOf().close, url);
      pushTexts(this.#records!, fields);
    }
  }

  /** The record in a line that becomes a row: the line itself, or the record that another record has as its message. Sets `#taken`. */
  #rowIn(raw: string, line: string, lineStart: number): Taken {
    const walker = this.#walkerOf();
    const start = startOf(walker, raw, lineStart);
    const wrapped = wrappedLineOf(line);
    if (!walker.walk(start, this.#taken))
      return problemOfMessage(wrapped ?? line.slice(prefixLengthOf(line))) ?? whyNoObject(walker, start, lineStart);
    const inner = wrapped === undefined ? undefined : objectOf(wrapped);
    return { record: inner ?? objectOf(utf8TextOf(walker.text.slice(start, walker.close + 1))) ?? {} };
  }

  /** The record that the program wrote, without the prefix or the record that a container runtime or syslog added. */
  #recordIn(raw: string, line: string, lineStart: number): Taken {
    const prefix = prefixLengthOf(line);
    const inner = prefix === 0 ? line : line.slice(prefix);
    const text = wrappedLineOf(line) ?? (this.#isAscii ? inner : utf8TextOf(inner));
    const record = jsonRecordOf(text);
    if (record !== undefined) return { record };
    const problem = problemOfMessage(text);
    if (problem !== undefined) return problem;
    const walker = this.#walkerOf();
    const start = startOf(walker, raw, lineStart);
    if (!walker.walk(start, this.#taken)) return whyNoObject(walker, start, lineStart);
    return { code: "not-a-log-line", message: `has no line of ${this.#log.name} in its member "log"` };
  }

  /** The reason why a request has no URL. Throws a `UsageError` if the first request has no host, and `--base` would name it. */
  #problemOf({ code, message }: LogProblem, number: number): Pick<Reject, "code" | "message"> {
    const { source, base } = this.#options;
    const isMistake = code === "no-host" && base === undefined && !this.#log.namesHost;
    if (isMistake && !this.#hasRecord) throw missingBase(`${source}:${number}`);
    return { code, message: isMistake ? `${message} (--base)` : message };
  }

  /** The fields of a request that the run needs. */
  #fieldsOf(request: LogRequest, asksAgent: boolean): FieldTexts {
    const { time, texts, asksRequest = false } = this.#options;
    return {
      agent: asksAgent ? request.userAgent : undefined,
      time: time === undefined ? undefined : request.time,
      ...(asksRequest ? requestFieldsOf(request) : {}),
      ...requestTextsOf(texts, request),
    };
  }

  /** Adds a record for a request without a URL; the target, like `*`, takes the place of the URL. */
  #addWithoutUrl(request: LogRequest): void {
    const bytes = bytesOf(request);
    const fields = { ...this.#fieldsOf(bytes, true), time: bytes.time };
    if (this.#heads !== undefined) this.#heads.add("", bytes.target, fields);
    else {
      this.#records!.pushDecoded(0, 0, bytes.target);
      pushTexts(this.#records!, fields);
    }
  }

  #walkerOf(): ObjectWalker {
    return (this.#walker ??= new ObjectWalker(this.#block!, this.#options.lineEnd));
  }

  end(): PackedRecords {
    const block = this.#block!;
    if (this.#heads !== undefined) {
      // The heads are copies, so nothing refers to the block any more.
      block.recycle();
      return this.#heads.finish();
    }
    const records = this.#records!;
    records.recycle = () => block.recycle();
    return records;
  }

  known(): ReaderKnowledge | undefined {
    return this.#hasRecord ? this.#parts.known : undefined;
  }
}

const noView = new DataView(new ArrayBuffer(0));

/**
 * Throws a `UsageError` for fields that the log does not have. The log format determines the members with the User-Agent header, the time and
 * the texts, so the options must name these members.
 */
function checkAsked({ facts, members }: ObjectLogFormat, { source, agentField, time, texts = [] }: ReadOptions): void {
  const names = facts === undefined ? members : rowShapeOf(facts).names;
  const own = facts === undefined;
  const hasAgent = own || facts.includes("userAgent");
  if (agentField !== undefined && !(hasAgent && /user.?agent/i.test(agentField)))
    throw missingAgentField(source, agentField, own ? ["user_agent", ...names] : names);
  const hasTime = own || facts.includes("time");
  if (time !== undefined && !(hasTime && /time/i.test(time.field ?? timeMember)))
    checkMissingTime(source, time, own ? ["time", ...names] : names);
  if (!own) {
    checkTextsOfLog(source, texts, names);
    return;
  }
  const all = [...memberOfText.values(), ...names];
  for (const asked of texts) {
    const { name, field } = asked;
    if (!memberOfText.has(name) || (field !== undefined && !all.includes(field))) checkMissingText(source, asked, all);
  }
}

/** The reader of records as bytes; undefined when only the parser can read the records. */
function plainRowsOf(
  { pattern, hasServerPath }: ObjectLogFormat,
  shape: RowShape,
  options: ReadOptions,
): PlainRows | undefined {
  const { lineEnd, maxLineBytes, base, hostBases, agentField, time, texts, writer, asksRequest, logClock } = options;
  const openings = writer.memberOpenings();
  if (pattern === undefined || openings === undefined || asksRequest === true) return undefined;
  return new PlainRows({
    pattern,
    lineEnd,
    maxLineBytes,
    base,
    hostBases,
    hasServerPaths: hasServerPath !== undefined,
    shape,
    openings,
    logClock,
    asksAgent: agentField !== undefined,
    asksTime: time !== undefined,
    asksAddress: texts?.some(({ name }) => name === "address") === true,
  });
}

/** The offset of the record in the line `raw`, which begins at `lineStart`: behind a prefix and white space. */
function startOf(walker: ObjectWalker, raw: string, lineStart: number): number {
  return walker.skipSpace(lineStart + prefixLengthOf(raw));
}

/** The object of a JSON text; undefined for other texts. */
function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

/** The request with its texts besides the URL as UTF-8 bytes in Latin-1 strings. */
function bytesOf(request: LogRequest): LogRequest {
  const { time, client, method, status, bytes: size, userAgent, referer } = request;
  const bytes = (text: string | undefined): string | undefined => (text === undefined ? undefined : byteStringOf(text));
  return {
    ...request,
    time: bytes(time),
    client: bytes(client),
    method: bytes(method),
    status: bytes(status),
    bytes: bytes(size),
    userAgent: bytes(userAgent),
    referer: bytes(referer),
  };
}
