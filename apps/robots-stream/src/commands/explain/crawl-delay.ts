// A robots.txt, a crawler and the groups that bind it in, the Crawl-delay that is meant for it out.
import type { BindingGroup, RobotsTxt } from "@robots-stream/core";
import { crawlDelayIn } from "@robots-stream/core/records";
import type { Question } from "@robots-stream/engine/internal";

/** A Crawl-delay line. */
export interface CrawlDelay {
  /** At most 300. */
  readonly seconds: number;
  /** Line number in the file, from 1. */
  readonly line: number;
  /** Whether it stands in a group for `*` although the crawler has another one. */
  readonly isEverybodys: boolean;
}

/**
 * The longest Crawl-delay of the groups that bind the crawler; for a crawler that takes it from there (bingbot), else the
 * longest one of the groups for `*`. Values that are no numbers count for nothing. Undefined when there is none.
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
