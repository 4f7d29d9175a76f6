// Command line and streams in, exit code out: opens what a run needs, runs the engine, and tells how it went.
import type { Writable } from "node:stream";
import {
  bugTextOf,
  type Counts,
  createOutlet,
  Engine,
  Input,
  IoError,
  openSavedSource,
  type QuestionOptions,
  questionsOf,
  readAgentPipes,
  type RecordWriter,
  type Reject,
  type RobotsSource,
  sayWholeNames,
  shortageOf,
  shownWordOf,
  takeCounts,
  Tally,
  UsageError,
  type UsedFiles,
  workerSettingsOf,
} from "@robots-stream/engine/internal";
import { whileLocked } from "./checkpoint/lock.ts";
import { exitCodeOfSignal, exitCodes } from "../../shell/exit-codes.ts";
import { fitForTerminal } from "../../shell/terminal-output.ts";
import { parseFlags } from "./flags.ts";
import { renderHelp } from "./help.ts";
import { versionOf } from "../../version.ts";
import { hearErrorEvents } from "../../shell/ending.ts";
import { createSay } from "../../shell/report.ts";
import { createNetworkSource } from "../../shell/network/network.ts";
import { RunFiles, earlierPartOf, usedFilesOfRun } from "./run-files.ts";
import type { CommandRun } from "../../shell/command.ts";
import type { Ending } from "./seen/document.ts";
import { Observer } from "./seen/observer.ts";
import { type Settings, settingsOf } from "./settings.ts";

/** How long a run that was stopped waits for whoever reads its output. */
const mostMsOfStop = 1_200;

/** Decides for every record. Never rejects: what goes wrong is told on stderr, and is the exit code. */
export async function runDecide(options: CommandRun): Promise<number> {
  const { argv, stdin, stdout, stderr, signal } = options;
  const say = createSay(stderr);
  hearErrorEvents({ stdout, stderr });
  try {
    const parsed = parseFlags(argv);
    if (parsed.values.has("help")) return await print(stdout, renderHelp());
    if (parsed.values.has("version")) return await print(stdout, `robots-stream ${versionOf()}\n`);
    const settings = settingsOf(parsed, await readAgentPipes(parsed.values.get("agents") ?? [], signal));
    if (parsed.files.length === 0 && stdin.isTTY === true) {
      throw new UsageError(
        "no-input",
        "name a file, or pipe URLs in",
        "for example: robots-stream --agent bingbot urls.ndjson",
      );
    }
    const used = usedFilesOfRun(settings, options);
    used.check();
    const go = (): Promise<number> => runObserved(settings, used, options);
    return await (settings.checkpoint === undefined ? go() : whileLocked(settings.checkpoint.path, go));
  } catch (error) {
    return exitCodeOf(error, say, undefined, signal);
  }
}

/** Runs, and writes the reports when all else is told. */
async function runObserved(settings: Settings, used: UsedFiles, options: CommandRun): Promise<number> {
  const observer = new Observer(settings, options, versionOf());
  try {
    const { ended, exitCode } = await run(settings, used, options, observer);
    observer.report(ended, exitCode);
    return exitCode;
  } catch (error) {
    observer.stopProgress();
    return exitCodeOf(error, observer.tell, undefined, options.signal);
  } finally {
    observer.close();
  }
}

/** How a run ended. */
interface Ended {
  readonly ended: Ending;
  readonly exitCode: number;
}

