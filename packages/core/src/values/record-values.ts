// Reads the other records of a parsed file: sitemaps, hosts, the Crawl-delay of a crawler, and all that bind it (RFC 9309 §2.2.4).
import { bindingGroupsOf } from "../choose/binding.ts";
import { type RecordName, ALLOW, DISALLOW, knownRecords, OTHER, USER_AGENT } from "../read/keys.ts";
import { CoreError } from "../read/errors.ts";
import { endColumn, kindOfRow, lineColumn, rowSize, startColumn } from "../read/parsed-file.ts";
import { type MatcherOptions, tokenMatchOf } from "../matcher/match.ts";
import { checkParsed } from "../read/parse.ts";
import { nameRows, names, rulesFor } from "../choose/rules.ts";
import { EVERYBODY, tokensOf } from "../read/token.ts";
import type { Group, RobotsTxt, TokenMatch } from "../read/types.ts";

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

/** One Host line, whose value is a host or a URL. */
export type HostLine = SitemapLine;

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
  const { binding } = rulesFor(robots, tokensOf(productTokens, tokenMatch), tokenMatch);
  const firstLines = new Set(bindingGroupsOf(binding, () => "").map(({ fromLine }) => fromLine));
  return robots.groups.filter(({ userAgents }) => firstLines.has(userAgents[0]!.line));
}

/** A line of another record that binds a crawler. */
export interface BoundRecord {
  readonly name: RecordName;
  /** Line number in the file, from 1. */
  readonly line: number;
  /** The value as written, trimmed. */
  readonly value: Uint8Array;
  /** `"file"`: the line is before the first user-agent line. `"named"`: its group names the crawler. `"everybody"`: its group names `*`. */
  readonly scope: "file" | "named" | "everybody";
}

/** The index of Content-Usage in `knownRecords`. Like a rule, it ends a run of user-agent lines (draft-ietf-aipref-attach-05 §3). */
const usageRow = knownRecords.findIndex(({ name }) => name === "content-usage");

/** Whether the file has a line of one of the `wanted` records. Linear in the lines; allocates nothing. */
export function holdsRecords(robots: RobotsTxt, wanted: ReadonlySet<RecordName>): boolean {
  checkParsed(robots);
  const { rows } = robots;
  for (let at = 0; at < rows.length; at += rowSize) {
    const kind = kindOfRow(rows[at]!);
    if (kind >= OTHER && wanted.has(knownRecords[kind - OTHER]!.name)) return true;
  }
  return false;
}

/** A run of user-agent lines, which contains the names of one group. */
interface Run {
  isNamed: boolean;
  isEverybodys: boolean;
  /** Whether a line has ended the run, so that the next user-agent line begins another run. */
  isEnded: boolean;
}

/**
 * Returns the lines of the `wanted` records that bind a crawler, in line order. These are the lines before the first user-agent line and
 * the lines of the crawler's groups: the groups that name one of the product tokens or, if no group does, the groups for `*`. With
 * `productTokens` undefined, the result has only the lines before the first user-agent line. Groups end as `parseRobotsTxt` ends them, with
 * one exception: for Content-Usage records, a Content-Usage line also ends a run of user-agent lines. Linear in the file.
 */
export function boundRecordsOf(
  robots: RobotsTxt,
  productTokens: readonly string[] | undefined,
  tokenMatch: TokenMatch,
  wanted: ReadonlySet<RecordName>,
): BoundRecord[] {
  checkParsed(robots);
  const { rows, bytes } = robots;
  nameRows(robots, productTokens ?? [], tokenMatch);
  // The scope of a record is found after the last line, because user-agent lines below the record may belong to its run.
  const found: { readonly record: Omit<BoundRecord, "scope">; readonly run: Run | undefined }[] = [];
  let group: Run | undefined;
  let usageGroup: Run | undefined;
  let sawNamed = false;
  for (let at = 0; at < rows.length; at += rowSize) {
    const kind = kindOfRow(rows[at]!);
    if (kind === USER_AGENT) {
      const name = names[at / rowSize]!;
      sawNamed ||= name >= 0;
      group = runWith(group, name);
      usageGroup = runWith(usageGroup, name);
    } else if (kind === ALLOW || kind === DISALLOW) {
      if (group !== undefined) group.isEnded = true;
      if (usageGroup !== undefined) usageGroup.isEnded = true;
    } else {
      const isUsage = kind - OTHER === usageRow;
      if (isUsage && usageGroup !== undefined) usageGroup.isEnded = true;
      const { name } = knownRecords[kind - OTHER]!;
      if (!wanted.has(name)) continue;
      const value = bytes.slice(rows[at + startColumn], rows[at + endColumn]);
      found.push({ record: { name, line: rows[at + lineColumn]!, value }, run: isUsage ? usageGroup : group });
    }
  }
  return found.flatMap(({ record, run }): BoundRecord[] => {
    if (run === undefined) return [{ ...record, scope: "file" }];
    const binds = productTokens !== undefined && (sawNamed ? run.isNamed : run.isEverybodys);
    return binds ? [{ ...record, scope: sawNamed ? "named" : "everybody" }] : [];
  });
}

/** Returns the run of a user-agent line: `run`, or a new run if `run` has ended. `name` is the element of `names` for the line. */
function runWith(run: Run | undefined, name: number): Run {
  const current = run === undefined || run.isEnded ? { isNamed: false, isEverybodys: false, isEnded: false } : run;
  if (name >= 0) current.isNamed = true;
  else if (name === EVERYBODY) current.isEverybodys = true;
  return current;
}

/** The seconds of a delay, of any size; undefined for a value that is not a decimal number. */
export function delaySecondsOf(value: string): number | undefined {
  return /^\d*(?:\.\d+|\d)$/.test(value) ? Number(value) : undefined;
}
