// The content of a checkpoint, as plain data: the progress of a run, from which another process can resume it.
import type { Counts, Fingerprint, InputPlace, WriterKnowledge } from "@robots-stream/engine/internal";

/** All facts besides the input that determine the output of a run. */
export interface RunDescription {
  /** The version of the program. */
  readonly version: string;
  readonly files: readonly string[];
  /** The values of each flag that can change the output. */
  readonly flags: Readonly<Record<string, readonly string[]>>;
  /** The crawlers of `--agent` and `--agents`. */
  readonly agents: readonly string[];
  /** The digest of the history of robots.txt files that decides records by their time; absent without one. */
  readonly history?: string | undefined;
}

/** The valid length of a file, and the last bytes before that length, by which the file is recognized. */
export interface FilePlace {
  readonly bytes: number;
  readonly before: Fingerprint;
}

/** The state of a run at one record: this record and all earlier records are decided and written; no later record is. */
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
