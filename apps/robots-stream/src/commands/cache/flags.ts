// Defines the flags of `cache`, converts a command line to an action and its settings, and renders the help.
import { UsageError } from "@robots-stream/engine";
import { shownWordOf, type UsedFile } from "@robots-stream/engine/internal";
import { nearestOf } from "@robots-stream/core/internal";
import { cacheBytesOf } from "../../cli/cache/settings.ts";
import { type FlagShape, type FlagValues, lastOf, parseCommandLine } from "../../cli/command-line.ts";
import { renderRows } from "../../cli/flag-help.ts";
import { filesOfFlags } from "../../cli/named-files.ts";
import {
  type NamedFormat,
  type Output,
  type OutputFlagName,
  outputFlags,
  outputOf,
  textFormats,
} from "../../cli/output-format.ts";
import { timeOf } from "../../cli/values.ts";

/** The names of the actions, the first word after `cache`. */
export const cacheActions = ["path", "ls", "show", "sitemaps", "export", "import", "prune"] as const;

export type CacheAction = (typeof cacheActions)[number];

/** The output formats of `export`. Files for `import` may have either format, which is detected. */
const exportFormats: readonly [NamedFormat, NamedFormat] = [{ name: "ndjson" }, { name: "warc" }];

/** The output formats of each action that accepts `--output`. */
const formatsByAction: Partial<Readonly<Record<CacheAction, readonly [NamedFormat, ...NamedFormat[]]>>> = {
  ls: textFormats,
  show: textFormats,
  sitemaps: textFormats,
  export: exportFormats,
};

/** One flag with the actions that accept it. */
interface CacheFlag extends FlagShape<
  | OutputFlagName
  | "cache"
  | "at"
  | "body"
  | "history"
  | "newest"
  | "snapshot"
  | "older-than"
  | "superseded"
  | "all"
  | "cache-max-bytes"
  | "help"
> {
  /** The actions that accept the flag; undefined: all actions. */
  readonly actions?: readonly CacheAction[];
}

/** Every flag, in the order of the help. */
export const cacheFlags: readonly CacheFlag[] = [
  {
    name: "cache",
    value: "DIR",
    about: "Folder of the cache.",
    otherwise: "$ROBOTS_STREAM_CACHE, else the user's folder for caches",
  },
  ...outputFlags([...textFormats, exportFormats[1]]).map((flag) => ({
    ...flag,
    actions: ["ls", "show", "sitemaps", "export"] as const,
    ...(flag.name === "output"
      ? {
          about: "Output format. ls, show, sitemaps: text or ndjson. export: ndjson, or warc (each record compressed).",
          otherwise: "the format of --output-file's ending; text, for export ndjson",
        }
      : {}),
  })),
  { name: "history", actions: ["show"], about: "List every fetch of the origin, the last one first." },
  {
    name: "at",
    value: "TIME",
    actions: ["show"],
    about: "Show the last entry at or before TIME: 2026-11-21, 2026-11-21T08:00Z.",
  },
  { name: "body", actions: ["show"], about: "Write the robots.txt itself and nothing else." },
  { name: "newest", actions: ["export"], about: "Export only the last fetch of each origin." },
  {
    name: "snapshot",
    value: "DIR",
    actions: ["export"],
    about:
      "Write the export into the folder DIR as an indexed snapshot. --robots DIR opens a snapshot of any size immediately.",
  },
  { name: "older-than", value: "AGE", actions: ["prune"], about: "Remove fetches older than AGE: 90s, 30m, 12h, 7d." },
  { name: "superseded", actions: ["prune"], about: "Remove all but the last fetch of each origin." },
  { name: "all", actions: ["prune"], about: "Remove everything." },
  {
    name: "cache-max-bytes",
    value: "SIZE",
    actions: ["prune", "import"],
    about: "Maximum size of the cache after removal; the oldest fetches are removed first.",
    otherwise: "1G for import",
  },
  { name: "help", short: "h", about: "Print this." },
];

export interface CacheCommand {
  readonly action: CacheAction;
  /** The arguments of the action: origins or URLs, texts that origins contain, or files. */
  readonly names: readonly string[];
  readonly cacheText: string | undefined;
  readonly output: Output<NamedFormat>;
  readonly hasHistory: boolean;
  /** The time of `--at` in milliseconds since 1970. */
  readonly atMs: number | undefined;
  readonly isBody: boolean;
  readonly isNewest: boolean;
  /** The folder for an indexed snapshot. */
  readonly snapshotPath: string | undefined;
  readonly olderThanMs: number | undefined;
  readonly isSuperseded: boolean;
  readonly isAll: boolean;
  readonly maxBytes: number | undefined;
  readonly namedFiles: readonly UsedFile[];
}

