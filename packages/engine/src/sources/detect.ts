// Detects the format and the line end of a source from its beginning and its name, or throws the reason why the source is not readable
// text.
import type { UrlField } from "../formats/url-parts.ts";
import { extname } from "node:path";
import { problemOfMessage } from "@robots-stream/logs";
import { UsageError } from "../common/errors.ts";
import { withFacts } from "../formats/url-field.ts";
import { innerOf, innerOfRuntime } from "../formats/logs/wrapped.ts";
import { refusalOfContent, refusalOfText } from "./refusals.ts";
import {
  type Beginning,
  type Evidence,
  evidences,
  type InputFormat,
  mostLines,
  type Refusal,
} from "../formats/input-format.ts";
import { inputFormats } from "../formats/registry/registry.ts";
import { isSpace } from "../records/words.ts";
import { nulsOfLines } from "./nuls.ts";

/** Facts about the source besides its beginning. */
interface DetectOptions {
  /** The value of `inputFormat`. */
  readonly named?: InputFormat | undefined;
  /** The ending of the file's name; by default taken from `source`. */
  readonly ending?: string;
  readonly urlField?: UrlField | undefined;
  /** Whether the beginning is the whole source. */
  readonly isAll?: boolean;
}

export interface Detected {
  readonly format: InputFormat;
  readonly lineEnd: "\n" | "\r";
  /** Whether the format is a guess because the first line is too long: the lines after it were not examined. */
  readonly isUnexamined: boolean;
  /** Computes how certain the format is. */
  readonly certainty: () => Certainty;
}

/** How certain a detected format is, and why. */
interface Certainty {
  /** Undefined for a format that was named, that follows from the file's ending, or that an empty source has by default. */
  readonly evidence: Evidence | undefined;
  /** How many of the examined first lines certainly have this format; undefined for a format that does not count them. */
  readonly lines: { readonly certain: number; readonly of: number } | undefined;
  /** Other formats that most of the first lines may have. */
  readonly others: readonly InputFormat[];
}

/**
 * Finds the format from the first bytes of a source: exactly the bytes that `DecidingText` counts. A `named` format is used unless it
 * refuses the content. Otherwise the format is determined by content that only one format has; without such content, by the file ending;
 * otherwise, it is the most likely format. With a `urlField`, JSON is plain JSON, even if it looks like a known log. Throws a `UsageError`
 * for content that is not text, and for text in an unsupported format, like a JSON array or a log with fields of its own.
 */
export function detect(source: string, bytes: Uint8Array, options: DetectOptions = {}): Detected {
  const { named, ending = extname(source), urlField, isAll = false } = options;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString("latin1");
  const foreign = refusalOfContent(text);
  if (foreign !== undefined) throw refused(source, foreign);
  const lineEnd = lineEndOf(text, isAll);
  const content = text.slice(startOf(buffer)).replaceAll(nulsOfLines, "$1");
  const beginning = beginningOf(content.slice(0, mostDecidingBytes), lineEnd, urlField !== undefined);
  for (const { refuse } of named === undefined ? inputFormats : [named]) {
    const refusal = refuse?.(beginning);
    if (refusal !== undefined) throw refused(source, refusal);
  }
  if (named !== undefined) return { format: named, lineEnd, isUnexamined: false, certainty: () => unasked };
  const linesBehind = behindOverlong(content, lineEnd);
  const behind = linesBehind === "" ? undefined : beginningOf(linesBehind, lineEnd, urlField !== undefined);
  const found = formatOf(source, beginning, behind, ending.toLowerCase());
  const { format, evidence } = found;
  const isUnexamined =
    evidence === "guess" && content.length >= mostOverlongBytes && !content.includes(lineEnd, mostDecidingBytes);
  return { format, lineEnd, isUnexamined, certainty: () => certaintyOf(format, evidence, found.beginning) };
}

/** The text after an overlong first line; empty if the first line is not overlong. */
function behindOverlong(content: string, lineEnd: string): string {
  if (content.length <= mostDecidingBytes) return "";
  const end = content.indexOf(lineEnd, mostDecidingBytes);
  return end < 0 ? "" : content.slice(end + 1);
}

const unasked: Certainty = { evidence: undefined, lines: undefined, others: [] };

function certaintyOf(format: InputFormat, evidence: Evidence | undefined, beginning: Beginning): Certainty {
  const certain = evidence === "most-lines" ? format.countLines?.(beginning) : undefined;
  const of = Math.min(beginning.wholeLines.length, mostLines);
  const others =
    evidence === "most-lines" ? inputFormats.filter((each) => each !== format && each.mayBe?.(beginning) === true) : [];
  return { evidence, lines: certain === undefined ? undefined : { certain, of }, others };
}

function refused(source: string, { what, hint, line }: Refusal): UsageError {
  return withFacts(new UsageError("unusable-input", `${source}: is ${what}`, hint), { line });
}

interface Found {
  readonly format: InputFormat;
  readonly evidence?: Evidence;
  /** The beginning that is the evidence. */
  readonly beginning: Beginning;
}

/**
 * The format with the strongest evidence. `behind`: the lines after an overlong first line, which may be the one damaged line of a log.
 * If most of these lines have one format, this is evidence as if they were the first lines.
 */
