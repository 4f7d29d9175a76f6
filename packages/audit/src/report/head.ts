// Makes the sentences about the basis of a report: the robots.txt files, the sample, the method.
import { tableRowsOf } from "../document/table-rows.ts";
import type { AuditDocument, DocumentOrigin } from "../document/types.ts";
import { unavailableVersion } from "../history.ts";
import type { DayWords, FirstSeen } from "./days.ts";
import { filesOf, versionsOf } from "./in-force.ts";
import { amountOf, countTextOf, listTextOf, shareTextOf } from "./numbers.ts";
import { type Advice, shownOriginOf, unknownOriginsOf } from "./words.ts";

/** The sentences above the findings: by which files requests were judged, and what is assumed. */
export function judgedByOf(
  origins: readonly DocumentOrigin[],
  lines: number,
  texts: Pick<AuditDocument, "files" | "lint">,
  dayText: DayWords,
): string {
  const judging: JudgingOrigin[] = [];
  let [judged, assumed] = [0, 0];
  for (const origin of origins) {
    const intervals = new Set<number>();
    for (const [interval, , , , , , proven, , , requests] of tableRowsOf(origin, "decisions")) {
      intervals.add(interval);
      judged += requests;
      if (!proven) assumed += requests;
    }
    if (intervals.size > 0) judging.push({ origin, intervals });
  }
  if (judging.length === 0) {
    const hasCrawlers = origins.some(({ times }) => times.length > 0);
    if (hasCrawlers && origins.some(({ outages }) => outages.length > 0)) {
      return "No request was judged: robots.txt was unreachable, and no copy of it is known.";
    }
    if (hasCrawlers) {
      return `No request was judged: ${unknownOriginsOf(origins).text ?? "no robots.txt is known for its time"}.`;
    }
    return `No request was judged: ${lines === 0 ? "the log has no records" : "no known crawler came"}.`;
  }
  const basis = assumed === 0 ? knownSentence(judging) : assumedSentence(judged, assumed);
  // A file that all origins share is named once.
  const files = judging[0]!.origin.isShared === true ? judging.slice(0, 1) : judging;
  return `${filesSentence(judging, dayText)} ${basis}${foreignFilesTextOf(files, texts, dayText)}`;
}

/** An origin with judged requests, and the intervals whose versions judged them. */
interface JudgingOrigin {
  readonly origin: DocumentOrigin;
  readonly intervals: ReadonlySet<number>;
}

function filesSentence(judging: readonly JudgingOrigin[], dayText: DayWords): string {
  const { origin: only, intervals: used } = judging[0]!;
  if (only.isShared === true) {
    return `Judged by one robots.txt without a date, taken for ${amountOf(judging.length, "origin")}; earlier and later versions are not known.`;
  }
  if (judging.length > 1) {
    const versions = judging.reduce((sum, { origin }) => sum + versionsOf(origin).length, 0);
    return `Judged by the robots.txt of ${amountOf(judging.length, "origin")}, ${amountOf(versions, "version")}.`;
  }
  if (!only.isDated) return "Judged by one robots.txt without a date; earlier and later versions are not known.";
  const files = filesOf(only);
  const seenOf = (file: number): FirstSeen => {
    const { from, fromLatest } = only.intervals[file]!;
    return { from: from!, fromLatest };
  };
  const states = [...new Set([...used].map((interval) => files[interval]!))].filter((file) => file >= 0);
  const [days, missing] = [true, false].map((isThere) =>
    states
      .filter((file) => (only.intervals[file]!.version !== unavailableVersion) === isThere)
      .toSorted((one, other) => one - other)
      .map((file) => dayText(seenOf(file))),
  ) as [string[], string[]];
  if (states.length > 4) {
    const [first, last] = [seenOf(Math.min(...states)), seenOf(Math.max(...states))];
    return `Judged by ${states.length} successive states of robots.txt, first seen from ${dayText(first)} to ${dayText(last)}.`;
  }
  if (states.length === 0) return "Judged by an answer that some crawlers take for a missing robots.txt.";
  const since = `from ${listTextOf(missing)} on`;
  if (days.length === 0) return `Judged by the absence of robots.txt ${since}.`;
  return `Judged by the robots.txt of ${listTextOf(days)}${missing.length === 0 ? "" : `, and by its absence ${since}`}.`;
}

