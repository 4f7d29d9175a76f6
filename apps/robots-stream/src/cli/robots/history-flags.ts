// Defines the flags about the history of robots.txt files, for every command that judges requests by the robots.txt in force at their time.
import { UsageError } from "@robots-stream/engine";
import { cacheFlags } from "../cache/settings.ts";
import { notTogether } from "../command-line.ts";
import { flag, type FlagValues, given } from "../flag.ts";
import { networkFlags } from "../network/flags.ts";
import { robotsFlag } from "./settings.ts";

/** The flag that names the sources of a history. */
export const historyFlag = flag({
  name: "robots-history",
  value: "SOURCE",
  file: { use: "reads" },
  isRepeatable: true,
  about:
    "Judge by the robots.txt in force at the time of each request. SOURCE: a folder with example.com@2026-03-01T00:00:00Z.txt … (.404 or .503 for a status), a cache, a snapshot, an NDJSON file of cache export, or a WARC file. All sources together are one history.",
});

/** Both flags, in the order of the help. */
export const historyFlags = [
  historyFlag,
  flag({
    name: "as-of-record",
    about:
      "With --robots-history: decide each record by the robots.txt in force at its time (--time-field). Adds robots.state, versions and basis.",
  }),
];

/**
 * Flags that have no effect when every robots.txt comes from a history. The list also has `--access-policy`, which `historyPathsOf` accepts
 * together with a history.
 */
export const uselessWithHistory = [robotsFlag, ...cacheFlags, ...networkFlags].map(({ name }) => name);

/**
 * The sources of the history by which each record is decided; undefined without the flags. Throws a `UsageError` when only one of the two
 * flags is given, and for a flag that cannot be combined with these two.
 */
export function historyPathsOf(values: FlagValues): readonly string[] | undefined {
  const flags = given(values, historyFlags);
  const paths = flags.get("robots-history");
  const example = "for example: --robots-history seen/ --as-of-record";
  if (!flags.has("as-of-record")) {
    if (paths.length === 0) return undefined;
    throw new UsageError(
      "wrong-value",
      "--robots-history needs --as-of-record: a history decides records by their time",
      example,
    );
  }
  if (paths.length === 0) {
    throw new UsageError(
      "wrong-value",
      "--as-of-record needs --robots-history SOURCE, the robots.txt files of that time",
      example,
    );
  }
  const other = uselessWithHistory.find((name) => name !== "access-policy" && values.has(name));
  if (other !== undefined) throw notTogether("robots-history", other, "every robots.txt comes from the history");
  if (values.has("only-differences")) {
    throw notTogether("as-of-record", "only-differences", "a record may have no answer at its time");
  }
  return paths;
}
