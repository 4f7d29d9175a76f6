// Opens the files that a run writes (rows, rejects and checkpoint), either at their beginning or at the place where an earlier process
// stopped.
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

/** The streams of a run, and the environment, which may name its cache. */
export interface RunSurroundings extends Omit<Streams, "inputs"> {
  readonly env: NodeJS.ProcessEnv;
}

/** Every file that a run reads or writes. */
export function usedFilesOfRun(settings: Settings, { env, stdin, stdout, stderr }: RunSurroundings): UsedFiles {
  const { namedFiles, files, robotsPath, historyPaths, outputPath, cache } = settings;
  const place = robotsPath === undefined && historyPaths === undefined ? cachePlaceOf(cache.text, env) : undefined;
  const named = place?.kind === "file" ? [...namedFiles, ...filesOfCache(place.path)] : namedFiles;
  return usedFilesOf(named, { inputs: files, stdin, stdout: outputPath === undefined ? stdout : undefined, stderr });
}

/** The checkpoint that a run resumes, if any. Throws a `UsageError` for the checkpoint of another run. */
export function earlierPartOf({ path, resumes, run }: CheckpointSettings, version: string): Checkpoint | undefined {
  if (!resumes) {
    refuseOtherFile(path);
    return undefined;
  }
  const earlier = readCheckpoint(path);
  if (earlier !== undefined) refuseOtherRun(path, earlier.run, { ...run, version });
  return earlier;
}

/** Options of `RunFiles`. */
export interface RunFilesOptions {
  readonly settings: Pick<Settings, "outputPath" | "rejectsPath" | "checkpoint">;
  /** The version of the program. */
  readonly version: string;
  readonly earlier: Checkpoint | undefined;
  /** All files of the run. They were compared with each other earlier. */
  readonly used: UsedFiles;
  readonly say: (sentence: string) => void;
}

/** The parts of a run that its checkpoints are made from. */
export interface KeptRun {
  readonly tally: Tally;
  readonly writer: RecordWriter;
  /** Called when a checkpoint could not be written. */
  readonly onError: (error: IoError) => void;
}

/** The open files of one run. */
export class RunFiles {
  /** The file for rows; undefined: rows go to stdout. */
  readonly output: FileOutput | undefined;
  /** Whether the output already has its header. */
  readonly hasHeader: boolean;
  readonly rejects: RejectReport;
  readonly #checkpoint: { readonly path: string; readonly run: RunDescription } | undefined;
  readonly #from: InputPlace | null;
  readonly #isResumed: boolean;
  readonly #kept: KeptFile | undefined;
  readonly #undo: () => void;
  readonly #close: () => void;
  #keeper: CheckpointKeeper | undefined;

  /** Opens the files. Throws a `UsageError` for an unusable file. Bytes that a checkpoint declares valid are never changed. */
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

  /** Begins to write checkpoints if the settings request them. */
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

  /** Takes the place after a batch that was read. Returns a callback to call when the rows of the batch are made. */
  onRead(place: InputPlace): ((rowBytes: number) => void) | undefined {
    return this.#keeper?.read(place);
  }

  /**
   * Writes remaining data and closes the files. `isWhole`: the run is finished. `wasUsed`: input was read, so files are truncated even
   * when nothing is written, and created files stay. Rejects with an `IoError`.
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

  /** Closes the files of a run that does not begin, and removes the files that it created. */
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

/** Calls `act`. When `act` throws, calls `undo` and rethrows. */
function undoing<T>(undo: () => void, act: () => T): T {
  try {
    return act();
  } catch (error) {
    undo();
    throw error;
  }
}
