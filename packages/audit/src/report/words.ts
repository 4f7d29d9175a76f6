// Makes the words about crawlers, their purposes and identities, rules, origins and days.
import { tableRowsOf } from "../document/table-rows.ts";
import type { DocumentOrigin } from "../document/types.ts";
import type { AuditCrawler } from "../states/judge.ts";
import type { Verification } from "../states/states.ts";
import type { CrawlerRow } from "./crawler-rows.ts";
import type { DayWords } from "./days.ts";
import { amountOf, countTextOf } from "./numbers.ts";

/** Clauses about what the reader can do, for the sentences of a report. */
export interface Advice {
  /** How the zone of a log's clock is named: "the setting `zone` says which zone the log's clock shows". */
  readonly zone?: string | undefined;
  /** How private addresses are requested. */
  readonly privateAddresses?: string | undefined;
  /** How to say that a host, with its port if it has one, is another name of an origin. */
  readonly otherHost?: ((host: string) => string) | undefined;
  /** How the requests of a period are counted alone: "the settings `from` and `to` choose the period". */
  readonly window?: string | undefined;
  /** How the crawlers of a purpose are refused, as a sentence. */
  readonly refusing?: string | undefined;
  /** How examples keep the values of query parameters. */
  readonly queryValues?: string | undefined;
}

/** A rule with its line in one version. */
export interface ShownRule {
  readonly tokens: readonly string[];
  readonly directive: string;
  readonly pattern: string;
  readonly line: number | null;
}

/** A part of a sentence: plain text, code of a robots.txt, or a name. */
export type SentencePart = string | { readonly code: string } | { readonly name: string };

/**
 * Whether a sentence may say that a crawler crossed a rule. Such a sentence is not allowed about requests with a false identity, control
 * tokens, crawlers that are not bound, and user-triggered fetchers and programs for which no source says whether robots.txt binds them.
 */
export function mayBeAccused(crawler: AuditCrawler | undefined, verification: Verification): boolean {
  if (crawler === undefined || verification === "false" || crawler.kind === "control-token") return false;
  return crawler.bound !== "no" && !(crawler.kind !== "crawler" && crawler.bound === "undocumented");
}

/** The mark beside the violations of a crawler for which no source says whether robots.txt binds it; "" for any other crawler. */
export function boundMarkOf(crawler: AuditCrawler | undefined, verification: Verification): string {
  if (crawler?.bound !== "undocumented" || verification === "false") return "";
  return mayBeAccused(crawler, verification) ? operatorIsSilent : "not known whether bound";
}

/** The mark of a crawler that may be accused. */
export const operatorIsSilent = "its operator does not say whether it obeys";

/** The words for the requests that would be violations if robots.txt bound the crawler; "" for a crawler that it binds. */
export function freeTextOf({ crawler, notBound, wouldBe }: CrawlerRow): string {
  const isFree = crawler.bound === "no" || (crawler.bound === "by-name" && notBound > 0);
  return isFree ? `${countTextOf(wouldBe)} would be` : "";
}

/**
 * The words for a crawler: "Googlebot (verified)" or "requests calling themselves Googlebot". In the sentence, the number of requests
 * precedes these words.
 */
export function actorParts(crawler: string, verification: Verification, requests: number): readonly SentencePart[] {
  if (verification === "verified") return [{ name: crawler }, " (verified)"];
  return [requests === 1 ? "request calling itself " : "requests calling themselves ", { name: crawler }];
}

/** The words for requests of a crawler: "requests of Googlebot (verified)" or "requests calling themselves Googlebot". */
export function requestParts(crawler: string, verification: Verification, requests: number): readonly SentencePart[] {
  if (verification !== "verified") return actorParts(crawler, verification, requests);
  return [requests === 1 ? "request of " : "requests of ", { name: crawler }, " (verified)"];
}

/** A rule as code with its line. The first name of the rule's group is added if the group names neither `*` nor the crawler. */
export function ruleParts({ tokens, directive, pattern, line }: ShownRule, crawler: string): readonly SentencePart[] {
  const isExpected = tokens.some((token) => token === "*" || token.toLowerCase() === crawler.toLowerCase());
  const group = isExpected || tokens.length === 0 ? [] : [`of the group for ${tokens[0]}`];
  const where = [...(line === null ? [] : [`line ${line}`]), ...group].join(" ");
  return [{ code: `${directive}: ${pattern}` }, ...(where === "" ? [] : [` (${where})`])];
}

