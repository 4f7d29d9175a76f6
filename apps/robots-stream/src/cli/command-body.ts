// Makes a command from its table of flags, the parts of its help, and its function.
import type { Writable } from "node:stream";
import { nearestOf } from "@robots-stream/core/internal";
import { UsageError } from "@robots-stream/engine";
import { shownWordOf, type UsedFile, type UsedFiles } from "@robots-stream/engine/internal";
import type { CommandBody, CommandRun } from "./command.ts";
import { parseCommandLine } from "./command-line.ts";
import { printTo } from "./command-output.ts";
import { runToExitCode, writeText } from "./ending.ts";
import { exitCodes } from "./exit-codes.ts";
import { type Flag, type FlagValues, type Given, given, helpFlag } from "./flag.ts";
import { renderRows } from "./help-text.ts";
import { filesOfFlags, usedFilesOf } from "./named-files.ts";
import type { NamedFormat, Output } from "./output-format.ts";

/** The help of a command. Its flags stand between `start` and `end`. */
interface CommandHelp {
  /** The purpose, the usage, the description and the examples. */
  readonly start: string;
  /** Sections after the flags. */
  readonly end?: string;
  readonly exitCodes: Readonly<Record<number, string>>;
  /** What follows "stopped by Ctrl-C" and "stopped by SIGTERM"; undefined: a signal ends the command without a word. */
  readonly stopped?: string;
}

interface CommandActions<Action extends string> {
  readonly names: readonly Action[];
  /** The action in the example for a command line without one. */
  readonly example: Action;
}

/** A command line, and the surroundings of the command. */
export interface Running<Row extends Flag = Flag, Action extends string = string> extends CommandRun {
  readonly flags: Given<Row>;
  /** The texts of the flags, for functions that read flags of several commands. */
  readonly values: FlagValues;
  /** The arguments that are no flags, without the action. */
  readonly files: readonly string[];
  readonly action: Action;
  /** The files that flags name. */
  readonly namedFiles: readonly UsedFile[];
  /** Stops the command; never aborted if the process has no signal. */
  readonly signal: AbortSignal;
  readonly say: (sentence: string) => void;
  /** Returns the arguments, or "-" without arguments. Throws a `UsageError` that asks for `what` if stdin is a terminal then. */
  inputs(what: string, example: string): readonly string[];
  /**
   * Collects the files that the command uses: its inputs, the files in `named`, stdout unless the output goes into a file, and stderr.
   * Throws a `UsageError` for a written file with a second use, and if "-" is given twice.
   */
  use(inputs: readonly string[], output: Output<NamedFormat>, named?: readonly UsedFile[]): UsedFiles;
  /** Checks the files that flags name, opens the output and writes a text to it. Resolves to exit code 0. */
  printText(output: Output<NamedFormat>, text: string): Promise<number>;
  /** Opens the output and lets `write` write to it, see `printTo`. */
  print(output: Output<NamedFormat>, used: UsedFiles, write: (stream: Printed) => Promise<number>): Promise<number>;
}

/** What functions that read inputs need of a running command. */
export type InputRun = Pick<Running, "stdin" | "say" | "signal">;

type Printed = Writable & { readonly isTTY?: boolean };

interface BodyParts<Row extends Flag, Action extends string> {
  readonly name: string;
  readonly actions?: CommandActions<Action>;
  /** The words that the first argument can be, for completions, if the command has no actions. */
  readonly firstWords?: readonly string[];
  /** Every flag but `--help`, in the order of the help. */
  readonly flags: readonly Row[];
  readonly help: CommandHelp;
  /** Resolves to the exit code, or to a text to print. Rejects with the error that ends the command. */
  readonly run: (running: Running<Row, Action>) => Promise<number | string>;
}

