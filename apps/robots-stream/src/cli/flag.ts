// Defines what a flag is: one row with its name, its texts, the reader of its value, and whether a resumed run may change it.
import type { Reader } from "./values.ts";

/** The members of a row besides the name and the reader. */
interface FlagTexts {
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
  /** The possible values, or the words that a value can begin with, for completions. The reader checks the value. */
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
  /**
   * Whether the value may change when a run is resumed. Such a flag selects neither the records to decide nor the form of the rows. Some
   * flags of the network can still change a decision: a shorter `--timeout` may make an origin unreachable.
   */
  readonly mayChange?: true;
  /** The actions of the command that accept the flag, for a command with actions; absent: all actions. */
  readonly actions?: readonly string[];
  /** What the flag does, in one or two sentences. */
  readonly about: string;
  /** The default, as the help shows it. */
  readonly otherwise?: string;
}

/** A row of a table of flags. `Value` is the type that its reader makes of a command line. */
export interface Flag<Name extends string = string, Value = unknown> extends FlagTexts {
  readonly name: Name;
  /** Reads the texts after the flag; undefined: the flag is not given. Throws a `UsageError` for an invalid text. */
  readonly valueIn: (texts: readonly string[] | undefined) => Value;
}

interface RowOf<Name extends string> extends FlagTexts {
  readonly name: Name;
}

/**
 * Makes a row. A switch has the value true if it is given. Any other flag has what `read` makes of its text, by default the text itself. If
 * the flag is not given, the value is `usual`. A repeatable flag has a list.
 */
export function flag<const Name extends string>(row: RowOf<Name> & { readonly value?: never }): Flag<Name, boolean>;
export function flag<const Name extends string, T = string>(
  row: RowOf<Name> & { readonly value: string; readonly isRepeatable: true; readonly read?: Reader<T> },
): Flag<Name, readonly T[]>;
export function flag<const Name extends string, T = string>(
  row: RowOf<Name> & { readonly value: string; readonly read?: Reader<T>; readonly usual: NoInfer<T> },
): Flag<Name, T>;
export function flag<const Name extends string, T = string>(
  row: RowOf<Name> & { readonly value: string; readonly read?: Reader<T> },
): Flag<Name, T | undefined>;
export function flag({
  read = (text) => text,
  usual,
  ...row
}: RowOf<string> & { readonly read?: Reader<unknown>; readonly usual?: unknown }): Flag {
  const { name, value, isRepeatable = false } = row;
  return {
    ...row,
    valueIn(texts) {
      if (value === undefined) return texts !== undefined;
      if (isRepeatable) return (texts ?? []).map((text) => read(text, name));
      return texts === undefined ? usual : read(texts.at(-1)!, name);
    },
  };
}

/** The last row of every table except that of the command without a name. */
export const helpFlag: Flag<"help", boolean> = flag({ name: "help", short: "h", about: "Print this." });

/** The texts of the given flags of a command line, by the names of the flags. */
export type FlagValues = Pick<ReadonlyMap<string, readonly string[]>, "get" | "has">;

/** The flags of a table on one command line. */
export interface Given<Row extends Flag> {
  /** The value of a flag, as its row reads it. Throws a `UsageError` for an invalid text. */
  get<Name extends Row["name"]>(name: Name): ValueIn<Extract<Row, Flag<Name>>>;
  has(name: Row["name"]): boolean;
  /** The first of these flags that is given. */
  first<Name extends Row["name"]>(...names: readonly Name[]): Name | undefined;
}

type ValueIn<Row> = Row extends Flag<string, infer Value> ? Value : never;

/** Returns the flags of `rows` on a command line. The command line may have other flags, and its table may lack some of `rows`. */
export function given<Row extends Flag>(values: FlagValues, rows: readonly Row[]): Given<Row> {
  return {
    get: (name) => rows.find((row) => row.name === name)!.valueIn(values.get(name)) as never,
    has: (name) => values.has(name),
    first: (...names) => names.find((name) => values.has(name)),
  };
}

/** The rows of a table whose names are not among `names`. */
export function rowsWithout<Row extends Flag, Name extends Row["name"]>(
  rows: readonly Row[],
  ...names: readonly Name[]
): readonly Exclude<Row, Flag<Name>>[] {
  const isKept = (row: Row): row is Exclude<Row, Flag<Name>> => !(names as readonly string[]).includes(row.name);
  return rows.filter(isKept);
}
