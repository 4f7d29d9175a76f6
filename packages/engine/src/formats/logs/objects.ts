// Reads a log of JSON records, one per line, and composes the URL of each record from several members. Logs with `facts` are read by
// object-rows.ts instead.
import {
  type LogRequest,
  type ObjectLogFormat,
  isLogProblem,
  jsonRecordOf,
  problemOfMessage,
  urlOf,
} from "@robots-stream/logs";
import { countOfLines, evidenceOfLines, isPlainJson } from "../recognition.ts";
import { byteStringOf, utf8TextOf } from "../../text.ts";
import { byteStringOfJson } from "../ndjson/strings.ts";
import { AskedMembers } from "../ndjson/asked-members.ts";
import { ObjectWalker } from "../ndjson/walk.ts";
import { type LineTaker, readLines, rejectOf, trimmed } from "../line-reader.ts";
import { whyNoObject } from "../ndjson/read.ts";
import type { Block } from "../../records/blocks.ts";
import { PackedRecords } from "../../records/packed.ts";
import { RowHeads, pushTexts } from "../../records/row-heads.ts";
import { ObjectRows } from "./object-rows.ts";
import { hasAgentsAmong, isOriginAssumed, requestFieldsOf, memberOfText } from "./row.ts";
import { LineParts, wrappedLineOf, innerOf, prefixLengthOf } from "./wrapped.ts";
import type { Batch, InputFormat, ReadOptions, ReaderKnowledge, Reject } from "../../records/batch.ts";
import { checkMissingText } from "../asked-text.ts";
import { checkMissingTime } from "../time-field.ts";
import { missingAgentField, takenName } from "../url-field.ts";

function isOfServer(line: string): boolean {
  return problemOfMessage(line) !== undefined;
}

