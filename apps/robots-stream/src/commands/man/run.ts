// Runs the command `man`, which prints the manual page, and returns its exit code. The package's build writes the page to robots-stream.1.
import { UsageError } from "@robots-stream/engine";
import { commandBody } from "../../cli/command-body.ts";
import { describedCommands } from "../../cli/command-flags.ts";
import { outputFlags, outputOf } from "../../cli/output-format.ts";
import { versionOf } from "../../version.ts";
import { manualOf } from "./manual.ts";

const formats = [{ name: "text" }] as const;

export const manCommand = commandBody({
  name: "man",
  flags: outputFlags(formats),
  help: {
    start: `
robots-stream man: the manual page

Usage
  robots-stream man [flags]

Prints the page robots-stream(1) for man, mandoc or groff. npm installs the same page with the package.

Examples
  robots-stream man | man -l -
  robots-stream man > ~/.local/share/man/man1/robots-stream.1
`,
    exitCodes: {
      0: "the page was printed",
      2: "wrong usage",
      3: "the output could not be written",
    },
  },
  async run({ values, files: names, commands = [], printText }) {
    if (names.length > 0)
      throw new UsageError("wrong-value", "man takes no arguments: there is one page for all commands");
    const page = manualOf(await describedCommands(commands), versionOf());
    const output = outputOf(values, formats);
    return printText(output, page);
  },
});
