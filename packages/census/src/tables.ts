// Lists the words of a census (results, states, grounds, changes), and its tables with the columns of their keys (docs/CENSUS.md).

/** How much a robots.txt allows to a crawler, over all targets that a URL can have. */
export const fileStates = ["closed", "mostly-closed", "partly-closed", "open", "not-proved"] as const;
/** A state. */
export type FileState = (typeof fileStates)[number];

/** Which groups bind the crawler: those of its own name, of a fallback name, those for `*`, or none. */
export const fileGrounds = ["own", "fallback", "everybody", "none"] as const;
/** A ground. */
export type FileGround = (typeof fileGrounds)[number];

/** The pairs of a state and a ground. A file has the number of a pair for each crawler. */
export const pairs: readonly (readonly [state: FileState, ground: FileGround])[] = fileStates.flatMap((state) =>
  fileGrounds.map((ground) => [state, ground] as const),
);

/** The number of a pair. */
export function pairOf(state: FileState, ground: FileGround): number {
  return fileStates.indexOf(state) * fileGrounds.length + fileGrounds.indexOf(ground);
}

/** The changes that are counted between an origin's last known robots.txt and the one of a period. */
export const changes = ["closed", "opened", "first-named"] as const;
/** A change between an origin's last known robots.txt and the one of a period. */
export type Change = (typeof changes)[number];

/**
 * What is known about the robots.txt of an origin. The first three say what crawlers may fetch; an unreachable origin and an answer without
 * its file say nothing.
 */
export const results = ["robots-txt", "no-robots-txt", "not-found", "unreachable", "unread"] as const;
/** A result. */
export type Result = (typeof results)[number];

/** The totals of a slice: origins by result, those with a capture in the period, and those whose first known robots.txt is of the period. */
export type Total = Result | "captured" | "entered";
/** The names of the totals. */
export const totalNames: readonly Total[] = [...results, "captured", "entered"];

/** The results of whose origins the counts of a table are a share. */
export const wholes = {
  known: ["robots-txt", "no-robots-txt", "not-found"],
  files: ["robots-txt", "no-robots-txt"],
  "robots-txt": ["robots-txt"],
} as const;

/** The tables in their order in reports: the columns of a key, what the rows are about, and the whole of their shares. */
export const tables = {
  crawlers: { columns: ["crawler", "state", "ground"], about: "states of crawlers", of: "known" },
  changes: { columns: ["crawler", "change"], about: "changes for crawlers", of: "known" },
  totals: { columns: ["total"], about: "origins by result", of: "known" },
  names: { columns: ["name"], about: "names in user-agent lines", of: "robots-txt" },
  closing: { columns: ["group", "state", "rule"], about: "rules that close the site to a group", of: "robots-txt" },
  dialects: {
    columns: ["crawler", "google", "rfc9309"],
    about: "crawlers whose state depends on the dialect",
    of: "robots-txt",
  },
  "crawl-delays": { columns: ["seconds"], about: "values of Crawl-delay", of: "robots-txt" },
  preferences: { columns: ["record", "key", "value"], about: "preferences about the use of content", of: "robots-txt" },
  sitemaps: { columns: ["sitemaps"], about: "numbers of Sitemap lines", of: "robots-txt" },
  sizes: { columns: ["bytes"], about: "sizes", of: "files" },
  lines: { columns: ["lines"], about: "numbers of lines", of: "files" },
  encodings: { columns: ["encoding"], about: "encodings", of: "files" },
  managed: { columns: ["block"], about: "blocks that a service or a program manages", of: "robots-txt" },
  lint: { columns: ["severity", "code"], about: "findings of lint", of: "robots-txt" },
  "no-robots-txt": { columns: ["format"], about: "files that are no robots.txt", of: "files" },
} as const;

/** The name of a table. */
export type TableName = keyof typeof tables;
/** The names of the tables. */
export const tableNames: readonly TableName[] = Object.keys(tables) as TableName[];

/** A table whose rows are counted one by one: all but the totals, which are numbers. */
export type CountedTable = Exclude<TableName, "totals">;

/** The names of these tables. */
export const countedTables: readonly CountedTable[] = tableNames.filter((name) => name !== "totals");

/** Whether a table has a row for each known crawler. Such a table is never cut. The others are about contents of files. */
export function isOfCrawlers(name: TableName): boolean {
  return name === "crawlers" || name === "changes";
}

/** The maximum number of keys of a table about contents; of more keys, those with the smallest hashes are kept (`SmallestCounts`). */
export const mostKeys = 5_000;

/** The maximum number of keys that one file adds to such a table: a file of 500 KB can name 60,000 crawlers. */
export const mostKeysOfFile = 1_000;

/** Longest text of a key. */
const longestKey = 100;

/** A text of a file as a part of a key: cut if it is long. */
export function keyPartOf(text: string): string {
  return text.length > longestKey ? `${text.slice(0, longestKey)}…` : text;
}
