// What a checkpoint says: how far a run is, so that another process can go on with it. Plain data.
import type { Counts, Fingerprint, InputPlace, WriterKnowledge } from "@robots-stream/engine/internal";

/** What makes two runs give the same output from the same input. */
export interface RunDescription {
  /** The version of the program. */
  readonly version: string;
  readonly files: readonly string[];
  /** The values of each flag that has to do with the output. */
  readonly flags: Readonly<Record<string, readonly string[]>>;
  /** Whom `--agent` and `--agents` ask about. */
  readonly agents: readonly string[];
}

/** How much of a file is valid, and the end of that. */
export interface FilePlace {
  readonly bytes: number;
  readonly before: Fingerprint;
}

/** The state of a run when a record and all before it were decided and written, and none after it. */
export interface Checkpoint {
  readonly run: RunDescription;
  /** There is nothing left to do. */
  readonly isFinished: boolean;
  readonly counts: Counts;
  readonly output: FilePlace;
  /** Of the file of `--rejects`; null without one. */
  readonly rejects: FilePlace | null;
  /** Where reading goes on; null: at the beginning. */
  readonly place: InputPlace | null;
  readonly writer: WriterKnowledge;
}
