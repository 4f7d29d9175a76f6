// Writes the messages and the progress line of a run to stderr, and its reports to stderr or to files.
import {
  type Engine,
  type Input,
  printableOf,
  type RobotsSource,
  type SourcedRobots,
  type Tally,
  type UsedFiles,
} from "@robots-stream/engine/internal";
import { durationText, numberText } from "../../../cli/figures.ts";
import type { CommandRun } from "../../../cli/command.ts";
import type { Terminal } from "../../../cli/live-line.ts";
import { Progress, showsProgress } from "../../../cli/progress.ts";
import { createSay, type Paint, paintFor } from "../../../cli/terminal.ts";
import { isPrinted, type Settings } from "../settings.ts";
import { Collector, type DecidedByParts } from "./collect.ts";
import { documentOf, type Ending, type SummaryDocument } from "./document.ts";
import { countsLineOf, originTextOf, progressLineOf, type RunState } from "./lines.ts";
import { LoadWatch } from "./load-watch.ts";
import { closeReports, type OpenReport, openReports, reportTextOf, writeReport } from "./reports.ts";

/** The parts of a run from which an observer makes its progress line and reports. */
export interface ObservedRun {
  readonly tally: Tally;
  /** Number of records that an earlier process of the same run counted. */
  readonly earlierRecords: number;
  /** `source`, `input` and `engine` are absent when an earlier process has already finished the run. */
  readonly source?: RobotsSource;
  readonly input?: Input;
  readonly engine?: Engine;
}

/** Milliseconds between two checks for slow loads of robots.txt files. */
const checkMs = 1_000;

/** Writes the messages, progress and reports of one run. Collects only the data that the settings request. */
export class Observer {
  /** Whether stderr is a terminal. */
  readonly isWatched: boolean;
  /** Writes a message, unless `--quiet` is given. */
  readonly say: (sentence: string) => void;
  /** Writes a message that `--quiet` does not suppress: an error. Also writes the messages of `--verbose`, which excludes `--quiet`. */
  readonly tell: (sentence: string) => void;
  readonly #settings: Pick<
    Settings,
    "reports" | "isVerbose" | "isQuiet" | "outputFormat" | "outputPath" | "targetForm"
  >;
  readonly #progress: Progress<RunState>;
  readonly #hasProgress: boolean;
  readonly #paint: Paint;
  readonly #version: string;
  readonly #startedAt = Date.now();
  /** Start of the run by the monotonic clock, because the system clock may be changed during a run. */
  readonly #beganAt = performance.now();
  readonly #collector: Collector | undefined;
  readonly #loads = new LoadWatch();
  #longLoads: NodeJS.Timeout | undefined;
  #hasForgotten = false;
  #reports: readonly OpenReport[] = [];
  #run: ObservedRun | undefined;

