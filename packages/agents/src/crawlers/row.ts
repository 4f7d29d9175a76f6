// Makes frozen crawlers from the table rows of one operator, in which members with default values may be left out.
import type { Crawler, CrawlDelayUse, Evidence, Kind, Obedience, Purpose } from "../types.ts";

/** A crawler as a row in one of the tables. */
export interface Row {
  readonly productToken: string;
  readonly purposes: readonly Purpose[];
  readonly sources: readonly string[];
  /** Default "crawler". */
  readonly kind?: Kind;
  /** The further names of the crawler, after its own. Default: none. */
  readonly after?: readonly string[];
  /** Default true. */
  readonly boundByEverybody?: boolean;
  /** Default "yes"; default "unknown" if the evidence is only a public list. */
  readonly obeys?: Obedience;
  /** Default "unknown". */
  readonly crawlDelay?: CrawlDelayUse;
  /** Default: only the product token; for a control token none. */
  readonly headerNames?: readonly string[];
  readonly header?: string;
  readonly note?: string;
  /** Default "documented". */
  readonly evidence?: Evidence;
}

/** The crawlers of one operator. */
export function crawlersOf(operator: string, rows: readonly Row[]): readonly Crawler[] {
  return rows.map((row) => {
    const { productToken, kind = "crawler", evidence = "documented" } = row;
    return Object.freeze({
      productToken,
      operator,
      kind,
      purposes: Object.freeze(row.purposes),
      names: Object.freeze([productToken, ...(row.after ?? [])]),
      boundByEverybody: row.boundByEverybody ?? true,
      obeys: row.obeys ?? (evidence === "documented" ? "yes" : "unknown"),
      crawlDelay: row.crawlDelay ?? "unknown",
      headerNames: Object.freeze(row.headerNames ?? (kind === "control-token" ? [] : [productToken])),
      exampleHeader: row.header,
      note: row.note ?? "",
      evidence,
      sources: Object.freeze(row.sources),
    });
  });
}

/** The source name of a public list of crawlers and their headers, under the MIT licence. */
export const headerList = "npm crawler-user-agents 1.60.0";
/** The source name of a public list of crawlers of AI companies, under the MIT licence. */
export const aiList = "github.com/ai-robots-txt/ai.robots.txt: robots.json";
