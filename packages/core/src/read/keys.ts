// Finds the kind of directive from the key of a line, forgiven misspellings included (RFC 9309 §2.2).
import { lowerByte } from "./bytes.ts";
import type { RecordScope } from "./types.ts";

/** Kinds of lines. `NONE`: not a directive. `OTHER`: a directive with a key that is not listed here. */
export const NONE = 0;
export const USER_AGENT = 1;
export const ALLOW = 2;
export const DISALLOW = 3;
export const SITEMAP = 4;
export const OTHER = 5;
export type DirectiveKind = 0 | 1 | 2 | 3 | 4 | 5;

interface Spelling extends KeyMeaning {
  readonly text: string;
}

// In the order in which Google's parser tries the spellings. The first spelling that is a prefix of the key wins.
const spellings: readonly Spelling[] = [
  { kind: USER_AGENT, text: "user-agent", typo: false },
  // Google-only: forgiven typos.
  { kind: USER_AGENT, text: "useragent", typo: true },
  { kind: USER_AGENT, text: "user agent", typo: true },
  { kind: ALLOW, text: "allow", typo: false },
  { kind: DISALLOW, text: "disallow", typo: false },
  { kind: DISALLOW, text: "dissallow", typo: true },
  { kind: DISALLOW, text: "dissalow", typo: true },
  { kind: DISALLOW, text: "disalow", typo: true },
  { kind: DISALLOW, text: "diasllow", typo: true },
  { kind: DISALLOW, text: "disallaw", typo: true },
  { kind: SITEMAP, text: "sitemap", typo: false },
  { kind: SITEMAP, text: "site-map", typo: true },
];
const spellingsByFirst: readonly (readonly Spelling[])[] = Array.from({ length: 0x80 }, (_, byte) =>
  spellings.filter((spelling) => spelling.text.charCodeAt(0) === lowerByte(byte)),
);
const noSpellings: readonly Spelling[] = [];

/** The kind of directive that a key means, and whether the key is a forgiven misspelling. */
export interface KeyMeaning {
  readonly kind: DirectiveKind;
  readonly typo: boolean;
}

const otherKey: KeyMeaning = { kind: OTHER, typo: false };

/**
 * The meaning of a non-empty key. Google-only: with `lenient` a key has the meaning of the known spelling, or of the known typo,
 * that it begins with. Without `lenient`, the key must be spelled as in the grammar; letter case is ignored.
 */
export function meaningOfKey(bytes: Uint8Array, start: number, end: number, lenient: boolean): KeyMeaning {
  const length = end - start;
  for (const spelling of spellingsByFirst[bytes[start]!] ?? noSpellings) {
    const { text, typo } = spelling;
    if (lenient ? text.length > length : typo || text.length !== length) continue;
    let at = 1;
    while (at < text.length && lowerByte(bytes[start + at]!) === text.charCodeAt(at)) at++;
    if (at === text.length) return spelling;
  }
  return otherKey;
}

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

/** The length of the longest name, in bytes: longer keys are not looked up. */
export const longestRecordName: number = Math.max(...Array.from(rowByName.keys(), (name) => name.length));

/** The index in {@link knownRecords} of the record with this name or alias, which is given in lower case; -1 if there is none. */
export function recordRowOf(lowerCaseKey: string): number {
  return rowByName.get(lowerCaseKey) ?? -1;
}
