// Finds, for each typed name of a crawler, the names whose groups are looked up in a robots.txt.
import { crawlerOf, productTokenOf } from "@robots-stream/agents";
import { CoreError, type Matcher, type RobotsTxt, createMatcher, isAllowed } from "@robots-stream/core";
import { type CrawlerNames, createCrawlerMatcher, groupNameOf } from "@robots-stream/core/product-tokens";

/** A crawler that a typed line names. */
export interface AskedCrawler {
  /** The line as typed. */
  readonly typed: string;
  /** The product token of the crawler; the typed line if no product token is found. */
  readonly productToken: string;
  /** The names by which the crawler finds its group, if it is a known crawler. */
  readonly known: CrawlerNames | undefined;
  /** A note that is shown above the crawler's answers; may be empty. */
  readonly note: string;
  /** Why the crawler has no answers; undefined if it has answers. */
  readonly problem: string | undefined;
}

/**
 * The crawler that a typed line names by its product token or by its User-Agent header. With `robots`, the note says which group of the file
 * applies in place of the crawler's own.
 */
export function askedCrawlerOf(typed: string, robots?: RobotsTxt): AskedCrawler {
  const productToken = crawlerOf(typed)?.productToken ?? productTokenOf(typed) ?? typed;
  const crawler = crawlerOf(productToken);
  if (crawler === undefined) return { typed, productToken, known: undefined, note: "", problem: problemOf(typed) };
  const { names, boundByEverybody, operator, kind, bound } = crawler;
  const group = robots === undefined ? undefined : groupNameOf(robots, names);
  const other = names.slice(1).find((name) => name === group);
  const notes = [
    operator,
    ...(kind === "control-token" ? ["control token: no client fetches under this name"] : []),
    ...(kind === "user-triggered" ? ["fetches when a user asks"] : []),
    ...(bound === "no" ? ["not bound, according to its operator"] : []),
    ...(bound === "by-name"
      ? ["without a group that names it, its operator documents another rule than that for *"]
      : []),
    ...(other === undefined ? [] : [`has no group of its own here, and uses the group for ${other}`]),
    ...(boundByEverybody ? [] : ["the group for * does not bind it"]),
  ];
  return {
    typed,
    productToken: crawler.productToken,
    known: { names, boundByEverybody },
    note: notes.join(" · "),
    problem: undefined,
  };
}

/** The matcher of a crawler whose `problem` is undefined. */
export function matcherOf(robots: RobotsTxt, { known, productToken }: AskedCrawler): Matcher {
  return known === undefined ? createMatcher(robots, productToken) : createCrawlerMatcher(robots, known);
}

function problemOf(typed: string): string | undefined {
  try {
    isAllowed("", typed, "/");
    return undefined;
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    return "not a crawler’s name: enter the product token, such as bingbot";
  }
}
