// Makes frozen crawlers from the table rows of one operator, in which members with default values may be left out.
import type {
  Bound,
  Crawler,
  CrawlDelayUse,
  DocumentedAccessPolicy,
  DocumentedDialect,
  Evidence,
  Kind,
  Purpose,
} from "../types.ts";

/** A crawler as a row in one of the tables. */
export interface Row {
  readonly productToken: string;
  readonly purposes: readonly Purpose[];
  readonly sources: readonly string[];
  /** Default "crawler". */
  readonly kind?: Kind;
  /** Further names of the crawler, after its product token. Default: none. */
  readonly after?: readonly string[];
  /** Default: false if `bound` is "own-group", otherwise true. */
  readonly boundByEverybody?: boolean;
  /** Default: "yes" if `evidence` is "documented", otherwise "undocumented". */
  readonly bound?: Bound;
  /** Default: the first source, unless `bound` is "undocumented". */
  readonly boundSource?: string;
  /** Default: not documented. */
  readonly dialect?: DocumentedDialect;
  /** Default: not documented. */
  readonly accessPolicy?: DocumentedAccessPolicy;
  /** Default "unknown". */
  readonly crawlDelay?: CrawlDelayUse;
  /** Default: no document says more than 24. */
  readonly copyHours?: number;
  /** Default: only the product token; for a control token none. */
  readonly headerNames?: readonly string[];
  /** An example of a User-Agent header. Default: none. */
  readonly header?: string;
  readonly note?: string;
  /** What changes if a site refuses the crawler, as its first source says. Default: no document says it. */
  readonly ifRefused?: string;
  /** Default "documented". */
  readonly evidence?: Evidence;
}

/** The crawlers of one operator. */
export function crawlersOf(operator: string, rows: readonly Row[]): readonly Crawler[] {
  return rows.map((row) => {
    const { productToken, kind = "crawler", evidence = "documented" } = row;
    const bound = row.bound ?? (evidence === "documented" ? "yes" : "undocumented");
    return Object.freeze({
      productToken,
      operator,
      kind,
      purposes: Object.freeze(row.purposes),
      names: Object.freeze([productToken, ...(row.after ?? [])]),
      boundByEverybody: row.boundByEverybody ?? bound !== "own-group",
      bound,
      boundSource: bound === "undocumented" ? undefined : (row.boundSource ?? row.sources[0]),
      dialect: row.dialect,
      accessPolicy: row.accessPolicy,
      crawlDelay: row.crawlDelay ?? "unknown",
      copyHours: row.copyHours,
      headerNames: Object.freeze(row.headerNames ?? (kind === "control-token" ? [] : [productToken])),
      exampleHeader: row.header,
      ifRefused:
        row.ifRefused === undefined ? undefined : Object.freeze({ text: row.ifRefused, source: row.sources[0]! }),
      note: row.note ?? "",
      evidence,
      sources: Object.freeze(row.sources),
    });
  });
}

/**
 * The row of a crawler that has its own product token and header, but belongs to a family: if no group names the crawler, the group for
 * `family` binds it. Operators seldom document this. The note therefore states that no source was found.
 */
export function kinOf(family: string, row: Row): Row {
  const { productToken, note = "" } = row;
  const unsure = `No source says that ${productToken} falls back to the group for ${family}.`;
  return { ...row, after: [family, ...(row.after ?? [])], note: note === "" ? unsure : `${note} ${unsure}` };
}

/**
 * The row of a tool that the site's owner starts, such as an audit or a monitor: a disallowed request breaks no promise. `source` says that
 * the owner starts it, or that robots.txt does not stop it. The note says what its operator documents about robots.txt, if anything.
 */
export function ownersTool(source: string, row: Row): Row {
  const { note = "", sources } = row;
  const started = "The site's owner starts it.";
  return {
    ...row,
    bound: "no",
    boundSource: source,
    note: note === "" ? started : `${started} ${note}`,
    sources: sources.includes(source) ? sources : [source, ...sources],
  };
}

/** The source name of a public list of crawlers and their headers, under the MIT licence. */
export const headerList = "npm crawler-user-agents 1.60.0";
/** The source name of a public list of crawlers of AI companies, under the MIT licence. */
export const aiList = "github.com/ai-robots-txt/ai.robots.txt: robots.json";
