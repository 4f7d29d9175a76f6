// Runs the command `diff`, which compares two robots.txt files, and returns its exit code.
import { setImmediate } from "node:timers/promises";
import { type RobotsDiff, diffRobots, everybody } from "@robots-stream/diff";
import { UsageError } from "@robots-stream/engine";
import type { CommandRun } from "../../cli/command.ts";
import { paintFor } from "../../cli/colours.ts";
import { printTo } from "../../cli/command-output.ts";
import { endedBySignals } from "../../cli/ended-by-signals.ts";
import { runToExitCode, writeText } from "../../cli/ending.ts";
import { exitCodes } from "../../cli/exit-codes.ts";
import { usedFilesOf } from "../../cli/named-files.ts";
import { isUrl, type OpenSource, openSources } from "../../cli/robots/sources.ts";
import { comparedIn, type DiffCondition, type DiffSettings, diffSettingsOf, renderDiffHelp } from "./flags.ts";
import { type LogFlips, readFlips } from "./log-flips.ts";
import { githubOf } from "./print-github.ts";
import { jsonOf } from "./print-json.ts";
import { textOf } from "./print-text.ts";
import type { Compared } from "./types.ts";

/** Compares the files and resolves to the exit code. Never rejects: errors are written to stderr. */
export function runDiff(run: CommandRun): Promise<number> {
  const { argv, env, stdin, stdout, stderr } = run;
  return runToExitCode(run, async (say) => {
    const settings = await diffSettingsOf(argv, run.signal);
    if (settings === "help") return { help: renderDiffHelp() };
    const names = [settings.old, settings.new];
    if ([...names, ...settings.logs].filter((name) => name === "-").length > 1) {
      throw new UsageError("unusable-input", '"-" is given twice');
    }
    const inputs = [...names, ...settings.logs].filter((name) => !isUrl(name));
    const { network, output } = settings;
    const rowsTo = output.path === undefined ? stdout : undefined;
    const used = usedFilesOf(settings.namedFiles, { inputs, stdin, stdout: rowsTo, stderr });
    used.check();
    const sources = openSources(names, { stdin, network, robotsPath: undefined, used, env, say });
    const signal = run.signal ?? new AbortController().signal;
    return printTo(output, stdout, used, async (stream) => {
      const compared = await compare(settings, sources, { run, say, signal });
      const isText = output.format.name === "text";
      const { format } = output;
      const text = isText
        ? textOf(compared, paintFor(stream, env))
        : format.name === "json"
          ? jsonOf(compared)
          : githubOf(compared, settings.failOn);
      await writeText(stream, text);
      return settings.failOn !== undefined && isMet(settings.failOn, compared)
        ? exitCodes.conditionMet
        : exitCodes.done;
    });
  });
}

async function compare(
  settings: DiffSettings,
  sources: readonly OpenSource[],
  { run, say, signal }: { run: CommandRun; say: (sentence: string) => void; signal: AbortSignal },
): Promise<Compared> {
  const bodies: Uint8Array[] = [];
  // An origin without a robots.txt is compared like an empty file, which also allows everything.
  for (const source of sources) bodies.push((await source.read(signal)) ?? new Uint8Array());
  const [old, next] = bodies as [Uint8Array, Uint8Array];
  const dialects = settings.dialects.map((dialect) => ({
    dialect,
    questions: comparedIn(dialect, settings.agents, bodies),
  }));
  const diffs: RobotsDiff[] = [];
  for (const { dialect, questions } of dialects) {
    const named = questions.map((question) => ({ ...question, name: question.agent }));
    const crawlers = settings.agents === undefined ? [everybody, ...named] : named;
    await setImmediate();
    signal.throwIfAborted();
    // The comparison of large files takes seconds.
    diffs.push(endedBySignals(() => diffRobots(old, next, { dialect, crawlers })));
  }
  const [oldSource, newSource] = sources as [OpenSource, OpenSource];
  if (settings.logs.length === 0) return { old: oldSource, new: newSource, diffs, logs: undefined };
  const asked = dialects.map(({ dialect, questions }) => ({ dialect, crawlers: questions.map(({ agent }) => agent) }));
  const logs = await readFlips(settings, { old, new: next, dialects: asked }, { stdin: run.stdin, say, signal });
  return { old: oldSource, new: newSource, diffs, logs };
}

/**
 * Whether an answer changes in the way that `--fail-on` names. With logs, only the answers to the requests in the logs are checked. Without
 * logs, the answers to all URLs are checked.
 */
function isMet(condition: DiffCondition, { diffs, logs }: Compared): boolean {
  const isCounted = (effect: string): boolean =>
    condition === "flips" ? effect === "newly-allowed" || effect === "newly-disallowed" : effect === condition;
  const flipsOf = ({ flips }: LogFlips): number =>
    (isCounted("newly-allowed") ? flips["newly-allowed"] : 0) +
    (isCounted("newly-disallowed") ? flips["newly-disallowed"] : 0);
  if (logs !== undefined) return logs.some((log) => flipsOf(log) > 0);
  return diffs.some(({ answers }) => answers.some(({ changes }) => changes.some(({ effect }) => isCounted(effect))));
}
