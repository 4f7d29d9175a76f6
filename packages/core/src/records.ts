// The table of other records (RFC 9309 §2.2.4): which names are known, whose they are, what they speak for.
import type { RecordScope } from "./types.ts";

/** One row of the table of other records. */
export interface RecordType {
  /** Lower-case name, as it is reported. */
  readonly name: string;
  /** Other spellings that mean the same record, in lower case. */
  readonly aliases?: readonly string[];
  /** `"either"`: of the group it stands in, else of the file. */
  readonly scope: RecordScope | "either";
  /** Who defined it, or where it comes from. */
  readonly source: string;
  /**
   * Whose crawlers read it by their own account; empty when nobody's do. Absent for records that tell wishes about the
   * use of content and not about crawling: who heeds them is not to be seen.
   */
  readonly readers?: readonly string[];
}

/** Known other records. A row more changes no decision: no record of this table takes part in matching. */
export const recordTypes: readonly RecordType[] = [
  // Sitemap is found by the tokenizer (any key that begins with it, as Google's parser has it), hence the first row.
  {
    name: "sitemap",
    aliases: ["site-map"],
    scope: "file",
    source: "sitemaps.org protocol; RFC 9309 §2.2.4",
    readers: ["Google", "Bing", "Yandex", "Seznam", "Apple"],
  },
  {
    name: "crawl-delay",
    aliases: ["crawldelay"],
    scope: "group",
    source: "Bing, formerly Yahoo and Yandex",
    readers: ["Bing", "Anthropic", "Common Crawl", "Diffbot", "Semrush"],
  },
  { name: "request-rate", scope: "group", source: "extended robots.txt draft of 1996", readers: ["Seznam"] },
  { name: "visit-time", scope: "group", source: "extended robots.txt draft of 1996", readers: [] },
  { name: "host", scope: "file", source: "Yandex, until 2018", readers: [] },
  { name: "clean-param", scope: "file", source: "Yandex", readers: ["Yandex"] },
  { name: "noindex", scope: "group", source: "Google until 2019, undocumented", readers: [] },
  { name: "nofollow", scope: "group", source: "undocumented, read by nobody known", readers: [] },
  { name: "noarchive", scope: "group", source: "undocumented, read by nobody known", readers: [] },
  { name: "revisit-after", scope: "group", source: "a meta tag's name, seen in files", readers: [] },
  { name: "domain", scope: "file", source: "seen in files, counted by Google's reporter", readers: [] },
  { name: "content-signal", scope: "group", source: "contentsignals.org (Cloudflare)" },
  { name: "content-usage", scope: "group", source: "IETF AI Preferences working group" },
  { name: "license", scope: "either", source: "Really Simple Licensing (RSL)" },
  { name: "comment", scope: "group", source: "extended robots.txt draft of 1996", readers: [] },
  { name: "robot-version", scope: "file", source: "extended robots.txt draft of 1996", readers: [] },
];

/** Row of the sitemap record. */
export const sitemapRow = 0;

const rowByName = new Map<string, number>();
for (const [row, type] of recordTypes.entries()) {
  for (const name of [type.name, ...(type.aliases ?? [])]) rowByName.set(name, row);
}

const nameLengths = Array.from(rowByName.keys(), (name) => name.length);
/** The shortest and the longest name of the table, in bytes: other keys need no look-up. */
export const shortestRecordName: number = Math.min(...nameLengths);
export const longestRecordName: number = Math.max(...nameLengths);

/** Row of a lower-case key in {@link recordTypes}, or -1. */
export function recordRowOf(lowerCaseKey: string): number {
  return rowByName.get(lowerCaseKey) ?? -1;
}
