// Opens, writes and closes the files of a run: rows, rejects and checkpoint. A resumed run continues the files of an earlier process.
import { closeSync, ftruncateSync } from "node:fs";
import type { UsedFiles } from "@robots-stream/engine/internal";
import { cachePlaceOf } from "../../cli/cache/settings.ts";
import { filesOfCache, type Streams, usedFilesOf } from "../../cli/named-files.ts";
import {
  type Checkpoint,
  type InputPlace,
  readCheckpoint,
  refuseOtherFile,
  removeLeftovers,
} from "./checkpoint/file.ts";
import { CheckpointKeeper, type CheckpointKeeperOptions } from "./checkpoint/keeper.ts";
import { KeptFile, openKeptFile } from "./checkpoint/kept-file.ts";
import { refuseOtherRun } from "./checkpoint/settings.ts";
import { createRejectsFile, createToldRejects, type RejectReport } from "./rejects.ts";
import type { Settings } from "./settings.ts";

/** The streams of a run, and the environment, whose variables may set the place of the cache. */
export interface RunSurroundings extends Omit<Streams, "inputs"> {
  readonly env: NodeJS.ProcessEnv;
}

/** Returns every file that a run reads or writes, including its standard streams and its cache. */
export function usedFilesOfRun(settings: Settings, { env, stdin, stdout, stderr }: RunSurroundings): UsedFiles {
  const { namedFiles, files, robotsPath, historyPaths, outputPath, cache } = settings;
  const place = robotsPath === undefined && historyPaths === undefined ? cachePlaceOf(cache.text, env) : undefined;
  const named = place?.kind === "file" ? [...namedFiles, ...filesOfCache(place.path)] : namedFiles;
  return usedFilesOf(named, { inputs: files, stdin, stdout: outputPath === undefined ? stdout : undefined, stderr });
}

/**
 * Returns the checkpoint that a run resumes; undefined without `--checkpoint`, without `--resume` and without a file. Throws a `UsageError` for the checkpoint of
 * another run, and for a file that is not a checkpoint.
 */
export function earlierPartOf(settings: Settings["checkpoint"], version: string): Checkpoint | undefined {
  if (settings === undefined) return undefined;
  const { path, resumes, run } = settings;
  if (!resumes) {
    refuseOtherFile(path);
    return undefined;
  }
  const earlier = readCheckpoint(path);
  if (earlier !== undefined) refuseOtherRun(path, earlier.run, { ...run, version });
  return earlier;
}

export interface RunFilesOptions {
  readonly settings: Pick<Settings, "outputPath" | "rejectsPath" | "checkpoint">;
  readonly version: string;
  readonly earlier: Checkpoint | undefined;
  /** All files that the run reads or writes. The caller has checked that no written file has a second use. */
  readonly used: UsedFiles;
  readonly say: (sentence: string) => void;
}

/** The open files of one run. */
export class RunFiles {
  /** The file for rows; undefined: rows go to stdout. */
  readonly output: KeptFile | undefined;
  /** Whether an earlier process has already written the header of the output. */
  readonly hasHeader: boolean;
  readonly rejects: RejectReport;
  readonly #options: RunFilesOptions;
  readonly #opened: Pick<RejectReport, "undo" | "close">[] = [];
  #keeper: CheckpointKeeper | undefined;

  /** Opens the files for rows and rejects. Throws a `UsageError` for an unusable file. Keeps all bytes that `earlier` declares valid. */
  constructor(options: RunFilesOptions) {
    this.#options = options;
    const { settings, earlier, used, say } = options;
    const { outputPath, rejectsPath, checkpoint } = settings;
    const reads = checkpoint !== undefined;
    const begin = earlier?.output.bytes ?? 0;
    this.hasHeader = begin > 0;
    if (outputPath !== undefined) {
      const { fd, undo } = openKeptFile(
        { flag: "output-file", path: outputPath, used, reads, mustBeFile: true },
        checkpoint?.resumes === true ? { place: earlier?.output } : undefined,
      );
      this.#opened.push({ undo, close: () => closeSync(fd) });
      const prepare = async (): Promise<void> => {
        await this.#keeper?.begin();
        ftruncateSync(fd, begin);
      };
      this.output = new KeptFile(fd, { begin, prepare, onWritten: () => this.#keeper?.advance() });
      // Each write reports its own error. The listener is needed, because an "error" event without a listener ends the process.
      this.output.on("error", () => undefined);
    }
    const count = earlier?.counts.numbers.rejects ?? 0;
    const prepare = async (): Promise<void> => this.#keeper?.begin();
    const kept = reads ? { place: earlier?.rejects ?? undefined, count, prepare } : undefined;
    try {
      this.rejects =
        rejectsPath === undefined ? createToldRejects(say, count) : createRejectsFile(rejectsPath, used, say, kept);
      this.#opened.push(this.rejects);
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /** Creates the writer of checkpoints if the settings request checkpoints. Call `keep` before the first batch is read. */
  keep(run: Pick<CheckpointKeeperOptions, "tally" | "writer" | "damaged" | "onError">): void {
    const { settings, version, earlier } = this.#options;
    const { checkpoint } = settings;
    if (checkpoint === undefined || this.output === undefined) return;
    removeLeftovers(checkpoint.path);
    this.#keeper = new CheckpointKeeper({
      ...run,
      path: checkpoint.path,
      run: { ...checkpoint.run, version },
      output: this.output,
      rejects: this.rejects.kept,
      from: earlier?.place ?? null,
      isResumed: earlier !== undefined,
      headerBytes: () => (this.hasHeader ? 0 : run.writer.header().length),
    });
  }

  /**
   * Takes the place after a batch that was read. Returns a callback that must be called when the rows of the batch are made (see
   * `CheckpointKeeper.read`); undefined without checkpoints.
   */
  onRead(place: InputPlace): ((rowBytes: number) => void) | undefined {
    return this.#keeper?.read(place);
  }

  /**
   * Writes the remaining rejects and the last checkpoint, and closes the files. `isWhole`: whether the run is finished. `inputBytes`: the
   * member of this name in the checkpoint of a finished run. `wasUsed`: whether input was read. If so, a file without new data is truncated
   * too. If not, files stay unchanged, and empty files that this run created are removed. Rejects with an `IoError` when a write fails.
   */
  async end({
    isWhole,
    inputBytes,
    wasUsed,
  }: {
    readonly isWhole: boolean;
    readonly inputBytes: number | undefined;
    readonly wasUsed: boolean;
  }): Promise<void> {
    try {
      await this.rejects.end(wasUsed);
      if (wasUsed && this.output?.errored === null) await this.output.prepare();
      if (isWhole) await this.#keeper?.finish(inputBytes);
      else await this.#keeper?.stop();
    } catch (error) {
      await this.#keeper?.stop();
      throw error;
    } finally {
      if (wasUsed) this.#close();
      else this.discard();
    }
  }

  /** Closes the files of a run that does not begin, and removes empty files that this run created. */
  discard(): void {
    for (const file of this.#opened) file.undo();
    this.#close();
  }

  #close(): void {
    for (const file of this.#opened) file.close();
  }
}
