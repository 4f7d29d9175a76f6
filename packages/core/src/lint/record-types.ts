// Adds the source and the readers of each record to the table of known other records.
import { type KnownRecord, type RecordName, knownRecords } from "../read/keys.ts";

interface Provenance {
  /** The organization or document that defined the record. */
  readonly source: string;
  /**
   * The operators whose documentation states that their crawlers read the record; empty if there are none. Undefined for records about the
   * use of content, because whether crawlers obey such a record cannot be observed.
   */
  readonly readers?: readonly string[];
}

/** One row of the table of other records. */
export interface RecordType extends KnownRecord, Provenance {}

const draft = "extended robots.txt draft of 1996";
const undocumented = "undocumented";

const provenances: Readonly<Record<RecordName, Provenance>> = {
  sitemap: {
    source: "sitemaps.org protocol; RFC 9309 §2.2.4",
    readers: ["Google", "Bing", "Yandex", "Seznam", "Apple"],
  },
  "crawl-delay": {
    source: "Bing, formerly Yahoo and Yandex",
    readers: ["Bing", "Anthropic", "Common Crawl", "Diffbot", "Semrush"],
  },
  "request-rate": { source: draft, readers: ["Seznam"] },
  "visit-time": { source: draft, readers: [] },
  host: { source: "Yandex, until 2018", readers: [] },
  "clean-param": { source: "Yandex", readers: ["Yandex"] },
  noindex: { source: "Google until 2019, undocumented", readers: [] },
  nofollow: { source: undocumented, readers: [] },
  noarchive: { source: undocumented, readers: [] },
  "revisit-after": { source: "a meta tag's name, seen in files", readers: [] },
  domain: { source: "seen in files, counted by Google's reporter", readers: [] },
  "content-signal": { source: "contentsignals.org (Cloudflare)" },
  "content-usage": { source: "IETF AI Preferences working group" },
  license: { source: "Really Simple Licensing (RSL)" },
  comment: { source: draft, readers: [] },
  "robot-version": { source: draft, readers: [] },
};

/** Known other records (sitemap, crawl-delay, host …) with their names, scopes, sources and readers. */
export const recordTypes: readonly RecordType[] = knownRecords.map((record) => ({
  ...record,
  ...provenances[record.name],
}));
