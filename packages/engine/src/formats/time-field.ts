// Finds, among the names of a record's fields, the field with the record's time.
import { UsageError } from "../common/errors.ts";
import { shownWordOf } from "../common/text.ts";
import { withFields } from "./url-field.ts";

/** The setting for the time of records, when the engine needs the time, for example with `--since` or `--until`. */
export interface AskedTime {
  /** The value of `--time-field`; undefined: the time that the log format defines, or a field with a usual name. */
  readonly field: string | undefined;
  /** Whether records may be without a time. */
  readonly isOptional?: boolean | undefined;
}

/** Usual names of fields with a time, in the order of preference. */
const timeNames: readonly string[] = [
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

/** The index of the field whose usual name comes first in the order of preference; -1 if no field has a usual name. */
export function indexOfUsualTime(names: readonly string[]): number {
  const plain = names.map((name) => name.trim().toLowerCase().replaceAll(/[ -]/g, "_"));
  for (const usual of timeNames) {
    const index = plain.indexOf(usual);
    if (index >= 0) return index;
  }
  return -1;
}

/**
 * Throws a `UsageError` unless the time is optional. Call it for a first record that has no time; `names` are the names of the record's
 * fields.
 */
export function checkMissingTime(
  source: string,
  { field: asked, isOptional = false }: AskedTime,
  names: readonly string[],
): void {
  if (isOptional) return;
  const what = asked === undefined ? "no field that usually holds a time" : `no field "${shownWordOf(asked, 60)}"`;
  const see = "robots-stream detect FILE shows the names";
  throw withFields(
    new UsageError(
      "no-time-field",
      `${source}: the first record has ${what} (--since, --until, --as-of-record, --verify); it has ${names.length} field${names.length === 1 ? "" : "s"}`,
      asked === undefined ? `name it: --time-field NAME; ${see}` : `names are compared exactly; ${see}`,
    ),
    names,
  );
}
