// Sums the requests of crawlers by operator and by purpose. Each request counts once.
import { noTimeLevel } from "../count/keys.ts";
import { tableRowsOf } from "../document/table-rows.ts";
import type { DocumentOrigin } from "../document/types.ts";
import type { AuditCrawler } from "../states/judge.ts";
import { statusClasses } from "../states/states.ts";
import { type AnswerSums, type Answers, noAnswers } from "./answers.ts";
import type { CrawlerRow, Judged } from "./crawler-rows.ts";
import type { ZoneClock } from "./days.ts";
import { mayBeAccused } from "./words.ts";

/** The requests of the crawlers of one operator or purpose, without requests whose identity is false. */
export interface GroupRow {
  readonly name: string;
  /** The product tokens of the crawlers, most requests first. */
  readonly crawlers: readonly string[];
  /** All purposes of these crawlers. */
  readonly purposes: readonly string[];
  readonly requests: number;
  /** The part of `requests` from verified addresses. */
  readonly verified: number;
  readonly bytes: number;
  /** The number of days with a request of any of the crawlers; null if folding dropped the times of some requests. */
  readonly days: number | null;
  /** The number of successful fetches of /robots.txt. */
  readonly fetches: number;
  readonly answers: Answers;
  /** The proven judged requests and violations of those crawlers that a sentence may accuse. */
  readonly judged: Judged;
  /** The part of the proven violations by crawlers whose operator does not say whether they obey. */
  readonly unpromised: number;
}

/** One operator: the requests of its crawlers, and the visits that it sent. */
export interface OperatorRow extends GroupRow {
  /** The number of requests of no known crawler whose Referer header names a page of the operator. */
  readonly visits: number;
}

/** The name that stands for the operator of programs: nobody is responsible for what anyone may run. */
const anyone = "programs that anyone may run";

const operatorOf = ({ kind, operator }: AuditCrawler): string => (kind === "program" ? anyone : operator);

/** The purpose under which a crawler's requests count: the first in its list. The registry lists a crawler's main purpose first. */
export function mainPurposeOf({ purposes }: Pick<AuditCrawler, "purposes">): string {
  return purposes[0] ?? "other";
}

interface Group extends Omit<Mutable<GroupRow>, "answers" | "days" | "crawlers" | "purposes" | "judged"> {
  readonly answers: AnswerSums;
  readonly crawlers: Set<string>;
  readonly purposes: Set<string>;
  readonly judged: { violations: number; judged: number };
  readonly days: Set<number>;
  isTimeFolded: boolean;
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** The data from which groups are made. */
interface Grouped {
  readonly origins: readonly DocumentOrigin[];
  readonly crawlerRows: readonly CrawlerRow[];
  readonly clock: ZoneClock;
}

/** The purposes of the crawlers that came, most requests first. */
export function purposeRowsOf(grouped: Grouped): readonly GroupRow[] {
  return rowsOf(groupsBy(mainPurposeOf, grouped));
}

/** The operators of the crawlers that came, and those that sent visits, most requests first. */
export function operatorRowsOf(grouped: Grouped): readonly OperatorRow[] {
  const groups = groupsBy(operatorOf, grouped);
  const visits = new Map<string, number>();
  for (const [operator, requests] of grouped.origins.flatMap(({ referrals }) => referrals)) {
    visits.set(operator, (visits.get(operator) ?? 0) + requests);
    if (!groups.has(operator)) groups.set(operator, noGroup(operator));
  }
  return rowsOf(groups)
    .map((row) => ({ ...row, visits: visits.get(row.name) ?? 0 }))
    .toSorted((one, other) => other.requests - one.requests || other.visits - one.visits || compare(one, other));
}

const noGroup = (name: string): Group => ({
  name,
  crawlers: new Set(),
  purposes: new Set(),
  requests: 0,
  verified: 0,
  bytes: 0,
  days: new Set(),
  isTimeFolded: false,
  fetches: 0,
  answers: noAnswers(),
  judged: { violations: 0, judged: 0 },
  unpromised: 0,
});

function groupsBy(
  nameOf: (crawler: AuditCrawler) => string,
  { origins, crawlerRows, clock }: Grouped,
): Map<string, Group> {
  const groups = new Map<string, Group>();
  const byToken = new Map<string, Group>();
  for (const row of crawlerRows) {
    const { crawler, verification, proven } = row;
    if (verification === "false") continue;
    const name = nameOf(crawler);
    const group = groups.get(name) ?? noGroup(name);
    groups.set(name, group);
    byToken.set(crawler.productToken, group);
    group.crawlers.add(crawler.productToken);
    for (const purpose of crawler.purposes) group.purposes.add(purpose);
    group.requests += row.requests;
    group.verified += verification === "verified" ? row.requests : 0;
    group.bytes += row.bytes;
    group.fetches += row.fetches;
    for (const answer of statusClasses) group.answers[answer] += row.answers[answer];
    if (!mayBeAccused(crawler, verification)) continue;
    group.judged.violations += proven.violations;
    group.judged.judged += proven.judged;
    if (crawler.bound === "undocumented") group.unpromised += proven.violations;
  }
  for (const origin of origins) {
    const isTimeFolded = origin.folded.times >= noTimeLevel;
    for (const [time, crawler, verification] of tableRowsOf(origin, "times")) {
      if (verification === "false") continue;
      const group = byToken.get(crawler)!;
      if (time !== null) group.days.add(clock.dayOf(time));
      if (isTimeFolded) group.isTimeFolded = true;
    }
  }
  return groups;
}

const compare = (one: GroupRow, other: GroupRow): number => (one.name < other.name ? -1 : 1);

function rowsOf(groups: ReadonlyMap<string, Group>): readonly GroupRow[] {
  return [...groups.values()]
    .map(({ isTimeFolded, days, crawlers, purposes, ...group }) => ({
      ...group,
      crawlers: [...crawlers],
      purposes: [...purposes],
      days: isTimeFolded ? null : days.size,
    }))
    .toSorted((one, other) => other.requests - one.requests || compare(one, other));
}