/** The words for an origin, such as " at shop.example"; empty if the report has only one known origin. */
export function placeOf(origins: readonly DocumentOrigin[], origin: DocumentOrigin): string {
  return origins.filter(({ isKnown }) => isKnown).length > 1 ? ` at ${shownOriginOf(origin.origin)}` : "";
}

/** The text of an origin; "https://" is left out. */
export function shownOriginOf(origin: string): string {
  return origin === "" ? "(no origin)" : origin.replace(/^https:\/\//u, "");
}

/** The most reasons that a sentence names. */
const mostReasons = 3;

/** The words for the known reasons of outages, and the advice about one of them; each may be empty. */
export function reasonsOf(
  outages: DocumentOrigin["outages"],
  { privateAddresses }: Advice = {},
): { readonly reasons: string; readonly remedy: string } {
  const codes = [...new Set(outages.flatMap(({ code }) => code ?? []))].toSorted();
  const more = codes.length > mostReasons ? " …" : "";
  return {
    reasons: codes.length === 0 ? "" : ` (${codes.slice(0, mostReasons).join(", ")}${more})`,
    remedy: privateAddresses !== undefined && codes.includes("blocked-address") ? `; ${privateAddresses}` : "",
  };
}

/** The words for a period: " on 6 November" or " between 1 November and 29 November"; empty without a time. */
export function daysText(dayText: DayWords, first: number | null, last: number | null): string {
  if (first === null || last === null) return "";
  const [from, to] = [dayText(first), dayText(last)];
  return from === to ? ` on ${from}` : ` between ${from} and ${to}`;
}

/** The text of a verification: "verified", "claimed", "false" or "no check". */
export function identityTextOf(verification: Verification): string {
  return verification === "no-check" ? "no check" : verification;
}

/** A purpose in words: "AI training". */
export function purposeTextOf(purpose: string): string {
  return purpose.replace(/^ai-/u, "AI ").replace(/^seo$/u, "SEO");
}

/** What a crawler is for, in words; empty if that is not known. */
export function crawlerPurposeTextOf({ purposes, kind }: AuditCrawler): string {
  if (kind === "user-triggered") return "user-triggered";
  if (kind === "program") return "program that anyone may run";
  return purposes.map(purposeTextOf).join(", ");
}

/** A rule with its line in the version of an interval. */
export function shownRuleOf(origin: DocumentOrigin, rule: number, interval: number): ShownRule {
  const { tokens, directive, pattern, lines } = origin.rules[rule]!;
  const version = origin.intervals[interval]?.version ?? "";
  return { tokens, directive, pattern, line: Object.hasOwn(lines, version) ? lines[version]! : null };
}

/** The words about origins whose robots.txt is not known. */
interface UnknownOrigins {
  /** "the robots.txt of www.shop.example is not known"; undefined if no such origin has a name. */
  readonly text: string | undefined;
  /** The advice about the origin with the most requests, after a semicolon; may be empty. */
  readonly remedy: string;
}

/** The origins that have requests without a known robots.txt. The one with the most requests is named; of equal ones, the first by name. */
export function unknownOriginsOf(origins: readonly DocumentOrigin[], { otherHost }: Advice = {}): UnknownOrigins {
  const unknown = origins.flatMap((origin) => {
    if (origin.isKnown || origin.origin === "" || origin.origin === "…") return [];
    let requests = 0;
    for (const [, , , state, , count] of tableRowsOf(origin, "times")) {
      if (state === "undecidable:no-file") requests += count;
    }
    return requests > 0 ? [{ name: origin.origin, requests }] : [];
  });
  const [most] = unknown.toSorted((one, other) => other.requests - one.requests || (one.name < other.name ? -1 : 1));
  if (most === undefined) return { text: undefined, remedy: "" };
  const remedy = otherHost === undefined ? "" : `; ${otherHost(most.name.slice(most.name.indexOf("//") + 2))}`;
  const shown = shownOriginOf(most.name);
  if (unknown.length === 1) return { text: `the robots.txt of ${shown} is not known`, remedy };
  const all = amountOf(unknown.length, "origin");
  return { text: `the robots.txt files of ${all} are not known, the busiest is ${shown}`, remedy };
}
