// The flags that describe a log: --log-format, with a pattern or the configuration file that contains it, and --log-timezone.
import { patternsOf, LogClock } from "@robots-stream/logs";
import { IoError, UsageError } from "@robots-stream/engine";
import {
  type InputFormat,
  inputFormats,
  logFormatInput,
  readFileStart,
  shownWordOf,
} from "@robots-stream/engine/internal";
import { nearestOf } from "@robots-stream/core/internal";
import { flag } from "./flag.ts";
import { numberText } from "./figures.ts";
import type { Reader } from "./values.ts";

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
  const listed = Array.from(names.slice(0, 20), (each) => shownWordOf(each, 60)).join(", ");
  if (patterns.length === 0) {
    throw new UsageError(
      "wrong-value",
      `${shown}: has no log_format and no LogFormat`,
      "name the file that defines the format",
    );
  }
  if (name === undefined && patterns.length > 1) {
    throw new UsageError(
      "wrong-value",
      `${shown}: has ${patterns.length} patterns: ${listed}`,
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
    near === undefined ? `it has ${listed}` : `did you mean --log-format @${shownWordOf(path)}:${near}?`,
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

const zoneOf: Reader<string> = (text, name) => {
  try {
    return new LogClock(text).name;
  } catch {
    throw new UsageError(
      "wrong-value",
      `--${name} ${shownWordOf(text, 60)}: no time zone has this name`,
      `for example: --${name} Europe/Berlin, --${name} +09:00`,
    );
  }
};

export const logTimezoneFlag = flag({
  name: "log-timezone",
  value: "NAME",
  about:
    "The zone that the clock of the log shows, for times without a zone: Asia/Tokyo, +09:00. An hour that the clock shows twice, or never, stays without a zone.",
  otherwise: "such times are read as UTC and prove nothing",
  read: zoneOf,
});

/** The clock of a zone; undefined without a zone. */
export function logClockOf(zone: string | undefined): LogClock | undefined {
  return zone === undefined ? undefined : new LogClock(zone);
}

interface ReadTimes {
  /** Records whose time has no zone that is known. */
  readonly zoneless: number;
  /** Times without a zone that were converted with the clock of the log. */
  readonly clockTimes: number;
}

/**
 * The notes of a run about its times. `zone`: the value of the flag. `flags`: the given flags whose effect depends on the times of records;
 * "" if there are none.
 */
export function timeNotesOf(
  { zoneless, clockTimes }: ReadTimes,
  zone: string | undefined,
  flags: string,
): readonly string[] {
  if (zone !== undefined && clockTimes === 0) {
    return [`--log-timezone ${zone} has no effect: no time that was read is without a zone`];
  }
  if (zoneless === 0 || flags === "") return [];
  const records = zoneless === 1 ? "1 record has" : `${numberText(zoneless)} records have`;
  return zone === undefined
    ? [`${records} a time without a zone, read as UTC for ${flags}; --log-timezone names the zone of the log's clock`]
    : [`${records} only a date, or a time that the clock of ${zone} shows twice or never`];
}
