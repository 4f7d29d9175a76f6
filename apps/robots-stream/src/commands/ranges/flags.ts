// Defines the flags of `ranges`, converts a command line to an action and its settings, and renders the help.
import { UsageError } from "@robots-stream/engine";
import { shownWordOf, type UsedFile, readTime } from "@robots-stream/engine/internal";
import { nearestOf } from "@robots-stream/core/internal";
import { publishedChecks, type RangeFile, rangeFiles } from "@robots-stream/verify";
import { type FlagShape, lastOf, parseCommandLine } from "../../cli/command-line.ts";
import { renderRows } from "../../cli/flag-help.ts";
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

/** The names of the actions, the first word after `ranges`. */
export const rangesActions = ["update", "show", "import"] as const;

type RangesAction = (typeof rangesActions)[number];

/** The names of the network flags that apply to requests for lists. */
const ofNetwork = ["user-agent", "timeout", "allow-private", "resolver", "proxy", "ca"] as const;

interface RangesFlag extends FlagShape<
  OutputFlagName | "ranges" | "cache" | "at" | (typeof ofNetwork)[number] | "help"
> {
  /** The actions that accept the flag; undefined: all actions. */
  readonly actions?: readonly RangesAction[];
}

/** Every flag, in the order of the help. */
export const rangesFlags: readonly RangesFlag[] = [
  {
    name: "ranges",
    value: "DIR",
    about: "Folder of the lists.",
    otherwise: "a folder in the cache",
  },
  {
    name: "cache",
    value: "DIR",
    about: "Folder of the cache.",
    otherwise: "$ROBOTS_STREAM_CACHE, else the user's folder for caches",
  },
  {
    name: "at",
    value: "TIME",
    actions: ["import"],
    about: "When the operator published this list: 2026-11-21, 2026-11-21T08:00Z.",
    otherwise: "its creationTime",
  },
  ...outputFlags(textFormats).map((flag) => ({ ...flag, actions: ["show"] as const })),
  ...networkFlags
    .filter(({ name }) => (ofNetwork as readonly NetworkFlagName[]).includes(name))
    .map((flag) => ({ ...flag, name: flag.name as (typeof ofNetwork)[number], actions: ["update"] as const })),
  { name: "help", short: "h", about: "Print this." },
];

export interface RangesCommand {
  readonly action: RangesAction;
  /** The lists to update or show, which are all lists if none is named; for `import`, the one list to import. */
  readonly lists: readonly RangeFile[];
  /** Whether the command line names the lists. */
  readonly areNamed: boolean;
  /** The file to import; "-" is stdin. */
  readonly importPath: string;
  readonly rangesText: string | undefined;
  readonly cacheText: string | undefined;
  readonly atMs: number | undefined;
  readonly output: Output<TextFormat>;
  readonly network: NetworkSettings;
  readonly namedFiles: readonly UsedFile[];
}

/** Parses a command line. Returns `"help"` when `--help` is given. Throws a `UsageError` for the first mistake. */
export function rangesCommandOf(argv: readonly string[]): RangesCommand | "help" {
  const { values, files } = parseCommandLine(rangesFlags, argv, "robots-stream ranges");
  if (values.has("help")) return "help";
  const action = actionOf(files[0]);
  for (const { name, actions } of rangesFlags) {
    if (values.has(name) && actions?.includes(action) === false) {
      throw new UsageError("unknown-flag", `ranges ${action} has no flag --${name}`, "robots-stream ranges --help");
    }
  }
  const words = files.slice(1);
  if (action === "import" && (words.length === 0 || words.length > 2)) {
    const hint = "for example: robots-stream ranges import google-common common-crawlers.json";
    throw new UsageError("no-input", "name a list and a file", hint);
  }
  const names = action === "import" ? words.slice(0, 1) : words;
  const at = lastOf(values, "at");
  return {
    action,
    lists: names.length === 0 ? rangeFiles : names.map(listOf),
    areNamed: names.length > 0,
    importPath: words[1] ?? "-",
    rangesText: lastOf(values, "ranges"),
    cacheText: lastOf(values, "cache"),
    atMs: at === undefined ? undefined : momentOf(at),
    output: outputOf(values, textFormats),
    network: networkSettingsOf(values as Parameters<typeof networkSettingsOf>[0]),
    namedFiles: filesOfFlags(rangesFlags, values),
  };
}

function actionOf(name: string | undefined): RangesAction {
  const found = rangesActions.find((action) => action === name);
  if (found !== undefined) return found;
  const list = rangesActions.join(", ");
  if (name === undefined) {
    throw new UsageError("no-input", `name an action: ${list}`, "for example: robots-stream ranges update");
  }
  const near = nearestOf(name, rangesActions);
  const hint = near === undefined ? "robots-stream ranges --help" : `did you mean ranges ${near}?`;
  throw new UsageError("wrong-value", `ranges ${shownWordOf(name, 60)}: must be one of ${list}`, hint);
}

function listOf(name: string): RangeFile {
  const found = rangeFiles.find((file) => file.name === name);
  if (found !== undefined) return found;
  const names = rangeFiles.map((file) => file.name);
  const near = nearestOf(name, names);
  throw new UsageError(
    "wrong-value",
    `${shownWordOf(name, 60)}: no list has this name; the lists are ${names.join(", ")}`,
    near === undefined ? undefined : `did you mean ${near}?`,
  );
}

function momentOf(text: string): number {
  const ms = /^\d+$/.test(text) ? Number.NaN : readTime(text).ms;
  if (!Number.isNaN(ms)) return ms;
  throw new UsageError(
    "wrong-value",
    `--at ${shownWordOf(text, 60)}: must be a date or a time`,
    "for example: --at 2026-11-21",
  );
}

export function renderRangesHelp(): string {
  const rows = rangesFlags.map(({ actions, about, ...flag }) => ({
    ...flag,
    about: `${actions === undefined ? "" : `${actions.join(", ")}: `}${about}`,
  }));
  return `robots-stream ranges: the lists of addresses that crawlers' operators publish

Usage
  robots-stream ranges update [NAME …]          fetches the lists, over https, into the cache
  robots-stream ranges show [NAME …]            shows which lists are stored, and their dates
  robots-stream ranges import NAME [FILE|-]     adds a list from a file

Examples
  robots-stream ranges update
  robots-stream ranges import google-common common-crawlers.json --at 2026-11-21
  robots-stream --agent-field user_agent --verify --base https://example.com access.log

Lists
${publishedChecks.flatMap(({ operator, files }) => files.map(({ name }) => `  ${name.padEnd(24)}${operator}`)).join("\n")}

Flags
${renderRows(rows)}

Exit codes
  0    done
  1    show: a named list is not stored
  2    wrong usage, nothing was done
  3    a list could not be fetched or read; the other lists are stored
  130  stopped by Ctrl-C
  143  stopped by SIGTERM
`;
}
