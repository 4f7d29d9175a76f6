// Defines the flags of `fetch`, converts a command line to settings, and renders the help.
import { UsageError } from "@robots-stream/engine";
import type { UsedFile } from "@robots-stream/engine/internal";
import { type CacheFlagName, type CacheSettings, cacheSettingsOf } from "../../cli/cache/settings.ts";
import { type FlagShape, lastOf, parseCommandLine } from "../../cli/command-line.ts";
import { renderRows } from "../../cli/flag-help.ts";
import { type InputFlagName, type InputSettings, inputSettingsOf } from "../../cli/input-settings.ts";
import { filesOfFlags } from "../../cli/named-files.ts";
import { type NetworkFlagName, networkFlags } from "../../cli/network/flags.ts";
import { type NetworkSettings, networkSettingsOf } from "../../cli/network/settings.ts";
import {
  type Output,
  type OutputFlagName,
  outputFlags,
  outputOf,
  type TextFormat,
  textFormats,
} from "../../cli/output-format.ts";
import { shardOf, sizeOf, wholeOf } from "../../cli/values.ts";
import { readingFlags, sharedFlag } from "../../cli/shared-flags.ts";

type SharedName = Exclude<CacheFlagName, "robots" | "offline" | "refresh"> | "max-bytes" | "shard";
type FetchFlagName =
  | InputFlagName
  | NetworkFlagName
  | OutputFlagName
  | SharedName
  | "snapshot"
  | "parts"
  | "add"
  | "refresh"
  | "help";

/** Every flag, in the order of the help. */
export const fetchFlags: readonly FlagShape<FetchFlagName>[] = [
  {
    name: "snapshot",
    value: "DIR",
    about:
      "Folder of the snapshot: new, empty, or from an earlier fetch, which is then continued. Later runs read it with --robots DIR.",
  },
  {
    name: "parts",
    value: "N",
    about: "Number of files in the snapshot. Origins are divided as by --shard I/N.",
    otherwise: "1",
  },
  { ...sharedFlag("shard"), about: "Fetch only the origins of part I of N, to share the work between machines." },
  {
    name: "add",
    value: "DIR|FILE",
    file: { use: "reads" },
    isRepeatable: true,
    about:
      "Also copy the results of another snapshot, such as another machine's --shard, or those in an NDJSON export of a cache or a WARC file. Without ORIGINS, nothing is fetched.",
  },
  { name: "refresh", about: "Also request the origins that are already in the snapshot, and ignore the cache." },
  ...readingFlags,
  sharedFlag("max-bytes"),
  ...(["cache", "cache-required", "cache-max-bytes", "max-age", "max-fresh"] as const).map((name) => sharedFlag(name)),
  ...networkFlags,
  ...outputFlags(textFormats),
  { name: "help", short: "h", about: "Print this." },
];

export interface FetchSettings extends InputSettings {
  readonly files: readonly string[];
  readonly folder: string;
  /** Folders of other snapshots, and files with robots.txt files. Their entries are copied into the new snapshot. */
  readonly added: readonly string[];
  readonly parts: number;
  readonly shard: ReturnType<typeof shardOf>;
  readonly network: NetworkSettings;
  readonly maxBytes: number;
  readonly cache: CacheSettings;
  readonly output: Output<TextFormat>;
  readonly namedFiles: readonly UsedFile[];
}

/** Maximum number of parts of a snapshot. The number is limited, because each part is an open file. */
const mostParts = 1_024;

/** Parses a command line. Returns `"help"` when `--help` is given. Throws a `UsageError` for the first mistake. */
export function fetchSettingsOf(argv: readonly string[]): FetchSettings | "help" {
  const { values, files } = parseCommandLine(fetchFlags, argv, "robots-stream fetch");
  if (values.has("help")) return "help";
  const folder = lastOf(values, "snapshot");
  if (folder === undefined || folder === "") {
    throw new UsageError(
      "wrong-value",
      "--snapshot is missing: name the folder to write",
      "for example: robots-stream fetch origins.ndjson --snapshot robots/",
    );
  }
  return {
    ...inputSettingsOf(values),
    files,
    output: outputOf(values, textFormats),
    folder,
    added: values.get("add") ?? [],
    parts: wholeOf("parts", lastOf(values, "parts") ?? "1", 1, mostParts),
    shard: shardOf(lastOf(values, "shard")),
    network: networkSettingsOf(values),
    maxBytes: sizeOf("max-bytes", lastOf(values, "max-bytes")) ?? 512_000,
    // --refresh also applies to the results in the snapshot, so the flag is valid without a cache.
    cache: {
      ...cacheSettingsOf({
        get: (name) => (isOther(name) ? undefined : values.get(name)),
        has: (name) => !isOther(name) && values.has(name),
      }),
      isRefreshed: values.has("refresh"),
    },
    namedFiles: filesOfFlags(fetchFlags, values),
  };
}

function isOther(name: CacheFlagName): name is "robots" | "offline" | "refresh" {
  return name === "robots" || name === "offline" || name === "refresh";
}

export function renderFetchHelp(): string {
  return `robots-stream fetch: fetches the robots.txt of many origins once, into a snapshot

Usage
  robots-stream fetch ORIGINS … --snapshot DIR [flags]
  … | robots-stream fetch --snapshot DIR [flags]
  robots-stream fetch --snapshot DIR --add DIR|FILE …

ORIGINS is the output of robots-stream origins, or any input that robots-stream origins accepts. Each origin is requested once, in an order that spreads the requests over servers, and each result is written to DIR immediately. After a stop, the same command line continues. At the end, DIR is an indexed snapshot: --robots DIR opens it immediately and reads entries on demand. A failure is stored as a result (unreachable). The next run requests such an origin again only if its host name was not found or this machine had no network. The counts go to stdout: records = the sum of the origins' counts + records without an origin; origins = fetched + already in DIR + in other shards.

Examples
  robots-stream origins access.log.gz | robots-stream fetch --snapshot robots/
  robots-stream fetch origins.ndjson --snapshot robots/ --parts 16
  robots-stream fetch origins.ndjson --snapshot robots-2/ --shard 2/4 --cache redis://cache.example
  robots-stream fetch --snapshot robots/ --add crawl.warc.gz
  robots-stream fetch --snapshot robots/ --parts 16 --add robots-1/ --add robots-2/

Flags
${renderRows(fetchFlags)}

Exit codes
  0    the snapshot is complete
  2    wrong usage, nothing was fetched
  3    reading or writing failed, or this machine's network is down; run the command again to continue
  130  stopped by Ctrl-C; run the command again to continue
  143  stopped by SIGTERM; run the command again to continue
`;
}
