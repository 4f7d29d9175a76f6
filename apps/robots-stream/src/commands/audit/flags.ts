// Defines the flags of `audit`, and converts a command line to settings.
import { UsageError } from "@robots-stream/engine";
import { shownWordOf } from "@robots-stream/engine/internal";
import { filesOfReport, reportFlags, reportSettingsOf } from "../../cli/audit/report-flags.ts";
import { cacheFlags, cacheSettingsOf } from "../../cli/cache/settings.ts";
import type { Running } from "../../cli/command-body.ts";
import { notTogether } from "../../cli/command-line.ts";
import { flag, type FlagValues, rowsWithout } from "../../cli/flag.ts";
import {
  agentFieldFlag,
  baseFlag,
  inputFlag,
  inputSettingsOf,
  logFormatFlag,
  maxLineBytesFlag,
  methodFieldFlag,
  originOfBase,
  requestTextOf,
  statusFieldFlag,
  timeFieldFlag,
  urlFieldFlags,
} from "../../cli/input-settings.ts";
import { logTimezoneFlag } from "../../cli/log-flags.ts";
import { fewOriginsFlags } from "../../cli/network/flags.ts";
import { pageFlags, type PageSettings, pageSettingsOf, usualPageSettings } from "../../cli/page/flags.ts";
import { historyFlag, maxBytesFlag, robotsSettingsOf, uselessWithHistory } from "../../cli/robots/flags.ts";
import { moment } from "../../cli/values.ts";
import { verifyFlags, verifySettingsOf } from "../../cli/verify/flags.ts";
import { candidateFileOf, filesOfCandidates } from "./candidates.ts";

const secondsPerDay = 86_400;

/** Every flag, in the order of the help. */
export const auditFlags = [
  {
    ...baseFlag,
    value: "[host:NAME=]ORIGIN",
    about:
      "Origin of the requests in the log: https://shop.example. Its robots.txt is fetched, unless --robots or --robots-history contains it. host:NAME=ORIGIN: for the records that name this host; may be repeated.",
  },
  flag({
    name: "robots",
    value: "DIR|FILE",
    file: { use: "reads" },
    about:
      "Judge by saved robots.txt files without a date: FILE applies to every origin of the log, or to that of --base; DIR contains example.com.txt …. The audit assumes that they were in force. Also an archive of many origins.",
  }),
  historyFlag,
  flag({
    name: "fetch",
    about:
      "Also fetch the robots.txt of hosts that only the log names. Clients can send any host; private addresses are requested only with --allow-private.",
    otherwise: "requests to these hosts are undecidable",
  }),
  flag({
    name: "from",
    value: "TIME",
    about:
      "Count only requests from this time on: a date, or an instant (UTC without a zone). Requests without a time are left out.",
    read: (text, name) => Math.floor(moment(text, name) / 1_000),
    usual: -Infinity,
  }),
  flag({
    name: "to",
    value: "TIME",
    about: "Count only requests before this time. A date means the end of its day: --to 2026-11-30 includes that day.",
    read: (text, name) => Math.floor(moment(text, name) / 1_000) + (/^\d{4}-\d\d-\d\d$/.test(text) ? secondsPerDay : 0),
    usual: Infinity,
  }),
  ...reportFlags,
  ...verifyFlags,
  flag({
    name: "candidate",
    isRepeatable: true,
    value: "FILE|ORIGIN=FILE|DIR",
    about:
      "Show which requests another robots.txt would decide differently from the newest known file, by crawler and directory. FILE is for --base, DIR contains example.com.txt …; may be repeated.",
  }),
  flag({
    name: "sample-rate",
    value: "RATE",
    about:
      "Declare that the log is a sample with this share of all lines: 0.01, or 1/100. The report then omits statements about what did not happen.",
    otherwise: "1, all lines",
    read: rateOf,
    usual: 1,
  }),
  flag({
    name: "query-values",
    about: "Keep the values of query parameters in examples.",
    otherwise: "values are removed",
  }),
  flag({
    name: "pages",
    value: "FILE",
    isRepeatable: true,
    file: { use: "reads" },
    about:
      "File with pages (their headers, meta tags or HTML): a crawl export, a web archive, or records. Contradictions with robots.txt become findings.",
  }),
  ...rowsWithout(pageFlags, "page").map((row) => ({
    ...row,
    about: `For --pages. ${row.about.replace(" Adds robots.page.", "")}`,
  })),
  inputFlag,
  logFormatFlag,
  ...urlFieldFlags,
  {
    ...agentFieldFlag,
    about: "Field with the User-Agent header, if the input is not a log.",
    otherwise: "user_agent",
  },
  {
    ...timeFieldFlag,
    about: "Field with the time, if the input is not a log.",
    otherwise: "time, timestamp, datetime, ts, date, …",
  },
  logTimezoneFlag,
  methodFieldFlag,
  statusFieldFlag,
  maxLineBytesFlag,
  maxBytesFlag,
  ...cacheFlags,
  ...fewOriginsFlags,
];

