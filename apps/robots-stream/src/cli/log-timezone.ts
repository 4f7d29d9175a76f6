// Defines the flag for the zone of times without a zone, reads it, and makes the notes about such times.
import { UsageError } from "@robots-stream/engine";
import { shownWordOf } from "@robots-stream/engine/internal";
import { LogClock } from "@robots-stream/logs";
import { flag } from "./flag.ts";
import { numberText } from "./figures.ts";
import type { Reader } from "./values.ts";

/** Reads the name of a zone. */
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

/** The times that a run has read. */
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
