// Defines the CSV tables that are computed from a whole document.
import type { AuditDocument } from "../document/types.ts";
import { mismatchRowsOf } from "../report/mismatches.ts";
import { reportOf } from "../report/report.ts";
import type { GroupRow } from "../report/types.ts";
import { isoOf } from "../time.ts";

/** A table of a whole document. */
interface WholeTable {
  readonly headings: readonly string[];
  readonly rowsOf: (document: AuditDocument) => readonly (readonly string[])[];
}

const timeTextOf = (time: number | null): string => (time === null ? "" : isoOf(time));

const groupHeadings = [
  "crawlers",
  "purposes",
  "requests",
  "verified",
  "bytes",
  "days",
  "robotsTxtFetches",
  "refused",
  "violations",
  "judged",
] as const;

/** The fields of a group. Days are those of UTC. */
function groupFieldsOf({ name, crawlers, purposes, judged, days, ...row }: GroupRow): readonly string[] {
  const numbers = [row.requests, row.verified, row.bytes, days ?? "", row.fetches, row.answers.refused];
  return [name, crawlers.join(" "), purposes.join(" "), ...[...numbers, judged.violations, judged.judged].map(String)];
}

/** The name of a table of a whole document. */
export type WholeTableName = "otherAgents" | "operators" | "purposes" | "mismatches";

/** The tables of a whole document. */
export const wholeTables: Readonly<Record<WholeTableName, WholeTable>> = {
  otherAgents: {
    headings: ["agent", "requests"],
    rowsOf: ({ otherAgents }) => otherAgents.map(({ agent, requests }) => [agent, String(requests)]),
  },
  operators: {
    headings: ["operator", ...groupHeadings, "visits"],
    rowsOf: (document) => reportOf(document).operators.map((row) => [...groupFieldsOf(row), String(row.visits)]),
  },
  purposes: {
    headings: ["purpose", ...groupHeadings],
    rowsOf: (document) => reportOf(document).purposes.map(groupFieldsOf),
  },
  // A row for each status of a mismatch, so that every field is one value.
  mismatches: {
    headings: ["origin", "crawler", "verification", "kind", "proven", "status", "requests", "of", "first", "last"],
    rowsOf: ({ origins, crawlers }) =>
      mismatchRowsOf(origins, crawlers).flatMap((row) =>
        row.statuses.map(({ status, requests }) => [
          row.origin,
          row.crawler,
          row.verification,
          row.kind,
          String(row.isProven),
          String(status),
          String(requests),
          String(row.of),
          timeTextOf(row.first),
          timeTextOf(row.last),
        ]),
      ),
  },
};

/** Whether a table is one of a whole document. */
export function isWholeTable(name: string): name is WholeTableName {
  return Object.hasOwn(wholeTables, name);
}
