// The flags that name the source of robots.txt files or of their history, and their settings. Mistakes are thrown as UsageErrors.
import { notTogether } from "../command-line.ts";
import { flag, type FlagValues, given } from "../flag.ts";
import { networkFlags, networkSettingsOf } from "../network/flags.ts";
import { sizeFrom } from "../values.ts";
import { UsageError } from "@robots-stream/engine";
import { cacheFlags } from "../cache/settings.ts";

export const robotsFlag = flag({
  name: "robots",
  value: "DIR|FILE",
  file: { use: "reads" },
  about:
    "Use saved robots.txt files, not the network: DIR contains example.com.txt …; FILE applies to every origin. DIR or FILE may also be an archive.",
  otherwise: "the robots.txt of each origin is fetched, and fetched again when it has expired",
});

export const maxBytesFlag = flag({
  name: "max-bytes",
  value: "SIZE",
  about: "Maximum number of bytes to read from each robots.txt.",
  otherwise: "512000",
  read: sizeFrom(),
  usual: 512_000,
});

/** Reads the flags. Throws a `UsageError` for the first invalid value, and for flags that exclude each other. */
export function robotsSettingsOf(values: FlagValues) {
  refuseWithSaved(values);
  const flags = given(values, [robotsFlag, maxBytesFlag]);
  return { robotsPath: flags.get("robots"), network: networkSettingsOf(values), maxBytes: flags.get("max-bytes") };
}

/** `robotsPath`: a saved file, or a folder of saved files; undefined: the network. `maxBytes`: maximum size of one robots.txt. */
export type RobotsSettings = Readonly<ReturnType<typeof robotsSettingsOf>>;

/** Throws a `UsageError` for a flag of the network together with `--robots`, because a run with `--robots` fetches nothing. */
export function refuseWithSaved(values: FlagValues): void {
  const other = values.has("robots") ? networkFlags.find(({ name }) => values.has(name)) : undefined;
  if (other !== undefined) throw notTogether("robots", other.name, "saved files replace the network");
}

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
