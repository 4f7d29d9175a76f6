// The rows of a report in, its findings out: a closed list of codes with conditions, worst first.
import type { AuditDocument, DocumentOrigin } from "../document/types.ts";
import type { Verification } from "../states/states.ts";
import { dayTextOf, secondsPerDay } from "../time.ts";
import type { ZoneClock } from "./clock.ts";
import { actorParts, daysText, mayBeAccused, placeOf, ruleParts } from "./finding-words.ts";
import { type GraceUse, graceUsesOf } from "./informed.ts";
import { amountOf, bytesTextOf, countTextOf, durationTextOf } from "./numbers.ts";
import { pageFindingsOf } from "./page-findings.ts";
import { sizeShiftOf } from "./size-shift.ts";
import {
  type AuditFinding,
  type AuditFindingCode,
  type CrawlerRow,
  type SentencePart,
  type Severity,
  type ShownRule,
  severities,
} from "./types.ts";
import { leastOf, mostOf, shownRuleOf } from "./violation-rows.ts";

/** What findings are made from. */
export interface FindingsInput {
  readonly document: AuditDocument;
  readonly origins: readonly DocumentOrigin[];
  readonly crawlerRows: readonly CrawlerRow[];
  readonly clock: ZoneClock;
  /** Whether the log is a sample: sentences about what did not happen are then left out. */
  readonly isSampled: boolean;
}

interface Keyed extends AuditFinding {
  readonly key: string;
}

/** The findings, worst first; ties by requests, then by key. Only what dated observations prove accuses a crawler. */
export function findingsOf(input: FindingsInput): readonly AuditFinding[] {
  const found = [
    ...input.origins.flatMap((origin) => crossedFindings(input, origin)),
    ...input.origins.flatMap((origin) => graceFindings(input, origin)),
    ...input.origins.flatMap((origin) => outageFindings(input, origin)),
    ...input.origins.flatMap((origin) => sizeFindings(input, origin)),
    ...falseFindings(input),
    ...wouldBeFindings(input),
    ...dataFindings(input),
    ...pageFindings(input),
  ];
  return found
    .toSorted(
      (one, other) =>
        severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
        other.requests - one.requests ||
        (one.key < other.key ? -1 : 1),
    )
    .map(({ key: _key, ...shown }) => shown);
}

/** Makes a finding; its number is its requests unless it is given. */
function finding(
  code: AuditFindingCode,
  severity: Severity,
  section: AuditFinding["section"],
  requests: number,
  key: readonly unknown[],
  sentence: readonly SentencePart[],
  number: string = countTextOf(requests),
): Keyed {
  return { code, severity, section, requests, number, sentence, key: JSON.stringify([code, ...key]) };
}

interface Crossed {
  readonly crawler: string;
  readonly verification: Verification;
  readonly rule: ShownRule;
  readonly requests: number;
  readonly served: number;
  readonly first: number | null;
  readonly last: number | null;
}

function crossedFindings(input: FindingsInput, origin: DocumentOrigin): readonly Keyed[] {
  const crawlers = new Map(input.document.crawlers.map((crawler) => [crawler.productToken, crawler]));
  const sums = new Map<string, Crossed>();
  for (const row of origin.decisions) {
    const [interval, rule, crawler, verification, state, , proven, disputed, served, requests, first, last] = row;
    const counts = state === "violation" && proven && !disputed;
    if (!counts || !mayBeAccused(crawlers.get(crawler), verification)) continue;
    const key = JSON.stringify([rule, crawler, verification]);
    const known = sums.get(key);
    sums.set(key, {
      crawler,
      verification,
      rule: shownRuleOf(origin, rule, interval),
      requests: (known?.requests ?? 0) + requests,
      served: (known?.served ?? 0) + (served === "served" ? requests : 0),
      first: leastOf(known?.first ?? null, first),
      last: mostOf(known?.last ?? null, last),
    });
  }
  const uses = graceUsesOf(origin);
  return [...sums].map(([key, { crawler, verification, rule, requests, served, first, last }]) => {
    const grace = uses.filter((use) => use.crawler === crawler && use.verification === verification);
    const more = grace.reduce((sum, { proven }) => sum + proven, 0);
    const sentence: SentencePart[] = [
      ...actorParts(crawler, verification, requests),
      " crossed ",
      ...ruleParts(rule),
      placeOf(input.origins, origin),
      daysText(input.clock, first, last),
      served === 0 ? "; the server refused all of them" : "",
      more > 0 ? `; ${countTextOf(more)} more in grace` : "",
    ];
    return finding("crossed", "violation", "violations", requests, [origin.origin, key], sentence);
  });
}

