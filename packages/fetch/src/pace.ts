// A robots.txt, a crawler and a policy → how fast the file asks it to come (Crawl-delay, Request-rate), and whether the
// policy's crawlers heed that. Data: nothing here waits. Pure.
import { type Group, type MatcherOptions, type OtherRecord, type RobotsTxt, createMatcher } from "@robots-stream/core";
import type { CrawlDelayLine, Pace, PaceView, RequestRate } from "./pace-types.ts";
import type { AccessPolicy } from "./policy.ts";

const nothing: Pace = Object.freeze({ crawlDelay: undefined, requestRates: Object.freeze([]) });
const maxDelaySeconds = 300;
const unsaid: PaceView = Object.freeze({ heeded: undefined, source: "the policy says nothing" });

/** The pace for a crawler; nothing where there is no file. */
export function paceOf(
  robots: RobotsTxt | undefined,
  productTokens: string | readonly string[],
  policy: AccessPolicy,
  options?: MatcherOptions,
): Pace {
  if (robots === undefined) return nothing;
  const groups = groupsFor(robots, productTokens, options);
  const { crawlDelay: view = unsaid, requestRate = unsaid } = policy.pace ?? {};
  const delay = crawlDelayIn(groups);
  return {
    crawlDelay: delay === undefined ? undefined : { ...delay, view },
    requestRates: groups.flatMap(({ records }) => records.flatMap((record) => rateOf(record, requestRate))),
  };
}

/**
 * The longest Crawl-delay in these groups, the first of equals; undefined where none can be read. Values that are no
 * numbers count for nothing.
 */
export function crawlDelayIn(groups: readonly Pick<Group, "records">[]): CrawlDelayLine | undefined {
  let longest: CrawlDelayLine | undefined;
  for (const { records } of groups) {
    for (const { name, value, line } of records) {
      if (name !== "crawl-delay" || !/^\d{1,9}(?:\.\d{1,9})?$|^\.\d{1,9}$/.test(value)) continue;
      const seconds = Math.min(Number(value), maxDelaySeconds);
      if (longest === undefined || seconds > longest.seconds) longest = { seconds, value, line };
    }
  }
  return longest;
}

/** The groups that bind the crawler: those that its rules come from. */
function groupsFor(
  robots: RobotsTxt,
  productTokens: string | readonly string[],
  options: MatcherOptions | undefined,
): readonly Group[] {
  const { groups } = createMatcher(robots, productTokens, options).trace("/");
  const isBinding = (line: number): boolean =>
    groups.some(({ fromLine, toLine }) => line >= fromLine && line <= toLine);
  return robots.groups.filter(({ userAgents }) => userAgents.some(({ line }) => isBinding(line)));
}

const unitSeconds: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 3_600 };

function rateOf({ name, value, line }: OtherRecord, view: PaceView): readonly RequestRate[] {
  if (name !== "request-rate") return [];
  const match = /^(\d{1,6})\/(\d{1,6})([smh]?)(?: {1,9}([0-2]\d)([0-5]\d)-([0-2]\d)([0-5]\d))?$/i.exec(value);
  if (match === null) return [];
  const [, requests = "", count = "", unit = "", fromHour, fromMinute, toHour, toMinute] = match;
  const seconds = Number(count) * (unitSeconds[unit.toLowerCase()] ?? 1);
  if (Number(requests) === 0 || seconds === 0) return [];
  const rate = { requests: Number(requests), seconds, value, line, view };
  if (fromHour === undefined) return [rate];
  const hours = [minutesOf(fromHour, fromMinute), minutesOf(toHour, toMinute)] as const;
  return hours.some((minutes) => minutes > 24 * 60) ? [] : [{ ...rate, hours }];
}

function minutesOf(hour = "", minute = ""): number {
  return Number(hour) * 60 + Number(minute);
}
