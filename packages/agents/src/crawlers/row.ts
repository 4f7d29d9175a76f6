// Rows of one operator's crawlers, without the members that have their default, in; frozen crawlers out.
import type { Crawler, CrawlDelayUse, Evidence, Kind, Obedience, Purpose } from "../types.ts";

/** A crawler as a row of the tables. */
export interface Row {
  readonly productToken: string;
  readonly purposes: readonly Purpose[];
  readonly sources: readonly string[];
  /** "crawler" when left out. */
  readonly kind?: Kind;
  /** The names after its own; none when left out. */
  readonly after?: readonly string[];
  /** True when left out. */
  readonly boundByEverybody?: boolean;
  /** "yes" when left out, "unknown" for what is only listed. */
  readonly obeys?: Obedience;
  /** "unknown" when left out. */
  readonly crawlDelay?: CrawlDelayUse;
  /** The product token alone when left out; none for a control token. */
  readonly headerNames?: readonly string[];
  readonly header?: string;
  readonly note?: string;
  /** "documented" when left out. */
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

/** A public list of crawlers and their headers, under the MIT licence. */
export const headerList = "npm crawler-user-agents 1.60.0";
/** A public list of crawlers of AI companies, under the MIT licence. */
export const aiList = "github.com/ai-robots-txt/ai.robots.txt: robots.json";
