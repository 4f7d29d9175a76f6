// Runs the command `completion`, which prints the completion script of a shell, made from the tables of flags.
import { UsageError } from "@robots-stream/engine";
import { shownWordOf } from "@robots-stream/engine/internal";
import { nearestOf } from "@robots-stream/core/internal";
import { type FlagShape, parseCommandLine } from "../../cli/command-line.ts";
import { describedCommands, type DescribedCommand } from "../../cli/command-flags.ts";
import { printTo } from "../../cli/command-output.ts";
import { runToExitCode, writeText } from "../../cli/ending.ts";
import type { CommandRun } from "../../cli/command.ts";
import { exitCodes } from "../../cli/exit-codes.ts";
import { renderRows } from "../../cli/flag-help.ts";
import { filesOfFlags, usedFilesOf } from "../../cli/named-files.ts";
import { type OutputFlagName, outputFlags, outputOf } from "../../cli/output-format.ts";
import { bashScriptOf } from "./bash.ts";
import { fishScriptOf } from "./fish.ts";
import { type Shell, shells } from "./shells.ts";
import { zshScriptOf } from "./zsh.ts";

const formats = [{ name: "text" }] as const;

/** Every flag, in the order of the help. */
export const completionFlags: readonly FlagShape<OutputFlagName | "help">[] = [
  ...outputFlags(formats),
  { name: "help", short: "h", about: "Print this." },
];

const scripts: Readonly<Record<Shell, (described: readonly DescribedCommand[]) => string>> = {
  bash: bashScriptOf,
  zsh: zshScriptOf,
  fish: fishScriptOf,
};

/** Prints the script and resolves to the exit code. Never rejects: errors are written to stderr. */
export function runCompletion(run: CommandRun): Promise<number> {
  const { argv, commands = [], stdout, stderr } = run;
  return runToExitCode(run, async () => {
    const { values, files: names } = parseCommandLine(completionFlags, argv, "robots-stream completion");
    if (values.has("help")) return { help: renderHelp() };
    const [name, ...others] = names;
    const example = "for example: source <(robots-stream completion bash)";
    if (name === undefined || others.length > 0)
      throw new UsageError("no-input", `name a shell: ${shells.join(", ")}`, example);
    const shell = shells.find((each) => each === name.toLowerCase());
    if (shell === undefined) {
      const what = `${shownWordOf(name, 60)}: no completion exists for this shell; name one of ${shells.join(", ")}`;
      const near = nearestOf(name, shells);
      throw new UsageError("wrong-value", what, near === undefined ? example : `did you mean ${near}?`);
    }
    const script = scripts[shell](await describedCommands(commands));
    const output = outputOf(values, formats);
    const used = usedFilesOf(filesOfFlags(completionFlags, values), {
      inputs: [],
      stdout: output.path === undefined ? stdout : undefined,
      stderr,
    });
    used.check();
    return printTo(output, stdout, used, async (stream) => {
      await writeText(stream, script);
      return exitCodes.done;
    });
  });
}

function renderHelp(): string {
  return `robots-stream completion: a script with which the Tab key completes commands, flags and values

Usage
  robots-stream completion bash|zsh|fish

For all later shells:
  robots-stream completion bash > ~/.local/share/bash-completion/completions/robots-stream
  robots-stream completion zsh > "\${fpath[1]}/_robots-stream"
  robots-stream completion fish > ~/.config/fish/completions/robots-stream.fish

For this shell:
  source <(robots-stream completion bash)

Flags
${renderRows(completionFlags)}

Exit codes
  0  the script was printed
  2  wrong usage
  3  the output could not be written
`;
}
