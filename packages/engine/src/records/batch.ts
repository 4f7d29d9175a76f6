// What an input format is: bytes of one source in, batches of records out.
import type { Base, LogProblemCode } from "@robots-stream/logs";
import type { Beginning, Evidence, FormatSamples, Refusal } from "../formats/recognition.ts";
import type { RecordWriter } from "../formats/types.ts";
import type { Fingerprint } from "../sources/fingerprint.ts";
import type { PackedRecords } from "./packed.ts";

/** Why a line is no record. Stable codes. */
export type RejectCode =
  | "not-json"
  | "not-an-object"
  | "no-url-field"
  | "url-not-text"
  | "key-taken"
  | "too-long"
  | "stray-quote"
  | "open-quote"
  | "ragged"
  | LogProblemCode;

/** A line, or a record over several lines, that is no record. */
export interface Reject {
  readonly source: string;
  /** The line it starts at, from 1. */
  readonly line: number;
  readonly code: RejectCode;
  readonly message: string;
  /** Its bytes as a Latin-1 string, without the line end. Only the beginning when it is too long, or longer than 1 MiB. */
  readonly text: string;
  /** How many there are, where `text` has only the beginning of them and that is known. */
  readonly bytes?: number;
}

/** A point between two records of a source at which another reader can continue. Plain data. */
export interface ResumePoint {
  /** Bytes of the plain text before it, and lines. */
  readonly offset: number;
  readonly line: number;
  /** A fingerprint of the last of these bytes: a resumed run compares it with the file. */
  readonly before: Fingerprint;
  /** The state of the reader at that point. */
  readonly known: ReaderKnowledge;
}

/** What a reader keeps for `ResumePoint`: texts, numbers and lists of them. */
export type ReaderKnowledge = { readonly [name: string]: string | number | boolean | readonly string[] | undefined };

/**
 * The records of one chunk of input, as arrays of equal length, and the rejects found between them.
 * Strings of bytes are Latin-1 strings (see text.ts).
 */
export interface Batch {
  /** The bytes to write for each record, up to the offset where the answer is inserted. */
  readonly heads: string[];
  /** The URL of each record, decoded. */
  readonly urls: string[];
  readonly rejects: Reject[];
  /** The User-Agent header of each record, as bytes, never as decoded text; where `--agent-field` asks for it. Packed records hold their own. */
  readonly agents?: string[];
  /** The records of readers that make no strings of them; then there are no others. */
  readonly packed?: PackedRecords;
  /** The position after the records, when `ReadOptions` requests it; absent when the batch ends in the middle of a construct. */
  readonly place?: ResumePoint | undefined;
}

/** What a reader found out about a source by its first record. */
export interface Layout {
  /** Of tables. */
  readonly delimiter?: string;
  /** Whether the first row of a table names its columns. */
  readonly hasHeader?: boolean;
  /** The field that holds the URL, where there are others. */
  readonly urlField?: string;
}

/** What a reader has to know. */
export interface ReadOptions {
  /** The source's name, for messages. */
  readonly source: string;
  /** "\r" for files that have no "\n" at all. */
  readonly lineEnd: "\n" | "\r";
  /** Most bytes of one line or record; a longer one is one reject. */
  readonly maxLineBytes: number;
  /** What `--url-field` named; undefined: look for one of the usual names. */
  readonly urlField: string | undefined;
  /** What `--agent-field` named. */
  readonly agentField?: string | undefined;
  /** What `--base` named: the origin of requests whose log does not name the host of the request. */
  readonly base: Base | undefined;
  /** Whether batches carry the position after them. */
  readonly givesPlaces?: boolean;
  /** The position to continue from: `bytes` begin there. */
  readonly from?: ResumePoint | undefined;
  /** Called with the layout before the first record. */
  readonly onLayout?: (layout: Layout) => void;
  /** Makes the heads, in the shape of the output. */
  readonly writer: RecordWriter;
}

/** One input format. Add one: a folder in formats/, a row in formats/registry.ts; help, detection and the contract tests follow. */
export interface InputFormat {
  readonly name: string;
  /** For the help, in a few words. */
  readonly about: string;
  /** File endings, with the dot. */
  readonly endings: readonly string[];
  /**
   * What a record is, where the reader needs to know no other but the first ones of the source: a line; or a row, which is a
   * line unless a field goes on in the next one. Absent: any line may say how those after it are read.
   */
  readonly recordsAre?: "lines" | "rows";
  readonly samples: FormatSamples;
  /** How the beginning of a source shows that it is of this format; undefined when it does not. */
  recognize?(beginning: Beginning): Evidence | undefined;
  /** Why a source that begins so is not read by this format, also when it is the one that was named. */
  refuse?(beginning: Beginning): Refusal | undefined;
  /**
   * Reads one source to its end. Throws a `UsageError` before its first batch when no URL can be found in the first
   * record; never throws for what a line says. Memory is bounded by the chunks and `maxLineBytes`.
   */
  read(bytes: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncIterable<Batch>;
}

/** Bytes from outside: a stream of Node's, or what is read directly. */
export interface InputStream extends AsyncIterable<Uint8Array | string> {
  readonly fd?: number;
  readonly isTTY?: boolean;
  /** Its chunks, each of which may change when the next one is requested; without `pieces`, chunks can be kept. */
  pieces?(): AsyncIterable<Uint8Array>;
  /** Ends it at once, also while it waits. */
  destroy(error?: Error): unknown;
}
