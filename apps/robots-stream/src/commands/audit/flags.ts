// Defines the flags of `audit`, and converts a command line to settings.
import { type AskedText, UsageError } from "@robots-stream/engine";
import { shownWordOf, type UsedFile, readTime } from "@robots-stream/engine/internal";
import { type CacheFlagName, type CacheSettings, cacheSettingsOf } from "../../cli/cache/settings.ts";
import { type FlagShape, type FlagValues, lastOf, notTogether, parseCommandLine } from "../../cli/command-line.ts";
import { type FieldFlagName, fieldFlag, requestTextOf, urlFieldFlags } from "../../cli/field-flags.ts";
import { type InputFlagName, type InputSettings, inputSettingsOf, originOfBase } from "../../cli/input-settings.ts";
import { logTimezoneFlag } from "../../cli/log-timezone.ts";
import { historyFlag, uselessWithHistory } from "../../cli/robots/history-flags.ts";
import { networkFlags } from "../../cli/network/flags.ts";
import { type RobotsFlagName, type RobotsSettings, robotsSettingsOf } from "../../cli/robots/settings.ts";
import {
  type PageFlagName,
  type PageSettings,
  pageFlags,
  pageSettingsOf,
  usualPageSettings,
} from "../../cli/page/flags.ts";
import { sharedFlag } from "../../cli/shared-flags.ts";
import { type VerifyFlagName, verifyFlags, type VerifySettings, verifySettingsOf } from "../../cli/verify/flags.ts";
import { type CandidateFile, candidateFileOf, filesOfCandidates } from "./candidates.ts";
import {
  filesOfReport,
  type ReportFlagName,
  reportFlags,
  type ReportSettings,
  reportSettingsOf,
} from "../../cli/audit/report-flags.ts";

type AuditFlagName =
  | ReportFlagName
  | InputFlagName
  | FieldFlagName
  | RobotsFlagName
  | CacheFlagName
  | VerifyFlagName
  | "robots-history"
  | "fetch"
  | "from"
  | "to"
  | "query-values"
  | "pages"
  | PageFlagName
  | "candidate"
  | "sample-rate"
  | "help";

/** Every flag, in the order of the help. */
export const auditFlags: readonly FlagShape<AuditFlagName>[] = [
  {
    name: "base",
    value: "[host:NAME=]ORIGIN",
    isRepeatable: true,
    about:
      "Origin of the requests in the log: https://shop.example. Its robots.txt is fetched, unless --robots or --robots-history contains it. host:NAME=ORIGIN: for the records that name this host; may be repeated.",
  },
  {
    name: "robots",
    value: "DIR|FILE",
    file: { use: "reads" },
    about:
      "Judge by saved robots.txt files without a date: FILE is for --base, DIR contains example.com.txt …. The audit assumes that they were in force.",
  },
  historyFlag,
  {
    name: "fetch",
    about:
      "Also fetch the robots.txt of hosts that only the log names. Clients can send any host; private addresses are requested only with --allow-private.",
    otherwise: "requests to these hosts are undecidable",
  },
  {
    name: "from",
    value: "TIME",
    about:
      "Count only requests from this time on: a date, or an instant (UTC without a zone). Requests without a time are left out.",
  },
  {
    name: "to",
    value: "TIME",
    about: "Count only requests before this time. A date means the end of its day: --to 2026-11-30 includes that day.",
  },
  ...reportFlags,
  ...verifyFlags,
  {
    name: "candidate",
    value: "FILE|ORIGIN=FILE|DIR",
    about:
      "Show which requests another robots.txt would decide differently from the newest known file, by crawler and directory. FILE is for --base, DIR contains example.com.txt …; may be repeated.",
  },
  {
    name: "sample-rate",
    value: "RATE",
    about:
      "Declare that the log is a sample with this share of all lines: 0.01, or 1/100. The report then omits statements about what did not happen.",
    otherwise: "1, all lines",
  },
  { name: "query-values", about: "Keep the values of query parameters in examples.", otherwise: "values are removed" },
  {
    name: "pages",
    value: "FILE",
    isRepeatable: true,
    file: { use: "reads" },
    about:
      "File with pages (their headers, meta tags or HTML): a crawl export, a web archive, or records. Contradictions with robots.txt become findings.",
  },
  ...pageFlags.flatMap(({ name, about, ...row }) =>
    name === "page" ? [] : [{ ...row, name, about: `For --pages. ${about.replace(" Adds robots.page.", "")}` }],
  ),
  sharedFlag("input"),
  sharedFlag("log-format"),
  ...urlFieldFlags,
  {
    name: "agent-field",
    value: "NAME",
    about: "Field with the User-Agent header, if the input is not a log.",
    otherwise: "user_agent",
  },
  {
    name: "time-field",
    value: "NAME",
    about: "Field with the time, if the input is not a log.",
    otherwise: "time, timestamp, datetime, ts, date, …",
  },
  logTimezoneFlag,
  fieldFlag("method-field"),
  fieldFlag("status-field"),
  sharedFlag("max-line-bytes"),
  sharedFlag("max-bytes"),
  ...(["cache", "cache-required", "cache-max-bytes", "max-age", "max-fresh", "offline", "refresh"] as const).map(
    (name) => sharedFlag(name),
  ),
  // `--concurrency` is omitted, because usually only the robots.txt of `--base` is requested.
  ...networkFlags.filter(({ name }) => name !== "concurrency"),
  { name: "help", short: "h", about: "Print this." },
];

