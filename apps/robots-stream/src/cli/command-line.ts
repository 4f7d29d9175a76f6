// Parses the arguments of a command line by a table of flags into the values of the flags. Mistakes are thrown as UsageErrors.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { UsageError } from "@robots-stream/engine";
import { shownWordOf } from "@robots-stream/engine/internal";
import { nearestOf } from "@robots-stream/core/internal";

/** One flag of a command. */
export interface FlagShape<Name extends string> {
  readonly name: Name;
  readonly short?: string;
  /** Placeholder of the flag's value in the help; absent for a switch. */
  readonly value?: string;
  /** Present when the value is optional: the word after the flag is the value if this function returns true for the word. */
  readonly takes?: (word: string) => boolean;
  /**
   * Whether a word that `takes` refuses is probably a mistyped value and not a file. By default, a word of letters, digits, hyphens and
   * underscores is a mistyped value if the flag has choices.
   */
  readonly resembles?: (word: string) => boolean;
  readonly isRepeatable?: boolean;
  /** The possible values, or the words that a value can begin with, for completions. Parsing checks the value separately. */
  readonly choices?: readonly string[];
  /** Whether the value may be a comma-separated list of choices. */
  readonly isList?: boolean;
  /** The flag's value names a file to read or write, unless the value is empty or `isNone` returns true for the value. */
  readonly file?: {
    readonly use: "reads" | "writes";
    readonly isNone?: (value: string) => boolean;
    /** Returns the path in a value that also has other parts. */
    readonly pathOf?: (value: string) => string;
  };
  /** What the flag does, in one or two sentences. */
  readonly about: string;
  /** The default, as the help shows it. */
  readonly otherwise?: string;
}

/** A parsed command line: the values of each flag (one, unless the flag is repeatable), and all other words. */
export interface CommandLine<Name extends string> {
  readonly values: ReadonlyMap<Name, readonly string[]>;
  readonly files: readonly string[];
  /** The requested help: "short" for -h, "full" for --help. */
  readonly help: "short" | "full" | undefined;
}

/** The values of the given flags, for a function that reads only some of the flags of a command line. */
export type FlagValues<Name extends string> = Pick<ReadonlyMap<Name, readonly string[]>, "get" | "has">;

/** The last value of a flag; undefined when the flag was not given. */
export function lastOf<Name extends string>(values: FlagValues<Name>, name: Name): string | undefined {
  return values.get(name)?.at(-1);
}

/**
 * Parses `args` by the flags of `table`. `command` is the command's name for messages. Throws a `UsageError` for an unknown flag, and for a
 * missing, unexpected or repeated value.
 */
export function parseCommandLine<Name extends string>(
  table: readonly FlagShape<Name>[],
  args: readonly string[],
  command: string,
): CommandLine<Name> {
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
  const values = new Map<Name, string[]>();
  const files: string[] = [];
  let help: CommandLine<Name>["help"];
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
function isMistypedValue({ choices, resembles }: FlagShape<string>, word: string): boolean {
  return (resembles?.(word) ?? (choices !== undefined && /^[\w-]+$/.test(word))) && !existsSync(word);
}

/** Throws a `UsageError` for a long flag with one hyphen, such as -agent, which would be read as -a with the value "gent". */
function refuseSingleDash(table: readonly FlagShape<string>[], word: string, command: string): void {
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

function unknownFlag(table: readonly FlagShape<string>[], rawName: string, command: string): UsageError {
  const known = table.flatMap(({ name, short }) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]);
  const near = known.find((flag) => flag === `-${rawName}`) ?? nearestOf(rawName, known);
  const hint = near === undefined ? `${command} --help lists the flags` : `did you mean ${near}?`;
  const [, subcommand] = command.split(" ");
  const no = subcommand === undefined ? "there is no flag" : `${subcommand} has no flag`;
  const instead = insteadOf.get(rawName);
  if (instead !== undefined) return new UsageError("unknown-flag", `${no} ${rawName}: ${instead}`);
  return new UsageError("unknown-flag", `${no} ${shownWordOf(rawName, 60)}`, hint);
}

/**
 * Finds a flag's value among the known names, ignoring case. For any other value, throws a `UsageError` that lists the known names and
 * suggests the nearest one, if there is one.
 */
export function choiceOf<T extends string>(flag: string, text: string, known: readonly T[]): T {
  const found = known.find((name) => name.toLowerCase() === text.toLowerCase());
  if (found !== undefined) return found;
  const near = nearestOf(text, known) ?? (text.length > 2 ? known.find((name) => name.endsWith(text)) : undefined);
  throw new UsageError(
    "wrong-value",
    `--${flag} ${text === "" ? '""' : shownWordOf(text, 60)}: must be one of ${known.join(", ")}`,
    near === undefined ? undefined : `did you mean ${near}?`,
  );
}

/**
 * Returns the row of `rows` whose name is the flag's value, ignoring case. For any other value, throws the `UsageError` of `choiceOf`.
 */
export function rowOf<T extends { readonly name: string }>(flag: string, text: string, rows: readonly T[]): T {
  const names = rows.map(({ name }) => name);
  return rows[names.indexOf(choiceOf(flag, text, names))]!;
}

/** The `UsageError` for two flags that cannot be combined; `why` is the reason. */
export function notTogether(one: string, other: string, why: string): UsageError {
  return new UsageError("wrong-value", `--${one} and --${other} cannot be combined: ${why}`);
}
