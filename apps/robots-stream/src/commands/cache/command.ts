// Defines the command line of `cache`: its actions and flags, what an action gets of them, and the origins that its arguments name.
import { UsageError } from "@robots-stream/engine";
import { parseRequestUrl, shownWordOf } from "@robots-stream/engine/internal";
import type { SqliteStore } from "@robots-stream/fetch/sqlite";
import { cacheFolderFlag, cacheMaxBytesFlag } from "../../cli/cache/settings.ts";
import type { CommandRun } from "../../cli/command.ts";
import type { Running } from "../../cli/command-body.ts";
import { flag } from "../../cli/flag.ts";
import {
  type NamedFormat,
  type Output,
  outputFileFlag,
  outputFlag,
  outputOf,
  textFormats,
} from "../../cli/output-format.ts";
import { age, moment } from "../../cli/values.ts";

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

/** Every flag, in the order of the help. */
export const cacheFlags = [
  cacheFolderFlag,
  {
    ...outputFlag,
    actions: ["ls", "show", "sitemaps", "export"],
    about: "Output format. ls, show, sitemaps: text or ndjson. export: ndjson, or warc (each record compressed).",
    otherwise: "the format of --output-file's ending; text, for export ndjson",
  },
  { ...outputFileFlag, actions: ["ls", "show", "sitemaps", "export"] },
  flag({ name: "history", actions: ["show"], about: "List every fetch of the origin, the last one first." }),
  flag({
    name: "at",
    value: "TIME",
    actions: ["show"],
    about: "Show the last entry at or before TIME: 2026-11-21, 2026-11-21T08:00Z.",
    read: moment,
  }),
  flag({ name: "body", actions: ["show"], about: "Write the robots.txt itself and nothing else." }),
  flag({ name: "newest", actions: ["export"], about: "Export only the last fetch of each origin." }),
  flag({
    name: "snapshot",
    value: "DIR",
    actions: ["export"],
    about:
      "Write the export into the folder DIR as an indexed snapshot. --robots DIR opens a snapshot of any size immediately.",
  }),
  flag({
    name: "older-than",
    value: "AGE",
    actions: ["prune"],
    about: "Remove fetches older than AGE: 90s, 30m, 12h, 7d.",
    read: age,
  }),
  flag({ name: "superseded", actions: ["prune"], about: "Remove all but the last fetch of each origin." }),
  flag({ name: "all", actions: ["prune"], about: "Remove everything." }),
  {
    ...cacheMaxBytesFlag,
    actions: ["prune", "import"],
    about: "Maximum size of the cache after removal; the oldest fetches are removed first.",
    otherwise: "1G for import",
  },
];

type CacheFlag = (typeof cacheFlags)[number];

/** A checked command line: the action, its arguments (origins or URLs, texts that origins contain, or files), its flags and its output. */
export interface CacheCommand extends Pick<Running<CacheFlag, CacheAction>, "action" | "flags"> {
  readonly names: readonly string[];
  readonly output: Output<NamedFormat>;
}

/** Returns the command line of an action. Throws a `UsageError` for arguments and flags that the action cannot use. */
export function cacheCommandOf({ action, flags, files: names, values }: Running<CacheFlag, CacheAction>): CacheCommand {
  checkNames(action, names, flags.get("all"));
  const other = flags.first("output", "output-file");
  if (flags.has("snapshot") && other !== undefined) {
    throw new UsageError("wrong-value", `--snapshot and --${other} cannot be combined: a snapshot is a folder`);
  }
  const formats = formatsByAction[action] ?? textFormats;
  // With --body, the ending of the output file's name does not select a format.
  const isBody = flags.get("body") && !flags.has("output");
  const output = isBody ? { format: formats[0], path: flags.get("output-file") } : outputOf(values, formats);
  const command = { action, flags, names, output };
  checkTogether(command);
  return command;
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

function checkTogether({ action, flags, names, output }: CacheCommand): void {
  const isJson = output.format.name === "ndjson";
  const [hasHistory, isBody] = [flags.get("history"), flags.get("body")];
  if (action === "show" && Number(isBody) + Number(isJson && !hasHistory) + Number(hasHistory) > 1) {
    throw new UsageError("wrong-value", "--body cannot be combined with --output ndjson or --history");
  }
  if (hasHistory && flags.has("at")) throw new UsageError("wrong-value", "--history and --at cannot be combined");
  if (isBody && names.length > 1) throw new UsageError("wrong-value", "--body takes one origin");
  const chosen = flags.first("all", "superseded", "older-than", "cache-max-bytes");
  if (action === "prune" && names.length === 0 && chosen === undefined) {
    throw new UsageError("no-input", "say what to remove", "for example: robots-stream cache prune --older-than 30d");
  }
}

/** The arguments of an action. */
export interface ActionContext extends Omit<CommandRun, "argv" | "env" | "stderr"> {
  readonly command: CacheCommand;
  readonly store: SqliteStore;
  readonly say: (sentence: string) => void;
  readonly write: (data: string | Uint8Array) => Promise<void>;
}

/** Returns the origin of a text that is an origin or a URL. Throws a `UsageError` for any other text. */
export function originOf(text: string): string {
  const origin = parseRequestUrl(text)?.origin;
  if (origin !== undefined) return origin;
  const meant = `https://${text}`;
  throw new UsageError(
    "wrong-value",
    `${shownWordOf(text, 100)}: this is neither an origin nor a URL`,
    parseRequestUrl(meant) === undefined || shownWordOf(meant, Infinity) !== meant
      ? "for example: https://example.com"
      : `did you mean ${shownWordOf(meant, 100)}?`,
  );
}
