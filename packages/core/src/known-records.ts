// The table of other records (RFC 9309 §2.2.4): which names are known, whose they are, what they speak for.
import type { RecordScope } from "./types.ts";

/** One known record; where it comes from and who reads it is told by `recordTypes`. */
export interface KnownRecord {
  /** Lower-case name, as it is reported. */
  readonly name: string;
  /** Other spellings that mean the same record, in lower case. */
  readonly aliases?: readonly string[];
  /** `"either"`: of the group it stands in, else of the file. */
  readonly scope: RecordScope | "either";
}

// Sitemap is found by the tokenizer (any key that begins with it, as Google's parser has it), hence the first row.
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
  { name: "content-signal", scope: "group" },
  { name: "content-usage", scope: "group" },
  { name: "license", scope: "either" },
  { name: "comment", scope: "group" },
  { name: "robot-version", scope: "file" },
] as const;

/** The name of a known record. */
export type RecordName = (typeof rows)[number]["name"];

/** Known other records. A row more changes no decision: no record of this table takes part in matching. */
export const knownRecords: readonly (KnownRecord & { readonly name: RecordName })[] = rows;

/** Row of the sitemap record. */
export const sitemapRow = 0;

const rowByName = new Map<string, number>();
for (const [row, { name, aliases = [] }] of knownRecords.entries()) {
  for (const each of [name, ...aliases]) rowByName.set(each, row);
}

const nameLengths = Array.from(rowByName.keys(), (name) => name.length);
/** The shortest and the longest name of the table, in bytes: other keys need no look-up. */
export const shortestRecordName: number = Math.min(...nameLengths);
export const longestRecordName: number = Math.max(...nameLengths);

/** Row of a lower-case key in {@link knownRecords}, or -1. */
export function recordRowOf(lowerCaseKey: string): number {
  return rowByName.get(lowerCaseKey) ?? -1;
}
