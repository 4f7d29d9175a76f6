// What the main thread and a worker say to one another: plain data that can be copied to another thread.
import type { AccessResult } from "@robots-stream/fetch";
import type { EngineSettings } from "../engine.ts";
import type { ResumePoint, ReadOptions, Reject } from "../records/batch.ts";
import type { WriterKnowledge, WriterOptions } from "../formats/types.ts";
import type { Collected } from "../counts/collect.ts";
import type { Counts } from "../tally.ts";

/** What a worker begins with. */
export interface WorkerData {
  readonly settings: WorkerSettings;
  /**
   * Memory that both threads see, text in the first and rows in the second: copying into it costs less than handing memory
   * over, of which each piece is one more for the garbage collectors of two threads to hurry after.
   */
  readonly unitSlots: readonly SharedArrayBuffer[];
  readonly rowSlots: readonly SharedArrayBuffer[];
}

/** What a worker has to know. */
export interface WorkerSettings
  extends EngineSettings, WriterOptions, Pick<ReadOptions, "maxLineBytes" | "urlField" | "base"> {
  readonly outputFormat: string;
  /** Saved files to answer from; undefined: the main thread is asked. */
  readonly robotsPath: string | undefined;
  readonly maxBytes: number;
}

/** How the text of a unit is read. */
export interface UnitStart {
  /** The source's name. */
  readonly source: string;
  readonly format: string;
  readonly lineEnd: "\n" | "\r";
  /** What was found out before; undefined at the beginning of a source. */
  readonly from: ResumePoint | undefined;
  /** The columns of the output, once a record has said them. */
  readonly columns: WriterKnowledge["columns"];
}

/** Text to read. Units that go to one worker are read one after another. */
export interface Unit {
  /** Valid until the next unit is asked for. */
  readonly bytes: Buffer;
  /** How to read it; undefined when it goes on where the last unit of this worker ended. */
  readonly start: UnitStart | undefined;
  /** What follows: nothing, more of the same text, or what is missing, since the source failed here. */
  readonly end: "end" | "more" | "cut";
}

/** A unit on its way; its text is in a slot, or its own where it is too long for one. */
export interface SentUnit extends Omit<Unit, "bytes"> {
  readonly text: { readonly slot: number; readonly length: number } | Uint8Array;
}

/** Rows on their way: whole ones, in a slot. */
export interface SentRows {
  readonly slot: number;
  readonly length: number;
  /** One row that is longer than a slot. */
  readonly long?: Uint8Array;
}

/** What holds for an origin. */
export interface LoadedOrigin {
  readonly origin: string;
  readonly access: AccessResult;
  readonly code: string;
  /** The file, when there is one. */
  readonly body: Uint8Array | undefined;
}

/** What a worker knows of an origin that is new to it. */
export interface OriginReport {
  readonly origin: string;
  readonly access: AccessResult;
  readonly code: string;
}

/** How it stands with a worker: all numbers are from its beginning on, the lists are new. */
export interface WorkerReport {
  readonly counts: Counts;
  readonly rejects: readonly Reject[];
  readonly origins: readonly OriginReport[];
  readonly waitingBytes: number;
  readonly spilledRecords: number;
}

/** What a worker tells when it has ended. */
export interface Findings {
  readonly writer: WriterKnowledge;
  /** For reports, where there are any. */
  readonly collected: Collected | undefined;
  /** Why records were not decided, for each of the worker's questions. */
  readonly problems: readonly ReadonlyMap<string, number>[];
}

/** An error on its way. */
export interface ErrorReport {
  readonly kind: "usage" | "io" | "bug";
  readonly message: string;
  readonly code: string;
  readonly hint: string | undefined;
}

/** From the main thread to a worker. */
export type ToWorker =
  | { readonly type: "unit"; readonly unit: SentUnit }
  | { readonly type: "loaded"; readonly loaded: LoadedOrigin }
  /** The rows in a slot were written. */
  | { readonly type: "taken"; readonly slot: number }
  /** No unit will follow. */
  | { readonly type: "end" }
  /** Stop reading, drop what waits. */
  | { readonly type: "stop" };

/** From a worker to the main thread. */
export type FromWorker =
  | { readonly type: "rows"; readonly rows: SentRows }
  /** The text in a slot is not needed any more. */
  | { readonly type: "free"; readonly slot: number }
  /** The first unit that was not read is. */
  | { readonly type: "read"; readonly report: WorkerReport }
  /** Where the order is kept: all rows of the first unit that was not done have come. */
  | { readonly type: "done" }
  | { readonly type: "load"; readonly origin: string }
  | { readonly type: "say"; readonly sentence: string }
  | { readonly type: "ended"; readonly report: WorkerReport; readonly findings: Findings }
  | { readonly type: "failed"; readonly error: ErrorReport };
