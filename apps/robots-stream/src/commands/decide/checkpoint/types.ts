// The content of a checkpoint: how far a run has come, so that another process can resume it. Plain data.
import type { Counts, Fingerprint, InputPlace, WriterKnowledge } from "@robots-stream/engine/internal";

/** Everything besides the input that determines the output of a run. */
export interface RunDescription {
  /** The version of the program. */
  readonly version: string;
  readonly files: readonly string[];
  /** The values of each flag that can change the output. */
  readonly flags: Readonly<Record<string, readonly string[]>>;
  /** The crawlers of `--agent` and `--agents`. */
  readonly agents: readonly string[];
}

/** The valid length of a file, and the bytes before its end, to recognize the file. */
export interface FilePlace {
  readonly bytes: number;
  readonly before: Fingerprint;
}

/** The state of a run when a record and all before it were decided and written, and none after it. */
export interface Checkpoint {
  readonly run: RunDescription;
  /** Whether the run is finished. */
  readonly isFinished: boolean;
  readonly counts: Counts;
  readonly output: FilePlace;
  /** The file of `--rejects`; null without one. */
  readonly rejects: FilePlace | null;
  /** The place from which reading resumes; null: the beginning. */
  readonly place: InputPlace | null;
  readonly writer: WriterKnowledge;
}
