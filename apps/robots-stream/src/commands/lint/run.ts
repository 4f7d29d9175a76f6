// Runs the command `lint`, which reports the findings in each robots.txt, and returns its exit code.
import { runToExitCode, writeText } from "../../cli/ending.ts";
import type { Writable } from "node:stream";
import { type FindingSeverity, lint } from "@robots-stream/core/lint";
import { UsageError } from "@robots-stream/engine";
import { printableOf, reasonOf } from "@robots-stream/engine/internal";
import type { CommandRun } from "../../cli/command.ts";
import { exitCodes } from "../../cli/exit-codes.ts";
import { printTo } from "../../cli/command-output.ts";
import { usedFilesOf } from "../../cli/named-files.ts";
import { type LintSettings, lintSettingsOf, renderLintHelp } from "./flags.ts";
import { countsInWords, isAtLeast } from "./severities.ts";
import { type OpenSource, isUrl, openSources } from "../../cli/robots/sources.ts";

type Say = (sentence: string) => void;

/** Lints the sources and resolves to the exit code. Never rejects: errors are written to stderr. */
export function runLint(run: Omit<CommandRun, "env"> & Partial<Pick<CommandRun, "env">>): Promise<number> {
  const { argv, env = {}, stdin, stdout, stderr, signal } = run;
  return runToExitCode(run, async (say) => {
    const settings = lintSettingsOf(argv);
    if (settings === "help") return { help: renderLintHelp() };
    if (settings.names.length === 0 && stdin.isTTY === true) {
      throw new UsageError("no-input", "name a robots.txt", "for example: robots-stream lint robots.txt");
    }
    const names = settings.names.length === 0 ? ["-"] : settings.names;
    const inputs = names.filter((name) => !isUrl(name));
    const { namedFiles, network, robotsPath } = settings;
    const { path } = settings.output;
    const rowsTo = path === undefined ? stdout : undefined;
    const used = usedFilesOf(namedFiles, { inputs, stdin, stdout: rowsTo, stderr });
    used.check();
    const sources = openSources(names, { stdin, network, robotsPath, used, env, say });
    const stopping = signal ?? new AbortController().signal;
    return printTo(settings.output, stdout, used, (stream) => lintAll(settings, sources, stream, say, stopping));
  });
}

async function lintAll(
  { output: { format }, level, failOn }: LintSettings,
  sources: readonly OpenSource[],
  stdout: Writable,
  say: Say,
  signal: AbortSignal,
): Promise<number> {
  const counts: Record<FindingSeverity, number> = { error: 0, warning: 0, info: 0 };
  const writer = format.createWriter();
  let read = 0;
  let unread = 0;
  for (const source of sources) {
    let bytes: Uint8Array | undefined;
    try {
      bytes = await source.read(signal);
    } catch (error) {
      signal.throwIfAborted();
      say(printableOf(reasonOf(error), 500));
      unread++;
      continue;
    }
    if (bytes === undefined) continue;
    read++;
    const findings = lint(bytes);
    for (const { severity } of findings) counts[severity]++;
    await writeText(
      stdout,
      writer.file({ source, findings: findings.filter(({ severity }) => isAtLeast(severity, level)) }),
    );
  }
  await writeText(stdout, writer.end());
  if (format.name === "text" && read > 0) {
    say(`${countsInWords(counts)} in ${read === 1 ? "1 file" : `${read} files`}`);
  }
  if (unread > 0) return exitCodes.failed;
  const isMet = failOn !== "none" && (counts.error > 0 || (failOn === "warning" && counts.warning > 0));
  return isMet ? exitCodes.conditionMet : exitCodes.done;
}
