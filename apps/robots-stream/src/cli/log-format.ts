// Reads the value of --log-format into an input format. The value is a pattern, or the name of a server's configuration file that contains
// patterns.
import { patternsOf } from "@robots-stream/logs";
import { IoError, UsageError } from "@robots-stream/engine";
import {
  type InputFormat,
  inputFormats,
  logFormatInput,
  readFileStart,
  shownWordOf,
} from "@robots-stream/engine/internal";
import { nearestOf } from "@robots-stream/core/internal";

/** Maximum number of bytes that are read from the beginning of a configuration file. */
const mostBytes = 1_048_576;

/** Reads a value: `PATTERN`, `@FILE`, or `@FILE:NAME`. Throws a `UsageError` for a mistake, an `IoError` for a file that cannot be read. */
export function logFormatOf(value: string): InputFormat {
  if (value.startsWith("@")) return formatInFile(value);
  const named = inputFormats.find(({ name }) => name === value.trim());
  if (named !== undefined) {
    const message = `--log-format ${named.name}: is the name of a format, not a pattern`;
    throw new UsageError("wrong-value", message, `did you mean --input ${named.name}?`);
  }
  return logFormatInput(value, "--log-format");
}

/** The path of the file that a value names; undefined for a pattern. */
export function fileOfLogFormat(value: string): string | undefined {
  return value.startsWith("@") ? placeOf(value).path : undefined;
}

function placeOf(value: string): { readonly path: string; readonly name: string | undefined } {
  const [, path = "", name] = /^@([^]*?)(?::([\w.-]+))?$/.exec(value)!;
  return { path, name };
}

function formatInFile(value: string): InputFormat {
  const { path, name } = placeOf(value);
  const shown = `--log-format ${shownWordOf(value)}`;
  const patterns = patternsOf(textOf(path));
  const names = patterns.flatMap((each) => each.name ?? []);
  if (patterns.length === 0) {
    throw new UsageError(
      "wrong-value",
      `${shown}: has no log_format and no LogFormat`,
      "name the file that defines the format",
    );
  }
  if (name === undefined && patterns.length > 1) {
    const list = names
      .map((each) => shownWordOf(each, 60))
      .slice(0, 20)
      .join(", ");
    throw new UsageError(
      "wrong-value",
      `${shown}: has ${patterns.length} patterns: ${list}`,
      `choose one: --log-format @${shownWordOf(path)}:${shownWordOf(names[0] ?? "NAME", 60)}`,
    );
  }
  // As in the server, the last pattern with this name is used.
  const found = name === undefined ? patterns[0] : patterns.findLast((each) => each.name === name);
  if (found !== undefined) return logFormatInput(found.pattern, shown);
  const near = nearestOf(name!, names);
  throw new UsageError(
    "wrong-value",
    `${shown}: has no pattern of this name`,
    near === undefined
      ? `it has ${names
          .map((each) => shownWordOf(each, 60))
          .slice(0, 20)
          .join(", ")}`
      : `did you mean --log-format @${shownWordOf(path)}:${near}?`,
  );
}

function textOf(path: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileStart(path, mostBytes);
  } catch (error) {
    throw new IoError("input", path, error);
  }
  return Buffer.from(bytes).toString("latin1");
}