  constructor(
    settings: Settings,
    { stdout, stderr, env }: Pick<CommandRun, "env"> & { readonly stdout: Terminal; readonly stderr: Terminal },
    version: string,
  ) {
    this.#settings = settings;
    this.#version = version;
    this.#paint = paintFor(stderr, env);
    this.isWatched = stderr.isTTY === true;
    this.#progress = new Progress<RunState>(stderr, progressLineOf);
    // No progress line is needed when rows go to a terminal: the rows themselves show the progress.
    const rows = settings.outputPath === undefined ? stdout : {};
    this.#hasProgress = settings.hasProgress && showsProgress(stderr, rows, env);
    this.tell = createSay(this.#progress);
    this.say = settings.isQuiet ? () => undefined : this.tell;
    this.#collector = settings.reports.length > 0 ? new Collector() : undefined;
  }

  /** Whether a report is requested. The engine must then collect all counts. */
  get isCounting(): boolean {
    return this.#collector !== undefined;
  }

  /** Callbacks for the engine. `onOrigin` takes a loaded origin; `onForget` takes the counts of an origin before its matchers are freed. */
  get hooks(): {
    onOrigin?: (origin: string, robots: SourcedRobots) => void;
    onForget?: (origin: string, decided: DecidedByParts) => void;
  } {
    const collector = this.#collector;
    const { isVerbose } = this.#settings;
    return {
      ...(collector === undefined && !isVerbose
        ? {}
        : { onOrigin: (origin: string, robots: SourcedRobots) => this.#takeOrigin(origin, robots) }),
      ...(collector === undefined
        ? {}
        : {
            onForget: (origin: string, decided: DecidedByParts) => {
              this.#hasForgotten = true;
              collector.takeDecided(origin, decided, false);
            },
          }),
    };
  }

  /** Opens the files of reports. Throws a `UsageError` when a file cannot be written or has another use in this run. */
  open(used: UsedFiles): void {
    this.#reports = openReports(this.#settings.reports, used);
  }

  /** Returns a source whose loads are measured, if the progress line or `--verbose` reports slow loads; else returns `source`. */
  watch(source: RobotsSource): RobotsSource {
    return this.#hasProgress || this.#settings.isVerbose ? this.#loads.watch(source) : source;
  }

  /** Starts the progress line and the check for slow loads, if the settings request them. Stores `run` for `report`. */
  begin(run: ObservedRun): void {
    this.#run = run;
    const { tally, input, engine } = run;
    if (this.#settings.isVerbose) this.#longLoads = setInterval(() => this.#tellLongLoads(), checkMs).unref();
    if (!this.#hasProgress || input === undefined || engine === undefined) return;
    this.#progress.start(() => ({
      records: tally.records,
      origins: {
        known: tally.origins,
        fetched: tally.fetches,
        failed: tally.unreachable,
        inFlight: engine.underWay,
      },
      parkedBytes: engine.waitingBytes,
      parkedInFile: engine.spilledRecords,
      readBytes: input.readBytes,
      totalBytes: input.totalBytes,
      earlierBytes: input.earlierBytes,
      waitsFor: this.#loads.longest(),
    }));
  }

  /** Stops the progress line and the check for slow loads. */
  stopProgress(): void {
    clearInterval(this.#longLoads);
    this.#progress.stop();
  }

  /**
   * Writes the line of counts under a table or for an output file, and the requested reports. Writes nothing if `begin` was not called. Throws an `IoError` when
   * a report cannot be written.
   */
  report(ended: Ending, exitCode: number): void {
    const run = this.#run;
    const { isQuiet, outputFormat, outputPath } = this.#settings;
    // With --output-file, nothing else on the terminal shows that the run has ended.
    const hasCounts = isPrinted(outputFormat) || (outputPath !== undefined && this.isWatched);
    if (run !== undefined && ended !== "output-closed" && !isQuiet && hasCounts) {
      const line = countsLineOf(run.tally, performance.now() - this.#beganAt);
      this.#progress.write(`${this.#paint("bold", line)}\n`);
    }
    if (run === undefined || this.#collector === undefined) return;
    const { engine, earlierRecords } = run;
    const comesOnce = !this.#hasForgotten && earlierRecords === 0;
    for (const { origin, decided } of engine?.decided() ?? []) {
      this.#collector.takeDecided(origin, decided, comesOnce);
    }
    const document = this.#documentOf(run, ended, exitCode);
    for (const report of this.#reports) {
      const { fd } = report;
      if (fd === undefined && ended === "output-closed") continue;
      const strong =
        fd === undefined ? (text: string): string => this.#paint("bold", text) : (text: string): string => text;
      const text = reportTextOf(report, document, strong);
      if (fd === undefined) this.#progress.write(text);
      else writeReport(report, text);
    }
  }

  /** Closes the files of reports, and stops the progress line and the check for slow loads. */
  close(): void {
    this.stopProgress();
    closeReports(this.#reports);
    this.#reports = [];
  }

  #tellLongLoads(): void {
    const { loads, all } = this.#loads.takeLong();
    for (const { origin, ms } of loads) {
      this.tell(`${printableOf(origin)}: waiting for ${durationText(ms)}; ${numberText(all)} loads are running`);
    }
  }

  #takeOrigin(origin: string, robots: SourcedRobots): void {
    this.#collector?.takeOrigin(robots);
    if (!this.#settings.isVerbose) return;
    this.tell(originTextOf(origin, robots, this.#run?.source?.fileOf?.(origin), this.#paint));
  }

  #documentOf({ tally, source, earlierRecords, input }: ObservedRun, ended: Ending, exitCode: number): SummaryDocument {
    const { user, system } = process.cpuUsage();
    return documentOf(tally, this.#collector!, {
      version: this.#version,
      ended,
      exitCode,
      startedAt: this.#startedAt,
      endedAt: this.#startedAt + Math.round(performance.now() - this.#beganAt),
      cpuSeconds: (user + system) / 1e6,
      peakMemoryBytes: process.resourceUsage().maxRSS * 1_024,
      inputBytes: input?.readBytes ?? 0,
      targetForm: this.#settings.targetForm,
      earlierRecords,
      fileOf: (origin) => source?.fileOf?.(origin),
    });
  }
}
