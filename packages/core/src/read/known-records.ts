// Lists the known other records (RFC 9309 §2.2.4): the name of each, and whether it applies to the file or to a group.
import type { RecordScope } from "./types.ts";

/** A known record. `recordTypes` adds the source of the record and the crawlers that read it. */
export interface KnownRecord {
  /** Lower-case name. */
  readonly name: string;
  /** Other spellings of the same record, in lower case. */
  readonly aliases?: readonly string[];
  /** `"either"`: the record applies to its group; a record outside all groups applies to the file. */
  readonly scope: RecordScope | "either";
}

// Sitemap must be the first row (`sitemapRow`): the tokenizer itself recognizes its keys and does not look them up here.
const rows = [
  { name: "sitemap", aliases: ["site-map"], scope: "file" },
  { name: "crawl-delay", aliases: ["crawldelay"], scope: "group" },
  { name: "request-rate", scope: "group" },
  { name: "visit-time", scope: "group" },
  { name: "host", scope: "file" },
  { name: "clean-param", scope: "file" },
  { name: "noindex", scope: "group" },
  { name: "nofollow", scope: "group" },
  { name: "noarchive", scope: "group" },
  { name: "revisit-after", scope: "group" },
  { name: "domain", scope: "file" },
  { name: "content-signal", scope: "either" },
  { name: "content-usage", scope: "group" },
  { name: "license", scope: "either" },
  { name: "comment", scope: "group" },
  { name: "robot-version", scope: "file" },
] as const;

/** The name of a known record. */
export type RecordName = (typeof rows)[number]["name"];

/** Known other records. They take no part in matching, so a new row changes no decision. */
export const knownRecords: readonly (KnownRecord & { readonly name: RecordName })[] = rows;

/** The index of the sitemap record in {@link knownRecords}. */
export const sitemapRow = 0;

const rowByName = new Map<string, number>();
for (const [row, { name, aliases = [] }] of knownRecords.entries()) {
  for (const each of [name, ...aliases]) rowByName.set(each, row);
}

const nameLengths = Array.from(rowByName.keys(), (name) => name.length);
/** The lengths of the shortest and the longest name, in bytes: keys of other lengths are not looked up. */
export const shortestRecordName: number = Math.min(...nameLengths);
export const longestRecordName: number = Math.max(...nameLengths);

/** The index in {@link knownRecords} of the record with this name or alias, which is given in lower case; -1 if there is none. */
export function recordRowOf(lowerCaseKey: string): number {
  return rowByName.get(lowerCaseKey) ?? -1;
}
