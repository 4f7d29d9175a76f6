// The settings of a run in, the files that it writes out: rows, rejects and checkpoint, from the beginning or from where an earlier
// process stopped.
import { closeSync, ftruncateSync } from "node:fs";
import { cachePlaceOf } from "../../shell/cache/place.ts";
import { readCheckpoint, refuseOtherFile, removeLeftovers } from "./checkpoint/file.ts";
import { CheckpointKeeper } from "./checkpoint/keeper.ts";
import { KeptFile, cutToPlace } from "./checkpoint/kept-file.ts";
import { type CheckpointSettings, refuseOtherRun } from "./checkpoint/settings.ts";
import type { Checkpoint, RunDescription } from "./checkpoint/types.ts";
import type { InputPlace, IoError, RecordWriter, Tally, UsedFiles } from "@robots-stream/engine/internal";
import { FileOutput } from "../../shell/file-output.ts";
import { type Streams, filesOfCache, usedFilesOf } from "../../shell/named-files.ts";
import { type RejectReport, createRejectsFile, createToldRejects } from "./rejects.ts";
import type { Settings } from "./settings.ts";
import { openWritableFile } from "../../shell/writable-file.ts";

/** The streams of a run, and where its cache may be. */
export interface RunSurroundings extends Omit<Streams, "inputs"> {
  readonly env: NodeJS.ProcessEnv;
}

/** Every file that a run reads or writes. */
export function usedFilesOfRun(settings: Settings, { env, stdin, stdout, stderr }: RunSurroundings): UsedFiles {
  const { namedFiles, files, robotsPath, outputPath, cache } = settings;
  const place = robotsPath === undefined ? cachePlaceOf(cache.text, env) : undefined;
  const named = place?.kind === "file" ? [...namedFiles, ...filesOfCache(place.path)] : namedFiles;
  return usedFilesOf(named, { inputs: files, stdin, stdout: outputPath === undefined ? stdout : undefined, stderr });
}

/** The checkpoint that a run resumes, if any. Throws a `UsageError` when it is of another run. */
export function earlierPartOf({ path, resumes, run }: CheckpointSettings, version: string): Checkpoint | undefined {
  if (!resumes) {
    refuseOtherFile(path);
    return undefined;
  }
  const earlier = readCheckpoint(path);
  if (earlier !== undefined) refuseOtherRun(path, earlier.run, { ...run, version });
  return earlier;
}

/** What the files of a run depend on. */
export interface RunFilesOptions {
  readonly settings: Pick<Settings, "outputPath" | "rejectsPath" | "checkpoint">;
  /** The version of the program. */
  readonly version: string;
  readonly earlier: Checkpoint | undefined;
  /** All files of the run, compared before. */
  readonly used: UsedFiles;
  readonly say: (sentence: string) => void;
}

/** What keeping a checkpoint needs to know of a run. */
export interface KeptRun {
  readonly tally: Tally;
  readonly writer: RecordWriter;
  /** Called when a checkpoint could not be written. */
  readonly onError: (error: IoError) => void;
}

/** The open files of one run. */
export class RunFiles {
  /** Takes the rows; undefined: they go to stdout. */
  readonly output: FileOutput | undefined;
  /** Whether the rows have their header already. */
  readonly hasHeader: boolean;
  readonly rejects: RejectReport;
  readonly #checkpoint: { readonly path: string; readonly run: RunDescription } | undefined;
  readonly #from: InputPlace | null;
  readonly #isResumed: boolean;
  readonly #kept: KeptFile | undefined;
  readonly #undo: () => void;
  readonly #close: () => void;
  #keeper: CheckpointKeeper | undefined;

  /** Opens the files. Throws a `UsageError` when one cannot be used. Bytes that a checkpoint calls valid are never changed. */
  constructor({ settings, version, earlier, used, say }: RunFilesOptions) {
    const { outputPath, rejectsPath, checkpoint } = settings;
    this.#checkpoint = checkpoint === undefined ? undefined : { ...checkpoint, run: { ...checkpoint.run, version } };
    this.#from = earlier?.place ?? null;
    this.#isResumed = earlier !== undefined;
    const begin = earlier?.output.bytes ?? 0;
    this.hasHeader = begin > 0;
    const reads = checkpoint !== undefined;
    if (outputPath === undefined) this.#undo = this.#close = (): void => undefined;
    else {
      const { fd, shown, undo } = openWritableFile({
        flag: "output-file",
        path: outputPath,
        used,
        reads,
        mustBeFile: true,
      });
      this.#undo = undo;
      this.#close = (): void => closeSync(fd);
      if (checkpoint?.resumes === true) undoing(undo, () => cutToPlace(fd, shown, earlier?.output));
      const prepare = async (): Promise<void> => {
        await this.#keeper?.begin();
        ftruncateSync(fd, begin);
      };
      const output = new FileOutput(fd, { begin, prepare, onWritten: () => this.#keeper?.advance() });
      // Each write reports its error; an "error" event without a listener would end the process.
      output.on("error", () => undefined);
      this.output = output;
      this.#kept = new KeptFile(fd, begin, () => output.written);
    }
    const count = earlier?.counts.numbers.rejects ?? 0;
    if (rejectsPath === undefined) this.rejects = createToldRejects(say, count);
    else {
      const prepare = async (): Promise<void> => this.#keeper?.begin();
      const kept = reads ? { place: earlier?.rejects ?? undefined, count, prepare } : undefined;
      this.rejects = undoing(this.#undo, () => createRejectsFile(rejectsPath, used, say, kept));
    }
  }

  /** Begins to write checkpoints, when the settings ask for them. */
  keep(run: KeptRun): void {
    if (this.#checkpoint === undefined || this.#kept === undefined) return;
    removeLeftovers(this.#checkpoint.path);
    this.#keeper = new CheckpointKeeper({
      ...run,
      ...this.#checkpoint,
      output: this.#kept,
      rejects: this.rejects.kept,
      from: this.#from,
      isResumed: this.#isResumed,
      headerBytes: () => (this.hasHeader ? 0 : run.writer.header().length),
    });
  }

  /** Takes the place behind a batch that was read; returns a function to be called when its rows are made. */
  onRead(place: InputPlace): ((rowBytes: number) => void) | undefined {
    return this.#keeper?.read(place);
  }

  /**
   * Writes what is left, and closes the files. `isWhole`: the run is finished. `wasUsed`: something was read, so files are truncated
   * even when nothing is written, and created files stay. Rejects with an `IoError`.
   */
  async end({ isWhole, wasUsed }: { readonly isWhole: boolean; readonly wasUsed: boolean }): Promise<void> {
    try {
      await this.rejects.end(wasUsed);
      if (wasUsed && this.output?.errored === null) await this.output.prepare();
      if (isWhole) await this.#keeper?.finish();
      else await this.#keeper?.stop();
    } catch (error) {
      await this.#keeper?.stop();
      throw error;
    } finally {
      if (!wasUsed) this.#undoAll();
      this.#closeAll();
    }
  }

  /** Closes the files of a run that does not begin, and removes those that it created. */
  discard(): void {
    this.#undoAll();
    this.#closeAll();
  }

  #undoAll(): void {
    this.rejects.undo();
    this.#undo();
  }

  #closeAll(): void {
    this.rejects.close();
    this.#close();
  }
}

/** Calls `act`, and `undo` when `act` throws. */
function undoing<T>(undo: () => void, act: () => T): T {
  try {
    return act();
  } catch (error) {
    undo();
    throw error;
  }
}
