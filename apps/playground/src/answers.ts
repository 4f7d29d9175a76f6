// Computes the answer for every URL and crawler of a question in both dialects. Uses no DOM, so that tests can run it in Node.
import {
  type Decision,
  type DialectName,
  type Matcher,
  type RobotsTxt,
  type Trace,
  parseRobotsTxt,
  pathOf,
} from "@robots-stream/core";
import { type AskedCrawler, askedCrawlerOf, matcherOf } from "./crawlers.ts";
import { type Question, listOf, most } from "./state.ts";

/** The dialects; the dialect of Google's parser is the first. */
export const dialects = ["google", "rfc9309"] as const satisfies readonly DialectName[];

/** A value for each dialect. */
export type InBoth<T> = Readonly<Record<(typeof dialects)[number], T>>;

/** The answers for one URL. `cells` has one element for each crawler, undefined for a crawler with a problem. */
export interface Row {
  readonly url: string;
  /** A note if the text is neither a URL nor a path, or differs from what a crawler would request; otherwise empty. */
  readonly note: string;
  readonly cells: readonly (InBoth<Decision> | undefined)[];
}

export interface Answers {
  readonly robots: InBoth<RobotsTxt>;
  readonly crawlers: readonly AskedCrawler[];
  readonly rows: readonly Row[];
  /** Numbers of crawlers and of URLs that were left out. */
  readonly left: { readonly crawlers: number; readonly urls: number };
  /** The matchers of each crawler; undefined for a crawler with a problem. */
  readonly matchers: readonly (InBoth<Matcher> | undefined)[];
}

export function answersOf(question: Pick<Question, "robots" | "urls" | "crawlers">): Answers {
  const robots = inBoth((dialect) => parseRobotsTxt(question.robots, { dialect }));
  const names = listOf(question.crawlers, most.crawlers);
  const urls = listOf(question.urls, most.urls);
  const crawlers = names.items.map((typed) => askedCrawlerOf(typed, robots.google));
  const matchers = crawlers.map((crawler) =>
    crawler.problem === undefined ? inBoth((dialect) => matcherOf(robots[dialect], crawler)) : undefined,
  );
  const rows = urls.items.map((url) => ({
    url,
    note: noteOf(url),
    cells: matchers.map((both) => (both === undefined ? undefined : inBoth((dialect) => both[dialect].decide(url)))),
  }));
  return { robots, crawlers, rows, left: { crawlers: names.left, urls: urls.left }, matchers };
}

/** The trace of one answer, in both dialects; undefined if the table has no such cell, or if the crawler has a problem. */
export function tracesOf({ matchers, rows }: Answers, row: number, column: number): InBoth<Trace> | undefined {
  const both = matchers[column];
  const url = rows[row]?.url;
  return both === undefined || url === undefined ? undefined : inBoth((dialect) => both[dialect].trace(url));
}

/** The line that decided; 0 if no rule decided. */
export function lineOf(decision: Decision): number {
  return decision.because === "rule" ? decision.rule.line : 0;
}

function noteOf(url: string): string {
  if (!/^(?:https?:\/\/[^/?#]|\/(?!\/))/iu.test(url)) return `neither URL nor path; compared as ${pathOf(url)}`;
  const path = pathOf(url);
  const asked = path.replaceAll(/[^\u0021-\u007e]/gu, (character) =>
    /\p{Cs}/u.test(character) ? "%EF%BF%BD" : encodeURIComponent(character),
  );
  return asked === path ? "" : `compared as typed; a crawler requests ${asked}`;
}

function inBoth<T>(make: (dialect: keyof InBoth<T>) => T): InBoth<T> {
  return { google: make("google"), rfc9309: make("rfc9309") };
}
