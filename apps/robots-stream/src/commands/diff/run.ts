// Runs the command `diff`, which compares two robots.txt files, and returns its exit code.
import { setImmediate } from "node:timers/promises";
import { type RobotsDiff, diffRobots, everybody } from "@robots-stream/diff";
import { paintFor } from "../../cli/terminal.ts";
import { endedBySignals, exitCodes } from "../../cli/exit-codes.ts";
import { writeText } from "../../cli/ending.ts";
import { sayMistypedNames } from "../../cli/name-notes.ts";
import { isUrl, type OpenSource, openSources } from "../../cli/robots/sources.ts";
import { commandBody, type InputRun } from "../../cli/command-body.ts";
import { comparedIn, type DiffCondition, diffFlags, type DiffSettings, diffSettingsOf } from "./flags.ts";
import { type LogFlips, readFlips } from "./log-flips.ts";
import { githubOf, jsonOf, textOf, type Compared } from "./print.ts";

export const diffCommand = commandBody({
  name: "diff",
  flags: diffFlags,
  help: {
    start: `
robots-stream diff: which URLs does a change of robots.txt open or close, and for which crawlers?

Usage
  robots-stream diff OLD NEW [LOG …] [flags]

Compares what two robots.txt files (files, URLs, or - for stdin) mean. For each rule that is in only one file, diff shows a URL whose answer the rule changes, or proves that there is none. With logs or other lists of URLs, diff counts the requests whose answer changes. docs/DIFF.md explains the output.

Examples
  robots-stream diff https://shop.example robots.txt
  git show main:robots.txt | robots-stream diff - robots.txt --fail-on newly-disallowed
  robots-stream diff old.txt new.txt access.log.gz --base https://shop.example
`,
    exitCodes: {
      0: "both files were compared",
      1: "both files were compared, and --fail-on was met",
      2: "wrong usage, nothing was read",
      3: "something could not be read or written",
    },
    stopped: "",
  },
  async run(running) {
    const { env, stdin, say, use, print } = running;
    const settings = await diffSettingsOf(running);
    const names = [settings.old, settings.new];
    const { network, output } = settings;
    sayMistypedNames(settings.agents ?? [], say);
    const used = use(
      [...names, ...settings.logs].filter((name) => !isUrl(name)),
      output,
    );
    const sources = openSources(names, { stdin, network, robotsPath: undefined, used, env, say });
    return print(output, used, async (stream) => {
      const compared = await compare(settings, sources, running);
      const { name } = output.format;
      const text =
        name === "text"
          ? textOf(compared, paintFor(stream, env))
          : name === "json"
            ? jsonOf(compared)
            : githubOf(compared, settings.failOn);
      await writeText(stream, text);
      return settings.failOn !== undefined && isMet(settings.failOn, compared)
        ? exitCodes.conditionMet
        : exitCodes.done;
    });
  },
});

async function compare(
  settings: DiffSettings,
  sources: readonly OpenSource[],
  { stdin, say, signal }: InputRun,
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
  const logs = await readFlips(settings, { old, new: next, dialects: asked }, { stdin, say, signal });
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
