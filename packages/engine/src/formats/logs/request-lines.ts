// Reads the lines of a log of any kind and returns one record per request: its URL and the log's other fields.
import { optionMark } from "../../common/caller-words.ts";
import { type LogFact, type LogPattern, type LogProblem, type LogRequest, urlOf } from "@robots-stream/logs";
import { byteStringOf, urlTextOf } from "../../common/text.ts";
import type { ReaderKnowledge, Reject } from "../../records/batch.ts";
import type { Block } from "../../records/blocks.ts";
import type { PackedRecords } from "../../records/packed.ts";
import { RowHeads } from "../../records/row-heads.ts";
import { viewBeyond } from "../../records/words.ts";
import type { ReadOptions } from "../input-format.ts";
import { type LineProblem, type LineTaker, rejectOf, trimmed } from "../line-reader.ts";
import { missingBase } from "../url-field.ts";
import { PlainRows } from "./plain-rows.ts";
import { type RowShape, asksAddress, isOriginAssumed, requestTextsOf, rowShapeOf, rowValuesOf } from "./row.ts";
import { LineParts } from "./wrapped.ts";

/** What differs between logs of text and of JSON: how the request of one line is found. */
export interface LogLines {
  /** The fields of requests that become members of rows; undefined if the rows are the records, whose heads `headOf` then makes. */
  readonly facts: readonly LogFact[] | undefined;
  readonly namesHost: boolean;
  /** Whether lines are JSON: white space around them has no meaning, the request's texts are decoded, and a record may omit members. */
  readonly isJson: boolean;
  /** Whether a path in a line that is read as bytes may be that after the server's rewrites. */
  readonly hasServerPaths: boolean;
  /** The shapes of the lines that follow, for readers of bytes. Another list after a line that changes how later lines are read. */
  readonly patterns: readonly LogPattern[];
  /** Throws a `UsageError` for fields that the options ask for and the log does not have. */
  checkAsked(options: ReadOptions): void;
  /** Begins a block: the following lines are in it. `view` is `viewBeyond(block.bytes)`. */
  begin(block: Block, view: DataView): void;
  /** Whether the line at `start` of the block may be read as bytes. */
  mayBePlain(start: number): boolean;
  /** The request of a line that begins at `start` of the block, or its problem; undefined for a line that is no record. */
  requestIn(line: string, start: number): LogRequest | LogProblem | LineProblem | undefined;
  /** Whether the path of the last request is that after the server's rewrites. */
  isServerPath(): boolean;
  /** The request with its texts as bytes in Latin-1 strings. `line` is the line of the request. */
  bytesOf(request: LogRequest, line: string): LogRequest;
  /** The head of the last record, for rows that are the records, or the reason why it cannot be a row. */
  headOf?(hasRecord: boolean): string | LineProblem;
  /** What another reader of the lines after this point has to know. */
  known(): ReaderKnowledge;
}

/** Reads the lines of one log. */
export class RequestLines implements LineTaker {
  readonly #log: LogLines;
  readonly #options: ReadOptions;
  /** The members of rows; undefined if the rows are the records. */
  readonly #shape: RowShape | undefined;
  readonly #heads = new RowHeads();
  /** Finds the parts of divided lines. A log's parser may also find them, but its state is lost at a resume point. */
  readonly #parts: LineParts;
  #block: Block | undefined;
  #view: DataView = viewBeyond(Buffer.alloc(0));
  /** The patterns for which `#plain` was made, and the readers of lines as bytes: one for each pattern that a line may match. */
  #patterns: readonly LogPattern[] = [];
  #plain: readonly PlainRows[] = [];
  /**
   * The index in `#plain` of the reader that read the last line. It is tried first, because most lines of a log match the same pattern. No
   * line matches two patterns.
   */
  #plainOfLast = 0;
  #hasRecord: boolean;

