// Runs the command `man`, which prints the manual page, and returns its exit code. The package's build writes the page to robots-stream.1.
import { UsageError } from "@robots-stream/engine";
import { type FlagShape, parseCommandLine } from "../../cli/command-line.ts";
import { describedCommands } from "../../cli/command-flags.ts";
import { printTo } from "../../cli/command-output.ts";
import { runToExitCode, writeText } from "../../cli/ending.ts";
import type { CommandRun } from "../../cli/command.ts";
import { exitCodes } from "../../cli/exit-codes.ts";
import { renderRows } from "../../cli/flag-help.ts";
import { filesOfFlags, usedFilesOf } from "../../cli/named-files.ts";
import { type OutputFlagName, outputFlags, outputOf } from "../../cli/output-format.ts";
import { versionOf } from "../../version.ts";
import { manualOf } from "./manual.ts";

const formats = [{ name: "text" }] as const;

/** Every flag, in the order of the help. */
export const manFlags: readonly FlagShape<OutputFlagName | "help">[] = [
  ...outputFlags(formats),
  { name: "help", short: "h", about: "Print this." },
];

/** Prints the page and resolves to the exit code. Never rejects: errors are written to stderr. */
export function runMan(run: CommandRun): Promise<number> {
  const { argv, commands = [], stdout, stderr } = run;
  return runToExitCode(run, async () => {
    const { values, files: names } = parseCommandLine(manFlags, argv, "robots-stream man");
    if (values.has("help")) return { help: renderHelp() };
    if (names.length > 0)
      throw new UsageError("wrong-value", "man takes no arguments: there is one page for all commands");
    const page = manualOf(await describedCommands(commands), versionOf());
    const output = outputOf(values, formats);
    const { path } = output;
    const rowsTo = path === undefined ? stdout : undefined;
    const used = usedFilesOf(filesOfFlags(manFlags, values), { inputs: [], stdout: rowsTo, stderr });
    used.check();
    return printTo(output, stdout, used, async (stream) => {
      await writeText(stream, page);
      return exitCodes.done;
    });
  });
}

function renderHelp(): string {
  return `robots-stream man: the manual page

Usage
  robots-stream man [flags]

Prints the page robots-stream(1) for man, mandoc or groff. npm installs the same page with the package.

Examples
  robots-stream man | man -l -
  robots-stream man > ~/.local/share/man/man1/robots-stream.1

Flags
${renderRows(manFlags)}

Exit codes
  0  the page was printed
  2  wrong usage
  3  the output could not be written
`;
}
