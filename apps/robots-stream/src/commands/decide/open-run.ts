// Opens the parts of a run from its settings: the input, the source of robots.txt files, the output files, and the engine that decides.
import type { Writable } from "node:stream";
import {
  Engine,
  Input,
  openSavedSource,
  type RecordWriter,
  type RobotsAsOf,
  type RobotsSource,
  shownWordOf,
  type Tally,
  textsOf,
  type UsedFiles,
} from "@robots-stream/engine/internal";
import type { CommandRun } from "../../cli/command.ts";
import { plainCountText } from "../../cli/figures.ts";
import type { Terminal } from "../../cli/live-line.ts";
import { logClockOf } from "../../cli/log-flags.ts";
import { sayMistypedNames, sayWholeNames } from "../../cli/name-notes.ts";
import { createNetworkSource } from "../../cli/network/network.ts";
import type { DamagedOrigins } from "../../cli/robots/damaged-origins.ts";
import { columnsOf, createPrintedOutput, fitForTerminal, paintFor } from "../../cli/terminal.ts";
import { versionOf } from "../../version.ts";
import type { Checkpoint } from "./checkpoint/file.ts";
import { openMembers } from "./members.ts";
import type { Observer } from "./progress/observer.ts";
import { RunFiles } from "./run-files.ts";
import type { Settings } from "./settings.ts";

/** Maximum time in milliseconds for which a stopped run waits until the reader of its output accepts the remaining rows. */
const mostMsOfStop = 1_200;

/** A run whose parts are open. No record is read before the pipeline of `engine` is started. */
export interface OpenRun {
  readonly engine: Engine;
  /** The last stage of the pipeline, which writes the rows. */
  readonly output: Writable;
  readonly tally: Tally;
  readonly input: Input;
  readonly files: RunFiles;
  /** Whether rows were lost because the reader of the output did not accept them within `mostMsOfStop` after `stop`. */
  readonly isCut: boolean;
  /** Returns sentences about parts of records that the output format cannot represent and that the rows therefore lack. */
  losses(): readonly string[];
  /** Stops reading the input and loading robots.txt files. Rows of decided records are still written, for at most `mostMsOfStop`. */
  stop(): void;
  /** Closes the source and the progress line. `files` stay open: `endOf` closes them. */
  close(): Promise<void>;
}

export interface OpenRunOptions {
  readonly settings: Settings;
  /** All files that the run reads or writes. The caller has checked that no written file has a second use. */
  readonly used: UsedFiles;
  readonly earlier: Checkpoint | undefined;
  readonly options: CommandRun;
  readonly observer: Observer;
  /** Takes the origins whose saved robots.txt files are damaged. */
  readonly damaged: DamagedOrigins;
  /** The history that decides records by their time; undefined: time has no effect on decisions. `OpenRun.close` closes its source. */
  readonly asOf: RobotsAsOf | undefined;
}

