// Ends a run that has finished or failed: closes its files, writes the last messages and returns its exit code.
import { UsageError } from "@robots-stream/engine";
import { bytesOfFile, nameOf, questionsOf, shownWordOf, Tally, type UsedFiles } from "@robots-stream/engine/internal";
import type { InputStream } from "@robots-stream/engine/start";
import { exitCodeAfter, isBrokenPipe, type Progressed } from "../../cli/ending.ts";
import { exitCodeOfSignal, exitCodes } from "../../cli/exit-codes.ts";
import { countText, numberText, plainCountText } from "../../cli/figures.ts";
import { timeNotesOf } from "../../cli/log-flags.ts";
import { agentNotesOf } from "../../cli/name-notes.ts";
import type { DamagedOrigins } from "../../cli/robots/damaged-origins.ts";
import type { Checkpoint } from "./checkpoint/file.ts";
import type { OpenRun } from "./open-run.ts";
import type { Ending } from "./progress/document.ts";
import type { Observer } from "./progress/observer.ts";
import type { Settings } from "./settings.ts";

/** The kind of a run's end, and the exit code of the process. */
export interface Ended {
  readonly ended: Ending;
  readonly exitCode: number;
}

/** The result of the pipeline, and what is known about the run. */
interface EndOptions {
  /** The error of the pipeline; undefined when the pipeline finished. */
  readonly failure: unknown;
  readonly damaged: DamagedOrigins;
  readonly signal: AbortSignal | undefined;
  readonly settings: Pick<Settings, "checkpoint" | "failOn" | "window" | "historyPaths" | "logTimezone">;
  readonly observer: Observer;
}

/**
 * Closes the files of a run, writes its last messages, and resolves to the exit code. Rejects with the run's failure if the failure is a
 * `UsageError` and the run has not begun (see `progressOf`). The caller must write no reports after a rejection.
 */
export async function endOf(opened: OpenRun, options: EndOptions): Promise<Ended> {
  const { failure, signal, settings } = options;
  const { isWatched, tell, say } = options.observer;
  const { tally, input } = opened;
  const { failOn, window, historyPaths, logTimezone } = settings;
  const isStopped = signal?.aborted === true;
  const failed = await closeFiles(opened, failure, isStopped);
  if (isBrokenPipe(failed)) return { ended: "output-closed", exitCode: exitCodes.done };
  for (const loss of opened.losses()) say(loss);
  if (window !== undefined && failed === undefined) {
    for (const sentence of windowSentences(tally, window)) say(sentence);
  }
  if (failed === undefined) {
    const flags = [...windowFlagsOf(window), ...(historyPaths === undefined ? [] : ["--as-of-record"])].join(" and ");
    for (const note of timeNotesOf(tally, logTimezone, flags)) say(note);
    for (const note of agentNotesOf(tally.withoutAgentField)) say(note);
  }
  for (const each of input.failures) exitCodeAfter(each, tell, undefined, progressOf(each, tally));
  if (failed !== undefined) {
    const progress = progressOf(failed, tally);
    if (failed instanceof UsageError && !progress.hasBegun) throw failed;
    return { ended: "failed", exitCode: exitCodeAfter(failed, tell, undefined, progress) };
  }
  if (!tally.isExact) {
    const { records, decided, rejects, notDecided, elsewhere, outside } = tally;
    tell(
      `a bug: ${records} records came in, but ${decided} went out, ${rejects} were rejects, ${notDecided} not decided, ${elsewhere} of other shards, ${outside} outside the time`,
    );
    return { ended: "failed", exitCode: exitCodes.failed };
  }
  if (isStopped) {
    tell(`stopped by ${String(signal.reason)} ${howFar(tally, input)}`);
    if (opened.isCut) tell("the last decided records are lost: the reader of the output stopped reading");
    const path = settings.checkpoint?.path;
    if (path !== undefined) say(`to go on from ${shownWordOf(path)}: the same command with --resume`);
    else if (isWatched) say("this run cannot be resumed: a run with --checkpoint FILE can");
    return { ended: "stopped", exitCode: exitCodeOfSignal(signal.reason) };
  }
  const isDamaged = tellDamage(options);
  if (input.failures.length > 0 || isDamaged) return { ended: "failed", exitCode: exitCodes.failed };
  return endOfWhole(tally, failOn, tell);
}

/** Tells that saved robots.txt files are damaged, and returns whether there are any. The run then fails. */
function tellDamage({
  damaged,
  observer,
  settings: { historyPaths },
}: Pick<EndOptions, "damaged" | "observer"> & { readonly settings: Pick<Settings, "historyPaths"> }): boolean {
  const hasHistory = historyPaths !== undefined;
  const damage = damaged.sentence(
    hasHistory ? "parts of their histories are not known" : "records of such origins were decided as unreachable",
  );
  if (damage !== undefined) observer.tell(damage);
  return damage !== undefined;
}

/** Ends a run that has decided its whole input. If no record has a URL, the run fails: the input format was probably detected wrongly. */
function endOfWhole(tally: Tally, failOn: Settings["failOn"], tell: Observer["tell"]): Ended {
  if (tally.hasNoUrls) {
    tell(
      `none of the ${plainCountText(tally.records, "record")} has a URL; robots-stream detect FILE shows how the input is read`,
    );
    return { ended: "failed", exitCode: exitCodes.failed };
  }
  const isMet = failOn.some((condition) => condition.isMet(tally));
  return { ended: "finished", exitCode: isMet ? exitCodes.conditionMet : exitCodes.done };
}