function formatOf(source: string, beginning: Beginning, behind: Beginning | undefined, ending: string): Found {
  const evidenceOf = new Map(inputFormats.map((format) => [format, format.recognize?.(beginning)]));
  const byEnding = inputFormats.find(({ endings }) => endings.includes(ending));
  for (const evidence of evidences) {
    if (evidence === "guess") {
      const refusal = refusalOfText(beginning);
      if (refusal !== undefined) throw refused(source, refusal);
      if (byEnding !== undefined) return { format: byEnding, beginning };
      if (beginning.lines.length === 0) break;
    }
    const found = inputFormats.filter((each) => evidenceOf.get(each) === evidence);
    if (evidence === "most-lines") {
      const format = formatOfMost(found, beginning);
      if (format !== undefined) return { format, evidence, beginning };
      if (behind === undefined) continue;
      const most = inputFormats.filter((each) => each.recognize?.(behind) === evidence);
      const formatBehind = formatOfMost(most, behind);
      if (formatBehind !== undefined) return { format: formatBehind, evidence, beginning: behind };
    } else if (found.length > 0) return { format: found[0]!, evidence, beginning };
  }
  // The source is empty or has only empty lines, which any format can read.
  return { format: inputFormats[0]!, beginning };
}

/** Of several formats that at least half of the lines have, the one that the most lines have. */
function formatOfMost(found: readonly InputFormat[], beginning: Beginning): InputFormat | undefined {
  if (found.length <= 1) return found[0];
  const [most] = found
    .map((format) => ({ format, lines: format.countLines?.(beginning) ?? 0 }))
    .toSorted((one, other) => other.lines - one.lines);
  return most?.format;
}

/** The line end of a text. A carriage return at the end of an incomplete text may be the first half of CRLF, so it is ignored. */
function lineEndOf(text: string, isAll: boolean): Detected["lineEnd"] {
  const isReturn = !text.includes("\n") && (isAll ? text : text.slice(0, -1)).includes("\r");
  return isReturn ? "\r" : "\n";
}

/** The offset of the first byte after a byte order mark and white space. */
function startOf(bytes: Uint8Array): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (at < bytes.length && isSpace(bytes[at]!)) at++;
  return at;
}

function beginningOf(text: string, lineEnd: string, asksForField: boolean): Beginning {
  const lines = text
    .split(lineEnd)
    .map((line) => line.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, ""))
    .filter((line) => line !== "");
  const isWhole = text.endsWith(lineEnd) || lines.length === 1;
  const wholeLines = (isWhole ? lines : lines.slice(0, -1)).map(asksForField ? innerOfRuntime : innerOf);
  const recordLines = wholeLines.filter((line) => problemOfMessage(line) === undefined);
  return { lines, wholeLines, recordLines, asksForField };
}

/** Maximum number of deciding bytes, from the first byte that is not blank. An overlong first line does not count. */
export const mostDecidingBytes: number = 64 * 1_024;
/** An overlong first line has at least `mostDecidingBytes` bytes. The lines after it decide if it has fewer than this number of bytes. */
export const mostOverlongBytes = 1_048_576;
/** Maximum number of deciding lines, not counting empty ones. */
export const mostDecidingLines = 20;
/** Maximum number of blank bytes that are skipped before the first other byte. */
const mostBlankBytes = 1_048_576;

const mark: readonly number[] = [0xef, 0xbb, 0xbf];

/** Finds the end of the deciding bytes. */
export class DecidingText {
  readonly #mostLines: number;
  /** Number of bytes so far. */
  #seen = 0;
  /** Offset of the first byte that counts: the first byte that is not blank, or the end of an overlong first line; -1 if there is none. */
  #from = -1;
  #isInOverlong = false;
  #lines = 0;
  #isLineBlank = true;
  #isAfterReturn = false;
  #hasLine = false;
  #isWhole = false;

  constructor(most: number) {
    this.#mostLines = most;
  }

  /** Number of deciding bytes so far. */
  get bytes(): number {
    return this.#seen;
  }

  /**
   * Whether the bytes so far have a whole line that is not empty. A carriage return at the end of the bytes so far may be the first half of
   * CRLF, so it does not end a line.
   */
  get hasLine(): boolean {
    return this.#hasLine;
  }

  /** Examines the next chunk. Returns whether all deciding bytes have been added, so that no further chunk is needed. */
  add(piece: Uint8Array): boolean {
    for (let at = 0; at < piece.length && !this.#isWhole; at++) this.#take(piece[at]!);
    return this.#isWhole;
  }

  #take(byte: number): void {
    const at = this.#seen++;
    const isBlank = isSpace(byte);
    if (this.#from < 0) {
      if (isBlank || byte === mark[at]) {
        this.#isWhole = this.#seen === mostBlankBytes;
        return;
      }
      this.#from = at;
    }
    if (byte === 0x0a) {
      if (!this.#isLineBlank) {
        this.#hasLine = true;
        this.#lines++;
      }
      this.#isLineBlank = true;
      if (this.#isInOverlong) {
        this.#isInOverlong = false;
        this.#from = this.#seen;
      }
    } else {
      if (this.#isAfterReturn && byte !== 0x0d) this.#hasLine = true;
      if (!isBlank) this.#isLineBlank = false;
    }
    this.#isAfterReturn = byte === 0x0d;
    const size = this.#seen - this.#from;
    if (size === mostDecidingBytes && !this.#hasLine) this.#isInOverlong = true;
    this.#isWhole =
      this.#lines === this.#mostLines || size === (this.#isInOverlong ? mostOverlongBytes : mostDecidingBytes);
  }
}
