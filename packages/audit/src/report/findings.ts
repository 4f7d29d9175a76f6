// Makes the findings of a report from a document and its crawler rows: each code of a closed list has its condition.
import type { DocumentOrigin } from "../document/types.ts";
import { type Verification, classNameOf, statusClasses } from "../states/states.ts";
import { leastOf, mostOf } from "../time.ts";
import { type AnswerSums, answersTextOf, noAnswers } from "./answers.ts";
import { outageFindings, sizeFindings } from "./file-findings.ts";
import { type AuditFinding, type FindingsInput, type Keyed, finding, severities } from "./finding.ts";
import { type GraceUse, graceUsesOf } from "./in-force.ts";
import { mismatchFindings } from "./mismatches.ts";
import { dataFindings, keptSummary, pageFindings, wouldBeFindings } from "./note-findings.ts";
import { amountOf, countTextOf, durationTextOf } from "./numbers.ts";
import {
  type SentencePart,
  type ShownRule,
  actorParts,
  boundMarkOf,
  daysText,
  mayBeAccused,
  placeOf,
  requestParts,
  ruleParts,
  shownRuleOf,
} from "./words.ts";

/**
 * Returns the findings, sorted by severity, then by requests, then by key. Findings accuse a crawler only of violations that dated
 * observations prove.
 */
