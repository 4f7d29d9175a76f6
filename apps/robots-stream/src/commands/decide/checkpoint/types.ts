// The content of a checkpoint as plain data: the progress of a run. Another process can resume the run from it.
import type { fingerprintAt, Input, RecordWriter, Tally } from "@robots-stream/engine/internal";

/** A place in the input. */
export type InputPlace = ReturnType<Input["placeOf"]>;

/** The version, arguments and settings that determine the output of a run. A run resumes only a checkpoint with an equal description. */
export interface RunDescription {
  readonly version: string;
  readonly files: readonly string[];
  /** The values of each flag that can change the output. */
  readonly flags: Readonly<Record<string, readonly string[]>>;
  /** The crawlers of `--agent` and `--agents`, and the crawlers in the file of `--crawlers` as JSON texts. */
  readonly agents: readonly string[];
  /** The name of the format that `--input` or `--log-format` gives; the name for `--log-format` contains the pattern. Absent without them. */
  readonly format?: string | undefined;
  /** The digest of the history of robots.txt files that decides records by their time; absent if there is none. */
  readonly history?: string | undefined;
}

/** The valid length of a file in bytes, and a fingerprint of the last bytes before that length. The fingerprint identifies the file. */
export interface FilePlace {
  readonly bytes: number;
  readonly before: ReturnType<typeof fingerprintAt>;
}

/** The state of a run at one place in its input. All records before the place are decided, and their rows and rejects are in the files. */
export interface Checkpoint {
  readonly run: RunDescription;
  readonly isFinished: boolean;
  /** The size of all sources of a finished run, if they are regular files and were read to their ends; otherwise missing. */
  readonly inputBytes?: number | undefined;
  readonly counts: ReturnType<Tally["copied"]>;
  readonly output: FilePlace;
  /** The place in the file of `--rejects`; null without a regular file. */
  readonly rejects: FilePlace | null;
  /** The place from which reading resumes; null: the beginning. */
  readonly place: InputPlace | null;
  readonly writer: ReturnType<RecordWriter["known"]>;
  /** The origins whose saved robots.txt files could not be read (see `DamagedOrigins`): a run with such an origin fails. */
  readonly damaged: readonly string[];
}