/** The sentence for a report in which nothing is assumed. */
function knownSentence(judging: readonly JudgingOrigin[]): string {
  const what = judging.length > 1 ? "The state of each" : "Its state";
  return `${what} was seen before and after every judged request; nothing is assumed.`;
}

function assumedSentence(judged: number, assumed: number): string {
  if (assumed === judged) return "The audit assumes that it was in force at the time of the requests.";
  return `For ${countTextOf(assumed)} of ${amountOf(judged, "request")}, the audit assumes that it was in force.`;
}

/** The sentences about requests without a time, or with a zone or a path that is not known; "" if there are none. */
export function timesTextOf(
  { totals: { withoutTime, withoutZone, ofServerPath, outsideWithoutTime } }: AuditDocument,
  { zone }: Advice = {},
): string {
  const have = (count: number): string => `${amountOf(count, "request")} ${count === 1 ? "has" : "have"}`;
  return [
    ...(withoutZone > 0
      ? [
          `${have(withoutZone)} a time whose zone is not known, so nothing is proven about ${withoutZone === 1 ? "it" : "them"}${zone === undefined ? "" : `: ${zone} (an hour that it shows twice stays unknown)`}.`,
        ]
      : []),
    ...(ofServerPath > 0
      ? [
          `${have(ofServerPath)} the path after the server's rewrites, or only a part of the target, so nothing is proven about ${ofServerPath === 1 ? "it" : "them"}: $request_uri of nginx and X-ENVOY-ORIGINAL-PATH?:PATH of Envoy are the path that the client sent.`,
        ]
      : []),
    ...(withoutTime > 0 ? [`${have(withoutTime)} no time that can be read.`] : []),
    ...(outsideWithoutTime > 0
      ? [
          `${have(outsideWithoutTime)} no time that can be read, and the requested period leaves ${outsideWithoutTime === 1 ? "it" : "them"} out.`,
        ]
      : []),
  ].join(" ");
}

/** The sentence about a log that is a sample; "" for a complete log. */
export function sampleTextOf({ inputs }: AuditDocument): string {
  const rates = new Set(inputs.map(({ sampleRate }) => sampleRate));
  const [rate = 1] = rates;
  if (rates.size > 1) {
    return "Parts of the log are samples with different rates: all numbers count only the lines that were read.";
  }
  if (rate === 1) return "";
  const lines = Number.isInteger(1 / rate) ? `1 in ${countTextOf(1 / rate)} lines` : shareTextOf(rate, 1);
  return `The log is a sample (${lines}): all numbers count only the lines that were read. Multiplied by ${factorTextOf(1 / rate)}, they estimate the whole log.`;
}

function factorTextOf(factor: number): string {
  return factor >= 10 ? countTextOf(factor) : factor.toFixed(1).replace(/\.0$/u, "");
}

