// A robots.txt, a crawler and a policy → how fast the file asks it to come (Crawl-delay, Request-rate), and whether the
// policy's crawlers heed that. Data: nothing here waits. Pure.
import { type MatcherOptions, type OtherRecord, type RobotsTxt, createMatcher } from "@robots-stream/core";
import type { AccessPolicy, PaceView } from "./policy.ts";

/** A Crawl-delay: seconds between two requests. */
export interface CrawlDelay {
  /** At most 300: what asks for more asks to stay away, and says so with rules. */
  readonly seconds: number;
  /** As written. */
  readonly value: string;
  readonly line: number;
  /** What the policy says; `heeded` is undefined where it says nothing. */
  readonly view: PaceView;
}

/** A Request-rate: so many requests in so many seconds. */
export interface RequestRate {
  readonly requests: number;
  readonly seconds: number;
  /** The time of day it holds for, in UTC, as [from, to] in minutes after midnight; absent for always. */
  readonly hours?: readonly [fromMinute: number, toMinute: number];
  readonly value: string;
  readonly line: number;
  readonly view: PaceView;
}

/** How fast a file asks one crawler to come. */
export interface Pace {
  /** The longest one that the groups of the crawler ask for; undefined where none does in a way that can be read. */
  readonly crawlDelay: CrawlDelay | undefined;
  /** All that can be read, in file order. */
  readonly requestRates: readonly RequestRate[];
}

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
  const records = recordsFor(robots, productTokens, options);
  const { crawlDelay = unsaid, requestRate = unsaid } = policy.pace ?? {};
  const delays = records.flatMap((record) => delayOf(record, crawlDelay));
  return {
    crawlDelay: delays.reduce<CrawlDelay | undefined>(
      (longest, delay) => (longest !== undefined && longest.seconds >= delay.seconds ? longest : delay),
      undefined,
    ),
    requestRates: records.flatMap((record) => rateOf(record, requestRate)),
  };
}

/** The records of the groups that bind the crawler: the same that its rules come from. */
function recordsFor(
  robots: RobotsTxt,
  productTokens: string | readonly string[],
  options: MatcherOptions | undefined,
): readonly OtherRecord[] {
  const { groups } = createMatcher(robots, productTokens, options).trace("/");
  const isBinding = (line: number): boolean =>
    groups.some(({ fromLine, toLine }) => line >= fromLine && line <= toLine);
  return robots.groups
    .filter(({ userAgents }) => userAgents.some(({ line }) => isBinding(line)))
    .flatMap((group) => group.records);
}

function delayOf({ name, value, line }: OtherRecord, view: PaceView): readonly CrawlDelay[] {
  if (name !== "crawl-delay" || !/^\d{1,9}(?:\.\d{1,9})?$|^\.\d{1,9}$/.test(value)) return [];
  return [{ seconds: Math.min(Number(value), maxDelaySeconds), value, line, view }];
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