function graceFindings(input: FindingsInput, origin: DocumentOrigin): readonly Keyed[] {
  const crawlers = new Map(input.document.crawlers.map((crawler) => [crawler.productToken, crawler]));
  return graceUsesOf(origin).flatMap((use) => {
    const { crawler, interval } = use;
    const verification = use.verification as Verification;
    if (!mayBeAccused(crawlers.get(crawler), verification) || use.fetched === undefined) return [];
    const from = origin.intervals[interval]?.from ?? null;
    const key = [origin.origin, interval, crawler, verification];
    if (use.provenInformed > 0) {
      const sentence: SentencePart[] = [
        ...actorParts(crawler, verification, use.provenInformed),
        " asked for what the new robots.txt",
        placeOf(input.origins, origin),
        " disallows, after fetching it",
        from === null ? "" : `; it changed on ${dayTextOf(input.clock.dayOf(from), false)}`,
      ];
      return [finding("informed", "warning", "files", use.provenInformed, key, sentence)];
    }
    return keptFindings(input, origin, use, from, key);
  });
}

/** A crawler that crossed nothing since it fetched the file that restricts it. */
function keptFindings(
  input: FindingsInput,
  origin: DocumentOrigin,
  use: GraceUse,
  from: number | null,
  key: readonly unknown[],
): readonly Keyed[] {
  const own = origin.decisions.filter(
    ([interval, , crawler, verification]) =>
      interval === use.interval && crawler === use.crawler && verification === use.verification,
  );
  const tightened = own.find(([, , , , state, direction]) => state === "grace" && direction === "tightened");
  const hasCrossed = own.some(([, , , , state]) => state === "violation");
  const wasThere = own.some(([, , , , , , , , , , , last]) => last !== null && last > use.fetched!);
  if (input.isSampled || use.proven === 0 || tightened === undefined || hasCrossed || !wasThere || from === null)
    return [];
  const sentence: SentencePart[] = [
    ...(use.verification === "verified"
      ? [{ name: use.crawler }, " (verified)"]
      : ["what calls itself ", { name: use.crawler }]),
    " has kept to ",
    ...ruleParts(shownRuleOf(origin, tightened[1], use.interval)),
    placeOf(input.origins, origin),
    ` since the first fetch of the new file, ${durationTextOf(use.fetched! - from)} after the change`,
  ];
  return [finding("kept", "good", "files", 0, key, sentence)];
}

function outageFindings(input: FindingsInput, origin: DocumentOrigin): readonly Keyed[] {
  const { period } = input.document;
  if (period === null) return [];
  const lost = origin.times.reduce(
    (sum, [, , , state, , requests]) => sum + (state === "undecidable:outage" ? requests : 0),
    0,
  );
  const during = origin.outages.filter(
    ({ from, seen, end }) => from <= period.last && (end ?? seen) >= period.first - secondsPerDay,
  );
  if (during.length === 0) return [];
  const seconds = during.reduce((sum, { from, seen, end }) => sum + (end ?? seen) - from, 0);
  const days = dayTextOf(input.clock.dayOf(during[0]!.from), false);
  const sentence: SentencePart[] = [
    "robots.txt",
    placeOf(input.origins, origin),
    during.length === 1 ? ` was unreachable from ${days}` : ` was unreachable ${during.length} times from ${days}`,
    lost > 0
      ? `; ${amountOf(lost, "request")} of that time cannot be judged`
      : "; requests of that time are judged by the copy before",
  ];
  return [finding("outage", "warning", "files", lost, [origin.origin], sentence, durationTextOf(seconds))];
}

