// Reads the lines of an access log and returns one record per request: its URL and the log's other fields.
import {
  type LineLogFormat,
  type LineParser,
  type LogRequest,
  isLogProblem,
  problemOfMessage,
  urlOf,
} from "@robots-stream/logs";
import { type Beginning, type Evidence, countOfLines, evidenceOfLines, isMost, isPlainJson } from "../recognition.ts";
import { byteStringOf, urlTextOf } from "../../common/text.ts";
import type { Block } from "../../records/blocks.ts";
import { PackedRecords } from "../../records/packed.ts";
import { type FieldTexts, RowHeads, pushTexts } from "../../records/row-heads.ts";
import { firstPlaceOf, viewBeyond, viewOf } from "../../records/words.ts";
import { type LineTaker, readLines, rejectOf, trimmed } from "../line-reader.ts";
import type { InputFormat, ReadOptions } from "../input-format.ts";
import type { Batch, ReaderKnowledge, Reject } from "../../records/batch.ts";
import { isDigit } from "./plain-fields.ts";
import { PlainPlaces, type PlacedBlock } from "./plain-places.ts";
import { PlainRows } from "./plain-rows.ts";
import { agentMember, timeMember } from "../log-members.ts";
import {
  type RowShape,
  checkTextsOfLog,
  hasAgentsAmong,
  isOriginAssumed,
  requestFieldsOf,
  requestTextsOf,
  rowShapeOf,
  rowValuesOf,
} from "./row.ts";
import { LineParts, innerOf, wrappedLineOf } from "./wrapped.ts";
import { checkMissingTime } from "../time-field.ts";
import { missingAgentField, missingBase } from "../url-field.ts";

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
    ...(log.documented === undefined || log.documented === "" ? {} : { documented: log.documented }),
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
    read: (chunks, options) => read(log, chunks, options),
  };
}

/**
 * The evidence that a source is in the format `log`: "heading" when a heading of the format is found, "most-lines" when at least half of
 * the first lines match; otherwise undefined. Also undefined when the format's parser rejects all records after the heading, because logs
 * with different fields may have similar headings.
 */