/** The sentences about versions, limits, and tables that were folded. */
export function methodOf(
  document: AuditDocument,
  program: string | undefined,
  advice: Advice | undefined,
): readonly string[] {
  const { settings, origins } = document;
  const { limits } = settings;
  const count = (isFolded: (origin: DocumentOrigin) => boolean): number => origins.filter(isFolded).length;
  const times = count(({ folded, origin }) => folded.times > 0 && origin !== "…");
  const directories = count(({ folded, origin }) => folded.directories > 0 && origin !== "…");
  const parameters = count(({ folded, origin }) => folded.parameters > 0 && origin !== "…");
  return [
    ...(program === undefined ? [] : [`Made by ${program}.`]),
    `Registry of crawlers: ${settings.registry}. Dialect of crawlers whose operators document none: ${settings.dialect}.`,
    settings.ranges === null
      ? "No request was verified: crawlers are named by their User-Agent header, which anyone can send."
      : `Lists of addresses: ${settings.ranges}.`,
    "A crawler may have used any version that was in force from 24 h and 5 min before a request to 5 min after it, and during an outage the last good copy for 30 days (RFC 9309 §2.4).",
    "Distinct URLs are estimates, ± 1.6 %.",
    settings.queryValues
      ? "Values of query parameters are shown in examples."
      : `Values of query parameters are left out of examples${advice?.queryValues === undefined ? "" : `; ${advice.queryValues}`}.`,
    ...(settings.candidate === null
      ? []
      : [
          "“What if” compares the decision of the candidate about each request with the decision of the newest known file.",
        ]),
    "A crawler without a fetch of robots.txt in this log may still have read the file: caches in front of the server answer, too.",
    ...(times > 0
      ? [
          `For ${amountOf(times, "origin")}, quarters of hours were folded into hours, hours into days (UTC), or days into one sum.`,
        ]
      : []),
    ...(directories > 0
      ? [
          `For ${amountOf(directories, "origin")}, directories were folded: there were more than ${countTextOf(limits.directories)}.`,
        ]
      : []),
    ...(parameters > 0
      ? [
          `For ${amountOf(parameters, "origin")}, parameters were folded: there were more than ${countTextOf(limits.parameters)}.`,
        ]
      : []),
    ...(origins.some(({ origin }) => origin === "…")
      ? [`Of the origins whose robots.txt is not known, ${countTextOf(limits.otherOrigins)} are kept by name.`]
      : []),
  ];
}

/** The documents' members about the texts of versions. */
type Texts = Pick<AuditDocument, "files" | "lint">;

/** An origin, and the positions of the intervals whose files judged its requests. */
interface JudgingOrigin {
  readonly origin: DocumentOrigin;
  readonly intervals: ReadonlySet<number>;
}

/** The maximum number of files that are named. */
const mostNamed = 3;

/** Codes of the linter that a file without a line for crawlers can have. */
const codesOfForeign = new Set(["not-robots-txt", "utf-16", "bom", "invalid-utf8"]);

/**
 * Returns " The file of 5 November is HTML, not a robots.txt; it allows every URL.", or "" if all files are robots.txt files, as far as the
 * document has the linter's findings.
 */
function foreignFilesTextOf(judging: readonly JudgingOrigin[], texts: Texts, dayText: DayWords): string {
  const foreign = judging.flatMap(({ origin, intervals }) => {
    const seen = new Set<string>();
    return [...intervals]
      .toSorted((one, other) => one - other)
      .flatMap((at) => {
        const { version, from, fromLatest } = origin.intervals[at]!;
        const format = seen.has(version) ? undefined : formatInsteadOf(version, texts);
        seen.add(version);
        const when = origin.isDated && from !== null ? ` of ${dayText({ from, fromLatest })}` : "";
        const where = judging.length > 1 ? ` of ${shownOriginOf(origin.origin)}` : "";
        return format === undefined ? [] : [` The file${where}${when} is ${format}; it allows every URL.`];
      });
  });
  const more = foreign.length - mostNamed;
  const rest = more > 0 ? ` ${more} more ${more === 1 ? "file is" : "files are"} no robots.txt.` : "";
  return `${foreign.slice(0, mostNamed).join("")}${rest}`;
}

/** "HTML, not a robots.txt" for a version that is no robots.txt and has no user-agent line; undefined for others, and unknown ones. */
function formatInsteadOf(version: string, { files, lint }: Texts): string | undefined {
  const rows = Object.hasOwn(lint, version) ? lint[version]! : [];
  const text = Object.hasOwn(files, version) ? files[version]! : undefined;
  if (text === undefined || !rows.every(([, , code]) => codesOfForeign.has(code)) || /^\s*user.?agent/imu.test(text)) {
    return undefined;
  }
  if (rows.some(([, , code]) => code === "utf-16")) return "UTF-16, not a robots.txt that crawlers can read";
  const sentence = rows.find(([, , code]) => code === "not-robots-txt")?.[3];
  return sentence === undefined
    ? undefined
    : (/^This is (.{1,40}, not a robots\.txt)\.$/u.exec(sentence)?.[1] ?? "no robots.txt");
}
