// JSON records of a log in, one row per request out: its URL and the log's other fields, as the rows of text logs have them.
import { type LogRequest, type ObjectLogFormat, isLogProblem, urlOf } from "@robots-stream/logs";
import type { Block } from "../../records/blocks.ts";
import type { PackedRecords } from "../../records/packed.ts";
import { RowHeads } from "../../records/row-heads.ts";
import type { ReadOptions, ReaderKnowledge, Reject } from "../../records/batch.ts";
import { byteStringOf, utf8TextOf } from "../../text.ts";
import { type LineTaker, rejectOf, trimmed } from "../line-reader.ts";
import { noMembers } from "../ndjson/asked-members.ts";
import { whyNoObject } from "../ndjson/read.ts";
import { ObjectWalker } from "../ndjson/walk.ts";
import { checkMissingTime } from "../time-field.ts";
import { missingAgentField, missingBase } from "../url-field.ts";
import {
  type RowShape,
  checkTextsOfLog,
  isOriginAssumed,
  requestFieldsOf,
  requestTextsOf,
  rowShapeOf,
  rowValuesOf,
  timeMember,
} from "./row.ts";
import { dockerLineOf, prefixLengthOf } from "./wrapped.ts";

/** Takes the records of one log. */
export class ObjectRows implements LineTaker {
  readonly #log: ObjectLogFormat;
  readonly #options: ReadOptions;
  readonly #shape: RowShape;
  readonly #heads = new RowHeads();
  #block: Block | undefined;
  #hasRecord: boolean;

  constructor(log: ObjectLogFormat, options: ReadOptions) {
    const { source, agentField, time, texts, from, writer, asksRequest = false } = options;
    this.#log = log;
    this.#options = options;
    const facts = log.facts ?? [];
    this.#shape = rowShapeOf(asksRequest ? [] : facts, options.logRows);
    this.#hasRecord = from !== undefined;
    const { names } = rowShapeOf(facts);
    // The log format determines the header's field, so the flag may only name a User-Agent field.
    const hasAgent = facts.includes("userAgent") && (agentField === undefined || /user.?agent/i.test(agentField));
    if (agentField !== undefined && !hasAgent) throw missingAgentField(source, agentField, names);
    const hasTime = facts.includes("time") && /time/i.test(time?.field ?? timeMember);
    if (time !== undefined && !hasTime) checkMissingTime(source, time, names);
    checkTextsOfLog(source, texts, names);
    writer.startRows(this.#shape.names, undefined);
  }

  begin(block: Block): void {
    this.#block = block;
    this.#heads.begin(block.bytes.length);
  }

  takePlain(): number {
    return -1;
  }

  take(raw: string, number: number, rejects: Reject[], lineStart: number): void {
    const line = trimmed(raw);
    if (line === "") return;
    const { source, base, agentField, time, texts, writer, asksRequest = false } = this.#options;
    const record = recordOf(line);
    if (record === undefined) {
      const { code, message } = this.#whyNoRecord(raw, lineStart);
      rejects.push(rejectOf(source, number, code, message, line));
      return;
    }
    const log = this.#log;
    const request = log.requestOf(log.members.map((member) => record[member]));
    const url = isLogProblem(request) ? request : urlOf(request, base);
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
    const bytes = bytesOf(request as LogRequest);
    const head = writer.headOfFields(this.#shape.names, rowValuesOf(this.#shape, byteStringOf(url), bytes, line));
    this.#heads.add(head, url, {
      agent: agentField === undefined ? undefined : bytes.userAgent,
      time: time === undefined ? undefined : bytes.time,
      ...(asksRequest ? requestFieldsOf(bytes) : {}),
      ...requestTextsOf(texts, bytes),
    });
    if (isOriginAssumed(bytes)) this.#heads.packed.assumedOrigins++;
  }

  /** Adds a request that has no URL; its target, like `*`, is in the URL's place. */
  #addWithoutUrl(request: LogRequest): void {
    const bytes = bytesOf(request);
    const { userAgent: agent, time, target } = bytes;
    const texts = requestTextsOf(this.#options.texts, bytes);
    this.#heads.add("", target, { agent, time, ...requestFieldsOf(bytes), ...texts });
  }

  #whyNoRecord(raw: string, lineStart: number): Pick<Reject, "code" | "message"> {
    const walker = new ObjectWalker(this.#block!, this.#options.lineEnd);
    const start = walker.skipSpace(lineStart + prefixLengthOf(raw));
    if (!walker.walk(start, noMembers)) return whyNoObject(walker, start, lineStart);
    return { code: "not-a-log-line", message: `has no line of ${this.#log.name} in its member "log"` };
  }

  end(): PackedRecords {
    // The heads are copies of all that is needed of the block.
    this.#block!.recycle();
    return this.#heads.finish();
  }

  known(): ReaderKnowledge | undefined {
    return this.#hasRecord ? {} : undefined;
  }
}

/** The object in a line, perhaps in a line of a container runtime; undefined when there is none. */
function recordOf(line: string): Readonly<Record<string, unknown>> | undefined {
  const docker = dockerLineOf(line);
  const text = docker ?? utf8TextOf(line.slice(prefixLengthOf(line)));
  // Other values need no parsing.
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

/** The facts of a request as bytes. */
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
