// Reads the values of other records from a parsed file: sitemaps, hosts, and the Crawl-delay of a crawler (RFC 9309 §2.2.4).
import { names } from "../choose/binding.ts";
import { USER_AGENT } from "../read/keys.ts";
import { delaySecondsOf } from "./delay.ts";
import { CoreError } from "../read/errors.ts";
import { bytesOf } from "../read/kept.ts";
import { type MatcherOptions, tokenMatchOf } from "../matcher/match.ts";
import { checkParsed } from "../read/parse.ts";
import { kindOfRow, lineColumn, rowSize } from "../read/rows.ts";
import { integersOf, nameRows } from "../choose/rules.ts";
import { EVERYBODY, tokensOf } from "../read/token.ts";
import type { Group, RobotsTxt } from "../read/types.ts";

/** One Sitemap line. */
export interface SitemapLine {
  /** The value as written, trimmed. It may be a relative URL, or not a URL at all. */
  readonly value: string;
  /** Line number in the file, from 1. */
  readonly line: number;
}

/**
 * Every Sitemap line of the file in line order, repeated values included. Sitemaps belong to the file, not to a group. The
 * protocol requires absolute URLs; `new URL(value)` throws for other values. Throws a `CoreError` with code
 * `ERR_FOREIGN_ROBOTS` when the RobotsTxt was not made by `parseRobotsTxt`. Linear in the file.
 */
export function sitemaps(robots: RobotsTxt): SitemapLine[] {
  return linesNamed(robots, "sitemap");
}

/** One Host line. */
export interface HostLine {
  /** The value as written, trimmed: a host, or a URL. */
  readonly value: string;
  /** Line number in the file, from 1. */
  readonly line: number;
}

/**
 * Every Host line of the file in line order. A Host line names the host that the site prefers among its mirrors. Only Yandex
 * read such lines, until 2018. Throws a `CoreError` as `sitemaps` does. Linear in the file.
 */
export function hosts(robots: RobotsTxt): HostLine[] {
  return linesNamed(robots, "host");
}

function linesNamed(robots: RobotsTxt, key: string): { value: string; line: number }[] {
  checkParsed(robots);
  return robots.records.filter(({ name }) => name === key).map(({ value, line }) => ({ value, line }));
}

/** A Crawl-delay line: the seconds that crawlers should wait between two requests. */
export interface CrawlDelayLine {
  /** The delay that the line states; 300 for a longer delay. */
  readonly seconds: number;
  /** The value as written, trimmed. */
  readonly value: string;
  /** Line number in the file, from 1. */
  readonly line: number;
}

const maxDelaySeconds = 300;

/**
 * The longest Crawl-delay of the groups that bind the crawler; undefined when they have no Crawl-delay line whose value is a
 * decimal number. Takes product tokens and options, and throws errors, as `createMatcher` does. Linear in the file.
 */
export function crawlDelay(
  robots: RobotsTxt,
  productTokens: string | readonly string[],
  options?: MatcherOptions,
): CrawlDelayLine | undefined {
  return crawlDelayIn(bindingGroups(robots, productTokens, options));
}

/**
 * The longest Crawl-delay of the groups; of equal delays the first; undefined if there is none. Values that are not decimal numbers are
 * ignored.
 */
export function crawlDelayIn(groups: readonly Pick<Group, "records">[]): CrawlDelayLine | undefined {
  if (!Array.isArray(groups)) throw new CoreError("ERR_INVALID_ARGUMENT", "The groups are not a list.");
  let longest: CrawlDelayLine | undefined;
  for (const { records } of groups) {
    for (const { name, value, line } of records) {
      const stated = name === "crawl-delay" ? delaySecondsOf(value) : undefined;
      if (stated === undefined) continue;
      const seconds = Math.min(stated, maxDelaySeconds);
      if (longest === undefined || seconds > longest.seconds) longest = { seconds, value, line };
    }
  }
  return longest;
}

/**
 * The groups whose rules bind the crawler, in file order: the groups that name one of the product tokens; if there are none,
 * the groups for `*`. Takes product tokens and options, and throws errors, as `createMatcher` does. Linear in the file.
 */
export function bindingGroups(
  robots: RobotsTxt,
  productTokens: string | readonly string[],
  options?: MatcherOptions,
): Group[] {
  checkParsed(robots);
  const tokenMatch = tokenMatchOf(options);
  const rows = integersOf(robots.rows);
  nameRows(rows, robots.dialect, bytesOf(robots.content).bytes, tokensOf(productTokens, tokenMatch), tokenMatch);
  const naming = new Set<number>();
  const everybody = new Set<number>();
  for (let at = 0; at < rows.length; at += rowSize) {
    if (kindOfRow(rows[at]!) !== USER_AGENT) continue;
    const name = names[at / rowSize]!;
    if (name >= 0) naming.add(rows[at + lineColumn]!);
    else if (name === EVERYBODY) everybody.add(rows[at + lineColumn]!);
  }
  const lines = naming.size > 0 ? naming : everybody;
  return robots.groups.filter(({ userAgents }) => userAgents.some(({ line }) => lines.has(line)));
}
