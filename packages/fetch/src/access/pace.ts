// Finds the request rate that a robots.txt requests from a crawler (Crawl-delay, Request-rate), and whether the crawlers of a policy
// obey it. Returns data and delays nothing. Pure.
import type { MatcherOptions, OtherRecord, RobotsTxt } from "@robots-stream/core";
import { bindingGroups, crawlDelayIn } from "@robots-stream/core/records";
import type { Pace, PaceView, RequestRate } from "../common/types.ts";
import type { AccessPolicy } from "./policy.ts";

const nothing: Pace = Object.freeze({ crawlDelay: undefined, requestRates: Object.freeze([]) });
const unsaid: PaceView = Object.freeze({ heeded: undefined, source: "the policy says nothing" });

/** The pace for a crawler; empty without a file. */
export function paceOf(
  robots: RobotsTxt | undefined,
  productTokens: string | readonly string[],
  policy: AccessPolicy,
  options?: MatcherOptions,
): Pace {
  if (robots === undefined) return nothing;
  const groups = bindingGroups(robots, productTokens, { tokenMatch: options?.tokenMatch });
  const { crawlDelay: view = unsaid, requestRate = unsaid } = policy.pace ?? {};
  const delay = crawlDelayIn(groups);
  return {
    crawlDelay: delay === undefined ? undefined : { ...delay, view },
    requestRates: groups.flatMap(({ records }) => records.flatMap((record) => rateOf(record, requestRate))),
  };
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
