// Regularly writes checkpoints of a run. A checkpoint holds a place in the input. All rows and rejects of the input before this place are
// in their files.
import { setTimeout as delay } from "node:timers/promises";
import { IoError } from "@robots-stream/engine";
import { type RecordWriter, shownWordOf, type Tally } from "@robots-stream/engine/internal";
import { type Checkpoint, type InputPlace, writeCheckpoint } from "./file.ts";
import type { KeptFile } from "./kept-file.ts";
import type { RunDescription } from "./settings.ts";

/** The time between checkpoints is 1/partOfRun of the time since the start, but at least `leastMs` and usually at most `mostMs`. */
const leastMs = 100;
const mostMs = 5_000;
const partOfRun = 20;
/** After a checkpoint that took n ms to write, the next one begins at least partOfTime × n ms later. */
const partOfTime = 20;
/** Maximum time for writing the last checkpoint of a run that was stopped or failed. */
const mostMsOfStop = 1_000;

/** The counts of a tally that the reader changes. */
const countsOfReader = [
  "records",
  "rejects",
  "elsewhere",
  "outside",
  "timeless",
  "zoneless",
  "clockTimes",
  "withoutAgentField",
] as const;

export interface CheckpointKeeperOptions {
  readonly path: string;
  readonly run: RunDescription;
  readonly tally: Tally;
  readonly writer: RecordWriter;
  readonly output: KeptFile;
  readonly rejects: KeptFile | undefined;
  /** The place from which this process started to read the input; null: the beginning. */
  readonly from: InputPlace | null;
  /** Whether a checkpoint of this run exists already. */
  readonly isResumed: boolean;
  /** The origins so far whose saved robots.txt files could not be read. */
  readonly damaged: () => readonly string[];
  /** Number of header bytes that this process writes before its first row; 0 if an earlier process wrote the header. */
  readonly headerBytes: () => number;
  /** Called when writing a checkpoint during the run has failed. No further checkpoint is then written during the run. */
  readonly onError: (error: IoError) => void;
}

/** The content of a possible checkpoint. The checkpoint may be written once the output file is at least `outputBytes` long. */
interface Candidate extends Pick<Checkpoint, "counts" | "place" | "writer"> {
  readonly outputBytes: number;
  readonly rejectsBytes: number;
}

/** Writes the checkpoints of one run to the file at `path`. Each checkpoint replaces the previous one. */
export class CheckpointKeeper {
  readonly #options: CheckpointKeeperOptions;
  /** A time of the monotonic clock, so that a change of the system clock delays no checkpoint. */
  readonly #beganAt = performance.now();
  #nextAt = this.#beganAt;
  #later: NodeJS.Timeout | undefined;
  /** Candidates whose records are decided but whose rows are not all in the output file, in the order of the input. */
  readonly #decided: Candidate[] = [];
  /** The newest candidate whose rows are all in the output file; undefined once `#saveNewest` has taken it. */
  #newest: Candidate | undefined;
  #saving: Promise<void> | undefined;
  #begun: Promise<void> | undefined;
  #hasFailed = false;
  /** Whether the file contains a checkpoint of this run. */
  #isSaved: boolean;
  readonly #atFirst: Checkpoint["counts"];

  constructor(options: CheckpointKeeperOptions) {
    this.#options = options;
    this.#isSaved = options.isResumed;
    this.#atFirst = options.tally.copied();
  }

  /**
   * Writes the first checkpoint, which declares no byte of the files valid, unless the run has a checkpoint already. The caller must await
   * the promise before it changes the output files. Later calls return the same promise.
   */
  begin(): Promise<void> {
    this.#begun ??= this.#begin();
    return this.#begun;
  }

  async #begin(): Promise<void> {
    // Of two checkpoints that are written at the same time, each would find that the other one has replaced its file.
    while (this.#saving !== undefined) await this.#saving;
    // Batches without rows may have been saved before the first row or reject. That checkpoint declares no byte of the files valid either.
    if (this.#isSaved) return;
    const nothing: Candidate = { counts: this.#atFirst, place: null, writer: {}, outputBytes: 0, rejectsBytes: 0 };
    const saved = this.#save(nothing, { isFinished: false });
    this.#saving = saved.then(
      () => {
        this.#saving = undefined;
        this.advance();
      },
      () => {
        // The caller of `begin` reports the error.
        this.#saving = undefined;
        this.#hasFailed = true;
      },
    );
    await saved;
  }

  /**
   * Takes the place after a batch whose records are read and whose rejects are written. Returns a callback that must be called when the
   * rows of this batch and of all earlier batches are made. The callback's argument is the total number of bytes of these rows.
   */
  read(place: InputPlace): (rowBytes: number) => void {
    const { tally, writer, output, rejects, headerBytes } = this.#options;
    // The reader is ahead of the decisions. So its counts are those at the place of this batch.
    const counted = Object.fromEntries(countsOfReader.map((name) => [name, tally[name]]));
    const known = writer.known();
    const rejectsBytes = rejects?.bytes ?? 0;
    return (rowBytes) => {
      // After a record has been given up undecided, the output lacks its row, so no later place is valid.
      if (tally.notDecided > 0) return;
      const counts = tally.copied(counted);
      // The header is written together with the first row. So the output has no header while it has no rows.
      const outputBytes = output.begin + (rowBytes === 0 ? 0 : headerBytes() + rowBytes);
      this.#decided.push({ counts, place, writer: known, outputBytes, rejectsBytes });
      this.advance();
    };
  }

  /** Call `advance` after each write to the output file. Begins to write a checkpoint if one is possible and due, or sets a timer. */
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
   * Writes the last checkpoint of a run that was stopped or failed. Resolves after `mostMsOfStop` at the latest, because a stopped run must
   * end soon. Never rejects: `onError` reports a failure.
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

  /** Writes the last checkpoint of a finished run (see `Checkpoint`). Rejects with an `IoError` when it cannot be written. */
  async finish(inputBytes: number | undefined): Promise<void> {
    while (this.#saving !== undefined) await this.#saving;
    clearTimeout(this.#later);
    const { tally, writer, output, rejects, from } = this.#options;
    const counts = tally.copied();
    const rest = { outputBytes: output.bytes, rejectsBytes: rejects?.bytes ?? 0 };
    await this.#save({ counts, place: from, writer: writer.known(), ...rest }, { isFinished: true, inputBytes });
  }

  #saveNewest(): void {
    const newest = this.#newest;
    if (newest === undefined) return;
    this.#newest = undefined;
    const beganAt = performance.now();
    this.#saving = this.#save(newest, { isFinished: false }).then(
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

  async #save(
    { counts, place, writer, outputBytes, rejectsBytes }: Candidate,
    end: Pick<Checkpoint, "isFinished" | "inputBytes">,
  ): Promise<void> {
    const { path, run, output, rejects, damaged } = this.#options;
    try {
      // The rows and rejects are synced to disk before a checkpoint declares them valid.
      await Promise.all([output.sync(), rejects?.sync()]);
      await writeCheckpoint(path, {
        run,
        ...end,
        counts,
        output: output.placeAt(outputBytes),
        rejects: rejects?.placeAt(rejectsBytes) ?? null,
        place,
        writer,
        damaged: damaged(),
      });
      this.#isSaved = true;
    } catch (error) {
      throw new IoError("checkpoint", shownWordOf(path), error);
    }
  }
}