type Window = NonNullable<Settings["window"]>;

/** Returns sentences with the effect of --since and --until: the number of records read, and how many were decided or left out. */
function windowSentences(
  { records, decided, rejects, outside, timeless, elsewhere }: Tally,
  window: Window,
): readonly string[] {
  const flags = windowFlagsOf(window).join(" and ");
  const counts = `${numberText(decided)} decided, ${countText(rejects, "reject")}, ${numberText(outside)} outside ${flags}`;
  const others = elsewhere === 0 ? "" : `, ${numberText(elsewhere)} in other shards`;
  const unread = countText(timeless, "record whose time cannot be read is", "records whose time cannot be read are");
  return [
    `${countText(records, "record")}: ${counts}${others}`,
    ...(timeless === 0 ? [] : [`${unread} among those outside`]),
  ];
}

function windowFlagsOf(window: Window | undefined): readonly string[] {
  if (window === undefined) return [];
  return [...(window.sinceMs > -Infinity ? ["--since"] : []), ...(window.untilMs < Infinity ? ["--until"] : [])];
}

/**
 * Returns the progress of a stopped run: "after 12,345 records were decided (37 % of the input was read); 2 records that were read are not
 * decided".
 */
function howFar({ decided, notDecided }: Tally, { readBytes, totalBytes }: OpenRun["input"]): string {
  const done = `${countText(decided, "record was", "records were")} decided`;
  const share = totalBytes === undefined || totalBytes === 0 ? 1 : Math.min(1, readBytes / totalBytes);
  const read =
    share === 1 ? "" : ` (${share < 0.01 ? "less than 1" : Math.floor(share * 100)} % of the input was read)`;
  const left = countText(notDecided, "record that was read is", "records that were read are");
  return `after ${done}${read}${notDecided === 0 ? "" : `; ${left} not decided`}`;
}

/** Closes the written files. Resolves to `failure`; if `failure` is undefined, to the error of closing the files, if any. */
async function closeFiles({ tally, input, files }: OpenRun, failure: unknown, isStopped: boolean): Promise<unknown> {
  try {
    const isWhole = failure === undefined && !isStopped && tally.isExact && input.failures.length === 0;
    const inputBytes = input.readBytes === input.totalBytes ? input.totalBytes : undefined;
    const wasUsed = tally.records > 0 || (failure === undefined && !isStopped);
    await files.end({ isWhole, inputBytes, wasUsed });
    return failure;
  } catch (error) {
    return failure ?? error;
  }
}

/**
 * Ends a run that an earlier process has finished according to the checkpoint. Reads no input and writes no rows. Throws a `UsageError`
 * when the sources have another size now, because their new records are not decided.
 */
export function endOfFinished(
  { counts, inputBytes }: Checkpoint,
  settings: Settings,
  {
    used,
    stdin,
    observer,
    damaged,
  }: Pick<EndOptions, "damaged" | "observer"> & { readonly used: UsedFiles; readonly stdin: InputStream },
): Ended {
  const { checkpoint, files, questionOptions, failOn } = settings;
  checkSize(files, stdin, inputBytes);
  const questions = counts.questions.flatMap(({ agent, dialect }) =>
    questionsOf([agent], { ...questionOptions, dialects: [dialect] }),
  );
  const tally = new Tally(questions);
  tally.take(counts);
  const path = shownWordOf(checkpoint!.path);
  observer.say(`${path}: the run is finished, ${plainCountText(tally.records, "record")}; nothing is left to do`);
  observer.open(used);
  observer.begin({ tally, earlierRecords: tally.records });
  if (tellDamage({ damaged, observer, settings })) return { ended: "failed", exitCode: exitCodes.failed };
  return endOfWhole(tally, failOn, observer.tell);
}

/**
 * Throws a `UsageError` when the total size of the sources is not `inputBytes`. Checks nothing if `inputBytes` is undefined, or if a source
 * is missing or is not a regular file.
 */
function checkSize(files: Settings["files"], stdin: InputStream, inputBytes: number | undefined): void {
  const bytes = files.reduce((sum, path) => sum + (bytesOfFile(path, stdin) ?? NaN), 0);
  if (inputBytes === undefined || Number.isNaN(bytes) || bytes === inputBytes) return;
  const what = files.length === 1 ? nameOf(files[0]!) : "the input";
  throw new UsageError(
    "changed-input",
    `${what}: has ${bytes} bytes by now, and had ${inputBytes} when the run was finished, so the checkpoint does not match it`,
    "without --resume the run starts over and replaces its output",
  );
}

/**
 * Returns the progress of a run, for messages. A run has begun when a valid record was read, unless `error` reports that the input differs
 * from the checkpoint.
 */
function progressOf(error: unknown, { records, rejects, decided }: Tally): Progressed {
  const isOtherInput = error instanceof UsageError && error.code === "ERR_CHANGED_INPUT";
  const hasBegun = records > rejects && !isOtherInput;
  return { hasBegun, after: ` after ${plainCountText(decided, "record")} ${decided === 1 ? "was" : "were"} decided` };
}
