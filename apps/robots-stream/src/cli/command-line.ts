// Parses the arguments of a command line by a table of flags into the values of the flags. Mistakes are thrown as UsageErrors.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { UsageError } from "@robots-stream/engine";
import { shownWordOf } from "@robots-stream/engine/internal";
import { nearestOf } from "@robots-stream/core/internal";
import type { Flag } from "./flag.ts";

/** A parsed command line: the texts of each flag (one, unless the flag is repeatable), and all other words. */
export interface CommandLine {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly files: readonly string[];
  /** The requested help: "short" for -h, "full" for --help. */
  readonly help: "short" | "full" | undefined;
}

/**
 * Parses `args` by the flags of `table`. `command` is the command's name for messages. Throws a `UsageError` for an unknown flag, and for a
 * missing, unexpected or repeated value.
 */
export function parseCommandLine(table: readonly Flag[], args: readonly string[], command: string): CommandLine {
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      table.map(({ name, short, value, takes }) => [
        name,
        {
          type: value === undefined || takes !== undefined ? "boolean" : "string",
          ...(short === undefined ? {} : { short }),
        } as const,
      ]),
    ),
  });
  const values = new Map<string, string[]>();
  const files: string[] = [];
  let help: CommandLine["help"];
  /** The index of the last word that was read as the value of the preceding flag. */
  let taken = -1;
  for (const [at, token] of tokens.entries()) {
    if (token.kind === "positional" && token.index !== taken) files.push(token.value);
    if (token.kind !== "option") continue;
    const { rawName } = token;
    refuseSingleDash(table, args[token.index] ?? "", command);
    let { value } = token;
    const flag = table.find(({ name }) => name === token.name);
    if (flag === undefined) throw unknownFlag(table, rawName, command);
    if (flag.name === "help") help = rawName === "-h" && help !== "full" ? "short" : "full";
    if (flag.takes !== undefined) {
      const next = tokens[at + 1];
      if (value === "") throw new UsageError("missing-value", `${rawName}= needs a value: ${rawName}=${flag.value}`);
      if (
        value === undefined &&
        next?.kind === "positional" &&
        next.index === token.index + 1 &&
        (flag.takes(next.value) || isMistypedValue(flag, next.value))
      ) {
        value = next.value;
        taken = next.index;
      }
    } else if (flag.value === undefined) {
      if (value !== undefined) throw new UsageError("unexpected-value", `${rawName} takes no value`);
    } else if (value === undefined || (!token.inlineValue && value.startsWith("-") && value !== "-")) {
      throw new UsageError("missing-value", `${rawName} needs a value: ${rawName} ${flag.value}`);
    }
    const before = values.get(flag.name);
    if (before === undefined) values.set(flag.name, [value ?? ""]);
    else if (flag.isRepeatable === true) before.push(value ?? "");
    else if (flag.value !== undefined) throw new UsageError("repeated-flag", `${rawName} is given twice`);
  }
  return { values, files, help };
}

/**
 * Whether a word after a flag with an optional value is treated as a mistyped value; the check of the value then lists the valid values.
 * The name of an existing file is never treated as a mistyped value.
 */
function isMistypedValue({ choices, resembles }: Flag, word: string): boolean {
  return (resembles?.(word) ?? (choices !== undefined && /^[\w-]+$/.test(word))) && !existsSync(word);
}

/** Throws a `UsageError` for a long flag with one hyphen, such as -agent, which would be read as -a with the value "gent". */
function refuseSingleDash(table: readonly Flag[], word: string, command: string): void {
  const [name = ""] = word.slice(1).split("=", 1);
  if (table.some((flag) => flag.name === name)) throw unknownFlag(table, `-${name}`, command);
}

/** For each flag that users of other programs expect and no command has: what to do instead. */
const insteadOf: ReadonlyMap<string, string> = new Map([
  [
    "--workers",
    '"More than one processor" tells how to run several processes: https://github.com/robots-stream/robots-stream/blob/main/docs/PROCESSORS.md',
  ],
]);

function unknownFlag(table: readonly Flag[], rawName: string, command: string): UsageError {
  const known = table.flatMap(({ name, short }) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]);
  const near = known.find((flag) => flag === `-${rawName}`) ?? nearestOf(rawName, known);
  const hint = near === undefined ? `${command} --help lists the flags` : `did you mean ${near}?`;
  const [, subcommand] = command.split(" ");
  const no = subcommand === undefined ? "there is no flag" : `${subcommand} has no flag`;
  const instead = insteadOf.get(rawName);
  if (instead !== undefined) return new UsageError("unknown-flag", `${no} ${rawName}: ${instead}`);
  return new UsageError("unknown-flag", `${no} ${shownWordOf(rawName, 60)}`, hint);
}

/** The `UsageError` for two flags that cannot be combined; `why` is the reason. */
export function notTogether(one: string, other: string, why: string): UsageError {
  return new UsageError("wrong-value", `--${one} and --${other} cannot be combined: ${why}`);
}
