// Makes the parts of findings' sentences that name crawlers, rules, origins and days.
import type { DocumentOrigin } from "../document/types.ts";
import type { AuditCrawler } from "../states/crawlers.ts";
import type { Verification } from "../states/states.ts";
import type { DayWords } from "./day-words.ts";
import { countTextOf } from "./numbers.ts";
import type { Advice, CrawlerRow, SentencePart, ShownRule } from "./types.ts";

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
