// Defines the rows of the flags that several commands have, and that have the same meaning in all of them.
import { crawlerSets } from "@robots-stream/agents";
import { dialectNames, inputFormats, targetForms, tokenMatches } from "@robots-stream/engine/internal";
import { namedSetsOf } from "./asked-agents.ts";
import type { FlagShape } from "./command-line.ts";
import { type UrlFieldFlagName, urlFieldFlags } from "./field-flags.ts";
import { fileOfLogFormat } from "./log-format.ts";

type SharedFlagName =
  | "input"
  | "log-format"
  | "base"
  | "max-line-bytes"
  | "result-key"
  | "agent"
  | "agents"
  | "crawlers"
  | "no-fallback"
  | "dialect"
  | "token-match"
  | "target"
  | "robots"
  | "max-bytes"
  | "cache"
  | "cache-required"
  | "cache-max-bytes"
  | "max-age"
  | "max-fresh"
  | "offline"
  | "refresh"
  | "shard";

const namesOf = (list: readonly { readonly name: string }[]): string => list.map(({ name }) => name).join(", ");

/** Describes the value of `--agents` as a file that the run reads, except for a value that names sets of crawlers. */
const agentsFile: NonNullable<FlagShape<string>["file"]> = {
  use: "reads",
  isNone: (value) => namedSetsOf(value) !== undefined,
};

const sharedFlags: readonly FlagShape<SharedFlagName>[] = [
  {
    name: "input",
    short: "i",
    value: "FORMAT",
    choices: inputFormats.map(({ name }) => name),
    about: `Input format: ${namesOf(inputFormats)}.`,
    otherwise: "detected from the content and the file's ending",
  },
  {
    name: "log-format",
    value: "PATTERN|@FILE",
    file: {
      use: "reads",
      isNone: (value) => !value.startsWith("@"),
      pathOf: (value) => fileOfLogFormat(value) ?? value,
    },
    about:
      "The log's pattern, copied from the server's configuration: nginx's log_format, Apache's LogFormat; also patterns of HAProxy, Envoy and Squid. @FILE or @FILE:NAME: read the pattern from the configuration file.",
  },
  {
    name: "base",
    value: "[FILE=|host:NAME=]ORIGIN",
    isRepeatable: true,
    about:
      "Origin of the requests, for a log that does not name it: https://example.com. Also for URLs that begin with /. FILE=ORIGIN (a file, folder or pattern): only for these files. host:NAME=ORIGIN: for records that name this host.",
  },
  {
    name: "max-line-bytes",
    value: "SIZE",
    about: "Maximum size of a line or record. A longer one is a reject.",
    otherwise: "1M",
  },
  {
    name: "result-key",
    value: "NAME",
    about: "Name of the added object, or prefix of the added columns.",
    otherwise: "robots",
  },
  {
    name: "agent",
    short: "a",
    value: "TOKEN",
    isRepeatable: true,
    about:
      "Product token of the crawler, as robots.txt names it: bingbot, not a User-Agent header. Several: A,B; each gets its own answer.",
  },
  {
    name: "agents",
    value: "SET|FILE",
    isRepeatable: true,
    file: agentsFile,
    choices: crawlerSets.map(({ name }) => name),
    about: `Sets of crawlers, several with commas: ${namesOf(crawlerSets)}; or a file with one name per line and # before comments.`,
  },
  {
    name: "crawlers",
    value: "FILE",
    file: { use: "reads" },
    about:
      "File with crawlers to add to the known ones: one JSON object per line, with productToken, names and headerNames.",
  },
  {
    name: "no-fallback",
    about: "Look only for groups that name the crawler itself, and for *.",
    otherwise: "all names of a known crawler, in order: Googlebot-Image, then Googlebot, then *",
  },
  {
    name: "dialect",
    value: "NAMES",
    choices: dialectNames,
    isList: true,
    about: `How to read robots.txt: ${dialectNames.join(", ")}; several with commas, each with its own answer.`,
    otherwise: "google",
  },
  {
    name: "token-match",
    value: "HOW",
    choices: tokenMatches,
    about:
      "How to compare TOKEN with user-agent lines: google (only the leading letters, _ and -), whole (the whole name).",
    otherwise: "google; whole for names with other characters, like MJ12bot",
  },
  {
    name: "target",
    value: "FORM",
    choices: targetForms,
    about:
      "What rules are compared with: raw (the target as the URL has it), normalized (without dot segments and needless escapes).",
    otherwise: "raw",
  },
  {
    name: "robots",
    value: "DIR|FILE",
    file: { use: "reads" },
    about:
      "Use saved robots.txt files, not the network: DIR contains example.com.txt …; FILE applies to every origin. DIR or FILE may also be an archive.",
    otherwise: "the robots.txt of each origin is fetched, and fetched again when it has expired",
  },
  {
    name: "max-bytes",
    value: "SIZE",
    about: "Maximum number of bytes to read from each robots.txt.",
    otherwise: "512000",
  },
  {
    name: "cache",
    value: "DIR|URL|none",
    about: "Where to keep fetched robots.txt files between runs: a folder, redis://host:port, or none.",
    otherwise: "$ROBOTS_STREAM_CACHE, else the user's folder for caches",
  },
  {
    name: "cache-required",
    about:
      "Stop with exit code 3 if the cache fails. For a cache that processes share, so that each origin is requested once.",
    otherwise: "a warning, and every process requests for itself",
  },
  {
    name: "cache-max-bytes",
    value: "SIZE",
    about: "Maximum size of the cache; the oldest fetches are removed first.",
    otherwise: "1G",
  },
  {
    name: "max-age",
    value: "AGE",
    about:
      "Use only cache entries younger than this: 90s, 30m, 12h, 7d. Origins that were unreachable are fetched again sooner.",
    otherwise: "until the time that the server sets, at most --max-fresh",
  },
  {
    name: "max-fresh",
    value: "AGE",
    about:
      "Maximum time for which a server's max-age keeps a cache entry fresh. More than 24h needs --access-policy google.",
    otherwise: "24h",
  },
  {
    name: "offline",
    about:
      "Use only the cache, with entries of any age. Origins without a readable entry are unreachable (code not-cached).",
  },
  { name: "refresh", about: "Fetch every origin again, and store the results in the cache." },
  {
    name: "shard",
    value: "I/N",
    about: "Decide only the records whose origin is in part I of N. Each origin is in exactly one part.",
    otherwise: "all",
  },
];

/** The row of a flag, for a command's table. */
export function sharedFlag<Name extends SharedFlagName>(name: Name): FlagShape<Name> {
  return { ...sharedFlags.find((flag) => flag.name === name)!, name };
}

/** The flag `--dialect` of commands that take a single dialect. */
export const oneDialectFlag: FlagShape<"dialect"> = {
  name: "dialect",
  value: "NAME",
  choices: dialectNames,
  about: `How to read robots.txt: ${dialectNames.join(", ")}.`,
  otherwise: "google",
};

/** The flags about the input, for commands that read records but not their fields, in the order of the help. */
export const readingFlags: readonly FlagShape<"input" | "log-format" | UrlFieldFlagName | "base" | "max-line-bytes">[] =
  [sharedFlag("input"), sharedFlag("log-format"), ...urlFieldFlags, sharedFlag("base"), sharedFlag("max-line-bytes")];
