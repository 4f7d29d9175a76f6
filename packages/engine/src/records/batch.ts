// Defines batches: successive records of a source, the rejects between them, and the point at which another reader can continue, with a
// fingerprint of the bytes before it.
import type { LogProblemCode } from "@robots-stream/logs";
import type { PackedRecords } from "./packed.ts";
import { readSync } from "node:fs";

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
   * Is told where the rows of the records end. Must be absent in a run with a shard or a time window, which leaves records out, and in a run
   * that keeps the order.
   */
  readonly tracker?: RowTracker | undefined;
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

/** Records of one batch that wait for the same robots.txt. */
export interface ParkedRecords {
  readonly tracker: RowTracker;
  /** The records, as indices into the batch. */
  readonly records: readonly number[];
  /** Whether building the rows of these records has begun. */
  isBegun: boolean;
  /** Gives up the records, which then get no rows, and frees their memory. Returns false if their rows are already being built. */
  withdraw(): boolean;
}

/**
 * Is told where the row of each record of one batch ends, so that the output can be cut into the rows of each message.
 *
 * Order: the tracker is told of a record when its row is complete. Records of one origin come in the order of the input; others do not,
 * because a record that waits for its robots.txt delays no other record. Every record has one row.
 * Memory: the row of a record begins where the row of the record before it ends, as an offset into all rows of the run; the bytes come
 * later, in pieces of whole rows, from the stage after the group stage, and may be kept until they are given back to the row memory. A record
 * with a tracker waits in memory, never in a file: who adds the batch limits the number of records.
 * Losses: a record is taken once, or never if the run is stopped or the record is withdrawn.
 */
export interface RowTracker {
  /** Takes the record at an index of the batch. Its row ends at byte `to` of all rows of the run. */
  take(record: number, to: number): void;
  /** Tells that records wait for their robots.txt; each is taken later, unless it is withdrawn. */
  park(parked: ParkedRecords): void;
  /** Tells that the last of these records was taken. */
  release(parked: ParkedRecords): void;
}

/** The number and the CRC-32 of some bytes. They do not protect against deliberate changes. */
export interface Fingerprint {
  readonly bytes: number;
  readonly crc: number;
}

/** Maximum number of bytes that a fingerprint of a beginning, or of the text before a position, covers. */
export const mostFingerprintBytes: number = 4_096;

/** The fingerprint of the last bytes before the index `end`; of no bytes when `end` is not positive. */
export function fingerprintBefore(bytes: Uint8Array, end: number): Fingerprint {
  return fingerprintOf(bytes.subarray(Math.max(0, end - mostFingerprintBytes), Math.max(0, end)));
}

/** The fingerprint of all bytes. */
export function fingerprintOf(bytes: Uint8Array): Fingerprint {
  return { bytes: bytes.byteLength, crc: process.getBuiltinModule("node:zlib").crc32(bytes) };
}

/** The fingerprint of the last bytes of an open file before the offset `end`. */
export function fingerprintAt(fd: number, end: number): Fingerprint {
  const bytes = Buffer.alloc(Math.min(end, mostFingerprintBytes));
  return fingerprintOf(bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, end - bytes.length)));
}
