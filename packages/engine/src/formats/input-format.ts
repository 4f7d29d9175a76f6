// Defines the interface of input formats, which examine the beginning of a source and read its bytes as batches of records.
import type { UsageError } from "../common/errors.ts";
import type { Base, HostBases, LogClock, LogRequest } from "@robots-stream/logs";
import type { Batch, ResumePoint } from "../records/batch.ts";
import type { AskedText, AskedTime } from "./asked-fields.ts";
import type { LogRowOptions } from "./log-members.ts";
import type { RecordWriter } from "./types.ts";
import type { UrlField } from "./url-parts.ts";

/** The layout of a source, as a reader detected it from the first record. */
export interface Layout {
  /** The delimiter of a table. */
  readonly delimiter?: string;
  /** Whether the first row of a table names its columns. */
  readonly hasHeader?: boolean;
  /** The field that holds the URL, when records have several fields. */
  readonly urlField?: string;
}

export interface ReadOptions {
  /** The source's name, for messages. */
  readonly source: string;
  /** "\r" for files that have no "\n" at all. */
  readonly lineEnd: "\n" | "\r";
  /** Limit of one line or record in bytes; a longer one becomes one reject. */
  readonly maxLineBytes: number;
  /** The value of `urlField`, or the fields with the parts of the URL. Undefined: the reader searches for a field with a usual name. */
  readonly urlField: UrlField | undefined;
  /** The value of `agentField`. */
  readonly agentField?: string | undefined;
  /** Whether one of the first records must have the field of `agentField`, because the user did not name it. */
  readonly needsAgents?: boolean | undefined;
  /** The time to read from each record; undefined when the run does not need it. */
  readonly time?: AskedTime | undefined;
  /** Further texts to read from each record. */
  readonly texts?: readonly AskedText[] | undefined;
  /** Whether the run needs the method, the status and the bytes of each request, and writes no rows. The heads of logs are then empty. */
  readonly asksRequest?: boolean | undefined;
  /** The value of `base`: the origin of requests in a log without host names. */
  readonly base: Base | undefined;
  /** The values of `base` for hosts that the records name. */
  readonly hostBases?: HostBases | undefined;
  /** The optional members of rows of a log; undefined: the usual ones. If given, a format without rows of logs is refused. */
  readonly logRows?: LogRowOptions | undefined;
  /** The clock that wrote the times of a log without a zone; undefined: such times stay without a zone. */
  readonly logClock?: LogClock | undefined;
  /** Whether batches have `place`. */
  readonly givesPlaces?: boolean;
  /** The point to continue from; the bytes passed to `read` start there. */
  readonly from?: ResumePoint | undefined;
  /** Whether the format is a guess, because the first line was too long to examine the lines after it. For messages. */
  readonly isUnexamined?: boolean;
  /** Called with the layout of the source before its first record is read. */
  readonly onLayout?: (layout: Layout) => void;
  /** Called if the URL of the first record is only a path, without a base, and another of its fields may name the host. */
  readonly onHostBeside?: (problem: UsageError) => void;
  /** Builds the heads in the output format. */
  readonly writer: RecordWriter;
}

/**
 * An input format. To add one, make a file or a folder in formats/ and a row in formats/registry/; help, detection and the contract tests then
 * include it.
 */
