// Defines batches: successive records of a source, the rejects between them, and the point at which another reader can continue.
import type { LogProblemCode } from "@robots-stream/logs";
import type { Sink } from "./sink.ts";
import type { Fingerprint } from "./fingerprint.ts";
import type { PackedRecords } from "./packed.ts";

/** The reason why a line is not a record. Stable codes. */
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
  | "not-xml"
  | LogProblemCode;

/** One or more lines that are not a record and were rejected. */
export interface Reject {
  readonly source: string;
  /** The number of the first rejected line, from 1. */
  readonly line: number;
  readonly code: RejectCode;
  readonly message: string;
  /**
   * The rejected bytes as a Latin-1 string, without the line end. If the code is "too-long", or if there are more than 1 MiB, it has only
   * their beginning.
   */
  readonly text: string;
  /** The number of rejected bytes, when `text` has only their beginning and the number is known. */
  readonly bytes?: number;
}

/** A point between two records of a source at which another reader can continue. Plain data. */
export interface ResumePoint {
  /** The number of bytes and of lines of the plain text before the point. */
  readonly offset: number;
  readonly line: number;
  /** A fingerprint of the bytes just before the point: a resumed run compares it with the file. */
  readonly before: Fingerprint;
  /** The state of the reader at that point. */
  readonly known: ReaderKnowledge;
}

/** The reader state of a `ResumePoint`: strings, numbers, booleans and lists of strings. */
export type ReaderKnowledge = { readonly [name: string]: string | number | boolean | readonly string[] | undefined };

/** Some successive records of a source, and the rejects between these records. */
export interface Batch {
  /** The heads, URLs and requested fields of the records. A head is the bytes that are written before the tail, which contains the answer. */
  readonly records: PackedRecords;
  readonly rejects: Reject[];
  /**
   * The position after the records, when `ReadOptions.givesPlaces` requests it. Absent when no reader can continue there, because the batch
   * ends within a construct of several lines.
   */
  readonly place?: ResumePoint | undefined;
  /**
   * Takes the records with the positions of their rows. Must be absent in a run with a shard or a time window, which leaves records out,
   * and in a run that keeps the order.
   */
  readonly sink?: Sink | undefined;
}

/** Input bytes: a Node stream, or a descriptor that is read directly. */
export interface InputStream extends AsyncIterable<Uint8Array | string> {
  readonly fd?: number;
  readonly isTTY?: boolean;
  /** The chunks, each valid until the next one is requested. If an input has no such method, the caller may keep its chunks. */
  pieces?(): AsyncIterable<Uint8Array>;
  /** Ends the input at once, even while a read is pending. */
  destroy(error?: Error): unknown;
}
