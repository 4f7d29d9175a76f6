// Makes a row for each crawler and verification from the origins of a document.
import { noTimeLevel } from "../count/keys.ts";
import { estimateOf, sketchOfText } from "../count/sketch.ts";
import { tableRowsOf } from "../document/table-rows.ts";
import { type AuditDocument, type DocumentOrigin, maxTextLength } from "../document/types.ts";
import type { AuditCrawler } from "../states/judge.ts";
import { type Verification, classNameOf } from "../states/states.ts";
import { type AnswerSums, type Answers, type StatusSum, noAnswers, statusSumsOf } from "./answers.ts";
import type { ZoneClock } from "./days.ts";
import { FileGroups, textLinesOf } from "./groups.ts";
import { graceUsesOf } from "./in-force.ts";

/** Numbers of judged requests. */
export interface Judged {
  readonly violations: number;
  /** The number of allowed requests and violations. */
  readonly judged: number;
}

/** One crawler with one verification. */
export interface CrawlerRow {
  readonly crawler: AuditCrawler;
  readonly verification: Verification;
  readonly requests: number;
  readonly bytes: number;
  /** The number of days with a request; null if folding dropped the times of some requests of the crawler. */
  readonly days: number | null;
  /** The estimated number of distinct URLs; null in a report on one of several origins. */
  readonly urls: number | null;
  /** The requests by the class of their answers; they add up to `requests`. */
  readonly answers: Answers;
  /** The requests by status, most requests first. -1: the input records no status; 0: no answer; 1000: more than three digits. */
  readonly statuses: readonly StatusSum[];
  /** The number of successful fetches of /robots.txt. */
  readonly fetches: number;
  /**
   * Each request is counted in one of these members: `robotsTxt` (requests for /robots.txt), `undecidable`, `notBound`, `disputed`,
   * `grace`, `allowed`, `proven.violations` and `assumed` (violations without proof). It is the first of them that applies.
   */
  readonly robotsTxt: number;
  readonly undecidable: number;
  readonly notBound: number;
  /** The number of judged requests that two readings of a file decide differently, such as two dialects. */
  readonly disputed: number;
  readonly grace: number;
  readonly allowed: number;
  readonly assumed: number;
  /** The sum of violations: proven, assumed and disputed ones. */
  readonly violations: number;
  /** The part of `grace` that followed the crawler's own fetch of the newer file. */
  readonly informed: number;
  /** The part of `notBound` that would be a proven violation. */
  readonly wouldBe: number;
  /** The numbers of judged requests whose versions dated observations prove, without disputed requests. */
  readonly proven: Judged;
  /** The proven violations by the class of their answers. */
  readonly provenAnswers: Answers;
  /**
   * `lines`: the number of lines that disallow something for the crawler in the newest file of an origin, the largest over all origins.
   * `origins`: the number of origins with such a line. Null if no text of a file is known.
   */
  readonly restricted: { readonly lines: number; readonly origins: number } | null;
  /** Whether every file that decided requests of the crawler has a line that disallows something for it. */
  readonly isAlwaysRestricted: boolean;
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

interface Sum extends Omit<Mutable<CrawlerRow>, "days" | "proven" | "answers" | "provenAnswers" | "statuses"> {
  readonly byStatus: Map<number, number>;
  readonly answers: AnswerSums;
  readonly provenAnswers: AnswerSums;
  readonly daysSeen: Set<number>;
  isTimeFolded: boolean;
  provenViolations: number;
  provenJudged: number;
}

/** The rows of all crawlers with requests, most requests first. Each verification of a crawler has a row of its own. */
export function crawlerRowsOf(
  document: AuditDocument,
  origins: readonly DocumentOrigin[],
  clock: ZoneClock,
): readonly CrawlerRow[] {
  const crawlers = new Map(document.crawlers.map((crawler) => [crawler.productToken, crawler]));
  // A map of maps, so that the look-up for each row of each table makes no text for a key.
  const sums = new Map<string, Map<Verification, Sum>>();
  const sumOf = (crawler: string, verification: Verification): Sum => {
    let own = sums.get(crawler);
    if (own === undefined) sums.set(crawler, (own = new Map<Verification, Sum>()));
    let sum = own.get(verification);
    if (sum === undefined) own.set(verification, (sum = createSum(crawlers.get(crawler)!, verification)));
    return sum;
  };
  for (const origin of origins) {
    addOrigin(origin, sumOf, clock);
    addRestrictions(document, origin, sumOf);
  }
  // A sketch counts the URLs of all origins together; there is no estimate for only some origins.
  const isWhole = origins.length === document.origins.length;
  for (const { crawler, verification, sketch } of isWhole ? document.urls : []) {
    const sum = sums.get(crawler)?.get(verification as Verification);
    if (sum !== undefined) sum.urls = estimateOf(sketchOfText(sketch));
  }
  return [...sums.values()]
    .flatMap((own) => [...own.values()])
    .map(({ daysSeen, isTimeFolded, provenViolations, provenJudged, byStatus, ...sum }) => ({
      ...sum,
      statuses: statusSumsOf(byStatus),
      days: isTimeFolded ? null : daysSeen.size,
      proven: { violations: provenViolations, judged: provenJudged },
    }))
    .toSorted((one, other) => other.requests - one.requests || (keyOf(one) < keyOf(other) ? -1 : 1));
}

const keyOf = ({ crawler, verification }: CrawlerRow): string => `${crawler.productToken} ${verification}`;

function createSum(crawler: AuditCrawler, verification: Verification): Sum {
  return {
    crawler,
    verification,
    requests: 0,
    bytes: 0,
    daysSeen: new Set(),
    isTimeFolded: false,
    urls: null,
    answers: noAnswers(),
    byStatus: new Map(),
    fetches: 0,
    robotsTxt: 0,
    undecidable: 0,
    notBound: 0,
    disputed: 0,
    grace: 0,
    allowed: 0,
    assumed: 0,
    violations: 0,
    informed: 0,
    wouldBe: 0,
    provenViolations: 0,
    provenJudged: 0,
    provenAnswers: noAnswers(),
    restricted: null,
    isAlwaysRestricted: true,
  };
}

function addOrigin(
  origin: DocumentOrigin,
  sumOf: (crawler: string, verification: Verification) => Sum,
  clock: ZoneClock,
): void {
  for (const [time, crawler, verification, state, statusClass, requests, bytes] of tableRowsOf(origin, "times")) {
    const sum = sumOf(crawler, verification);
    sum.requests += requests;
    sum.bytes += bytes;
    if (time !== null) sum.daysSeen.add(clock.dayOf(time));
    if (origin.folded.times >= noTimeLevel) sum.isTimeFolded = true;
    sum.answers[statusClass] += requests;
    if (state === "robots-txt") sum.robotsTxt += requests;
    else if (state.startsWith("undecidable:")) sum.undecidable += requests;
  }
  for (const [crawler, verification, , , status, requests] of tableRowsOf(origin, "answers")) {
    const { byStatus } = sumOf(crawler, verification);
    byStatus.set(status, (byStatus.get(status) ?? 0) + requests);
  }
  for (const row of origin.decisions) {
    const [, , crawler, verification, state, , proven, disputed, status, requests] = row;
    const sum = sumOf(crawler, verification);
    const isProven = proven && !disputed;
    if (state === "violation") sum.violations += requests;
    if (state.startsWith("not-bound:")) {
      sum.notBound += requests;
      if (state === "not-bound:violation" && isProven) sum.wouldBe += requests;
    } else if (disputed) sum.disputed += requests;
    else if (state === "grace") sum.grace += requests;
    else {
      if (isProven) sum.provenJudged += requests;
      if (state === "allowed") sum.allowed += requests;
      else if (!isProven) sum.assumed += requests;
      else {
        sum.provenViolations += requests;
        sum.provenAnswers[classNameOf(status)] += requests;
      }
    }
  }
  for (const [, crawler, verification, method, status, requests] of tableRowsOf(origin, "fetches")) {
    if (method === "GET" && (status === 200 || status === 304)) sumOf(crawler, verification).fetches += requests;
  }
  for (const { crawler, verification, informed } of graceUsesOf(origin)) {
    sumOf(crawler, verification as Verification).informed += informed;
  }
}

/**
 * Adds to the sums of the crawlers that were judged on an origin: the number of lines of the newest file that restrict them (`restricted`),
 * and whether every file restricts them (`isAlwaysRestricted`).
 */
function addRestrictions(
  { files, crawlers }: AuditDocument,
  origin: DocumentOrigin,
  sumOf: (crawler: string, verification: Verification) => Sum,
): void {
  const known = new Map(crawlers.map((crawler) => [crawler.productToken, crawler]));
  const groupsByVersion = new Map<string, FileGroups | undefined>();
  const groupsOf = (interval: number): FileGroups | undefined => {
    const version = origin.intervals[interval]?.version ?? "";
    if (!groupsByVersion.has(version)) {
      const text = Object.hasOwn(files, version) ? files[version] : undefined;
      // A cut text may lack a crawler's own group.
      const isWhole = text !== undefined && text.length < maxTextLength;
      groupsByVersion.set(version, isWhole ? new FileGroups(textLinesOf(text)) : undefined);
    }
    return groupsByVersion.get(version);
  };
  const judged = new Set<Sum>();
  for (const [interval, , crawler, verification] of origin.decisions) {
    const sum = sumOf(crawler, verification);
    judged.add(sum);
    const count = groupsOf(interval)?.restrictionsFor(known.get(crawler)!) ?? 0;
    if (count === 0) sum.isAlwaysRestricted = false;
  }
  const groups = groupsOf(newestIntervalOf(origin));
  if (groups === undefined) return;
  for (const sum of judged) {
    const count = groups.restrictionsFor(sum.crawler);
    const { lines, origins } = sum.restricted ?? { lines: 0, origins: 0 };
    sum.restricted = { lines: Math.max(lines, count), origins: origins + (count > 0 ? 1 : 0) };
  }
}

/** The position of the newest interval whose version decided a request; -1 if there is none. */
export function newestIntervalOf({ decisions }: DocumentOrigin): number {
  return decisions.reduce((most, [interval]) => Math.max(most, interval), -1);
}
