// Defines the flags about the history of robots.txt files, for every command that judges requests by the robots.txt in force at their time.
import { UsageError } from "@robots-stream/engine";
import type { CacheFlagName } from "../cache/settings.ts";
import { type FlagShape, type FlagValues, notTogether } from "../command-line.ts";
import { type NetworkFlagName, networkFlags } from "../network/flags.ts";

export type HistoryFlagName = "robots-history" | "as-of-record";

/** The flag that names the sources of a history. */
export const historyFlag: FlagShape<"robots-history"> = {
  name: "robots-history",
  value: "SOURCE",
  file: { use: "reads" },
  isRepeatable: true,
  about:
    "Judge by the robots.txt in force at the time of each request. SOURCE: a folder with example.com@2026-03-01T00:00:00Z.txt … (.404 or .503 for a status), a cache, a snapshot, an NDJSON file of cache export, or a WARC file. All sources together are one history.",
};

/** Both flags, in the order of the help. */
export const historyFlags: readonly FlagShape<HistoryFlagName>[] = [
  historyFlag,
  {
    name: "as-of-record",
    about:
      "With --robots-history: decide each record by the robots.txt in force at its time (--time-field). Adds robots.state, versions and basis.",
  },
];

/**
 * Flags that have no effect when every robots.txt comes from a history. The list also has `--access-policy`, which `historyPathsOf` accepts
 * together with a history.
 */
export const uselessWithHistory: readonly ("robots" | CacheFlagName | NetworkFlagName)[] = [
  "robots",
  "cache",
  "cache-required",
  "cache-max-bytes",
  "max-age",
  "max-fresh",
  "offline",
  "refresh",
  ...networkFlags.map(({ name }) => name),
];

/**
 * The sources of the history by which each record is decided; undefined without the flags. Throws a `UsageError` when only one of the two
 * flags is given, and for a flag that cannot be combined with these two.
 */
export function historyPathsOf<Name extends string>(
  values: FlagValues<Name | HistoryFlagName>,
): readonly string[] | undefined {
  const paths = values.get("robots-history");
  const example = "for example: --robots-history seen/ --as-of-record";
  if (!values.has("as-of-record")) {
    if (paths === undefined) return undefined;
    throw new UsageError(
      "wrong-value",
      "--robots-history needs --as-of-record: a history decides records by their time",
      example,
    );
  }
  if (paths === undefined) {
    throw new UsageError(
      "wrong-value",
      "--as-of-record needs --robots-history SOURCE, the robots.txt files of that time",
      example,
    );
  }
  const given = uselessWithHistory.find((name) => name !== "access-policy" && values.has(name as Name));
  if (given !== undefined) throw notTogether("robots-history", given, "every robots.txt comes from the history");
  if (values.has("only-differences" as Name)) {
    throw notTogether("as-of-record", "only-differences", "a record may have no answer at its time");
  }
  return paths;
}
