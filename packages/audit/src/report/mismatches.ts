// Finds crawlers that robots.txt allows and the server refuses, and crawlers that robots.txt disallows and the server serves.
import { tableRowsOf } from "../document/table-rows.ts";
import type { AuditDocument, DocumentOrigin } from "../document/types.ts";
import type { AuditCrawler } from "../states/judge.ts";
import { type Verification, classNameOf } from "../states/states.ts";
import { leastOf, mostOf } from "../time.ts";
import { type StatusSum, statusSumsOf } from "./answers.ts";
import { type FindingsInput, type Keyed, finding } from "./finding.ts";
import { countTextOf, listTextOf, shareTextOf } from "./numbers.ts";
import { type SentencePart, boundMarkOf, daysText, mayBeAccused, placeOf, requestParts } from "./words.ts";

/** A kind of mismatch between robots.txt and the server. */
export type MismatchKind = "allowed-yet-refused" | "disallowed-yet-served";

/** Requests of a crawler to an origin that the server answered against the origin's robots.txt. */
export interface MismatchRow {
  readonly origin: string;
  readonly crawler: string;
  readonly verification: Verification;
  readonly kind: MismatchKind;
  /** The number of requests, without disputed ones; if `isProven`, also without assumed ones. */
  readonly requests: number;
  /** The number of requests with the same decision on the same ground whose status is known, whatever the server answered. */
  readonly of: number;
  /** Whether dated observations prove the decisions about `requests`. */
  readonly isProven: boolean;
  /** `requests` by status, most requests first. */
  readonly statuses: readonly StatusSum[];
  readonly first: number | null;
  readonly last: number | null;
  /** The numbers of further requests with this mismatch that the row leaves out. */
  readonly disputed: number;
  readonly assumed: number;
  /** What is not known about the crawler: "its operator does not say whether it obeys"; "" if its operator says so. */
  readonly mark: string;
}

/** The fewest requests of a mismatch that is reported. */
export const leastForMismatch = 10;

/** Sums of the requests of one ground: proven, assumed or disputed. */
interface Sum {
  of: number;
  requests: number;
  readonly statuses: Map<number, number>;
  first: number | null;
  last: number | null;
}

const noSum = (): Sum => ({ of: 0, requests: 0, statuses: new Map(), first: null, last: null });

interface Sums {
  readonly crawler: string;
  readonly verification: Verification;
  readonly kind: MismatchKind;
  readonly proven: Sum;
  readonly assumed: Sum;
  readonly disputed: Sum;
}

/** The kind of mismatch that a state can have; undefined for requests without a decision, in grace, or of crawlers that are not bound. */
function kindOf(state: string): MismatchKind | undefined {
  if (state === "allowed" || state === "not-bound:allowed") return "allowed-yet-refused";
  return state === "violation" ? "disallowed-yet-served" : undefined;
}

/**
 * Whether a request may be counted. Requests with a false identity are not the crawler's, so refusing them is no mismatch; a control token
 * sends no request. Only a crawler that a sentence may accuse can be disallowed.
 */
function isCounted(kind: MismatchKind, crawler: AuditCrawler | undefined, verification: Verification): boolean {
  if (kind === "disallowed-yet-served") return mayBeAccused(crawler, verification);
  return verification !== "false" && crawler?.kind !== "control-token";
}

/** The mismatches of at least ten requests, most requests first. */
export function mismatchRowsOf(
  origins: readonly DocumentOrigin[],
  crawlers: AuditDocument["crawlers"],
): readonly MismatchRow[] {
  const known = new Map(crawlers.map((crawler) => [crawler.productToken, crawler]));
  const keyOf = ({ origin, crawler, verification, kind }: MismatchRow): string =>
    JSON.stringify([origin, crawler, verification, kind]);
  return origins
    .flatMap(({ origin }, at) =>
      sumsOf(origins[at]!, known).flatMap((sums) => rowOf(origin, sums, known.get(sums.crawler))),
    )
    .toSorted((one, other) => other.requests - one.requests || (keyOf(one) < keyOf(other) ? -1 : 1));
}

