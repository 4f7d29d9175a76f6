// Runs the command `completion`, which prints the completion script of a shell, made from the tables of flags.
import { UsageError } from "@robots-stream/engine";
import { shownWordOf } from "@robots-stream/engine/internal";
import { nearestOf } from "@robots-stream/core/internal";
import { commandBody } from "../../cli/command-body.ts";
import { describedCommands, type DescribedCommand } from "../../cli/command.ts";
import { outputFlags, outputOf } from "../../cli/output-format.ts";
import { bashScriptOf } from "./bash.ts";
import { fishScriptOf } from "./fish.ts";
import { zshScriptOf } from "./zsh.ts";

const formats = [{ name: "text" }] as const;

const shells = ["bash", "zsh", "fish"] as const;

const scripts: Readonly<Record<(typeof shells)[number], (described: readonly DescribedCommand[]) => string>> = {
  bash: bashScriptOf,
  zsh: zshScriptOf,
  fish: fishScriptOf,
};

export const completionCommand = commandBody({
  name: "completion",
  firstWords: shells,
  flags: outputFlags(formats),
  help: {
    start: `
robots-stream completion: a script with which the Tab key completes commands, flags and values

Usage
  robots-stream completion bash|zsh|fish

For all later shells:
  robots-stream completion bash > ~/.local/share/bash-completion/completions/robots-stream
  robots-stream completion zsh > "\${fpath[1]}/_robots-stream"
  robots-stream completion fish > ~/.config/fish/completions/robots-stream.fish

For this shell:
  source <(robots-stream completion bash)
`,
    exitCodes: {
      0: "the script was printed",
      2: "wrong usage",
      3: "the output could not be written",
    },
  },
  async run({ values, files: names, commands = [], printText }) {
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
    return printText(output, script);
  },
});
