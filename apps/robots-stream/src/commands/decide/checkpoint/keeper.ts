// Batches of a run in, checkpoints out: regularly, the newest place in the input up to which all rows and rejects are in their files.
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

/** Time between checkpoints: short at the beginning of a run, longer later, at most 5 s. */
const leastMs = 100;
const mostMs = 5_000;
const partOfRun = 20;
/** Part of the time that writing checkpoints may take. */
const partOfTime = 20;
/** Time for the last checkpoint when a run is stopped. */
const mostMsOfStop = 1_000;

/** What a keeper needs. */
export interface CheckpointKeeperOptions {
  readonly path: string;
  readonly run: RunDescription;
  readonly tally: Tally;
  readonly writer: RecordWriter;
  readonly output: KeptFile;
  readonly rejects: KeptFile | undefined;
  /** The place from which this run reads; null: the beginning. */
  readonly from: InputPlace | null;
  /** Whether there is a checkpoint of this run already. */
  readonly isResumed: boolean;
  /** Bytes before the first row. */
  readonly headerBytes: () => number;
  /** Called when a checkpoint could not be written. */
  readonly onError: (error: IoError) => void;
}

/** A place from which a run may resume, once the output has `outputBytes`. */
interface Candidate extends Pick<Checkpoint, "counts" | "place" | "writer"> {
  readonly outputBytes: number;
  readonly rejectsBytes: number;
}

/** Keeps the checkpoint of one run. */
export class CheckpointKeeper {
  readonly #options: CheckpointKeeperOptions;
  /** Monotonic times: setting the system clock delays no checkpoint. */
  readonly #beganAt = performance.now();
  #nextAt = this.#beganAt;
  #later: NodeJS.Timeout | undefined;
  /** Places whose records are decided, in the order of the input. Their rows may not be written yet. */
  readonly #decided: Candidate[] = [];
  /** The newest place whose rows are written, unless a checkpoint holds it already. */
  #newest: Candidate | undefined;
  #saving: Promise<void> | undefined;
  #begun: Promise<void> | undefined;
  #hasFailed = false;
  readonly #atFirst: Counts;

  constructor(options: CheckpointKeeperOptions) {
    this.#options = options;
    this.#atFirst = countsOf(options.tally);
  }

  /** Writes a checkpoint that calls no new byte valid. To be awaited before the first change of a file. */
  begin(): Promise<void> {
    const nothing: Candidate = { counts: this.#atFirst, place: null, writer: {}, outputBytes: 0, rejectsBytes: 0 };
    this.#begun ??= this.#options.isResumed ? Promise.resolve() : this.#save(nothing, false);
    return this.#begun;
  }

  /**
   * Takes the place behind a batch that was read and whose rejects are written. Returns a function to be called, with their bytes,
   * when its rows and all rows before them are made.
   */
  read(place: InputPlace): (rowBytes: number) => void {
    const { tally, writer, output, rejects, headerBytes } = this.#options;
    const { records, rejects: rejected, elsewhere } = tally;
    const known: WriterKnowledge = writer.known();
    const rejectsBytes = rejects?.bytes ?? 0;
    return (rowBytes) => {
      // The output of a stopped run has gaps.
      if (tally.notDecided > 0) return;
      // Reading runs ahead of deciding.
      const counts = countsOf(tally, { records, rejects: rejected, elsewhere });
      // The header comes with the first row.
      const outputBytes = output.begin + (rowBytes === 0 ? 0 : headerBytes() + rowBytes);
      this.#decided.push({ counts, place, writer: known, outputBytes, rejectsBytes });
      this.advance();
    };
  }

  /** To be called when the output may have grown. */
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
   * Writes the last checkpoint of a run that was stopped or failed. Resolves also when that fails or takes too long: a stopped run ends
   * soon.
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
      // The rows are on the disk before a checkpoint calls them valid.
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
