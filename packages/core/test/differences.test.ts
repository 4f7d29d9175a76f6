// The tables of docs/DIFFERENCES.md in: each of their rows holds.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createMatcher, parseRobotsTxt } from "../src/index.ts";

const document = readFileSync(new URL("../../../docs/DIFFERENCES.md", import.meta.url), "utf8");

/** The rows of the table under a heading, cell by cell. */
function tableOf(heading: string): string[][] {
  const part = document.split(`\n## ${heading}\n`)[1]!.split("\n## ")[0]!;
  return part
    .split("\n")
    .filter((line) => line.startsWith("| ") || line.startsWith("|`"))
    .slice(1)
    .map((line) =>
      line
        .slice(1, -1)
        .split(" |")
        .map((cell) => cell.trim().replaceAll("`", "")),
    );
}

describe("Google's parser and RFC 9309", () => {
  const rows = tableOf("Google's parser and RFC 9309");
  test("there are rows", () => expect(rows.length).toBeGreaterThan(10));

  test.each(rows)("%s", (_what, text, url, google, rfc9309) => {
    const decided = (["google", "rfc9309"] as const).map((dialect) => {
      const decision = createMatcher(parseRobotsTxt(text.replaceAll("⏎", "\n"), { dialect }), "x").decide(url);
      return `${decision.allowed ? "allowed" : "disallowed"}, ${decision.because === "rule" ? decision.rule.line : 0}`;
    });
    expect(decided).toEqual([google, rfc9309]);
  });
});

describe("Product tokens", () => {
  test.each(tableOf("Product tokens"))("%s in the line for %s", (crawler, line, google, whole) => {
    const named = (["google", "whole"] as const).map((tokenMatch) => {
      const robots = parseRobotsTxt(`user-agent: ${line}\ndisallow: /`);
      return createMatcher(robots, crawler, { tokenMatch }).decide("/").allowed ? "not named" : "named";
    });
    expect(named).toEqual([google, whole]);
  });
});