/** The settings of an audit; see `auditSettingsOf`. */
export type AuditSettings = ReturnType<typeof auditSettingsOf>;

/** Converts a command line to settings. Throws a `UsageError` for the first mistake. */
export function auditSettingsOf({ flags, values, files, namedFiles }: Running<(typeof auditFlags)[number]>) {
  const input = inputSettingsOf(values);
  if (input.fileBases.length > 0) {
    throw new UsageError(
      "wrong-value",
      "audit takes one --base ORIGIN for all logs, and --base host:NAME=ORIGIN; FILE=ORIGIN is not supported",
    );
  }
  const robots = robotsSettingsOf(values);
  const historyPaths = flags.get("robots-history");
  const fetchesHosts = flags.get("fetch");
  if (historyPaths.length > 0) refuseWithHistory(values, fetchesHosts);
  const isKnown = robots.robotsPath !== undefined || historyPaths.length > 0 || fetchesHosts;
  if (!isKnown && input.base === undefined) throw noSite();
  const [fromSeconds, toSeconds] = [flags.get("from"), flags.get("to")];
  if (fromSeconds >= toSeconds) {
    throw new UsageError("wrong-value", "--from is not before --to: no time is between them");
  }
  const base = input.base === undefined ? undefined : originOfBase(input.base);
  const candidates = flags.get("candidate").map((value) => candidateFileOf(value, base));
  const report = reportSettingsOf(values);
  const verify = verifySettingsOf(values);
  if (report.failOn?.name === "verified-violations" && verify === undefined) {
    const hint = 'without --verify: --fail-on "violations>N"';
    throw new UsageError("wrong-value", "--fail-on verified-violations needs --verify", hint);
  }
  const pagesPaths = flags.get("pages");
  const page = pagesSettingsOf(values, pagesPaths);
  return {
    ...input,
    ...robots,
    // With --pages, a log is optional.
    files: files.length === 0 && page === undefined ? ["-"] : files,
    /** Files with pages, and the settings for reading them; undefined without files. */
    pagesPaths,
    page,
    report,
    agentField: flags.get("agent-field") ?? "user_agent",
    /** Whether the user named the field. */
    namesAgentField: flags.has("agent-field"),
    timeField: flags.get("time-field"),
    requestTexts: (["method", "status"] as const).map((name) => requestTextOf(name, flags.get(`${name}-field`))),
    /** Empty: robots.txt files come from `robotsPath` or the network. */
    historyPaths,
    /** Whether the robots.txt of the hosts in the log is requested. */
    fetchesHosts,
    /** The window of requests to count, in seconds since 1970. It excludes `toSeconds`. */
    fromSeconds,
    toSeconds,
    queryValues: flags.get("query-values"),
    verify,
    candidates,
    /** The share of all lines that the log contains, above 0 and at most 1. */
    sampleRate: flags.get("sample-rate"),
    cache: cacheSettingsOf(values),
    namedFiles: [...filesOfReport(namedFiles, report), ...filesOfCandidates(candidates)],
  };
}

/**
 * The settings for reading the files of `--pages`; undefined without `--pages`. Throws a `UsageError` for any other flag about pages
 * without `--pages`.
 */
function pagesSettingsOf(values: FlagValues, paths: readonly string[]): PageSettings | undefined {
  const page = pageSettingsOf(values);
  if (paths.length > 0) return page === "auto" ? usualPageSettings : page;
  if (page === "auto") return undefined;
  const other = pageFlags.find(({ name }) => values.has(name));
  throw new UsageError("wrong-value", `--${other!.name} needs --pages`, "for example: --pages crawl.csv");
}

/** Reads a number or a fraction above 0 and at most 1. */
function rateOf(text: string): number {
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

function refuseWithHistory(values: FlagValues, fetchesHosts: boolean): void {
  const other = (fetchesHosts ? ["robots"] : uselessWithHistory).find((name) => values.has(name));
  if (other !== undefined) throw notTogether("robots-history", other, "every robots.txt comes from the history");
}
