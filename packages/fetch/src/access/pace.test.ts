// Crawl-delay and Request-rate: which records apply to a crawler, how they are parsed, and how each policy treats them.
import { parseRobotsTxt } from "@robots-stream/core";
import { describe, expect, test } from "vitest";
import { paceOf } from "./pace.ts";
import { accessPolicies } from "./policy.ts";

const { google } = accessPolicies;
const pace = (text: string, token = "bingbot") => paceOf(parseRobotsTxt(text), token, google);
const delay = (value: string) => pace(`user-agent: *\ncrawl-delay: ${value}\n`).crawlDelay?.seconds;
const rates = (value: string) => pace(`user-agent: *\nrequest-rate: ${value}\n`).requestRates;

test.each<[value: string, seconds: number | undefined]>([
  ["10", 10],
  ["0", 0],
  ["0.5", 0.5],
  [".5", 0.5],
  ["300", 300],
  ["301", 300],
  ["999999999", 300],
  ["1e20", undefined],
  ["1e999", undefined],
  ["-5", undefined],
  ["NaN", undefined],
  ["Infinity", undefined],
  ["0x10", undefined],
  ["1,5", undefined],
  ["5s", undefined],
  ["", undefined],
  ["9".repeat(10), 300],
  ["9".repeat(400), 300],
])("crawl-delay: %s", (value, seconds) => expect(delay(value)).toBe(seconds));

test.each<[value: string, rate: object | undefined]>([
  ["1/5", { requests: 1, seconds: 5 }],
  ["1/10s", { requests: 1, seconds: 10 }],
  ["2/1m", { requests: 2, seconds: 60 }],
  ["100/24h", { requests: 100, seconds: 86_400 }],
  ["1/5m 0600-0845", { requests: 1, seconds: 300, hours: [360, 525] }],
  ["1/5m 2200-0600", { requests: 1, seconds: 300, hours: [1_320, 360] }],
  ["1/5m 2500-2600", undefined],
  ["0/5", undefined],
  ["1/0", undefined],
  ["1", undefined],
  ["1/5d", undefined],
  ["-1/5", undefined],
])("request-rate: %s", (value, rate) => {
  const [found] = rates(value);
  if (rate === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject({ ...rate, value, line: 2 });
});

describe("the crawler to which records apply", () => {
  const text = [
    "user-agent: bingbot",
    "crawl-delay: 2",
    "disallow: /a",
    "user-agent: *",
    "crawl-delay: 7",
    "request-rate: 1/7",
    "disallow: /",
    "user-agent: bingbot",
    "crawl-delay: 4",
    "crawl-delay: soon",
    "allow: /b",
  ].join("\n");

  test("the longest delay of all groups that name the crawler", () => {
    expect(pace(text)).toMatchObject({ crawlDelay: { seconds: 4, line: 9, value: "4" }, requestRates: [] });
  });

  test("the records of the groups for * when no group names the crawler", () => {
    expect(pace(text, "otherbot")).toMatchObject({ crawlDelay: { seconds: 7, line: 5 }, requestRates: [{ line: 6 }] });
  });

  test("no records when no group applies, and none without a file", () => {
    const none = { crawlDelay: undefined, requestRates: [] };
    expect(pace("user-agent: otherbot\ncrawl-delay: 1\n")).toEqual(none);
    expect(pace("crawl-delay: 1\n")).toEqual(none);
    expect(paceOf(undefined, "bingbot", google)).toEqual(none);
  });
});

test.each([
  ["google", false],
  ["google-2024", false],
  ["rfc9309", undefined],
  ["yandex", false],
] as const)("%s: heeded is %s, with a source", (name, heeded) => {
  const robots = parseRobotsTxt("user-agent: *\ncrawl-delay: 1\nrequest-rate: 1/1\n");
  const { crawlDelay, requestRates } = paceOf(robots, "bingbot", accessPolicies[name]);
  expect(crawlDelay?.view.heeded).toBe(heeded);
  for (const view of [crawlDelay?.view, requestRates[0]?.view]) expect(view?.source).not.toBe("");
});
