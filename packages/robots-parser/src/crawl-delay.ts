// Finds the Crawl-delay of a user agent as npm robots-parser does: a line of any other kind ends the list of user-agent lines to which a
// Crawl-delay applies.
import type { Group, RobotsTxt, UserAgentLine } from "@robots-stream/core";

/**
 * The last readable Crawl-delay for a user agent, in seconds; 0 for an empty one, undefined if there is none. `isNamed` returns whether a
 * line names the user agent. If no line names it, the Crawl-delay for `*` is returned. Google's parser, whose reading this package
 * otherwise follows, skips Crawl-delay lines: user-agent lines before and after such a line form one group.
 */
export function crawlDelayOf(robots: RobotsTxt, isNamed: (line: UserAgentLine) => boolean): number | undefined {
  const isKnown = robots.groups.some(({ userAgents }) => userAgents.some(isNamed));
  const isMeant = isKnown ? isNamed : ({ productToken }: UserAgentLine) => productToken === "*";
  return robots.groups
    .flatMap((group) =>
      group.records
        .filter(({ name, value }) => name === "crawl-delay" && !Number.isNaN(Number(value)))
        .filter(({ line }) => linesBefore(group, line).some(isMeant))
        .map(({ value }) => Number(value)),
    )
    .at(-1);
}

/**
 * The user-agent lines to which another line of their group applies: the last user-agent lines before `line` with no other line between
 * them.
 */
function linesBefore({ userAgents, rules, records }: Group, line: number): readonly UserAgentLine[] {
  const before = userAgents.filter((each) => each.line < line);
  const last = before.at(-1)?.line ?? 0;
  const others = [...rules, ...records].map((each) => each.line).filter((each) => each < last);
  const lastOther = Math.max(0, ...others);
  return before.filter((each) => each.line > lastOther);
}
