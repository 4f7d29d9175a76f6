// The texts for people of summaries and loaded origins, with control characters as escapes; and figures as texts.
import { expect, test } from "vitest";
import { originTextOf } from "./origin-text.ts";
import { bytesText, durationText, numberText } from "../../../cli/figures.ts";
import { documentOf } from "./document.ts";
import { Tally } from "@robots-stream/engine/internal";
import { addTime, createTimesHistogram } from "./times.ts";
import { HeavyHitters } from "./heavy-hitters.ts";
import { summaryTextOf } from "./summary-text.ts";

const hostile = "\u001B[31m\u009B2J\u202E\u0007\n\r\u2028x";
const obeyed = /[\p{Cc}\u2028\u202E]/u;

test("hostile names, rules, codes and redirects are shown as escapes", () => {
  const [origins, rules] = [new HeavyHitters(), new HeavyHitters()];
  origins.add(() => `https://${hostile}`, 3, true);
  rules.add(() => `https://a.example 3 disallow: /${hostile}`, 2, true);
  const ms = createTimesHistogram();
  addTime(ms, 3);
  const question = {
    agent: hostile,
    names: [hostile],
    boundByEverybody: true,
    bound: "undocumented",
    crawlDelay: "unknown",
    dialect: "google",
    tokenMatch: "whole",
  } as const;
  const tally = new Tally([question]);
  tally.records = tally.elsewhere = 7;
  const document = documentOf(
    tally,
    {
      because: [new Map([["rule", 2]])],
      origins,
      rules,
      fetched: new Map([[hostile, { count: 1, bytes: 2_048, ms }]]),
      unfetched: new Map(),
      formatsInstead: new Map([["HTML", 3]]),
    },
    {
      version: "1.0.0",
      ended: "finished",
      exitCode: 0,
      startedAt: 0,
      endedAt: 2_000,
      cpuSeconds: 1.25,
      peakMemoryBytes: 2 ** 27,
      inputBytes: 100,
      targetForm: "raw",
      earlierRecords: 0,
      fileOf: () => `saved/${hostile}`,
    },
  );
  const text = summaryTextOf(document, (heading) => heading);
  expect(text.replaceAll("\n", "")).not.toMatch(obeyed);
  expect(text).toContain("disallow: /\\x1b[31m\\x9b2J\\u202e\\x07\\x0a\\x0d\\u2028x (https://a.example)\n");
  expect(text).toMatch(/^records +7\n(?:.*\n)*in other shards +7\n/);
  expect(text).toMatch(/^  HTML instead +3\n/m);
  expect(text).toContain(", 2.0 KiB, 3 ms to 3 ms (median 3 ms, 95 % within 3 ms)\n");
  const line = originTextOf(
    `https://${hostile}`,
    {
      access: "successful",
      code: hostile,
      fetched: true,
      exchange: {
        status: 200,
        ms: 1,
        endedAt: 0,
        bytes: 1,
        urls: ["https://a.example/", `https://u:p@b.example/${hostile}`],
      },
    },
    undefined,
    (_style, word) => word,
  );
  expect(line).not.toMatch(obeyed);
  expect(line).toContain("2 hops to https://b.example");
});

test.each([
  [bytesText(0), "0 B"],
  [bytesText(1_023), "1023 B"],
  [bytesText(1_536), "1.5 KiB"],
  [bytesText(1_048_575), "1.0 MiB"],
  [bytesText(64 * 2 ** 20), "64 MiB"],
  [bytesText(5e15), "4547 TiB"],
  [durationText(0), "0 ms"],
  [durationText(999.6), "1.0 s"],
  [durationText(59_949), "59.9 s"],
  [durationText(59_960), "1 min 00 s"],
  [durationText(3_599_600), "1 h 00 min"],
  [durationText(90_000_000), "25 h 00 min"],
  [numberText(1_234_567.4), "1,234,567"],
])("%s", (text, expected) => expect(text).toBe(expected));
