// Decides the URLs of a sitemap by one robots.txt, for any crawler, and collects the URLs that the robots.txt disallows.
import { inputFormats, locateUrl, questionsOf } from "@robots-stream/engine/internal";
import type { InputRun } from "../../cli/command-body.ts";
import { readRecords } from "../../cli/read-records.ts";
import type { TestFailure } from "./print.ts";
import { type Decision, type DialectName, type Matcher, parseRobotsTxt } from "@robots-stream/core";
import { createCrawlerMatcher } from "@robots-stream/core/product-tokens";

/** Maximum number of failures in a sitemap that are kept for each crawler. Further failures are only counted. */
const mostKept = 1_000;

interface SitemapResult {
  readonly urls: number;
  /** Number of disallowed URLs, by crawler. */
  readonly blocked: ReadonlyMap<string, number>;
  readonly failures: readonly TestFailure[];
  /** Number of entries that are not decided: their URL has another origin, or they have no URL. */
  readonly skipped: number;
}

/**
 * Decides every URL of a sitemap or a sitemap index for every crawler of `agents`. Rejects with a `UsageError` for a file that is not a
 * sitemap, with an `IoError` for a damaged sitemap, and with the signal's reason.
 */
export async function testSitemap(
  path: string,
  robots: TestedRobots,
  { agents, origin, stdin, signal }: SitemapOptions,
): Promise<SitemapResult> {
  const format = inputFormats.find(({ name }) => name === "sitemap");
  const options = { format, maxLineBytes: 1_048_576, urlField: undefined, base: undefined };
  const blocked = new Map<string, number>(agents.map((agent) => [agent, 0]));
  const failures: TestFailure[] = [];
  let urls = 0;
  let skipped = 0;
  const input = await readRecords([path], options, { stdin, signal, isChecked: false }, (packed, rejects) => {
    skipped += rejects.length;
    for (let record = 0; record < packed.count; record++) {
      const url = packed.urlOf(record);
      const located = locateUrl(url);
      if (typeof located === "string" || (origin !== undefined && located.origin !== origin)) {
        skipped++;
        continue;
      }
      urls++;
      for (const agent of agents) {
        const decision = robots.decide(agent, located.target);
        if (decision.allowed) continue;
        const count = blocked.get(agent)! + 1;
        blocked.set(agent, count);
        if (count <= mostKept)
          failures.push({
            file: path,
            line: undefined,
            productToken: agent,
            url,
            isAllowed: true,
            by: undefined,
            decision,
          });
      }
    }
  });
  const [failure] = input.failures;
  if (failure !== undefined) throw failure;
  return { urls, blocked, failures, skipped };
}

interface SitemapOptions extends Pick<InputRun, "stdin" | "signal"> {
  readonly agents: readonly string[];
  /** The origin of the robots.txt. URLs of other origins are not decided. Undefined: URLs of all origins are decided. */
  readonly origin: string | undefined;
}

export type TestedRobots = ReturnType<typeof testedRobotsOf>;

/** Decides targets by one robots.txt, with a matcher for each product token. The product token `*` means a crawler that no group names. */
export function testedRobotsOf(body: Uint8Array, dialect: DialectName) {
  const robots = parseRobotsTxt(body, { dialect });
  const matchers = new Map<string, Matcher>();
  const create = (productToken: string): Matcher => {
    if (productToken === "*") return createCrawlerMatcher(robots, { names: [] }, { tokenMatch: "google" });
    const options = { dialects: [dialect], tokenMatch: undefined, hasFallback: true };
    const [question] = questionsOf([productToken], options);
    return createCrawlerMatcher(robots, question!, { tokenMatch: question!.tokenMatch });
  };
  return {
    decide(productToken: string, target: string): Decision {
      let matcher = matchers.get(productToken);
      if (matcher === undefined) matchers.set(productToken, (matcher = create(productToken)));
      return matcher.decideTarget(target);
    },
    /** The product tokens that decisions were made for. */
    productTokens: (): readonly string[] => [...matchers.keys()],
  };
}