async function run(
  settings: Settings,
  used: UsedFiles,
  { env, stdin, stdout, signal }: CommandRun,
  observer: Observer,
): Promise<Ended> {
  const workers = settings.workers === 1 ? undefined : workerSettingsOf(settings, settings.workers);
  const { network, robotsPath, checkpoint, failOn } = settings;
  const { say, tell } = observer;
  const version = versionOf();
  const earlier = checkpoint === undefined ? undefined : earlierPartOf(checkpoint, version);
  if (checkpoint !== undefined && earlier?.isFinished === true) {
    const tally = tallyOfCounts(earlier.counts, settings.questionOptions);
    say(`${shownWordOf(checkpoint.path)}: the run is finished, ${recordsText(tally.records)}; nothing is left to do`);
    observer.open(used);
    observer.begin({ tally, earlierRecords: tally.records });
    return { ended: "finished", exitCode: exitCodeByConditions(failOn, tally) };
  }
  const createWriter = (): RecordWriter => settings.outputFormat.createWriter(settings, earlier?.writer);
  const input = new Input(settings.files, stdin, {
    ...settings,
    format: settings.inputFormat,
    givesPlaces: checkpoint !== undefined,
    from: earlier?.place ?? undefined,
    onAssumed(assumed, hint) {
      say(assumed);
      say(`  ${hint}`);
    },
  });
  await input.check(createWriter);
  sayWholeNames(settings.questions, say);
  const source: RobotsSource =
    robotsPath === undefined
      ? createNetworkSource(settings, { env, say, signal })
      : await openSavedSource(robotsPath, { maxBytes: settings.maxBytes, warn: say, used, signal });
  await source.check?.();
  const files = new RunFiles({ settings, version, earlier, used, say });
  try {
    observer.open(used);
  } catch (error) {
    files.discard();
    throw error;
  }
  if (checkpoint !== undefined && earlier !== undefined) {
    say(`${shownWordOf(checkpoint.path)}: going on behind ${recordsText(earlier.counts.numbers.records ?? 0)}`);
  }
  const writer = createWriter();
  const givesUp = new AbortController();
  let isCut = false;
  const between = {
    input,
    source,
    writer,
    output: createOutlet(files.output ?? fitForTerminal(stdout), {
      headerOf: writer.header,
      hasHeader: files.hasHeader,
      givesUp: givesUp.signal,
      // Rows of workers stand in shared memory, which the pool gives back itself.
      onWritten: (rows) => (engine instanceof Engine ? engine.giveBack(rows) : undefined),
      onLoss: () => (isCut = true),
    }),
    onRejects: (batch: readonly Reject[]) => files.rejects.take(batch),
    ...observer.hooks,
  };
  const engine =
    workers === undefined
      ? new Engine({
          ...between,
          settings: { ...settings, concurrency: network.concurrency, countsAll: observer.isCounting },
          onRead({ place }) {
            // A source that failed may be whole when the run is made again.
            return place === undefined || input.failures.length > 0 ? undefined : files.onRead(input.placeOf(place));
          },
          counts: earlier?.counts,
        })
      : new (await import("@robots-stream/engine/workers")).WorkerPool({
          ...between,
          count: settings.workers,
          settings: { ...workers, countsAll: observer.isCounting },
          createWriter: (known) => settings.outputFormat.createWriter(settings, known),
          say,
        });
  const { tally } = engine;
  files.keep({ tally, writer, onError: (error) => engine.fail(error) });
  observer.begin({ tally, engine, input, source, earlierRecords: tally.records });
  let patience: NodeJS.Timeout | undefined;
  const stop = (): void => {
    observer.stopProgress();
    engine.stop();
    patience = setTimeout(() => givesUp.abort(), mostMsOfStop);
  };
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted === true) stop();

  let failure: unknown;
  try {
    await engine.run();
  } catch (error) {
    failure = error;
  } finally {
    signal?.removeEventListener("abort", stop);
    clearTimeout(patience);
    await source.close();
  }
  observer.stopProgress();
  if (isBrokenPipe(failure)) return { ended: "output-closed", exitCode: exitCodes.done };
  const isStopped = signal?.aborted === true;
  try {
    const isWhole = failure === undefined && !isStopped && tally.isExact && input.failures.length === 0;
    await files.end({ isWhole, wasUsed: tally.records > 0 || (failure === undefined && !isStopped) });
  } catch (error) {
    failure ??= error;
  }
  for (const loss of engine.losses()) say(loss);
  for (const each of input.failures) exitCodeOf(each, tell, tally);
  if (failure !== undefined) {
    // What is in the files of reports stays when nothing was read.
    if (isWrongUsage(failure, tally)) throw failure;
    return { ended: "failed", exitCode: exitCodeOf(failure, tell, tally) };
  }

  const { records, decided, dropped, elsewhere } = tally;
  if (!tally.isExact) {
    tell(
      `a bug: ${records} records came in, but ${decided} went out, ${tally.rejects} were rejects, ${dropped} dropped, ${elsewhere} of other parts`,
    );
    return { ended: "failed", exitCode: exitCodes.failed };
  }
  if (isStopped) {
    tell(
      `stopped by ${String(signal.reason)}; ${dropped} ${dropped === 1 ? "record that was read is" : "records that were read are"} not decided`,
    );
    if (isCut) tell("nobody took what was decided last: it is lost");
    return { ended: "stopped", exitCode: exitCodeOfSignal(signal.reason) };
  }
  if (input.failures.length > 0) return { ended: "failed", exitCode: exitCodes.failed };
  return { ended: "finished", exitCode: exitCodeByConditions(failOn, tally) };
}

function exitCodeByConditions(failOn: Settings["failOn"], tally: Tally): number {
  return failOn.some(({ isMet }) => isMet(tally)) ? exitCodes.conditionMet : exitCodes.done;
}

/** The counts of a run that another process made. */
function tallyOfCounts(counts: Counts, options: QuestionOptions): Tally {
  const questions = counts.questions.flatMap(({ agent, dialect }) =>
    questionsOf([agent], { ...options, dialects: [dialect] }),
  );
  const tally = new Tally(questions);
  takeCounts(tally, counts);
  return tally;
}

type Say = (sentence: string) => void;

function exitCodeOf(error: unknown, say: Say, tally?: Tally, signal?: AbortSignal): number {
  if (signal?.aborted === true && error === signal.reason) {
    say(`stopped by ${String(error)}`);
    return exitCodeOfSignal(error);
  }
  if (error instanceof UsageError) {
    say(error.message);
    if (error.hint !== undefined) say(`  ${error.hint}`);
    return isWrongUsage(error, tally) && shortageOf(error) === undefined ? exitCodes.usage : exitCodes.failed;
  }
  const failure = error instanceof IoError ? error : shortageOf(error);
  if (failure !== undefined) {
    const after =
      tally === undefined ? "" : ` after ${recordsText(tally.decided)} ${tally.decided === 1 ? "was" : "were"} decided`;
    say(`${failure.message}${after}`);
  } else say(`a bug: ${bugTextOf(error)}`);
  return exitCodes.failed;
}

/** Whether a run did not begin: no record came, though perhaps rejects; in a later source something was read already. */
function isWrongUsage(error: unknown, tally?: Tally): error is UsageError {
  if (!(error instanceof UsageError)) return false;
  return error.code === "changed-input" || tally === undefined || tally.records === tally.rejects;
}

/** Whether the reader of the output went away: `| head -1` has what it wanted. */
function isBrokenPipe(error: unknown): boolean {
  if (!(error instanceof IoError) || error.side !== "output") return false;
  return (error.cause as NodeJS.ErrnoException).code === "EPIPE";
}

async function print(stdout: Writable, text: string): Promise<number> {
  const error = await new Promise<Error | null | undefined>((resolve) => stdout.write(text, resolve));
  if (error === null || error === undefined) return exitCodes.done;
  const failure = new IoError("output", "output", error);
  if (isBrokenPipe(failure)) return exitCodes.done;
  throw failure;
}

function recordsText(count: number): string {
  return `${count} record${count === 1 ? "" : "s"}`;
}