function evidenceOfLog(log: LineLogFormat, beginning: Beginning): Evidence | undefined {
  const { wholeLines } = beginning;
  const [first = ""] = wholeLines;
  if (isPlainJson(beginning)) return undefined;
  const recognizes = (line: string): boolean => log.recognizes(line);
  // The first line may be damaged, so a line that names the fields is a heading at any position.
  const at = isHeading(first) && recognizes(first) ? 0 : wholeLines.findIndex((line) => isNaming(log, line));
  // Without a heading, the lines themselves are the evidence.
  if (at < 0) {
    const lines = wholeLines.filter((line) => problemOfMessage(line) === undefined);
    return evidenceOfLines(lines, recognizes);
  }
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

function read(log: LineLogFormat, chunks: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<Batch> {
  return readLines(chunks, options, new LogLines(log, options));
}

/** Reads the lines of one log. */
class LogLines implements LineTaker {
  readonly #log: LineLogFormat;
  readonly #options: ReadOptions;
  readonly #shape: RowShape;
  readonly #parse: LineParser;
  readonly #heads = new RowHeads();
  /** The records of the block, in a run that writes no rows; and the recycled `PackedRecords` of an earlier block, for reuse. */
  #placed: PlacedBlock | undefined;
  #spare: PackedRecords | undefined;
  #block: Block | undefined;
  #view: DataView = noView;
  readonly #beginsWithTime: boolean;
  /**
   * Readers of lines as bytes, one for each pattern that a line may match. They build rows, or find offsets in a run that writes no rows.
   */
  #plain: readonly (PlainRows | PlainPlaces)[];
  /**
   * The index in `#plain` of the reader that read the last line. It is tried first, because most lines of a log match the same pattern. No
   * line matches two patterns.
   */
  #shapeOfLast = 0;
  #hasRecord: boolean;
  /** Finds the parts of divided lines. The parser also finds them, but its state is lost at a resume point. */
  readonly #parts: LineParts;
  /** The last header line, which determines how later lines are parsed. */
  #heading: string | undefined;

  constructor(log: LineLogFormat, options: ReadOptions) {
    const { source, agentField, time, texts, from, writer, asksRequest = false } = options;
    this.#log = log;
    this.#options = options;
    this.#shape = rowShapeOf(asksRequest ? [] : log.facts, options.logRows);
    this.#parse = log.createParser();
    this.#beginsWithTime = log.beginsWithTime === true;
    this.#hasRecord = from !== undefined;
    this.#parts = new LineParts(from?.known);
    const { names } = rowShapeOf(log.facts);
    if (agentField !== undefined && agentField !== agentMember) throw missingAgentField(source, agentField, names);
    const hasTime = log.facts.includes("time") && (time?.field ?? timeMember) === timeMember;
    if (time !== undefined && !hasTime) checkMissingTime(source, time, names);
    checkTextsOfLog(source, texts, names);
    writer.startRows(this.#shape.names, undefined);
    const { heading, second } = from?.known ?? {};
    if (typeof heading === "string") {
      this.#parse(heading);
      this.#heading = heading;
    }
    if (typeof second === "string") this.#parse(second);
    this.#plain = this.#plainReaders();
  }

  begin(block: Block): void {
    this.#block = block;
    this.#view = viewBeyond(block.bytes);
    if (this.#options.asksRequest === true) this.#beginPlaces(block);
    else this.#heads.begin(block.bytes.length);
  }

  #beginPlaces({ bytes, memory }: Block): void {
    const packed = this.#spare ?? new PackedRecords(noBytes, memory, 0);
    this.#spare = undefined;
    packed.reuse(memory);
    this.#placed = { packed, bytes, memory, memoryView: viewOf(memory), to: bytes.length };
  }

  take(line: string, number: number, rejects: Reject[]): void {
    if (trimmed(line) === "") return;
    const log = this.#log;
    const { source, base, hostBases, agentField, time, texts, writer, asksRequest = false } = this.#options;
    const part = this.#parts.rejectOf(source, number, line);
    if (part !== undefined) {
      rejects.push(part);
      return;
    }
    const wrapped = wrappedLineOf(line);
    const parsed = this.#parse(wrapped === undefined ? line : byteStringOf(wrapped));
    if (parsed === undefined) {
      // Joined logs repeat the heading. After an equal heading, the readers and their caches stay valid.
      if (log.isHeading?.(line) !== true || line === this.#heading) return;
      this.#heading = line;
      this.#plain = this.#plainReaders();
      this.#shapeOfLast = 0;
      return;
    }
    const url = isLogProblem(parsed) ? parsed : urlOf(parsed, base, hostBases);
    if (asksRequest && isLogProblem(parsed) && parsed.request !== undefined) {
      this.#addWithoutUrl(parsed.request);
      return;
    }
    if (typeof url !== "string") {
      const { code, message } = url;
      const isMistake = code === "no-host" && base === undefined && !log.namesHost;
      if (isMistake && !this.#hasRecord) throw missingBase(`${source}:${number}`);
      rejects.push(rejectOf(source, number, code, isMistake ? `${message} (--base)` : message, line));
      return;
    }
    const request = parsed as LogRequest;
    this.#hasRecord = true;
    const fields = {
      agent: agentField === undefined ? undefined : request.userAgent,
      noAgentField: agentField !== undefined && request.lacksAgents === true ? "1" : undefined,
      time: time === undefined ? undefined : request.time,
      otherTarget: request.otherTarget,
      serverPath: log.hasServerPaths === true ? "1" : undefined,
      ...requestTextsOf(texts, request),
    };
    if (asksRequest) this.#addRequest(urlTextOf(url), { ...fields, ...requestFieldsOf(request) });
    else {
      const values = rowValuesOf(this.#shape, url, request, line, this.#options.logClock);
      this.#heads.add(writer.headOfFields(this.#shape.names, values), urlTextOf(url), fields);
    }
    if (isOriginAssumed(request)) (this.#placed ?? this.#heads).packed.assumeOrigin();
  }

  #addRequest(url: string, fields: FieldTexts): void {
    const { packed } = this.#placed!;
    packed.pushDecoded(0, 0, url);
    pushTexts(packed, fields);
  }

  /** Adds a record for a request without a URL; the target, like `*`, takes the place of the URL. */
  #addWithoutUrl(request: LogRequest): void {
    const { userAgent: agent, time, target } = request;
    const texts = requestTextsOf(this.#options.texts, request);
    this.#addRequest(target, { agent, time, ...requestFieldsOf(request), ...texts });
  }

  end(): PackedRecords {
    const block = this.#block!;
    if (this.#placed !== undefined) {
      const { packed } = this.#placed;
      this.#placed = undefined;
      packed.recycle = (): void => {
        block.recycle();
        this.#spare = packed;
      };
      return packed;
    }
    // The heads are copies, so nothing refers to the block any more.
    block.recycle();
    return this.#heads.finish();
  }

  known(): ReaderKnowledge | undefined {
    return this.#hasRecord
      ? { heading: this.#heading, second: this.#parse.heading?.(), ...this.#parts.known }
      : undefined;
  }

  takePlain(start: number): number {
    const { bytes } = this.#block!;
    if (this.#log.mayBeBehindPrefix === true && mayHavePrefix(bytes, this.#view, start, this.#beginsWithTime))
      return -1;
    const plain = this.#plain;
    for (let tried = 0, shape = this.#shapeOfLast; tried < plain.length; tried++) {
      const reader = plain[shape]!;
      const next =
        reader instanceof PlainPlaces
          ? reader.take(this.#placed!, this.#view, start)
          : reader.take(bytes, this.#view, start, this.#heads);
      if (next >= 0) {
        this.#shapeOfLast = shape;
        this.#hasRecord = true;
        return next;
      }
      if (++shape === plain.length) shape = 0;
    }
    return -1;
  }

  /** The readers of lines as bytes that fit the last heading; empty when only the parser can read the lines. */
  #plainReaders(): readonly (PlainRows | PlainPlaces)[] {
    const { lineEnd, maxLineBytes, base, hostBases, agentField, time, texts, writer, asksRequest, logClock } =
      this.#options;
    const asksAddress = texts?.some(({ name }) => name === "address") === true;
    const known = this.#log.patternsOf?.(this.#heading) ?? [];
    const patterns = asksAddress ? known.filter(({ hasPeer }) => hasPeer !== true) : known;
    const asks = { asksAgent: agentField !== undefined, asksTime: time !== undefined, asksAddress };
    const hasServerPaths = this.#log.hasServerPaths === true;
    const settings = { lineEnd, maxLineBytes, base, hostBases, logClock, hasServerPaths, ...asks };
    if (asksRequest === true) return patterns.map((pattern) => new PlainPlaces({ pattern, ...settings }));
    const openings = writer.memberOpenings();
    if (openings === undefined) return [];
    const shape = this.#shape;
    return patterns.map((pattern) => new PlainRows({ pattern, shape, openings, ...settings }));
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
const noView = new DataView(new ArrayBuffer(0));