/** Parses a command line. Returns `"help"` when `--help` is given. Throws a `UsageError` for the first mistake. */
export function cacheCommandOf(argv: readonly string[]): CacheCommand | "help" {
  const { values, files } = parseCommandLine(cacheFlags, argv, "robots-stream cache");
  if (values.has("help")) return "help";
  const action = actionOf(files[0]);
  const names = files.slice(1);
  for (const { name, actions } of cacheFlags) {
    if (values.has(name) && actions?.includes(action) === false) {
      throw new UsageError(
        "unknown-flag",
        `cache ${action} has no flag --${name}`,
        "robots-stream cache --help lists its flags",
      );
    }
  }
  checkNames(action, names, values.has("all"));
  const other = (["output", "output-file"] as const).find((name) => values.has(name));
  if (values.has("snapshot") && other !== undefined) {
    throw new UsageError("wrong-value", `--snapshot and --${other} cannot be combined: a snapshot is a folder`);
  }
  const [at, olderThan] = [lastOf(values, "at"), lastOf(values, "older-than")];
  const command: CacheCommand = {
    action,
    names,
    cacheText: lastOf(values, "cache"),
    output: outputOfAction(values, action),
    hasHistory: values.has("history"),
    atMs: at === undefined ? undefined : momentOf(at),
    isBody: values.has("body"),
    isNewest: values.has("newest"),
    snapshotPath: lastOf(values, "snapshot"),
    olderThanMs: olderThan === undefined ? undefined : timeOf("older-than", olderThan),
    isSuperseded: values.has("superseded"),
    isAll: values.has("all"),
    maxBytes: cacheBytesOf(lastOf(values, "cache-max-bytes")),
    namedFiles: filesOfFlags(cacheFlags, values),
  };
  checkTogether(command);
  return command;
}

/** Returns the output of an action. With `--body`, the ending of the output file's name does not select a format. */
function outputOfAction(values: FlagValues<OutputFlagName | "body">, action: CacheAction): Output<NamedFormat> {
  const formats = formatsByAction[action] ?? textFormats;
  const isBody = values.has("body") && !values.has("output");
  return isBody ? { format: formats[0], path: lastOf(values, "output-file") } : outputOf(values, formats);
}

function actionOf(name: string | undefined): CacheAction {
  const found = cacheActions.find((action) => action === name);
  if (found !== undefined) return found;
  const list = cacheActions.join(", ");
  if (name === undefined)
    throw new UsageError("no-input", `name an action: ${list}`, "for example: robots-stream cache ls");
  const near = nearestOf(name, cacheActions);
  const hint = near === undefined ? "robots-stream cache --help" : `did you mean cache ${near}?`;
  throw new UsageError("wrong-value", `cache ${shownWordOf(name, 60)}: must be one of ${list}`, hint);
}

function checkNames(action: CacheAction, names: readonly string[], isAll: boolean): void {
  if (action === "path" && names.length > 0) throw new UsageError("wrong-value", "cache path takes no names");
  if (action === "show" && names.length === 0) {
    throw new UsageError("no-input", "name an origin", "for example: robots-stream cache show https://example.com");
  }
  if (action === "prune" && isAll && names.length > 0) {
    throw new UsageError("wrong-value", "--all and names of origins cannot be combined");
  }
}

function checkTogether({ action, isBody, output, hasHistory, atMs, names, ...rest }: CacheCommand): void {
  const isJson = output.format.name === "ndjson";
  if (action === "show" && Number(isBody) + Number(isJson && !hasHistory) + Number(hasHistory) > 1) {
    throw new UsageError("wrong-value", "--body cannot be combined with --output ndjson or --history");
  }
  if (hasHistory && atMs !== undefined) throw new UsageError("wrong-value", "--history and --at cannot be combined");
  if (isBody && names.length > 1) throw new UsageError("wrong-value", "--body takes one origin");
  const { isAll, isSuperseded, olderThanMs, maxBytes } = rest;
  if (action === "prune" && names.length === 0 && !isAll && !isSuperseded && (olderThanMs ?? maxBytes) === undefined) {
    throw new UsageError("no-input", "say what to remove", "for example: robots-stream cache prune --older-than 30d");
  }
}

/**
 * Converts an ISO 8601 date, or date and time, to milliseconds since 1970. A time without a zone is UTC. Throws a `UsageError` for any
 * other text, and for a time before 1970.
 */
function momentOf(text: string): number {
  const [, day, time = "", zone = ""] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/i.exec(text) ?? [];
  const ms = day === undefined ? Number.NaN : Date.parse(`${day}T${time || "00:00"}${zone || "Z"}`);
  if (ms >= 0) return ms;
  throw new UsageError(
    "wrong-value",
    `--at ${shownWordOf(text, 60)}: must be a date or a time`,
    "for example: --at 2026-11-21 or --at 2026-11-21T08:00Z",
  );
}

export function renderCacheHelp(): string {
  const rows = cacheFlags.map(({ actions, about, ...flag }) => ({
    ...flag,
    about: `${actions === undefined ? "" : `${actions.join(", ")}: `}${about}`,
  }));
  return `robots-stream cache: the robots.txt files that earlier runs fetched

Usage
  robots-stream cache path                      where the cache is
  robots-stream cache ls [TEXT …]               origins (that contain TEXT) and their last fetch
  robots-stream cache show ORIGIN|URL …         the last fetch of an origin, with its robots.txt
  robots-stream cache sitemaps [TEXT …]         the sitemaps that the files name, one per line
  robots-stream cache export [ORIGIN|URL …]     every fetch
  robots-stream cache import [FILE|- …]         adds an export, or the robots.txt files of any WARC
  robots-stream cache prune [ORIGIN|URL …]      removes fetches

Examples
  robots-stream cache show https://example.com --at 2026-11-01
  robots-stream cache show https://example.com/page --body > robots.txt
  robots-stream cache export --output-file robots.warc.gz
  robots-stream cache export --newest --snapshot robots-2026-11
  robots-stream cache prune --older-than 90d --superseded

Flags
${renderRows(rows)}

Exit codes
  0    done
  1    show: the cache has no entry for an origin
  2    wrong usage, nothing was done
  3    the cache, an input or the output failed
  130  stopped by Ctrl-C
  143  stopped by SIGTERM
`;
}