/** Opens the parts of a run. Rejects with a `UsageError` when a part cannot be opened; the content of all files then stays unchanged. */
export async function openRun(given: OpenRunOptions): Promise<OpenRun> {
  const { settings, earlier, observer, asOf, options, used, damaged } = given;
  const { say } = observer;
  const logClock = logClockOf(settings.logTimezone);
  const members = await openMembers({ settings, options, used, say, asOf, logClock });
  const memberNames = members?.flatMap(({ names }) => names);
  const createWriter = (): RecordWriter =>
    settings.outputFormat.createWriter({ ...settings, memberNames }, earlier?.writer);
  // The times of records are read if they are needed, or if a source of members can use them.
  const usesTimes = members?.some(({ fields }) => fields.includes("time")) === true;
  const input = new Input(settings.files, options.stdin, {
    ...settings,
    format: settings.inputFormat,
    texts: textsOf(members),
    time: settings.time ?? (usesTimes ? { field: undefined, isOptional: true } : undefined),
    logClock,
    givesPlaces: settings.checkpoint !== undefined,
    from: earlier?.place ?? undefined,
    onAssumed(assumed, hint) {
      say(assumed);
      say(`  ${hint}`);
    },
    onOwnHosts: say,
  });
  await input.check(createWriter);
  sayMistypedNames(
    settings.questions.map(({ agent }) => agent),
    say,
    settings.questionOptions.crawlers,
  );
  sayWholeNames(settings.questions, say, settings.agentSets);
  const source = observer.watch(await openSource(given));
  const files = openFiles(given);
  const writer = createWriter();
  const rows = await openRows(given, files);
  const engine = new Engine({
    input,
    source,
    writer,
    members,
    logClock,
    ...observer.hooks,
    asOf,
    settings: { ...settings, concurrency: settings.network.concurrency, countsAll: observer.isCounting },
    onRejects: (rejects) => files.rejects.take(rejects),
    onRead({ place }) {
      // After an input file has failed, no further place is recorded. A resumed run then reads the failed file again.
      return place === undefined || input.failures.length > 0 ? undefined : files.onRead(input.placeOf(place));
    },
    counts: earlier?.counts,
  });
  const givesUp = new AbortController();
  let isCut = false;
  const output = engine.outputTo(rows, {
    hasHeader: files.hasHeader,
    givesUp: givesUp.signal,
    onLoss: () => (isCut = true),
  });
  const { tally } = engine;
  files.keep({ tally, writer, damaged: () => damaged.names, onError: (error) => engine.fail(error) });
  observer.begin({ tally, engine, input, source, earlierRecords: tally.records });
  let patience: NodeJS.Timeout | undefined;
  return {
    engine,
    output,
    tally,
    input,
    files,
    get isCut() {
      return isCut;
    },
    losses: () => writer.losses(),
    stop() {
      observer.stopProgress();
      engine.stop();
      patience = setTimeout(() => givesUp.abort(), mostMsOfStop);
    },
    async close() {
      clearTimeout(patience);
      await source.close();
      observer.stopProgress();
    },
  };
}

/** Opens the stream for the rows of the run: the output file, stdout, or a printer for a format for people. */
async function openRows({ settings, options }: OpenRunOptions, files: RunFiles): Promise<Writable> {
  const { outputFormat, questions, agentField, hasDialect } = settings;
  const { stdout, env } = options;
  if (outputFormat.createPrinter === undefined) return files.output ?? fitForTerminal(stdout, outputFormat.name);
  const { widthOfCharacter } = await import("../../cli/character-width.ts");
  const target: Terminal = files.output ?? fitForTerminal(stdout, outputFormat.name);
  const printer = outputFormat.createPrinter({
    columns: () => columnsOf(target, env),
    hasAgent: agentField !== undefined || new Set(questions.map(({ agent }) => agent)).size > 1,
    hasDialect,
    paint: paintFor(target, env),
    widthOf: widthOfCharacter,
  });
  return createPrintedOutput(target, printer);
}

async function openSource(given: OpenRunOptions): Promise<RobotsSource> {
  const { settings, used, options, asOf, damaged } = given;
  const { say } = given.observer;
  if (asOf !== undefined) return asOf.source;
  const { robotsPath, maxBytes, isVerbose } = settings;
  const { env, signal } = options;
  const source =
    robotsPath === undefined
      ? createNetworkSource(settings, { env, say, signal })
      : await openSavedSource(robotsPath, { maxBytes, warn: say, onDamaged: damaged.add, used, signal });
  await source.check?.();
  if (isVerbose && robotsPath !== undefined && source.about !== undefined) {
    say(`--robots ${shownWordOf(robotsPath)}: ${source.about}`);
  }
  return source;
}

/** Opens the files for rows, rejects and reports. If a report cannot be opened, closes the other files and throws a `UsageError`. */
function openFiles({ settings, used, earlier, observer }: OpenRunOptions): RunFiles {
  const { say } = observer;
  const files = new RunFiles({ settings, version: versionOf(), earlier, used, say });
  try {
    observer.open(used);
  } catch (error) {
    files.discard();
    throw error;
  }
  if (settings.checkpoint !== undefined && earlier !== undefined) {
    const records = plainCountText(earlier.counts.numbers.records ?? 0, "record");
    say(`${shownWordOf(settings.checkpoint.path)}: continuing after ${records}`);
  }
  return files;
}