export interface AuditSettings extends InputSettings, RobotsSettings {
  readonly files: readonly string[];
  readonly report: ReportSettings;
  /** The field with the User-Agent header, and whether the user named it. */
  readonly agentField: string;
  readonly namesAgentField: boolean;
  readonly timeField: string | undefined;
  /** The fields with the method and the status of a request. */
  readonly requestTexts: readonly AskedText[];
  /** The paths of `--robots-history`; empty: robots.txt files come from `robotsPath` or the network. */
  readonly historyPaths: readonly string[];
  /** Whether the robots.txt of the hosts in the log is requested. */
  readonly fetchesHosts: boolean;
  /** Start and end of the window of requests to count, in seconds since 1970. The window excludes `toSeconds`. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly queryValues: boolean;
  /** Files with pages, and the settings for reading them. */
  readonly pagesPaths: readonly string[];
  readonly page: PageSettings | undefined;
  readonly candidates: readonly CandidateFile[];
  /** The share of all lines that the log contains, above 0 and at most 1. */
  readonly sampleRate: number;
  readonly cache: CacheSettings;
  /** How clients are verified; undefined: clients are not verified. */
  readonly verify: VerifySettings | undefined;
  readonly namedFiles: readonly UsedFile[];
}

/** Parses a command line. Returns `"help"` when `--help` is given. Throws a `UsageError` for the first mistake. */
export function auditSettingsOf(argv: readonly string[]): AuditSettings | "help" {
  const { values, files } = parseCommandLine(auditFlags, argv, "robots-stream audit");
  if (values.has("help")) return "help";
  const input = inputSettingsOf(values);
  if (input.fileBases.length > 0) {
    throw new UsageError(
      "wrong-value",
      "audit takes one --base ORIGIN for all logs, and --base host:NAME=ORIGIN; FILE=ORIGIN is not supported",
    );
  }
  const robots = robotsSettingsOf(values);
  const historyPaths = values.get("robots-history") ?? [];
  const fetchesHosts = values.has("fetch");
  if (historyPaths.length > 0) refuseWithHistory(values, fetchesHosts);
  const isKnown = robots.robotsPath !== undefined || historyPaths.length > 0 || fetchesHosts;
  if (!isKnown && input.base === undefined) throw noSite();
  const fromSeconds = secondsOf("from", lastOf(values, "from"), false) ?? -Infinity;
  const toSeconds = secondsOf("to", lastOf(values, "to"), true) ?? Infinity;
  if (fromSeconds >= toSeconds) {
    throw new UsageError("wrong-value", "--from is not before --to: no time is between them");
  }
  const base = input.base === undefined ? undefined : originOfBase(input.base);
  const candidates = (values.get("candidate") ?? []).map((value) => candidateFileOf(value, base));
  const report = reportSettingsOf(values);
  const verify = verifySettingsOf(values);
  if (report.failOn?.name === "verified-violations" && verify === undefined) {
    const hint = 'without --verify: --fail-on "violations>N"';
    throw new UsageError("wrong-value", "--fail-on verified-violations needs --verify", hint);
  }
  const pagesPaths = values.get("pages") ?? [];
  const page = pagesSettingsOf(values, pagesPaths);
  return {
    ...input,
    ...robots,
    // With --pages, a log is optional.
    files: files.length === 0 && page === undefined ? ["-"] : files,
    pagesPaths,
    page,
    report,
    agentField: lastOf(values, "agent-field") ?? "user_agent",
    namesAgentField: values.has("agent-field"),
    timeField: lastOf(values, "time-field"),
    requestTexts: (["method", "status"] as const).map((name) => requestTextOf(name, lastOf(values, `${name}-field`))),
    historyPaths,
    fetchesHosts,
    fromSeconds,
    toSeconds,
    queryValues: values.has("query-values"),
    verify,
    candidates,
    sampleRate: rateOf(lastOf(values, "sample-rate")),
    cache: cacheSettingsOf(values),
    namedFiles: [...filesOfReport(auditFlags, values), ...filesOfCandidates(candidates)],
  };
}