function sumsOf(origin: DocumentOrigin, known: ReadonlyMap<string, AuditCrawler>): readonly Sums[] {
  const all = new Map<string, Sums>();
  for (const row of tableRowsOf(origin, "decisions")) {
    const [, , crawler, verification, state, , proven, disputed, status, requests, first, last] = row;
    const kind = kindOf(state);
    const answer = classNameOf(status);
    if (kind === undefined || answer === "not-known" || !isCounted(kind, known.get(crawler), verification)) continue;
    const key = `${crawler} ${verification} ${kind}`;
    let sums = all.get(key);
    if (sums === undefined) {
      sums = { crawler, verification, kind, proven: noSum(), assumed: noSum(), disputed: noSum() };
      all.set(key, sums);
    }
    const sum = disputed ? sums.disputed : proven ? sums.proven : sums.assumed;
    sum.of += requests;
    if (answer !== (kind === "allowed-yet-refused" ? "refused" : "served")) continue;
    sum.requests += requests;
    sum.statuses.set(status, (sum.statuses.get(status) ?? 0) + requests);
    sum.first = leastOf(sum.first, first);
    sum.last = mostOf(sum.last, last);
  }
  return [...all.values()];
}

/**
 * The row of a crawler; empty for fewer than ten requests. The row counts the proven requests if there are ten. Else a row about refusals,
 * which accuse nobody, also counts assumed ones.
 */
function rowOf(origin: string, sums: Sums, crawler: AuditCrawler | undefined): readonly MismatchRow[] {
  const { kind, verification, proven, assumed, disputed } = sums;
  const isProven = proven.requests >= leastForMismatch;
  const isEnough =
    isProven || (kind === "allowed-yet-refused" && proven.requests + assumed.requests >= leastForMismatch);
  if (!isEnough) return [];
  const counted = isProven ? [proven] : [proven, assumed];
  const statuses = new Map<number, number>();
  for (const [status, requests] of counted.flatMap((sum) => [...sum.statuses])) {
    statuses.set(status, (statuses.get(status) ?? 0) + requests);
  }
  const row: MismatchRow = {
    origin,
    crawler: sums.crawler,
    verification,
    kind,
    requests: counted.reduce((sum, { requests }) => sum + requests, 0),
    of: counted.reduce((sum, { of }) => sum + of, 0),
    isProven,
    statuses: statusSumsOf(statuses),
    first: counted.reduce<number | null>((least, { first }) => leastOf(least, first), null),
    last: counted.reduce<number | null>((most, { last }) => mostOf(most, last), null),
    disputed: disputed.requests,
    assumed: isProven ? assumed.requests : 0,
    mark: kind === "disallowed-yet-served" ? boundMarkOf(crawler, verification) : "",
  };
  return [row];
}

/** One finding for each mismatch. */
export function mismatchFindings(input: FindingsInput): readonly Keyed[] {
  const origins = new Map(input.origins.map((origin) => [origin.origin, origin]));
  return mismatchRowsOf(input.origins, input.document.crawlers).map((row) =>
    mismatchFinding(input, row, origins.get(row.origin)!),
  );
}

function mismatchFinding({ origins, dayText }: FindingsInput, row: MismatchRow, origin: DocumentOrigin): Keyed {
  const { crawler, verification, kind, requests, of, isProven } = row;
  const isRefusal = kind === "allowed-yet-refused";
  const sentence: SentencePart[] = [
    ...requestParts(crawler, verification, requests),
    isRefusal ? " got a refusal although robots.txt allows them" : " were served although robots.txt disallows them",
    placeOf(origins, origin),
    daysText(dayText, row.first, row.last),
    `: ${statusesTextOf(row)}, of ${countTextOf(of)} ${isRefusal ? "allowed" : "disallowed"}`,
    isProven ? "" : "; by a file that is assumed to have been in force",
    leftOutTextOf(row) === "" ? "" : `; ${leftOutTextOf(row)} left out`,
    isRefusal && verification !== "verified" ? "; not known who sent them, so they may be imitators" : "",
    row.mark === "" ? "" : `; ${row.mark}`,
  ];
  const key = [row.origin, crawler, verification];
  return finding(kind, isRefusal ? "warning" : "note", "answers", requests, key, sentence);
}

/** The requests of a mismatch by status, with their shares: "398 with status 403 (97 %) and 14 with 429 (3.4 %)". */
export function statusesTextOf({ statuses, requests }: Pick<MismatchRow, "statuses" | "requests">): string {
  if (statuses.length === 1) return `all with status ${statuses[0]!.status}`;
  const parts = statuses.map(
    ({ status, requests: count }, at) =>
      `${countTextOf(count)} with ${at === 0 ? "status " : ""}${status} (${shareTextOf(count, requests)})`,
  );
  return listTextOf(parts);
}

/** What a mismatch leaves out: "12 assumed and 3 disputed"; empty if it leaves nothing out. */
export function leftOutTextOf({ disputed, assumed }: MismatchRow): string {
  const parts = [
    ...(assumed > 0 ? [`${countTextOf(assumed)} assumed`] : []),
    ...(disputed > 0 ? [`${countTextOf(disputed)} disputed`] : []),
  ];
  return parts.join(" and ");
}
