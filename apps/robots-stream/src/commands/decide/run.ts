// The command without a name, which decides every record of its input: runs it, and returns its exit code.
import { existsSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { UsageError } from "@robots-stream/engine";
import { shownWordOf, type UsedFiles } from "@robots-stream/engine/internal";
import { nearestOf } from "@robots-stream/core/internal";
import { readAgentPipes } from "../../cli/requested-agents.ts";
import { findBases } from "../../cli/file-bases.ts";
import { findFiles, type FoundFiles } from "../../cli/found-files.ts";
import { whileLocked } from "./checkpoint/lock.ts";
import { type Ended, endOf, endOfFinished } from "./end-run.ts";
import type { CommandLine } from "../../cli/command-line.ts";
import { flags, parseFlags } from "./flags.ts";
import { renderHelp, renderShortHelp } from "./help.ts";
import { type OpenRun, openRun } from "./open-run.ts";
import { earlierPartOf, usedFilesOfRun } from "./run-files.ts";
import { Observer } from "./progress/observer.ts";
import { type Settings, settingsOf, withFiles, withHistory } from "./settings.ts";
import type { Command, CommandRun } from "../../cli/command.ts";
import { exitCodeAfter, runToExitCode } from "../../cli/ending.ts";
import { DamagedOrigins } from "../../cli/robots/damaged-origins.ts";
import { versionOf } from "../../version.ts";

/** Runs the pipeline that decides all records. */
async function decideAll({ engine, output }: OpenRun): Promise<void> {
  try {
    await pipeline(
      engine.read, // splits the input files into batches of records; an invalid line becomes a reject
      engine.locate, // adds each record's origin, target and crawler to the batch, and starts loading the origin's robots.txt
      engine.decide, // turns records into rows; records wait here, grouped by origin, until their robots.txt is loaded
      output, // writes rows to stdout or --output-file
    );
  } finally {
    engine.close();
  }
}

/** Decides all records. Never rejects: failures are reported on stderr and determine the exit code. */
export function runDecide(options: CommandRun): Promise<number> {
  const { argv, stdin, stdout, signal, commands = [] } = options;
  const named = commands.filter(({ name }) => name !== "");
  return runToExitCode(options, async () => {
    const parsed = parseFlags(argv);
    if (parsed.help !== undefined)
      return { help: parsed.help === "short" ? renderShortHelp(named) : renderHelp(named) };
    if (parsed.values.has("version")) return `robots-stream ${versionOf()}\n`;
    refuseUrls(parsed);
    refuseMistypedCommand(argv, parsed.files, named);
    const asked = settingsOf(parsed, {
      pipes: await readAgentPipes(parsed.values.get("agents") ?? [], signal),
      isOnTerminal: stdout.isTTY === true,
    });
    if (parsed.files.length === 0 && stdin.isTTY === true) {
      const hint = "for example: robots-stream --agent bingbot urls.ndjson";
      throw new UsageError("no-input", "name a file, or pipe URLs in", hint);
    }
    refuseReportFiles(argv, parsed.files);
    // A named folder of logs may also contain the output files of this command line. `findFiles` leaves them out.
    const written = usedFilesOfRun({ ...asked, files: [] }, options);
    const found = findFiles(asked.files, (path) => written.isWritten(path));
    const { baseOfFile, notes } = findBases(asked.fileBases, found.files);
    const settings = { ...withFiles(asked, found.files), baseOfFile };
    const used = usedFilesOfRun(settings, options);
    used.check();
    const run = (): Promise<number> =>
      runAndReport(settings, { ...found, notes: [...found.notes, ...notes] }, used, options);
    return settings.checkpoint === undefined ? run() : whileLocked(settings.checkpoint.path, run);
  });
}

/** The command without a name. */
export const decide: Command = {
  name: "",
  args: "--agent TOKEN [flags] [FILE …]",
  about: "may this crawler fetch each URL",
  takesFiles: true,
  body: () => Promise.resolve({ flags, actions: [], run: runDecide }),
};

/** Throws a `UsageError` with a hint to the command `explain` if an input file is a URL and no file has this name. */
function refuseUrls({ files, values }: CommandLine): void {
  const url = files.find((path) => /^(?:https?|ftp):\/\//i.test(path) && !existsSync(path));
  if (url === undefined) return;
  const [agent = "bingbot"] = values.get("agent") ?? [];
  throw new UsageError(
    "unreadable-input",
    `${shownWordOf(url, 100)}: is a URL, and no file has this name`,
    `for one URL: robots-stream explain ${shownWordOf(url, 100)} --agent ${shownWordOf(agent, 60)}`,
  );
}

/** Throws a `UsageError` if the first argument resembles the name of a command and no file has this name. */
function refuseMistypedCommand(
  [first]: readonly string[],
  [file]: readonly string[],
  commands: readonly Command[],
): void {
  if (first === undefined || first !== file || existsSync(first)) return;
  const names = commands.map(({ name }) => name);
  const near = nearestOf(first, names);
  if (near === undefined) return;
  throw new UsageError(
    "unreadable-input",
    `${shownWordOf(first, 60)}: is neither a file nor a command; the commands are ${names.join(", ")}`,
    `did you mean robots-stream ${near}?`,
  );
}

/**
 * Throws a `UsageError` for `--summary out.txt` if no file out.txt exists: the user probably means `--summary=out.txt`. The same applies to
 * `--stats-json`. Without the equals sign, out.txt is an input file.
 */
function refuseReportFiles(argv: readonly string[], inputs: readonly string[]): void {
  for (const [at, flag] of argv.entries()) {
    const path = argv[at + 1];
    if ((flag !== "--summary" && flag !== "--stats-json") || path === undefined || !inputs.includes(path)) continue;
    if (path === "-" || existsSync(path)) continue;
    const shown = shownWordOf(path);
    throw new UsageError(
      "unreadable-input",
      `${shown}: no such file or directory (ENOENT); it was read as an input, because ${flag} takes its file after an equals sign`,
      `did you mean ${flag}=${shown}?`,
    );
  }
}

/** Decides all records, then writes the reports after all other messages. */
async function runAndReport(
  settings: Settings,
  { notes, details }: FoundFiles,
  used: UsedFiles,
  options: CommandRun,
): Promise<number> {
  const observer = new Observer(settings, options, versionOf());
  try {
    for (const note of notes) observer.say(note);
    if (settings.isVerbose) for (const detail of details) observer.say(detail);
    const { ended, exitCode } = await decideAndEnd(settings, used, options, observer);
    observer.report(ended, exitCode);
    return exitCode;
  } catch (error) {
    observer.stopProgress();
    return exitCodeAfter(error, observer.tell, options.signal);
  } finally {
    observer.close();
  }
}

async function decideAndEnd(named: Settings, used: UsedFiles, options: CommandRun, observer: Observer): Promise<Ended> {
  const { signal } = options;
  const damaged = new DamagedOrigins();
  const reading = { used, signal, say: observer.say, damaged };
  const asOf =
    named.historyPaths === undefined
      ? undefined
      : await (await import("./as-of.ts")).openHistory(named.historyPaths, named, reading);
  const settings = asOf === undefined ? named : withHistory(named, asOf.digest);
  let opened: OpenRun | undefined;
  try {
    const earlier = earlierPartOf(settings.checkpoint, versionOf());
    for (const origin of earlier?.damaged ?? []) damaged.add(origin);
    if (earlier?.isFinished === true) {
      return endOfFinished(earlier, settings, { used, stdin: options.stdin, observer, damaged });
    }
    opened = await openRun({ settings, used, earlier, options, observer, asOf, damaged });
  } finally {
    // An open run closes the source of the history in `OpenRun.close`.
    if (opened === undefined) await asOf?.source.close();
  }
  const run = opened;
  const stop = (): void => run.stop();
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted === true) stop();
  let failure: unknown;
  try {
    await decideAll(run);
  } catch (error) {
    failure = error;
  } finally {
    signal?.removeEventListener("abort", stop);
    await run.close();
  }
  return endOf(run, { failure, damaged, signal, settings, observer });
}