export function findingsOf(input: FindingsInput): readonly AuditFinding[] {
  const found = [
    ...input.origins.flatMap((origin) => [
      ...crossedFindings(input, origin),
      ...graceFindings(input, origin),
      ...outageFindings(input, origin),
      ...sizeFindings(input, origin),
    ]),
    ...falseFindings(input),
    ...keptSummary(input),
    ...wouldBeFindings(input),
    ...mismatchFindings(input),
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

interface Crossed {
  readonly crawler: string;
  readonly verification: Verification;
  readonly rule: ShownRule;
  readonly requests: number;
  readonly answers: AnswerSums;
  readonly first: number | null;
  readonly last: number | null;
}

function crossedFindings(input: FindingsInput, origin: DocumentOrigin): readonly Keyed[] {
  const crawlers = new Map(input.document.crawlers.map((crawler) => [crawler.productToken, crawler]));
  const sums = new Map<string, Crossed>();
  for (const row of origin.decisions) {
    const [interval, rule, crawler, verification, state, , proven, disputed, status, requests, first, last] = row;
    const counts = state === "violation" && proven && !disputed;
    if (!counts || !mayBeAccused(crawlers.get(crawler), verification)) continue;
    const key = JSON.stringify([rule, crawler, verification]);
    const known = sums.get(key);
    const answers = known?.answers ?? noAnswers();
    answers[classNameOf(status)] += requests;
    sums.set(key, {
      crawler,
      verification,
      rule: shownRuleOf(origin, rule, interval),
      requests: (known?.requests ?? 0) + requests,
      answers,
      first: leastOf(known?.first ?? null, first),
      last: mostOf(known?.last ?? null, last),
    });
  }
  const byCrawler = new Map<string, Crossed[]>();
  for (const crossed of sums.values()) {
    const key = JSON.stringify([crossed.crawler, crossed.verification]);
    byCrawler.set(key, [...(byCrawler.get(key) ?? []), crossed]);
  }
  return [...byCrawler].map(([key, crossed]) => {
    const { crawler, verification } = crossed[0]!;
    return crossedFinding(input, origin, key, crossed, boundMarkOf(crawlers.get(crawler), verification));
  });
}

/** The maximum number of rules that a sentence names. */
const mostRules = 2;

/** One finding for all rules that a crawler crossed on an origin. */
function crossedFinding(
  { origins, dayText }: FindingsInput,
  origin: DocumentOrigin,
  key: string,
  crossed: readonly Crossed[],
  mark: string,
): Keyed {
  const { crawler, verification } = crossed[0]!;
  const requests = crossed.reduce((sum, each) => sum + each.requests, 0);
  const answers = noAnswers();
  for (const each of crossed) for (const name of statusClasses) answers[name] += each.answers[name];
  const rules = crossed.toSorted(
    (one, other) => other.requests - one.requests || (one.rule.line ?? 0) - (other.rule.line ?? 0),
  );
  const more = rules.length - mostRules;
  const grace = graceUsesOf(origin)
    .filter((use) => use.crawler === crawler && use.verification === verification)
    .reduce((sum, { proven }) => sum + proven, 0);
  const sentence: SentencePart[] = [
    ...actorParts(crawler, verification, requests),
    " crossed ",
    ...rules
      .slice(0, mostRules)
      .flatMap(({ rule }, at): SentencePart[] => [
        at === 0 ? "" : more > 0 ? ", " : " and ",
        ...ruleParts(rule, crawler),
      ]),
    more > 0 ? ` and ${amountOf(more, "more rule")}` : "",
    placeOf(origins, origin),
    daysText(
      dayText,
      crossed.reduce<number | null>((least, { first }) => leastOf(least, first), null),
      crossed.reduce<number | null>((most, { last }) => mostOf(most, last), null),
    ),
    answersTextOf(answers),
    grace > 0 ? `; ${countTextOf(grace)} more in grace` : "",
    mark === "" ? "" : `; ${mark}`,
  ];
  return finding("crossed", "violation", "violations", requests, [origin.origin, key], sentence);
}

function graceFindings(input: FindingsInput, origin: DocumentOrigin): readonly Keyed[] {
  const crawlers = new Map(input.document.crawlers.map((crawler) => [crawler.productToken, crawler]));
  return graceUsesOf(origin).flatMap((use) => {
    const { crawler, interval } = use;
    const verification = use.verification as Verification;
    if (!mayBeAccused(crawlers.get(crawler), verification) || use.fetched === undefined) return [];
    const { from = null, fromLatest } = origin.intervals[interval] ?? {};
    const key = [origin.origin, interval, crawler, verification];
    const mark = boundMarkOf(crawlers.get(crawler), verification);
    if (use.provenInformed > 0) {
      const sentence: SentencePart[] = [
        ...requestParts(crawler, verification, use.provenInformed),
        ", sent after ",
        verification === "verified" ? { name: crawler } : "a client of that name",
        " had fetched the new robots.txt",
        placeOf(input.origins, origin),
        from === null ? "" : ` of ${input.dayText({ from, fromLatest })}`,
        ", asked for what that file disallows",
        mark === "" ? "" : `; ${mark}`,
      ];
      return [finding("informed", "warning", "files", use.provenInformed, key, sentence)];
    }
    return keptFindings(input, origin, use, key);
  });
}

/** The finding for a crawler that obeyed a new rule since its first fetch of the new file; empty if the counts do not show this. */
function keptFindings(
  input: FindingsInput,
  origin: DocumentOrigin,
  use: GraceUse,
  key: readonly unknown[],
): readonly Keyed[] {
  const { from = null, fromLatest } = origin.intervals[use.interval] ?? {};
  const since = origin.decisions.filter(
    ([interval, , crawler, verification]) =>
      interval >= use.interval && crawler === use.crawler && verification === use.verification,
  );
  const own = since.filter(([interval]) => interval === use.interval);
  const tightened = own.find(([, , , , state, direction]) => state === "grace" && direction === "tightened");
  // The sentence also speaks of the time of later files.
  const hasCrossed =
    since.some(([, , , , state]) => state === "violation" || state === "not-bound:violation") ||
    graceUsesOf(origin).some(
      ({ interval, crawler, verification, informed }) =>
        interval > use.interval && crawler === use.crawler && verification === use.verification && informed > 0,
    );
  const wasThere = own.some(([, , , , , , , , , , , last]) => last !== null && last > use.fetched!);
  if (input.isSampled || use.proven === 0 || tightened === undefined || hasCrossed || !wasThere || from === null)
    return [];
  const sentence: SentencePart[] = [
    ...(use.verification === "verified"
      ? ["crawler, ", { name: use.crawler }, " (verified), has obeyed "]
      : ["client calling itself ", { name: use.crawler }, " has obeyed "]),
    ...ruleParts(shownRuleOf(origin, tightened[1], use.interval), use.crawler),
    placeOf(input.origins, origin),
    " since a fetch of the new file",
    fromLatest === undefined ? `, ${durationTextOf(use.fetched! - from)} after that file was first seen` : "",
  ];
  return [finding("kept", "good", "files", 0, key, sentence, "1")];
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
            ? ", a name that no crawler sends"
            : requests === 1
              ? ", but comes from an address that is not the crawler's"
              : ", but come from addresses that are not the crawler's",
        ],
      ),
    );
}
