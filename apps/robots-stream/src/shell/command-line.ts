// A table of flags and the arguments in, what they say out; or the mistake, in words that help.
import { parseArgs } from "node:util";
import { nearestOf, shownWordOf, UsageError } from "@robots-stream/engine/internal";

/** One flag of a command. */
export interface FlagShape<Name extends string> {
  readonly name: Name;
  readonly short?: string;
  /** What stands for its value in the help; absent for a switch. */
  readonly value?: string;
  /** The value may be left out; the word after the flag is its value when this says so. */
  readonly takes?: (word: string) => boolean;
  readonly isRepeatable?: boolean;
  /** Its value names a file that is read or written, the empty value and what `isNone` says so of apart. */
  readonly file?: { readonly use: "reads" | "writes"; readonly isNone?: (value: string) => boolean };
  /** One sentence or two. */
  readonly about: string;
  /** What holds without the flag. */
  readonly otherwise?: string;
}

/** What a command line says: the last value of each flag, all values of the repeatable ones, all other words. */
export interface CommandLine<Name extends string> {
  readonly values: ReadonlyMap<Name, readonly string[]>;
  readonly files: readonly string[];
}

/** The values that were given, by flag: what a function that reads some of a command's flags needs of its command line. */
export type FlagValues<Name extends string> = Pick<ReadonlyMap<Name, readonly string[]>, "get" | "has">;

/** The value of a flag that counts: the last one. */
export function lastOf<Name extends string>(values: FlagValues<Name>, name: Name): string | undefined {
  return values.get(name)?.at(-1);
}

/** Reads the arguments of `command`. Throws a `UsageError` for a flag that is not in the table, or stands wrongly. */
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
  /** The index of a word that is the value of the flag before it. */
  let taken = -1;
  for (const [at, token] of tokens.entries()) {
    if (token.kind === "positional" && token.index !== taken) files.push(token.value);
    if (token.kind !== "option") continue;
    const { rawName } = token;
    let { value } = token;
    const flag = table.find(({ name }) => name === token.name);
    if (flag === undefined) throw unknownFlag(table, rawName, command);
    if (flag.takes !== undefined) {
      const next = tokens[at + 1];
      if (value === "") throw new UsageError("missing-value", `${rawName}= needs a value: ${rawName}=${flag.value}`);
      if (
        value === undefined &&
        next?.kind === "positional" &&
        next.index === token.index + 1 &&
        flag.takes(next.value)
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
  return { values, files };
}

function unknownFlag(table: readonly FlagShape<string>[], rawName: string, command: string): UsageError {
  const known = table.flatMap(({ name, short }) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]);
  const near = nearestOf(rawName, known);
  const hint = near === undefined ? `${command} --help lists the flags` : `did you mean ${near}?`;
  const [, subcommand] = command.split(" ");
  const no = subcommand === undefined ? "there is no flag" : `${subcommand} has no flag`;
  return new UsageError("unknown-flag", `${no} ${shownWordOf(rawName, 60)}`, hint);
}

/** The one of the known names that a flag's value is, in any case of letters. Throws a `UsageError` for any other. */
export function choiceOf<T extends string>(flag: string, text: string, known: readonly T[]): T {
  const found = known.find((name) => name === text.toLowerCase());
  if (found !== undefined) return found;
  const near = nearestOf(text, known);
  throw new UsageError(
    "wrong-value",
    `--${flag} ${shownWordOf(text, 60)}: must be one of ${known.join(", ")}`,
    near === undefined ? undefined : `did you mean ${near}?`,
  );
}

/** The row of a list that a flag's value names, in any case of letters. Throws a `UsageError` for any other value. */
export function rowOf<T extends { readonly name: string }>(flag: string, text: string, rows: readonly T[]): T {
  const names = rows.map(({ name }) => name);
  return rows[names.indexOf(choiceOf(flag, text, names))]!;
}

/** The mistake of two flags of which one says that the other does nothing. */
export function notTogether(one: string, other: string, why: string): UsageError {
  return new UsageError("wrong-value", `--${one} and --${other} do not go together: ${why}`);
}
