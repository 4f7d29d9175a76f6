// Finds the Crawl-delay that a robots.txt sets for a crawler.
import type { BindingGroup, RobotsTxt } from "@robots-stream/core";
import { crawlDelayIn } from "@robots-stream/core/records";
import type { Question } from "@robots-stream/engine/internal";

export interface CrawlDelay {
  /** The delay in seconds, at most 300. */
  readonly seconds: number;
  /** Line number in the file, from 1. */
  readonly line: number;
  /** Whether the line is in a group for `*` that does not bind the crawler. */
  readonly isEverybodys: boolean;
}

/**
 * Returns the longest Crawl-delay in the groups of `binding`, which bind the crawler. If these groups have none, returns the longest
 * Crawl-delay in the groups for `*`, but only for a crawler that obeys such a Crawl-delay, such as bingbot. Ignores values that are not
 * numbers. Returns undefined if no value remains.
 */
export function crawlDelayOf(
  robots: RobotsTxt,
  { crawlDelay }: Pick<Question, "crawlDelay">,
  binding: readonly BindingGroup[],
): CrawlDelay | undefined {
  const bound = new Set(binding.map(({ fromLine }) => fromLine));
  const isBinding = ({ userAgents }: Group): boolean => bound.has(userAgents[0]?.line ?? 0);
  const own = delayIn(robots.groups.filter(isBinding), false);
  if (own !== undefined || crawlDelay !== "everybody") return own;
  const isEverybodys = (group: Group): boolean =>
    !isBinding(group) && group.userAgents.some(({ productToken }) => productToken === "*");
  return delayIn(robots.groups.filter(isEverybodys), true);
}

type Group = RobotsTxt["groups"][number];

function delayIn(groups: readonly Group[], isEverybodys: boolean): CrawlDelay | undefined {
  const found = crawlDelayIn(groups);
  return found === undefined ? undefined : { seconds: found.seconds, line: found.line, isEverybodys };
}
