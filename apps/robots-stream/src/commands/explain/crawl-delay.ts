// Finds the Crawl-delay that a robots.txt sets for a crawler.
import type { BindingGroup, RobotsTxt } from "@robots-stream/core";
import { crawlDelayIn } from "@robots-stream/core/records";
import type { Question } from "@robots-stream/engine/internal";

/** A Crawl-delay line. */
export interface CrawlDelay {
  /** The delay, at most 300. */
  readonly seconds: number;
  /** Line number in the file, from 1. */
  readonly line: number;
  /** Whether the line is in a group for `*` although another group binds the crawler. */
  readonly isEverybodys: boolean;
}

/**
 * The longest Crawl-delay of the groups that bind the crawler. If these groups have none: the longest Crawl-delay of the groups for `*`,
 * but only for a crawler that is known to obey it in this case, such as bingbot. Ignores values that are not numbers. Undefined if no value
 * remains.
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
