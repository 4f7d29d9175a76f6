// Defines the messages between the main thread and a worker: plain data that can be copied to another thread.
import type { AccessResult } from "@robots-stream/fetch";
import type { EngineSettings } from "../engine.ts";
import type { ResumePoint, ReadOptions, Reject } from "../records/batch.ts";
import type { WriterKnowledge, WriterOptions } from "../formats/types.ts";
import type { Collected } from "../counts/collect.ts";
import type { Counts } from "../tally.ts";

/** The data that a worker receives at its start. */
export interface WorkerData {
  readonly settings: WorkerSettings;
  /**
   * Shared memory: the text of units in `unitSlots`, rows in `rowSlots`. Copying into shared memory costs less than transferring buffers,
   * because each transferred buffer is one more object for the garbage collectors of two threads.
   */
  readonly unitSlots: readonly SharedArrayBuffer[];
  readonly rowSlots: readonly SharedArrayBuffer[];
}

/** The settings of a worker. */
export interface WorkerSettings
  extends
    EngineSettings,
    WriterOptions,
    Pick<ReadOptions, "maxLineBytes" | "urlField" | "time" | "logRows" | "hostBases"> {
  readonly outputFormat: string;
  /** The zone of the clock that wrote times without a zone. */
  readonly logTimezone: string | undefined;
  readonly robotsPath: string | undefined;
  /** The digest of the archive at `robotsPath`, if it has one: every thread has to open the same archive. */
  readonly robotsDigest: string | undefined;
  readonly maxBytes: number;
}

/** How the text of a unit is read. */
export interface UnitStart {
  readonly source: string;
  readonly format: string;
  readonly lineEnd: "\n" | "\r";
  /** The origin of requests in the source that do not name their origin. */
  readonly base: ReadOptions["base"];
  /** The reader's state from earlier units; undefined at the beginning of a source. */
  readonly from: ResumePoint | undefined;
  /** The columns of the output, once the first record has set them. */
  readonly columns: WriterKnowledge["columns"];
}

/** Text to read. Units that go to one worker are read in the order in which they are sent. */
export interface Unit {
  /** The text; valid until the next unit is requested. */
  readonly bytes: Buffer;
  /** How to read the unit; undefined when the unit continues the text of the worker's previous unit. */
  readonly start: UnitStart | undefined;
  /** What follows the unit: no more of its text ("end"), more of its text ("more"), or a failure of the source ("cut"). */
  readonly end: "end" | "more" | "cut";
}

/** A unit as a message. Its text is in a slot of the shared memory, or in the message when it is longer than a slot. */
export interface SentUnit extends Omit<Unit, "bytes"> {
  readonly text: { readonly slot: number; readonly length: number } | Uint8Array;
}

/** Rows as a message: whole rows, in a slot. */
export interface SentRows {
  readonly slot: number;
  readonly length: number;
  /** The bytes of a single row that is longer than a slot; the slot then holds no bytes. */
  readonly long?: Uint8Array;
}

/** The robots.txt in force for an origin. */
export interface LoadedOrigin {
  readonly origin: string;
  readonly access: AccessResult;
  readonly code: string;
  /** The file, when there is one. */
  readonly body: Uint8Array | undefined;
  /** The time until which the result is fresh, in milliseconds since 1970; undefined for a result that is always fresh. */
  readonly freshUntil?: number | undefined;
}

/** An origin that a worker has loaded, and the access result. */
export interface OriginReport {
  readonly origin: string;
  readonly access: AccessResult;
  readonly code: string;
}

/**
 * The progress of a worker. `counts` are totals since its start; `rejects` and `origins` cover the time since its last report.
 * `waitingBytes` is the present memory of records that wait for their robots.txt.
 */
export interface WorkerReport {
  readonly counts: Counts;
  readonly rejects: readonly Reject[];
  readonly origins: readonly OriginReport[];
  readonly waitingBytes: number;
  readonly spilledRecords: number;
}

/** The content of a worker's last message. */
export interface Findings {
  readonly writer: WriterKnowledge;
  /** Counts for reports, when reports were requested. */
  readonly collected: Collected | undefined;
  /** Reasons why records were not decided, for each of the worker's questions. */
  readonly problems: readonly ReadonlyMap<string, number>[];
}

/** An error as plain data. `code` is the `mistake` of a `UsageError`, the `side` of an `IoError`, and "" for a bug. */
export interface ErrorReport {
  readonly kind: "usage" | "io" | "bug";
  readonly message: string;
  readonly code: string;
  readonly hint: string | undefined;
}

/** A message from the main thread to a worker. */
export type ToWorker =
  | { readonly type: "unit"; readonly unit: SentUnit }
  | { readonly type: "loaded"; readonly loaded: LoadedOrigin }
  /** The rows in a slot were written: the slot is free. */
  | { readonly type: "taken"; readonly slot: number }
  /** No unit follows. */
  | { readonly type: "end" }
  /** Stop reading and drop waiting records. */
  | { readonly type: "stop" };

/** A message from a worker to the main thread. */
export type FromWorker =
  | { readonly type: "rows"; readonly rows: SentRows }
  /** The text in a slot was read: the slot is free. */
  | { readonly type: "free"; readonly slot: number }
  /** The worker has read its oldest unread unit. */
  | { readonly type: "read"; readonly report: WorkerReport }
  /** In ordered runs: all rows of the worker's oldest unfinished unit were sent. */
  | { readonly type: "done" }
  | { readonly type: "load"; readonly origin: string }
  | { readonly type: "say"; readonly sentence: string }
  | { readonly type: "ended"; readonly report: WorkerReport; readonly findings: Findings }
  | { readonly type: "failed"; readonly error: ErrorReport };
