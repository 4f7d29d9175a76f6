// Makes the findings about crawlers that robots.txt allows and the server refuses, and the reverse.
import type { DocumentOrigin } from "../document/types.ts";
import { daysText, placeOf, requestParts } from "./finding-words.ts";
import { type FindingsInput, type Keyed, finding } from "./keyed-finding.ts";
import type { MismatchRow } from "./mismatch-types.ts";
import { mismatchRowsOf } from "./mismatches.ts";
import { countTextOf, listTextOf, shareTextOf } from "./numbers.ts";
import type { SentencePart } from "./types.ts";

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
