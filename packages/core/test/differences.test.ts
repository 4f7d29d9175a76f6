// Tests that every example in docs/DIFFERENCES.md is true and that every link inside the document has a target.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createMatcher, parseRobotsTxt } from "../src/index.ts";

const document = readFileSync(new URL("../../../docs/DIFFERENCES.md", import.meta.url), "utf8");

/** The cells of each row of the Markdown table at the start of the lines, without the header and its separator. */
function rowsAt(lines: readonly string[]): string[][] {
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return lines.slice(2, end < 0 ? undefined : end).map((line) =>
    line
      .slice(1, -1)
      .split(" |")
      .map((cell) => cell.trim().replaceAll("`", "")),
  );
}

const examples = document
  .split("\n```robots-txt\n")
  .slice(1)
  .map((part) => {
    const [robotsTxt = "", after = ""] = part.split(/\n```\n\n?/, 2);
    return { robotsTxt, lines: after.split("\n") };
  });

describe("every example", () => {
  test("each example has a table of answers, and the dialects differ in more than 20 answers", () => {
    for (const { lines } of examples) expect(lines[0]).toBe("| URL | crawler | google | rfc9309 |");
    const answers = examples.flatMap(({ lines }) => rowsAt(lines));
    expect(answers.filter(([, , google, rfc9309]) => google !== rfc9309).length).toBeGreaterThan(20);
    expect(document.match(/^\| URL \|/gm)).toHaveLength(examples.length);
  });

  const rows = examples.flatMap(({ robotsTxt, lines }) =>
    rowsAt(lines).map(([url = "", crawler = "", google = "", rfc9309 = ""]) => ({
      robotsTxt,
      url,
      crawler,
      expected: { google, rfc9309 },
    })),
  );
  test.each(rows)("$url of $crawler", ({ robotsTxt, url, crawler, expected }) => {
    const text = robotsTxt.replaceAll("␀", "\0").replaceAll("␋", "\v");
    const decide = (dialect: "google" | "rfc9309"): string => {
      const decision = createMatcher(parseRobotsTxt(text, { dialect }), crawler).decide(url);
      return `${decision.allowed ? "allowed" : "disallowed"}, ${decision.because === "rule" ? decision.rule.line : 0}`;
    };
    expect({ google: decide("google"), rfc9309: decide("rfc9309") }).toEqual(expected);
  });
});

describe("names that are not product tokens", () => {
  const head = "| crawler | user-agent line | `google` | `whole` |";
  const rows = rowsAt(`${head}${document.split(head)[1] ?? ""}`.split("\n"));
  test("the table has rows", () => expect(rows.length).toBeGreaterThan(3));

  test.each(rows)("the name %s, a user-agent line with the value %s", (crawler, line, google, whole) => {
    const named = (["google", "whole"] as const).map((tokenMatch) => {
      const robots = parseRobotsTxt(`user-agent: ${line}\ndisallow: /`);
      return createMatcher(robots, crawler, { tokenMatch }).decide("/").allowed ? "not named" : "named";
    });
    expect(named).toEqual([google, whole]);
  });
});

test("links inside the document lead to its headings", () => {
  const anchors = Array.from(document.matchAll(/^#+ (.+)$/gm), ([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^a-z0-9 _-]/g, "")
      .replaceAll(" ", "-"),
  );
  const links = Array.from(document.matchAll(/\]\(#([^)]+)\)/g), ([, anchor]) => anchor!);
  expect(links.length).toBeGreaterThan(10);
  for (const link of links) expect(anchors).toContain(link);
});