/**
 * The settings for reading the files of `--pages`; undefined without `--pages`. Throws a `UsageError` for any other flag about pages
 * without `--pages`.
 */
function pagesSettingsOf(values: FlagValues<AuditFlagName>, paths: readonly string[]): PageSettings | undefined {
  const page = pageSettingsOf(values);
  if (paths.length > 0) return page === "auto" ? usualPageSettings : page;
  const given = pageFlags.find(({ name }) => name !== "page" && values.has(name));
  if (given === undefined) return undefined;
  throw new UsageError("wrong-value", `--${given.name} needs --pages`, "for example: --pages crawl.csv");
}

/** Reads `--sample-rate`; 1 without the flag. Throws a `UsageError` unless the value is a number or a fraction above 0 and at most 1. */
function rateOf(text: string | undefined): number {
  if (text === undefined) return 1;
  const [, part = "", whole = "1"] = /^(\d{1,15}(?:\.\d{1,15})?|\.\d{1,15})(?:\/(\d{1,15}))?$/.exec(text) ?? [];
  const rate = part === "" ? Number.NaN : Number(part) / Number(whole);
  if (rate > 0 && rate <= 1) return rate;
  throw new UsageError(
    "wrong-value",
    `--sample-rate ${shownWordOf(text, 60)}: must be more than 0 and at most 1`,
    "for example: --sample-rate 0.01, --sample-rate 1/100",
  );
}

function noSite(): UsageError {
  return new UsageError(
    "wrong-value",
    "there is no robots.txt to judge by: give --base, --robots or --robots-history, or --fetch for the hosts in the log",
    "for example: robots-stream audit access.log.gz --base https://shop.example",
  );
}

function refuseWithHistory(values: ReadonlyMap<AuditFlagName, unknown>, fetchesHosts: boolean): void {
  const refused = fetchesHosts ? (["robots"] as const) : uselessWithHistory;
  const given = refused.find((name) => values.has(name));
  if (given !== undefined) throw notTogether("robots-history", given, "every robots.txt comes from the history");
}

/** Converts a date or a time to seconds since 1970. If `isEnd` is true, a date means the start of the next day. */
function secondsOf(flag: "from" | "to", text: string | undefined, isEnd: boolean): number | undefined {
  if (text === undefined) return undefined;
  // A number without a unit is refused: it could mean seconds, days or a year.
  const ms = /^\d+$/.test(text) ? Number.NaN : readTime(text).ms;
  if (Number.isNaN(ms)) {
    throw new UsageError(
      "wrong-value",
      `--${flag} ${shownWordOf(text, 60)}: must be a date or a time`,
      `for example: --${flag} 2026-11-01, --${flag} 2026-11-01T08:00Z`,
    );
  }
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text);
  return Math.floor(ms / 1_000) + (isEnd && isDate ? secondsPerDay : 0);
}

const secondsPerDay = 86_400;
