// Defines the CSV tables that are computed from a whole document.
import type { AuditDocument } from "../document/types.ts";
import { mismatchRowsOf } from "../report/mismatches.ts";
import { isoOf } from "../time.ts";

/** A table of a whole document. */
interface WholeTable {
  readonly headings: readonly string[];
  readonly rowsOf: (document: AuditDocument) => readonly (readonly string[])[];
}

const timeTextOf = (time: number | null): string => (time === null ? "" : isoOf(time));

/** The name of a table of a whole document. */
export type WholeTableName = "otherAgents" | "mismatches";

/** The tables of a whole document. */
export const wholeTables: Readonly<Record<WholeTableName, WholeTable>> = {
  otherAgents: {
    headings: ["agent", "requests"],
    rowsOf: ({ otherAgents }) => otherAgents.map(({ agent, requests }) => [agent, String(requests)]),
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