  constructor(log: LogLines, options: ReadOptions) {
    const { from, writer, asksRequest = false, logRows } = options;
    this.#log = log;
    this.#options = options;
    this.#hasRecord = from !== undefined;
    this.#parts = new LineParts(from?.known);
    log.checkAsked(options);
    if (log.facts === undefined) return;
    this.#shape = rowShapeOf(asksRequest ? [] : log.facts, logRows);
    writer.startRows(this.#shape.names, undefined);
    this.#openPlain(this.#shape);
  }

  begin(block: Block): void {
    this.#block = block;
    this.#view = viewBeyond(block.bytes);
    this.#heads.begin(block.bytes.length);
    const { agentField, asksRequest, texts } = this.#options;
    if (asksRequest === true || agentField !== undefined || asksAddress(texts)) this.#heads.keepBlock(block.bytes);
    this.#log.begin(block, this.#view);
  }

  takePlain(start: number): number {
    const plain = this.#plain;
    if (plain.length === 0 || !this.#log.mayBePlain(start)) return -1;
    const { bytes } = this.#block!;
    for (let tried = 0, index = this.#plainOfLast; tried < plain.length; tried++) {
      const next = plain[index]!.take(bytes, this.#view, start, this.#heads);
      if (next >= 0) {
        this.#plainOfLast = index;
        this.#hasRecord = true;
        return next;
      }
      if (++index === plain.length) index = 0;
    }
    return -1;
  }

  take(raw: string, number: number, rejects: Reject[], start: number): void {
    const log = this.#log;
    const content = trimmed(raw);
    if (content === "") return;
    const line = log.isJson ? content : raw;
    const { source, base, hostBases, asksRequest = false } = this.#options;
    const part = this.#parts.rejectOf(source, number, line);
    if (part !== undefined) {
      rejects.push(part);
      return;
    }
    const found = log.requestIn(raw, start);
    if (found === undefined) {
      if (this.#shape !== undefined && log.patterns !== this.#patterns) this.#openPlain(this.#shape);
      return;
    }
    const request = "code" in found ? undefined : found;
    const url = "code" in found ? found : urlOf(found, base, hostBases);
    if (asksRequest && "request" in found && found.request !== undefined) {
      this.#addWithoutUrl(log.bytesOf(found.request, line));
      return;
    }
    const problem = typeof url === "string" ? this.#add(request!, url, line) : this.#problemOf(url, number);
    if (problem !== undefined) rejects.push(rejectOf(source, number, problem.code, problem.message, line));
  }

  /** Adds the record of a request. Returns the problem of a record that cannot be a row. */
  #add(found: LogRequest, url: string, line: string): LineProblem | undefined {
    const log = this.#log;
    const { agentField, time, writer, logClock, asksRequest = false } = this.#options;
    const request = log.bytesOf(found, line);
    let head: string | LineProblem = "";
    if (this.#shape === undefined) head = log.headOf!(this.#hasRecord);
    else if (!asksRequest) {
      const values = rowValuesOf(this.#shape, log.isJson ? byteStringOf(url) : url, request, line, logClock);
      head = writer.headOfFields(this.#shape.names, values);
    }
    if (typeof head !== "string") return head;
    this.#hasRecord = true;
    this.#heads.add(head, log.isJson ? url : urlTextOf(url), {
      agent: agentField === undefined ? undefined : request.userAgent,
      noAgentField: agentField !== undefined && !log.isJson && request.lacksAgents === true ? "1" : undefined,
      time: time === undefined ? undefined : request.time,
      otherTarget: request.otherTarget,
      serverPath: log.isServerPath() || found.isPartial === true ? "1" : undefined,
      ...requestTextsOf(this.#options, request),
    });
    if (isOriginAssumed(request)) this.#heads.packed.assumeOrigin();
    return undefined;
  }

  /** Adds a record for a request without a URL; the target, like `*`, takes the place of the URL. */
  #addWithoutUrl(request: LogRequest): void {
    const { userAgent: agent, time, target } = request;
    this.#heads.add("", target, { agent, time, ...requestTextsOf(this.#options, request) });
  }

  /** The reason why a request has no URL. Throws a `UsageError` if the first request has no host, and `base` would name it. */
  #problemOf({ code, message }: LineProblem, number: number): LineProblem {
    const { source, base } = this.#options;
    const isMistake = code === "no-host" && base === undefined && !this.#log.namesHost;
    if (isMistake && !this.#hasRecord) throw missingBase(`${source}:${number}`);
    return { code, message: isMistake ? `${message}${optionMark("base")}` : message };
  }

  end(): PackedRecords {
    // The heads are copies, so nothing refers to the block any more.
    this.#block!.recycle();
    return this.#heads.finish();
  }

  known(): ReaderKnowledge | undefined {
    return this.#hasRecord ? { ...this.#log.known(), ...this.#parts.known } : undefined;
  }

  /** Makes the readers of lines as bytes that fit the last heading; none when only the parser can read the lines. */
  #openPlain(shape: RowShape): void {
    const { texts, writer, asksRequest = false } = this.#options;
    const { patterns, hasServerPaths } = this.#log;
    const openings = asksRequest ? [""] : writer.memberOpenings();
    this.#patterns = patterns;
    this.#plainOfLast = 0;
    this.#plain = patterns
      .filter(({ hasPeer }) => openings !== undefined && !(asksAddress(texts) && hasPeer === true))
      .map((pattern) => new PlainRows({ ...this.#options, pattern, shape, openings: openings!, hasServerPaths }));
  }
}