function sizeFindings(input: FindingsInput, origin: DocumentOrigin): readonly Keyed[] {
  const versions = new Set(origin.intervals.map(({ version }) => version));
  const shift = versions.size === 1 ? sizeShiftOf(origin.sizes) : undefined;
  if (shift === undefined) return [];
  const range = ([least, most]: readonly [number, number]): string =>
    least === most ? bytesTextOf(least) : `${bytesTextOf(least)} to ${bytesTextOf(most)}`;
  const sentence: SentencePart[] = [
    "robots.txt",
    placeOf(input.origins, origin),
    ` may have changed on ${dayTextOf(input.clock.dayOf(shift.atSeconds), false)}: its answers had `,
    `${range(shift.before)} until then and ${range(shift.after)} since, but only one version is known`,
  ];
  return [finding("file-may-have-changed", "warning", "files", 0, [origin.origin], sentence, "?")];
}

function falseFindings({ crawlerRows }: FindingsInput): readonly Keyed[] {
  return crawlerRows
    .filter(({ verification }) => verification === "false")
    .map(({ crawler, requests }) =>
      finding(
        "false-identity",
        "warning",
        "crawlers",
        requests,
        [crawler.productToken],
        [
          requests === 1 ? "request calls itself " : "requests call themselves ",
          { name: crawler.productToken },
          crawler.kind === "control-token"
            ? ", under which no crawler asks; they are somebody else's"
            : requests === 1
              ? " and comes from somewhere else"
              : " and come from somewhere else",
        ],
      ),
    );
}

function wouldBeFindings({ origins }: FindingsInput): readonly Keyed[] {
  const sums = new Map<string, { crawler: string; verification: Verification; requests: number }>();
  for (const row of origins.flatMap(({ decisions }) => decisions)) {
    const [, , crawler, verification, state, , proven, disputed, , requests] = row;
    if (state !== "not-bound:violation" || !proven || disputed || verification === "false") continue;
    const key = `${crawler} ${verification}`;
    sums.set(key, { crawler, verification, requests: requests + (sums.get(key)?.requests ?? 0) });
  }
  return [...sums].map(([key, { crawler, verification, requests }]) => {
    const of: readonly SentencePart[] =
      verification === "verified"
        ? [requests === 1 ? "request of " : "requests of ", { name: crawler }, " (verified)"]
        : actorParts(crawler, verification, requests);
    const sentence = [...of, " would be disallowed; robots.txt does not bind it"];
    return finding("would-be", "note", "crawlers", requests, [key], sentence);
  });
}

function pageFindings({ document }: FindingsInput): readonly Keyed[] {
  return pageFindingsOf(document).map(({ code, severity, crawlers, pages, sentence }) =>
    finding(code, severity, "data", pages, crawlers, sentence),
  );
}

function dataFindings({ origins }: FindingsInput): readonly Keyed[] {
  const decisions = origins.flatMap((origin) => origin.decisions);
  const judged = decisions.reduce((sum, [, , , , , , , , , requests]) => sum + requests, 0);
  const isProven = decisions.some(([, , , , , , proven]) => proven);
  const unknown = origins.reduce(
    (sum, { times }) =>
      sum + times.reduce((own, [, , , state, , count]) => own + (state === "undecidable:no-file" ? count : 0), 0),
    0,
  );
  return [
    ...(judged > 0 && !isProven
      ? [
          finding(
            "nothing-proven",
            "note",
            "data",
            judged,
            [],
            [
              `${judged === 1 ? "request was" : "requests were"} judged by a robots.txt of which nothing shows that it held then; no sentence here accuses a crawler`,
            ],
          ),
        ]
      : []),
    ...(unknown > 0
      ? [
          finding(
            "no-file",
            "note",
            "data",
            unknown,
            [],
            [`${unknown === 1 ? "request" : "requests"} went to origins whose robots.txt is not known`],
          ),
        ]
      : []),
  ];
}
