// Makes the rows of violations, crawl waste and flips from the tables of a document.
import type { ExampleCell } from "../count/examples.ts";
import { tableRowsOf } from "../document/table-rows.ts";
import type { AuditDocument, DocumentOrigin } from "../document/types.ts";
import type { StatusClass, Verification } from "../states/states.ts";
import { leastOf, mostOf } from "../time.ts";
import { type ShownRule, boundMarkOf, mayBeAccused, shownRuleOf } from "./words.ts";

/** Requests of crawlers for pages in a directory that the server redirected, did not find, refused or failed to answer. */
export interface MissRow {
  readonly origin: string;
  readonly directory: string;
  readonly answer: StatusClass;
  readonly requests: number;
  readonly examples: readonly string[];
}

/** Violations of a crawler against a rule, in a directory. */
export interface ViolationRow {
  readonly origin: string;
  readonly crawler: string;
  readonly verification: Verification;
  readonly rule: ShownRule;
  readonly directory: string;
  readonly requests: number;
  /** What is not known about the crawler: "its operator does not say whether it obeys"; "" if its operator says so. */
  readonly mark: string;
  /** The number of requests that are proven and not disputed; 0 if no sentence may accuse the crawler. */
  readonly proven: number;
  /** The number of undisputed requests that no dated files prove to be violations. */
  readonly assumed: number;
  readonly disputed: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly examples: readonly string[];
}

const wasteNames = ["requests", "disallowed", "redirected", "notFound", "refused", "failed"] as const;

/** Requests of crawlers for pages, summed over all directories. `disallowed`: violations, also assumed and disputed ones. */
export type WasteSum = Readonly<Record<(typeof wasteNames)[number], number>>;

/** Requests of crawlers for pages in a directory, or with a query parameter. */
export interface WasteRow extends WasteSum {
  readonly origin: string;
  readonly name: string;
}

/** Requests whose decision a candidate file would change. */
export interface FlipRow {
  readonly origin: string;
  readonly directory: string;
  readonly crawler: string;
  readonly verification: Verification;
  readonly flip: "newly-disallowed" | "newly-allowed";
  readonly requests: number;
  readonly examples: readonly string[];
}

/**
 * The rows of violations, most requests first. A row sums the requests of all intervals. It has the line of its rule in the newest of these
 * intervals.
 */
export function violationRowsOf(
  origins: readonly DocumentOrigin[],
  crawlers: AuditDocument["crawlers"],
): readonly ViolationRow[] {
  const known = new Map(crawlers.map((crawler) => [crawler.productToken, crawler]));
  const rows = new Map<string, ViolationRow>();
  for (const origin of origins) {
    for (const crossing of tableRowsOf(origin, "crossings")) {
      const [directory, interval, rule, crawler, verification, state, , proven, disputed] = crossing;
      const [, , , , , , , , , requests, first, last, examples] = crossing;
      if (state !== "violation") continue;
      const key = JSON.stringify([origin.origin, crawler, verification, rule, directory]);
      const row = rows.get(key);
      const isAccusing = mayBeAccused(known.get(crawler), verification);
      rows.set(key, {
        origin: origin.origin,
        crawler,
        verification,
        mark: boundMarkOf(known.get(crawler), verification),
        rule: shownRuleOf(origin, rule, interval),
        directory,
        requests: (row?.requests ?? 0) + requests,
        proven: (row?.proven ?? 0) + (isAccusing && proven && !disputed ? requests : 0),
        assumed: (row?.assumed ?? 0) + (!proven && !disputed ? requests : 0),
        disputed: (row?.disputed ?? 0) + (disputed ? requests : 0),
        first: leastOf(row?.first ?? null, first),
        last: mostOf(row?.last ?? null, last),
        examples: [...new Set([...(row?.examples ?? []), ...examples.map(([, target]) => target)])]
          .toSorted()
          .slice(0, 3),
      });
    }
  }
  return sortedRows([...rows]);
}

/** The values sorted by requests, most first, then by key. */
function sortedRows<Value extends { readonly requests: number }>(
  rows: readonly (readonly [key: string, value: Value])[],
): readonly Value[] {
  return rows
    .toSorted(([oneKey, one], [otherKey, other]) => other.requests - one.requests || (oneKey < otherKey ? -1 : 1))
    .map(([, value]) => value);
}

/** The members of a row for the classes of answers. */
const wasteOf: Readonly<Partial<Record<StatusClass, (typeof wasteNames)[number]>>> = {
  redirected: "redirected",
  "not-found": "notFound",
  refused: "refused",
  failed: "failed",
};

/** Requests of crawlers by directory, or by parameter. */
export function wasteRowsOf(
  origins: readonly DocumentOrigin[],
  table: "directories" | "parameters",
): readonly WasteRow[] {
  const rows = new Map<string, { -readonly [Name in keyof WasteRow]: WasteRow[Name] }>();
  for (const each of origins) {
    const { origin } = each;
    for (const row of tableRowsOf(each, table)) {
      const [name, state, answer, requests] = row.length === 4 ? row : ([row[0], row[3], row[4], row[5]] as const);
      const key = JSON.stringify([origin, name]);
      let waste = rows.get(key);
      if (waste === undefined) rows.set(key, (waste = { origin, name, ...wasteSumOf([]) }));
      waste.requests += requests;
      if (state === "violation") waste.disallowed += requests;
      const member = wasteOf[answer];
      if (member !== undefined) waste[member] += requests;
    }
  }
  return sortedRows([...rows]);
}

/** The sums of rows. */
export function wasteSumOf(rows: readonly WasteRow[]): WasteSum {
  const sums = wasteNames.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]);
  return Object.fromEntries(sums) as WasteSum;
}

/** The targets of examples, each text once: without the values of parameters, different targets may have the same text. */
function targetsOf(examples: readonly ExampleCell[]): readonly string[] {
  return [...new Set(examples.map(([, target]) => target))];
}

/** The rows of requests that the server did not serve. */
export function missRowsOf(origins: readonly DocumentOrigin[]): readonly MissRow[] {
  const rows = origins.flatMap(({ origin, misses }) =>
    misses.map(([directory, answer, requests, examples]) => {
      const row = { origin, directory, answer, requests, examples: targetsOf(examples) };
      return [JSON.stringify([origin, directory, answer]), row] as const;
    }),
  );
  return sortedRows(rows);
}

/** The rows of requests whose decision a candidate file would change. */
export function flipRowsOf(origins: readonly DocumentOrigin[]): readonly FlipRow[] {
  const rows = origins.flatMap(({ origin, flips }) =>
    flips.map(([directory, crawler, verification, flip, requests, examples]) => {
      const row = { origin, directory, crawler, verification, flip, requests, examples: targetsOf(examples) };
      return [JSON.stringify([origin, directory, crawler, verification, flip]), row] as const;
    }),
  );
  return sortedRows(rows);
}