export interface InputFormat {
  readonly name: string;
  /** A short description for the help. */
  readonly about: string;
  /** File endings, with the dot. */
  readonly endings: readonly string[];
  /**
   * Whether each record is a line that says how it is read, so that a message of a queue can be a record. Absent: quoted fields may continue
   * on the next line, or a line may change how later lines are read.
   */
  readonly recordsAreLines?: true;
  /** Whether `ReadOptions.logRows` applies to the format, because its rows have the members of a request in a log. */
  readonly makesLogRows?: true;
  /** Whether records contain bytes that are not text, so that NUL bytes belong to them. */
  readonly hasBytes?: true;
  /** For a log: whether its records name the requested host. */
  readonly namesHost?: boolean;
  /** For a log whose heading lines name its fields: whether one of them is the requested host; undefined for a line that is no heading. */
  readonly headingNamesHost?: (line: string) => boolean | undefined;
  /**
   * For a log: whether one of the requests in the first lines has a field for the User-Agent header; undefined without a request. A JSON
   * logger may leave out members without a value, so one record alone does not say what the others have.
   */
  readonly hasAgentsIn?: (lines: readonly string[]) => boolean | undefined;
  /** For a log: whether the paths in its first lines are those after the server's rewrites. */
  readonly hasServerPaths?: (lines: readonly string[]) => boolean;
  /** The request in a record of a log whose rows are its records; undefined for a record without a request. */
  readonly requestIn?: (record: Readonly<Record<string, unknown>>) => LogRequest | undefined;
  /**
   * The number of lines in the beginning of a source that are certainly in this format. Of formats with equal evidence, the one with the
   * largest number is chosen.
   */
  countLines?(beginning: Beginning): number;
  /** Whether the beginning of a source that was recognized as another format may also be in this format. */
  mayBe?(beginning: Beginning): boolean;
  /** Whether the URL of a record can be composed of several fields. */
  readonly hasFields?: boolean;
  /** Samples for the contract tests. Absent for a format whose records are not lines; such a format has tests of its own. */
  readonly samples?: FormatSamples;
  /** The evidence that the beginning of a source is in this format; undefined without evidence. */
  recognize?(beginning: Beginning): Evidence | undefined;
  /** The reason why this format cannot read a source with this beginning, even when the user named the format. */
  refuse?(beginning: Beginning): Refusal | undefined;
  /**
   * Reads one source to its end. Throws a `UsageError` before the first batch when the first record has no URL. Never throws because of the
   * content of a line. Memory is bounded by the chunk size and `maxLineBytes`.
   */
  read(bytes: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncIterable<Batch>;
}

/** The beginning of a source: exactly its deciding bytes (`DecidingText` of sources/detect.ts), which do not depend on the sizes of chunks. */
export interface Beginning {
  /** The lines that are not empty, as bytes, without surrounding white space. The last one may be truncated. */
  readonly lines: readonly string[];
  /**
   * The complete lines: all of `lines`, except that a last line without a line end is left out when other lines precede it. Lines of a
   * container runtime are replaced by the lines of the program that they contain.
   */
  readonly wholeLines: readonly string[];
  /** `wholeLines` without the messages of a server about itself, which may precede its first request. */
  readonly recordLines: readonly string[];
  /** Whether `urlField` names a field. A line that is a JSON object is then plain JSON, even if it looks like a line of a known log. */
  readonly asksForField: boolean;
}

/** Kinds of evidence, strongest first. The ending of the file's name ranks after "first-line" and before "guess". */
export const evidences = ["heading", "most-lines", "first-line", "guess"] as const;

/**
 * The kind of evidence for a format. "heading": a heading that only this format has. "most-lines": at least half of the first lines match.
 * "first-line": the beginning of the first line matches. "guess": the source may have this format; used only without other evidence and
 * when the file's name does not determine the format.
 */
export type Evidence = (typeof evidences)[number];

/** The reason why a recognized beginning is not read, and the remedy. */
export interface Refusal {
  readonly what: string;
  readonly hint: string | undefined;
  /** The line that shows the kind of the source, for `detect`, which may show input. */
  readonly line?: string;
}

/** Sample data of a format, from which the tests of all formats build their sources. */
export interface FormatSamples {
  /** A line that precedes the records. */
  readonly heading?: string;
  /**
   * A record with an https URL: `{url}` stands for the URL, or `{scheme}`, `{host}`, `{target}`, `{path}` and `{query}` ("-" for none)
   * for its parts, and `{other}` for the text of another field, if records have other fields.
   */
  readonly record: string;
  /** The same record over several lines, for formats that have such records. */
  readonly longRecords?: readonly string[];
  /** Lines that are rejects. The first one may be placed between any two records. Empty for a format in which every line is a record. */
  readonly broken: readonly string[];
  /** Parts of lines, and whole lines, that tests combine at random. */
  readonly fragments: readonly string[];
  /** Whether a line is neither a record nor a reject; absent for a format without such lines other than empty ones. */
  isSilent?(line: string): boolean;
  /** The format that is detected for a source without a name, when it is not the format of these samples. */
  readonly detectedAs?: string;
}

/** Whether to read a beginning as plain JSON, even if its lines look like a known log. */
export function isPlainJson({ wholeLines: [first = ""], asksForField }: Beginning): boolean {
  return asksForField && first.startsWith("{");
}

/** Whether a line begins and ends like a JSON object. */
export function isObjectLike(line: string): boolean {
  return line.startsWith("{") && line.endsWith("}");
}

/** Number of first lines that are examined one by one. */
export const mostLines = 20;

/** "most-lines" when `recognizes` accepts at least half of the first lines, some of which may be damaged; otherwise undefined. */
export function evidenceOfLines(lines: readonly string[], recognizes: (line: string) => boolean): Evidence | undefined {
  return isMost(lines, recognizes) ? "most-lines" : undefined;
}

/**
 * Whether `recognizes` accepts at least half of the first `mostLines` lines, and at least one. Examines no more lines than the answer
 * needs.
 */
export function isMost(lines: readonly string[], recognizes: (line: string) => boolean): boolean {
  const examined = Math.min(lines.length, mostLines);
  const needed = Math.max(1, Math.ceil(examined / 2));
  let count = 0;
  for (let at = 0; count < needed && at + needed - count <= examined; at++) if (recognizes(lines[at]!)) count++;
  return count >= needed;
}

/** The number of the first `mostLines` lines that `recognizes` accepts. */
export function countOfLines(lines: readonly string[], recognizes: (line: string) => boolean): number {
  return lines.slice(0, mostLines).filter(recognizes).length;
}
