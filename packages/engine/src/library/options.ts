// Reads a program's options, each once, into frozen plain data. Throws a `UsageError` for an invalid option.
import { UsageError } from "../common/errors.ts";
import { nearestOf } from "@robots-stream/core/internal";
import { shownWordOf } from "../common/text.ts";

/** The type that `readOptions` requires of a value. "list": one text or several; "any": the caller checks the value. */
type OptionType = "string" | "boolean" | "function" | "list" | "any";

/** The names of options and the types of their values. */
export type OptionTypes = Readonly<Record<string, OptionType>>;

/** Maximum number of texts in a list. */
const mostListed = 1_000_000;

/** The error for a wrong option. */
export function wrong(option: string, what: string): UsageError {
  return new UsageError("wrong-value", `${option}: ${what}`);
}

/**
 * Reads the own members of `given`, each once: later changes, getters and proxies have no effect, and inherited members are not
 * options. Throws a `UsageError`: "ERR_INVALID_OPTION" for a name that is not in the table, "ERR_WRONG_VALUE" for a value of
 * another type or one that cannot be read.
 */
export function readOptions<T extends object>(given: T, types: OptionTypes): Readonly<T> {
  if (typeof given !== "object" || given === null) throw wrong("options", "must be an object");
  const options = Object.create(null) as Record<string, unknown>;
  for (const name of tried("options", () => Object.keys(given))) {
    if (!Object.hasOwn(types, name)) throw unknownOption(name, types);
    const value = tried(name, () => (given as Readonly<Record<string, unknown>>)[name]);
    if (value !== undefined) options[name] = checked(name, value, types[name]!);
  }
  return Object.freeze(options) as Readonly<T>;
}

function unknownOption(name: string, types: OptionTypes): UsageError {
  const near = nearestOf(name, Object.keys(types));
  const meant = near === undefined ? "" : `; did you mean ${near}?`;
  return new UsageError("invalid-option", `${shownWordOf(name, 60)}: is not an option${meant}`);
}

/** Returns the result of `read`, which may run getters or proxies of the program. Throws a `UsageError` about `option` when they throw. */
export function tried<T>(option: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw wrong(option, "cannot be read: its own code throws");
  }
}

function checked(name: string, value: unknown, type: OptionType): unknown {
  if (type === "any") return value;
  if (type === "list") return tried(name, () => listOf(name, value));
  if (typeof value === type) return value;
  throw wrong(
    name,
    type === "string" ? "must be a text" : type === "boolean" ? "must be true or false" : "must be a function",
  );
}

/** The texts of a "list" option, without repetitions. Throws a `UsageError` for another value. */
function listOf(name: string, value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  const isSet = value instanceof Set;
  if (!isSet && !Array.isArray(value)) throw wrong(name, "must be a text or a list of texts");
  const count: number = isSet ? value.size : value.length;
  if (!(count <= mostListed)) throw wrong(name, `must be no more than ${mostListed} texts`);
  const texts = isSet ? [...value] : Array.from({ length: count }, (_, at) => (value as unknown[])[at]);
  if (!texts.every((text) => typeof text === "string")) throw wrong(name, "must be texts");
  return [...new Set(texts)];
}