/** Makes the body. The function `run` of the body parses the command line, prints the help, or calls `run` and reports its error. */
export function commandBody<Row extends Flag, Action extends string = string>(
  parts: BodyParts<Row, Action>,
): CommandBody {
  const { name, help, actions } = parts;
  const flags = [...parts.flags, helpFlag];
  return {
    flags,
    actions: actions?.names ?? parts.firstWords ?? [],
    run: (run) =>
      runToExitCode(run, async (say) => {
        const { stdin, stdout, stderr, signal = new AbortController().signal } = run;
        const { values, files: words } = parseCommandLine(flags, run.argv, `robots-stream ${name}`);
        if (values.has("help")) return { help: helpOf(help, flags) };
        const action = actions === undefined ? ("" as Action) : actionOf(name, actions, words[0]);
        if (actions !== undefined) refuseFlagsOf(name, action, flags, values);
        const files = actions === undefined ? words : words.slice(1);
        const namedFiles = filesOfFlags(flags, values);
        const use: Running["use"] = (inputs, { path }, named = namedFiles) => {
          if (inputs.filter((input) => input === "-").length > 1) {
            throw new UsageError("unusable-input", '"-" is given twice');
          }
          const used = usedFilesOf(named, { inputs, stdin, stdout: path === undefined ? stdout : undefined, stderr });
          used.check();
          return used;
        };
        return parts.run({
          ...run,
          flags: given(values, parts.flags),
          values,
          files,
          action,
          namedFiles,
          signal,
          say,
          inputs(what, example) {
            if (files.length > 0) return files;
            if (stdin.isTTY === true) throw new UsageError("no-input", what, `for example: ${example}`);
            return ["-"];
          },
          use,
          printText: (output, text) =>
            printTo(output, stdout, use([], output), async (stream) => {
              await writeText(stream, text);
              return exitCodes.done;
            }),
          print: (output, used, write) => printTo(output, stdout, used, write),
        });
      }),
  };
}

/** Returns the text of --help, with long lines. */
function helpOf({ start, end, exitCodes: own, stopped }: CommandHelp, flags: readonly Flag[]): string {
  const stops =
    stopped === undefined
      ? []
      : ([
          [130, `Ctrl-C${stopped}`],
          [143, `SIGTERM${stopped}`],
        ] as const);
  const codes = [...Object.entries(own), ...stops.map(([code, by]) => [String(code), `stopped by ${by}`] as const)];
  const width = Math.max(...codes.map(([code]) => code.length)) + 2;
  const rows = flags.map(({ actions, about, ...row }) => ({
    ...row,
    about: actions === undefined ? about : `${actions.join(", ")}: ${about}`,
  }));
  return `${[
    start.trim(),
    `Flags\n${renderRows(rows)}`,
    ...(end === undefined ? [] : [end.trim()]),
    `Exit codes\n${codes.map(([code, about]) => `  ${code.padEnd(width)}${about}`).join("\n")}`,
  ].join("\n\n")}\n`;
}

function actionOf<Action extends string>(
  command: string,
  { names, example }: CommandActions<Action>,
  word: string | undefined,
): Action {
  const found = names.find((each) => each === word);
  if (found !== undefined) return found;
  const list = names.join(", ");
  if (word === undefined) {
    throw new UsageError("no-input", `name an action: ${list}`, `for example: robots-stream ${command} ${example}`);
  }
  const near = nearestOf(word, names);
  const hint = near === undefined ? `robots-stream ${command} --help` : `did you mean ${command} ${near}?`;
  throw new UsageError("wrong-value", `${command} ${shownWordOf(word, 60)}: must be one of ${list}`, hint);
}

function refuseFlagsOf(command: string, action: string, flags: readonly Flag[], values: FlagValues): void {
  const other = flags.find(({ name, actions }) => values.has(name) && actions?.includes(action) === false);
  if (other === undefined) return;
  throw new UsageError(
    "unknown-flag",
    `${command} ${action} has no flag --${other.name}`,
    `robots-stream ${command} --help lists its flags`,
  );
}
