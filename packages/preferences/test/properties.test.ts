// Tests that the evaluator finds the same values as the slow evaluator, accepts any bytes, and takes linear time.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { type Usage, createPreferences, pageValuesOf, sentencesOf } from "../src/index.ts";
import { type SlowValues, slowStatement, slowValues } from "./slow-preferences.ts";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;
const runs = (few: number): { numRuns: number } => ({ numRuns: isThorough ? few * 50 : few });

const valuesOf = (usage: Usage): SlowValues => ({
  "train-ai": usage["train-ai"].value,
  search: usage.search.value,
  "ai-input": usage["ai-input"].value,
});

const keys = ["train-ai", "search", "ai-use", "ai-train", "ai-input"];
const marks = ["=", ",", ", ", " ", "\t", ";", ";a", "(", ")", '"x"', '"', "1", "1.5", "?1", "@7", "A", "*", "-"];
const piece = fc.constantFrom(...keys, ...marks, "=y", "=n", "=yes", "=no", "y", "n");
const statement = fc.array(piece, { maxLength: 7 }).map((parts) => parts.join(""));
const goodKey = fc.constantFrom(...keys, "x");
const goodValue = fc.constantFrom("=y", "=n", "=yes", "=no", "", "=y;a", '="n"', "=(n)");
const good = fc
  .array(fc.tuple(goodKey, goodValue), { maxLength: 3 })
  .map((parts) => parts.map((part) => part.join("")).join(", "));
const path = fc
  .array(fc.constantFrom("a", "b", "/", "*", "$", "."), { maxLength: 4 })
  .map((parts) => `/${parts.join("")}`);
const usageValue = fc
  .tuple(fc.oneof(fc.constant(""), path), fc.constantFrom(" ", "\t", "  "), fc.oneof(good, statement))
  .map(([start, blank, text]) => (start === "" ? text : start + blank + text));
const line = fc.oneof(
  fc.constantFrom("a", "b", "*", "other").map((name) => `User-agent: ${name}`),
  path.map((pattern) => `Disallow: ${pattern}`),
  path.map((pattern) => `Allow: ${pattern}`),
  usageValue.map((value) => `Content-Usage: ${value}`),
  usageValue.map((value) => `content-signal:${value}`),
  fc.constantFrom("", "# train-ai=n", "Sitemap: https://example.com/", "x: y"),
);
const file = fc.array(line, { maxLength: 14 }).map((lines) => lines.join("\n"));
const target = fc.array(fc.constantFrom("a", "b", "/", "."), { maxLength: 5 }).map((parts) => `/${parts.join("")}`);

test("a statement has the values that the slow evaluator finds", () => {
  const none = createPreferences(parseRobotsTxt(""), "a");
  fc.assert(
    fc.property(fc.oneof(good, statement), (text) => {
      const usage = none.usageAt("/", pageValuesOf([["Content-Usage", text]]));
      expect(valuesOf(usage)).toEqual({
        "train-ai": "unknown",
        search: "unknown",
        "ai-input": "unknown",
        ...slowStatement(text),
      });
    }),
    runs(1500),
  );
});

test("a file has the values that the slow evaluator finds", () => {
  fc.assert(
    fc.property(file, fc.constantFrom("a", "b", "c"), target, (text, crawler, asked) => {
      const robots = parseRobotsTxt(text);
      const isOpen = createMatcher(robots, crawler).decideTarget(asked).allowed;
      const preferences = createPreferences(robots, crawler);
      const usage = preferences.usageAtTarget(asked);
      expect(valuesOf(usage)).toEqual(slowValues(text, crawler, asked, isOpen));
      expect(preferences.usageAtTarget(asked)).toBe(usage);
    }),
    runs(2500),
  );
});

/** Checks the invariants of a usage: each value is the most restrictive one of its reasons, and each line exists in the file. */
function checkUsage(usage: Usage, lines: number): void {
  for (const { value, by } of [usage["train-ai"], usage.search, usage["ai-input"]]) {
    const values = new Set(by.map((reason) => reason.value));
    const most = values.has("disallow") ? "disallow" : values.has("allow") ? "allow" : "unknown";
    expect(value).toBe(most);
    for (const reason of by) {
      expect(reason.line === undefined || (reason.line >= 1 && reason.line <= lines)).toBe(true);
      expect(reason.statement.length).toBeLessThanOrEqual(200);
      expect(Object.isFrozen(reason)).toBe(true);
    }
  }
}

describe("any input", () => {
  const word = fc.constantFrom(
    "User-agent: *\n",
    "Content-Usage:",
    "Content-Signal:",
    "License:",
    "/é",
    " train-ai=n",
    "\0",
    "\n",
    ",use=full",
    "https://e.example/",
  );
  const bytes = fc
    .array(
      fc.oneof(
        word.map((text) => [...Buffer.from(text)]),
        fc.uint8Array({ maxLength: 6 }).map((each) => [...each]),
      ),
      { maxLength: 20 },
    )
    .map((parts) => Uint8Array.from(parts.flat()));

  test("files of any bytes", () => {
    fc.assert(
      fc.property(bytes, fc.string(), fc.constantFrom("google", "rfc9309"), (input, asked, dialect) => {
        const usage = createPreferences(parseRobotsTxt(input, { dialect }), "Googlebot").usageAt(asked);
        checkUsage(usage, input.length + 1);
        for (const sentence of sentencesOf(usage)) expect(sentence).not.toContain("undefined");
      }),
      runs(800),
    );
  });

  test("fields and directives of any text", () => {
    const none = createPreferences(parseRobotsTxt(""), "bingbot");
    const name = fc.constantFrom("Content-Usage", "link", "TDM-Reservation", "tdm-policy", "x", "__proto__");
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('"', "<", ">", ";", ",", "rel=license", "\\", "a:", "//x") }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, text)), fc.array(text), (fields, directives) => {
        const usage = none.usageAt("/", { ...pageValuesOf(fields), directives });
        checkUsage(usage, 0);
        expect(Object.keys(usage)).toEqual(["train-ai", "search", "ai-input", "licences"]);
      }),
      runs(800),
    );
  });
});

test("hostile files and fields take linear time", () => {
  const many = "Content-Usage: /*a*b*c train-ai=n\n".repeat(12_000);
  const preferences = createPreferences(parseRobotsTxt(`User-agent: *\n${many}`), "a");
  const { by, others } = preferences.usageAtTarget(`/${"ab".repeat(2000)}c`)["train-ai"];
  expect([by.length, others]).toEqual([50, 11_950]);
  expect(preferences.usageAtTarget(`/${"ab".repeat(2000)}`)["train-ai"].value).toBe("unknown");
  const signals = createPreferences(parseRobotsTxt(`User-agent: *\nContent-Signal: ${",".repeat(500_000)}`), "a");
  expect(signals.usageAt("/").search.value).toBe("unknown");
  for (const field of [
    "<".repeat(500_000),
    `<x>;${'"'.repeat(500_001)}`,
    "<a>;rel=license,".repeat(30_000),
    "<a>;".repeat(100_000),
  ]) {
    expect(pageValuesOf([["Link", field]]).licences!.length).toBeLessThanOrEqual(1000);
  }
});
