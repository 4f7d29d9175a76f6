// Derives the settings of the workers from the settings of a run. Throws when the run cannot be divided among workers.
import { statSync } from "node:fs";
import { UsageError } from "../errors.ts";
import type { EngineSettings } from "../engine.ts";
import type { WriterOptions } from "../formats/types.ts";
import type { ReadOptions } from "../records/batch.ts";
import type { RobotsSource } from "../robots/types.ts";
import type { WorkerSettings } from "./messages.ts";

/**
 * Number of loads that a worker may start in addition to twice the concurrency. The main thread limits the requests themselves. The
 * number is large because many of a worker's loads may wait for a server that loads of other workers also wait for.
 */
const moreLoadsOfWorker = 1_024;

/** The settings of a run that its workers need. */
export interface DividedSettings
  extends
    Omit<EngineSettings, "concurrency" | "countsAll">,
    WriterOptions,
    Pick<ReadOptions, "maxLineBytes" | "urlField" | "time" | "logRows" | "hostBases"> {
  readonly outputFormat: { readonly name: string };
  /** The zone of the clock that wrote times without a zone. */
  readonly logTimezone: string | undefined;
  /** Path of the saved robots.txt files that each worker opens itself; undefined: the main thread loads each robots.txt. */
  readonly robotsPath: string | undefined;
  readonly maxBytes: number;
  /** The checkpoint, which is a single position in the input. A run with a checkpoint cannot have workers. */
  readonly checkpoint: unknown;
  readonly network: { readonly concurrency: number };
}

/**
 * Completes the settings of workers after the main thread has opened the source of robots.txt. Each worker opens the source too, unless
 * opening reads the whole source (`isQuick` is false): the main thread then loads each robots.txt.
 */
export function withSource(settings: WorkerSettings, { isQuick, digest }: RobotsSource): WorkerSettings {
  return isQuick === false ? { ...settings, robotsPath: undefined } : { ...settings, robotsDigest: digest };
}

/** The settings of each of `count` workers. Throws a `UsageError` for settings that exclude workers. */
export function workerSettingsOf(settings: DividedSettings, count: number): WorkerSettings {
  const {
    questions,
    questionOptions,
    agentField,
    hasDialect,
    hasKind,
    targetForm,
    rows,
    onlyDifferences,
    only,
    window,
  } = settings;
  const {
    urlField,
    time,
    logRows,
    logTimezone,
    hostBases,
    maxLineBytes,
    resultKey,
    csvSafe,
    robotsPath,
    maxBytes,
    parkBytes,
    matcherBytes,
    shard,
  } = settings;
  if (settings.checkpoint !== undefined) {
    throw new UsageError(
      "wrong-value",
      "--workers and --checkpoint cannot be combined: a checkpoint is one position in the input",
    );
  }
  const saved = robotsPath === undefined ? undefined : statSync(robotsPath, { throwIfNoEntry: false });
  if (saved !== undefined && !saved.isFile() && !saved.isDirectory()) {
    throw new UsageError("wrong-value", "--workers needs --robots to be a file or a folder: every worker reads it");
  }
  return {
    questions,
    questionOptions,
    agentField,
    hasDialect,
    hasKind,
    targetForm,
    rows,
    onlyDifferences,
    only,
    window,
    countsAll: false,
    outputFormat: settings.outputFormat.name,
    resultKey,
    csvSafe,
    urlField,
    time,
    logRows,
    logTimezone,
    hostBases,
    maxLineBytes,
    robotsPath,
    robotsDigest: undefined,
    maxBytes,
    shard,
    // With saved robots.txt files, a run without workers writes rows in the order of the records. A run with workers does the same.
    isOrdered: settings.isOrdered || robotsPath !== undefined,
    parkBytes: Math.ceil(parkBytes / count),
    matcherBytes: Math.ceil(matcherBytes / count),
    concurrency: settings.network.concurrency * 2 + moreLoadsOfWorker,
  };
}
