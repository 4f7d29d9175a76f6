// Defines the flags of `census`, converts a command line to settings, and renders the help.
import { type PeriodKind, periodKinds } from "@robots-stream/census";
import { UsageError } from "@robots-stream/engine";
import type { UsedFile } from "@robots-stream/engine/internal";
import {
  choiceOf,
  type FlagShape,
  type FlagValues,
  lastOf,
  notTogether,
  parseCommandLine,
} from "../../cli/command-line.ts";
import { renderRows } from "../../cli/flag-help.ts";
import { historyFlag } from "../../cli/robots/history-flags.ts";
import { sharedFlag } from "../../cli/shared-flags.ts";
import { filesOfFlags } from "../../cli/named-files.ts";
import { type Shard, shardOf, sizeOf } from "../../cli/values.ts";
import { type Output, type OutputFlagName, outputFlags, outputOf } from "../../cli/output-format.ts";

/** The output formats; the first is the default. */
const censusFormats: readonly [CensusFormat, ...CensusFormat[]] = [{ name: "text" }, { name: "json" }];

interface CensusFormat {
  readonly name: "text" | "json";
}

type CensusFlagName =
  | OutputFlagName
  | "robots"
  | "robots-history"
  | "by"
  | "agent"
  | "agents"
  | "shard"
  | "max-bytes"
  | "title"
  | "help";

/** Every flag, in the order of the help. */
export const censusFlags: readonly FlagShape<CensusFlagName>[] = [
  {
    name: "robots",
    value: "SOURCE",
    file: { use: "reads" },
    isRepeatable: true,
    about:
      "The robots.txt files to count: a snapshot, a cache, an NDJSON file of cache export, a WARC file, or a folder with example.com.txt …; a pattern such as 'captures/*.warc.gz' stands for its files.",
  },
  {
    ...historyFlag,
    about:
      "As --robots; a folder has files with times in their names, example.com@2026-03-01T00:00:00Z.txt …. All sources together are one history.",
  },
  {
    name: "by",
    value: "PERIOD",
    choices: periodKinds,
    about: `Count the robots.txt in force at the end of each PERIOD: ${periodKinds.join(", ")} (UTC).`,
    otherwise: "the newest capture of each origin",
  },
  { ...sharedFlag("agent"), about: "Count for this crawler. Several: A,B." },
  { ...sharedFlag("agents"), otherwise: "all known crawlers" },
  {
    name: "shard",
    value: "N/COUNT",
    about: "Count only part N of COUNT parts of the origins. merge adds the parts up.",
  },
  sharedFlag("max-bytes"),
  ...outputFlags(censusFormats),
  { name: "title", value: "TEXT", about: "Title of the report." },
  { name: "help", short: "h", about: "Print this." },
];

export interface CensusSettings {
  readonly sources: readonly string[];
  /** The flag that named the sources. */
  readonly from: "robots" | "robotsHistory";
  readonly by: PeriodKind | undefined;
  readonly shard: Shard | undefined;
  readonly maxBytes: number;
  readonly output: Output<CensusFormat>;
  readonly title: string | undefined;
  readonly namedFiles: readonly UsedFile[];
  readonly values: FlagValues<"agent" | "agents">;
}

/** Parses a command line. Returns `"help"` when `--help` is given. Throws a `UsageError` for the first mistake. */
export function censusSettingsOf(argv: readonly string[]): CensusSettings | "help" {
  const { values, files } = parseCommandLine(censusFlags, argv, "robots-stream census");
  if (values.has("help")) return "help";
  const example = "for example: robots-stream census --robots snapshot/ --agents ai";
  if (files.length > 0)
    throw new UsageError("wrong-value", "census reads only the sources of --robots or --robots-history", example);
  if (values.has("robots") && values.has("robots-history")) {
    throw notTogether("robots", "robots-history", "name all sources with one of them");
  }
  const sources = values.get("robots") ?? values.get("robots-history");
  if (sources === undefined)
    throw new UsageError("no-input", "name the robots.txt files to count: --robots SOURCE", example);
  const by = lastOf(values, "by");
  return {
    sources,
    from: values.has("robots") ? "robots" : "robotsHistory",
    by: by === undefined ? undefined : choiceOf("by", by, periodKinds),
    shard: shardOf(lastOf(values, "shard")),
    maxBytes: sizeOf("max-bytes", lastOf(values, "max-bytes")) ?? 512_000,
    output: outputOf(values, censusFormats),
    title: lastOf(values, "title"),
    namedFiles: filesOfFlags(censusFlags, values),
    values,
  };
}

export function renderCensusHelp(): string {
  return `robots-stream census: which share of sites closes itself to which crawler, and since when?

Usage
  robots-stream census --robots SOURCE … [flags]
  robots-stream census --robots-history SOURCE … --by quarter [flags]

Counts what the robots.txt files of many origins say, in bounded memory. A site is closed to a crawler if no URL of it is allowed, which is proved for all URLs. Unreachable origins are never counted as open, and a crawler that the group for * does not bind is not closed by it. docs/CENSUS.md defines every figure.

Examples
  robots-stream census --robots snapshot/ --agents ai
  robots-stream census --robots-history captures.warc.gz --by quarter --agents ai
  robots-stream census --robots snapshot/ --shard 1/4 -o json > part1.json

Flags
${renderRows(censusFlags)}

Exit codes
  0    everything was counted
  2    wrong usage, or sources that cannot be read
  3    the output could not be written
  130  stopped by Ctrl-C
  143  stopped by SIGTERM
`;
}
