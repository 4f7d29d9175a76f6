// Regularly writes checkpoints of a run. A checkpoint holds the newest place in the input up to which all rows and rejects are in
// their files.
import { setTimeout as delay } from "node:timers/promises";
import {
  type Counts,
  countsOf,
  type InputPlace,
  IoError,
  type RecordWriter,
  shownWordOf,
  type Tally,
  type WriterKnowledge,
} from "@robots-stream/engine/internal";
import { writeCheckpoint } from "./file.ts";
import type { KeptFile } from "./kept-file.ts";
import type { Checkpoint, RunDescription } from "./types.ts";

/** Minimum and maximum time between checkpoints. The time is short at the beginning of a run and grows later. */
const leastMs = 100;
const mostMs = 5_000;
const partOfRun = 20;
/** Writing checkpoints takes at most 1/partOfTime of the run's time. */
const partOfTime = 20;
/** Time limit for the last checkpoint of a stopped run. */
const mostMsOfStop = 1_000;

/** Options of a keeper. */
export interface CheckpointKeeperOptions {
  readonly path: string;
  readonly run: RunDescription;
  readonly tally: Tally;
  readonly writer: RecordWriter;
  readonly output: KeptFile;
  readonly rejects: KeptFile | undefined;
  /** The place from which this run starts to read; null: the beginning. */
  readonly from: InputPlace | null;
  /** Whether a checkpoint of this run exists already. */
  readonly isResumed: boolean;
  /** Bytes of the header before the first row. */
  readonly headerBytes: () => number;
  /** Called when a checkpoint could not be written. */
  readonly onError: (error: IoError) => void;
}

/** A place from which a run may resume once the output is at least `outputBytes` long. */
interface Candidate extends Pick<Checkpoint, "counts" | "place" | "writer"> {
  readonly outputBytes: number;
  readonly rejectsBytes: number;
}

/** Keeps the checkpoint of one run. */
export class CheckpointKeeper {
  readonly #options: CheckpointKeeperOptions;
  /** Times are monotonic, so that a change of the system clock delays no checkpoint. */
  readonly #beganAt = performance.now();
  #nextAt = this.#beganAt;
  #later: NodeJS.Timeout | undefined;
  /** Places whose records are decided, in the order of the input. Some of their rows may still be unwritten. */
  readonly #decided: Candidate[] = [];
  /** The newest place whose rows are written; undefined when a checkpoint already holds that place. */
  #newest: Candidate | undefined;
  #saving: Promise<void> | undefined;
  #begun: Promise<void> | undefined;
  #hasFailed = false;
  readonly #atFirst: Counts;

  constructor(options: CheckpointKeeperOptions) {
    this.#options = options;
    this.#atFirst = countsOf(options.tally);
  }

  /** Writes a checkpoint that declares no new byte valid. Await this promise before the first change of a file. */
  begin(): Promise<void> {
    const nothing: Candidate = { counts: this.#atFirst, place: null, writer: {}, outputBytes: 0, rejectsBytes: 0 };
    this.#begun ??= this.#options.isResumed ? Promise.resolve() : this.#save(nothing, false);
    return this.#begun;
  }

  /**
   * Takes the place after a batch that was read and whose rejects are written. Returns a callback. Call it when the rows of the batch and
   * all earlier rows are made, with the total number of bytes of these rows.
   */
  read(place: InputPlace): (rowBytes: number) => void {
    const { tally, writer, output, rejects, headerBytes } = this.#options;
    const { records, rejects: rejected, elsewhere } = tally;
    const known: WriterKnowledge = writer.known();
    const rejectsBytes = rejects?.bytes ?? 0;
    return (rowBytes) => {
      // Once a record is given up undecided, the output has gaps, so no later place is valid.
      if (tally.notDecided > 0) return;
      // The counts of the reader were captured in `read`, because the reader runs ahead of the decisions.
      const counts = countsOf(tally, { records, rejects: rejected, elsewhere });
      // The header is written together with the first row.
      const outputBytes = output.begin + (rowBytes === 0 ? 0 : headerBytes() + rowBytes);
      this.#decided.push({ counts, place, writer: known, outputBytes, rejectsBytes });
      this.advance();
    };
  }

  /** Call this when the output may have grown. */
  advance(): void {
    const { output } = this.#options;
    while (this.#decided[0] !== undefined && this.#decided[0].outputBytes <= output.bytes) {
      this.#newest = this.#decided.shift();
    }
    if (this.#newest === undefined || this.#saving !== undefined || this.#hasFailed) return;
    const waitMs = this.#nextAt - performance.now();
    if (waitMs <= 0) this.#saveNewest();
    else {
      this.#later ??= setTimeout(() => {
        this.#later = undefined;
        this.advance();
      }, waitMs).unref();
    }
  }

  /**
   * Writes the last checkpoint of a run that was stopped or failed. Also resolves when writing fails or exceeds the time limit, because
   * a stopped run must end soon.
   */
  async stop(): Promise<void> {
    const patience = delay(mostMsOfStop, undefined, { ref: false });
    clearTimeout(this.#later);
    await Promise.race([this.#saving, patience]);
    this.advance();
    clearTimeout(this.#later);
    if (this.#saving === undefined && !this.#hasFailed) this.#saveNewest();
    await Promise.race([this.#saving, patience]);
  }

  /** Writes the last checkpoint of a finished run. Rejects with an `IoError` when it cannot be written. */
  async finish(): Promise<void> {
    clearTimeout(this.#later);
    await this.#saving;
    const { tally, writer, output, rejects, from } = this.#options;
    const counts = countsOf(tally);
    const rest = { outputBytes: output.bytes, rejectsBytes: rejects?.bytes ?? 0 };
    await this.#save({ counts, place: from, writer: writer.known(), ...rest }, true);
  }

  #saveNewest(): void {
    const newest = this.#newest;
    if (newest === undefined) return;
    this.#newest = undefined;
    const beganAt = performance.now();
    this.#saving = this.#save(newest, false).then(
      () => {
        const endedAt = performance.now();
        const usual = Math.min(Math.max((endedAt - this.#beganAt) / partOfRun, leastMs), mostMs);
        this.#nextAt = endedAt + Math.max(usual, (endedAt - beganAt) * partOfTime);
        this.#saving = undefined;
        this.advance();
      },
      (error: unknown) => {
        this.#saving = undefined;
        this.#hasFailed = true;
        this.#options.onError(error as IoError);
      },
    );
  }

  async #save({ counts, place, writer, outputBytes, rejectsBytes }: Candidate, isFinished: boolean): Promise<void> {
    const { path, run, output, rejects } = this.#options;
    try {
      // The rows are synced to disk before a checkpoint declares them valid.
      await Promise.all([output.sync(), rejects?.sync()]);
      await writeCheckpoint(path, {
        run,
        isFinished,
        counts,
        output: output.placeAt(outputBytes),
        rejects: rejects?.placeAt(rejectsBytes) ?? null,
        place,
        writer,
      });
    } catch (error) {
      throw new IoError("checkpoint", shownWordOf(path), error);
    }
  }
}