/** The input format of a log. The formats come from `@robots-stream/logs`; add one there. */
export function objectLogInput(log: ObjectLogFormat): InputFormat {
  return {
    name: log.name,
    about: log.about,
    endings: [],
    recordsAreLines: true,
    ...(log.facts === undefined ? { requestIn: requestIn(log) } : { makesLogRows: true }),
    countLines: ({ wholeLines }) => countOfLines(wholeLines, (line) => log.recognizes(line)),
    samples: log.samples,
    recognize(beginning) {
      if (isPlainJson(beginning)) return undefined;
      // The messages of a server that starts may precede its first request.
      const lines = beginning.wholeLines.filter((line) => log.isMessage?.(line) !== true && !isOfServer(line));
      return evidenceOfLines(lines, (line) => log.recognizes(line));
    },
    hasAgentsIn: (lines) => hasAgentsAmong(lines.map((line) => parsedOf(log, innerOf(line)))),
    ...(log.hasServerPath === undefined ? {} : { hasServerPaths: (lines) => areOfServer(log, lines) }),
    read: (chunks, options) => read(log, chunks, options),
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
  if (record === undefined) return undefined;
  return log.requestIn === undefined
    ? log.requestOf(log.members.map((member) => record[member]))
    : log.requestIn(record);
}

function requestIn(log: ObjectLogFormat): NonNullable<InputFormat["requestIn"]> {
  return (record) => {
    const request = log.requestOf(log.members.map((member) => record[member]));
    return isLogProblem(request) ? undefined : request;
  };
}

function read(log: ObjectLogFormat, chunks: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<Batch> {
  return readLines(
    chunks,
    options,
    log.facts === undefined ? new LogObjects(log, options) : new ObjectRows(log, options),
  );
}

/** Reads the JSON records of one log. */
class LogObjects implements LineTaker {
  readonly #log: ObjectLogFormat;
  readonly #options: ReadOptions;
  /** Finds a member with the key that the result gets in the output. No record may have such a member. */
  readonly #taken: AskedMembers;
  readonly #places: ReadonlyMap<string, number>;
  /** The heads of the records; undefined if the writer uses the records' own bytes as heads (`keepsObjects`). */
  readonly #heads: RowHeads | undefined;
  #walker: ObjectWalker | undefined;
  #block: Block | undefined;
  #packed: PackedRecords | undefined;
  readonly #parts: LineParts;
  #hasRecord: boolean;

  constructor(log: ObjectLogFormat, options: ReadOptions) {
    const { source, agentField, time, texts = [], from, writer, asksRequest = false } = options;
    // The log format determines which member has the User-Agent header. `agentField` cannot choose another, so it must name this header.
    if (agentField !== undefined && !/user.?agent/i.test(agentField)) {
      throw missingAgentField(source, agentField, ["user_agent", ...log.members]);
    }
    // The log format also determines the member with the time.
    if (time?.field !== undefined && !/time/i.test(time.field)) {
      checkMissingTime(source, time, ["time", ...log.members]);
    }
    this.#log = log;
    this.#options = options;
    this.#taken = new AskedMembers([Buffer.from(writer.resultKey, "latin1")]);
    for (const asked of texts) {
      // The log format also determines the members with the address, the method and the status.
      const names = [...memberOfText.values(), ...log.members];
      if (!memberOfText.has(asked.name) || (asked.field !== undefined && !names.includes(asked.field))) {
        checkMissingText(source, asked, names);
      }
    }
    const isNeeded = (member: string): boolean =>
      time !== undefined || texts.length > 0 || asksRequest || !log.factMembers.includes(member);
    const needed = [...log.members.entries()].filter(([, member]) => isNeeded(member));
    this.#places = new Map(needed.map(([place, member]) => [byteStringOf(member), place]));
    this.#heads = writer.keepsObjects ? undefined : new RowHeads();
    this.#hasRecord = from !== undefined;
    this.#parts = new LineParts(from?.known);
  }

  begin(block: Block): void {
    this.#block = block;
    this.#walker = new ObjectWalker(block, this.#options.lineEnd);
    if (this.#heads === undefined) this.#packed = new PackedRecords(block.bytes, block.bytes, 0);
    else this.#heads.begin(block.bytes.length);
  }

  takePlain(): number {
    return -1;
  }

  take(raw: string, number: number, rejects: Reject[], lineStart: number): void {
    const line = trimmed(raw);
    if (line === "") return;
    const part = this.#parts.rejectOf(this.#options.source, number, line);
    if (part !== undefined) {
      rejects.push(part);
      return;
    }
    const { source, base, hostBases, agentField, time, texts = [], writer, asksRequest = false } = this.#options;
    const log = this.#log;
    const places = this.#places;
    const walker = this.#walker!;
    const { text } = walker;
    const start = walker.skipSpace(lineStart + prefixLengthOf(raw));
    const values: unknown[] = log.members.map(() => undefined);
    const isObject = walker.walk(start, this.#taken, (keyStart, keyEnd, valueStart, valueEnd) => {
      const place = places.get(byteStringOfJson(text.slice(keyStart, keyEnd)));
      if (place !== undefined) values[place] = valueOf(text.slice(valueStart, valueEnd));
    });
    if (!isObject) {
      const { code, message } = problemOfMessage(innerOf(line)) ?? whyNoObject(walker, start, lineStart);
      rejects.push(rejectOf(source, number, code, message, line));
      return;
    }
    const inner = this.#innerOf(line);
    const request = log.requestOf(inner === undefined ? values : log.members.map((member) => inner[member]));
    const url = isLogProblem(request) ? request : urlOf(request, base, hostBases);
    if (typeof url !== "string") {
      rejects.push(rejectOf(source, number, url.code, url.message, line));
      return;
    }
    if (this.#taken.has(0)) {
      const key = utf8TextOf(writer.resultKey);
      if (!this.#hasRecord) throw takenName(source, key);
      const message = `already has a member "${key}"; choose another name with --result-key`;
      rejects.push(rejectOf(source, number, "key-taken", message, line));
      return;
    }
    this.#hasRecord = true;
    const { userAgent, time: timeText, client } = request as LogRequest;
    const agent = agentField === undefined || userAgent === undefined ? undefined : byteStringOf(userAgent);
    const timeBytes = time === undefined || timeText === undefined ? undefined : byteStringOf(timeText);
    const asksAddress = texts.some(({ name }) => name === "address");
    const address = asksAddress && client !== undefined ? byteStringOf(client) : undefined;
    const fields = { agent, time: timeBytes, address, ...(asksRequest ? requestFieldsOf(request as LogRequest) : {}) };
    const packed = this.#heads?.packed ?? this.#packed!;
    if (isOriginAssumed(request as LogRequest)) packed.assumedOrigins++;
    if (this.#heads !== undefined) {
      this.#heads.add(writer.headOfObject(walker, start), url, fields);
      return;
    }
    packed.pushDecoded(start, walker.close, url);
    pushTexts(packed, fields);
  }

  /** The JSON record inside a record of Docker's json-file; undefined for other lines. */
  #innerOf(line: string): Readonly<Record<string, unknown>> | undefined {
    const inner = wrappedLineOf(line);
    const value = inner === undefined ? undefined : jsonOf(inner);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  }

  end(): PackedRecords {
    const block = this.#block!;
    if (this.#heads !== undefined) {
      block.recycle();
      return this.#heads.finish();
    }
    const packed = this.#packed!;
    packed.recycle = () => block.recycle();
    return packed;
  }

  known(): ReaderKnowledge | undefined {
    return this.#hasRecord ? this.#parts.known : undefined;
  }
}

function valueOf(raw: string): unknown {
  return jsonOf(utf8TextOf(raw));
}

/** The value of a JSON text; undefined for other texts. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
