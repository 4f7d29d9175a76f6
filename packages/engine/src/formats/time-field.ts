// Finds, among the names of a record's fields, the field with the record's time.
import { option } from "../common/caller-words.ts";
import { missingField } from "./asked-text.ts";

/** The setting for the time of records, when the engine needs the time, for example with `since` or `until`. */
export interface AskedTime {
  /** The value of `timeField`; undefined: the time that the log format defines, or a field with a usual name. */
  readonly field: string | undefined;
  /** Whether records may be without a time. */
  readonly isOptional?: boolean | undefined;
}

/** Usual names of fields with a time, in the order of preference. */
export const usualTimeNames: readonly string[] = [
  "time",
  "timestamp",
  "@timestamp",
  "datetime",
  "date_time",
  "time_iso8601",
  "time_local",
  "ts",
  "date",
];

/**
 * Throws a `UsageError` unless the time is optional. Call it for a first record that has no time; `names` are the names of the record's
 * fields.
 */
export function checkMissingTime(source: string, { field, isOptional }: AskedTime, names: readonly string[]): void {
  if (isOptional === true) return;
  const naming = option("timeField", "NAME");
  const without = "no field that usually holds a time";
  throw missingField(source, { code: "no-time-field", field, naming, askedBy: undefined, without }, names);
}
