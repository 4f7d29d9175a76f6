// Lists the tables of a census besides that of the crawlers. Each row counts the origins whose robots.txt has a key (docs/CENSUS.md).

/** The names of the tables in their order in reports. */
export const tableNames = [
  "names",
  "closing",
  "dialects",
  "crawl-delays",
  "preferences",
  "sitemaps",
  "sizes",
  "lines",
  "encodings",
  "managed",
  "lint",
  "no-robots-txt",
] as const;

/** The name of a table. */
export type TableName = (typeof tableNames)[number];

/** A table: the columns of its key, and what its rows are about. */
export interface TableShape {
  readonly columns: readonly string[];
  readonly about: string;
}

/** The tables. */
export const tables: Readonly<Record<TableName, TableShape>> = {
  names: { columns: ["name"], about: "names in user-agent lines" },
  closing: { columns: ["group", "state", "rule"], about: "rules that close the site to a group" },
  dialects: { columns: ["crawler", "google", "rfc9309"], about: "crawlers whose state depends on the dialect" },
  "crawl-delays": { columns: ["seconds"], about: "values of Crawl-delay" },
  preferences: { columns: ["record", "key", "value"], about: "stated preferences about the use of content" },
  sitemaps: { columns: ["sitemaps"], about: "numbers of Sitemap lines" },
  sizes: { columns: ["bytes"], about: "sizes" },
  lines: { columns: ["lines"], about: "numbers of lines" },
  encodings: { columns: ["encoding"], about: "encodings" },
  managed: { columns: ["block"], about: "blocks that a service or a program manages" },
  lint: { columns: ["severity", "code"], about: "findings of lint" },
  "no-robots-txt": { columns: ["kind"], about: "files that are no robots.txt" },
};

/** The maximum number of keys of a table; of more keys, those with the smallest hashes are kept (`BoundedCounts`). */
export const mostKeys = 5_000;

/** The maximum number of keys that one file adds to a table: a file of 500 KB can name 60,000 crawlers. */
export const mostKeysOfFile = 1_000;

/** Longest text of a key. */
const longestKey = 100;

/** A text of a file as a part of a key: cut if it is long. */
export function keyPartOf(text: string): string {
  return text.length > longestKey ? `${text.slice(0, longestKey)}…` : text;
}
