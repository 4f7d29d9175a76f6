// Tests the results that the page computes without a DOM: answers, notes on lines, page directives, links.
import { randomBytes } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { parseRobotsTxt } from "@robots-stream/core";
import { lint } from "@robots-stream/core/lint";
import { describe, expect, test } from "vitest";
import { answersOf, lineOf, tracesOf } from "./answers.ts";
import { askedCrawlerOf } from "./crawlers.ts";
import { examples } from "./examples.ts";
import { lineNotesOf } from "./line-notes.ts";
import { fieldsOf, pageAnswersOf } from "./page-answers.ts";
import { fragmentOf, mostBytes, questionIn } from "./share.ts";
import { shownFindingsOf } from "./shown-findings.ts";
import { listOf, most, questionOf } from "./state.ts";

/** The answers of an example in the dialect of Google's parser, each as "URL crawler ✘ line". */
function told(name: string): readonly string[] {
  const { rows, crawlers } = answersOf(examples.find((each) => each.name === name)!.question);
  return rows.flatMap(({ url, cells }) =>
    cells.map(
      (cell, at) => `${url} ${crawlers[at]!.productToken} ${cell!.google.allowed ? "✔" : "✘"} ${lineOf(cell!.google)}`,
    ),
  );
}

describe("each pitfall has the answers that its text describes", () => {
  test.each<[name: string, answers: readonly string[]]>([
    [
      "Crawl-delay between user-agent lines",
      [
        "https://shop.example/ Googlebot ✘ 5",
        "https://shop.example/ bingbot ✘ 5",
        "https://shop.example/ DuckDuckBot ✔ 0",
        "https://shop.example/private Googlebot ✘ 5",
        "https://shop.example/private bingbot ✘ 5",
        "https://shop.example/private DuckDuckBot ✘ 8",
      ],
    ],
    [
      "/*.php$?",
      [
        "/index.php Googlebot ✔ 0",
        "/index.php?id=1 Googlebot ✔ 0",
        "/index.php$?id=1 Googlebot ✘ 2",
        "/index.asp Googlebot ✘ 3",
        "/index.asp?id=1 Googlebot ✔ 0",
      ],
    ],
    [
      "MJ12bot",
      ["/ MJ12bot ✘ 2", "/ MJ ✘ 2", "/ bingbot ✔ 0", "/private MJ12bot ✘ 2", "/private MJ ✘ 2", "/private bingbot ✘ 5"],
    ],
    ["Disallow of nothing", ["/ Googlebot ✔ 5", "/ bingbot ✘ 2", "/private Googlebot ✔ 5", "/private bingbot ✘ 2"]],
    [
      "A group for one crawler",
      ["/private bingbot ✔ 0", "/private Googlebot ✘ 2", "/old bingbot ✘ 5", "/old Googlebot ✔ 0"],
    ],
  ])("%s", (name, answers) => {
    expect(told(name)).toEqual(answers);
  });

  test("“Escapes and letters” has an answer that differs between the dialects", () => {
    const answers = answersOf(examples.find(({ name }) => name === "Escapes and letters")!.question);
    const [first] = answers.rows[0]!.cells;
    expect([first!.google.allowed, first!.rfc9309.allowed]).toEqual([true, false]);
    expect(tracesOf(answers, 0, 0)!.rfc9309.path).toBe("/admin");
  });
});

test.each<[typed: string, productToken: string, isAsked: boolean]>([
  ["googlebot", "Googlebot", true],
  ["Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "bingbot", true],
  ["FooBot", "FooBot", true],
  ["Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Firefox/128.0", "", false],
])("the product token of %s, if there is one", (typed, productToken, isAsked) => {
  const asked = askedCrawlerOf(typed);
  expect(asked.problem === undefined).toBe(isAsked);
  if (isAsked) expect(asked.productToken).toBe(productToken);
});

test.each([
  ["User-agent: *\nDisallow: /\n", false],
  ["User-agent: bingbot\nDisallow: /\n\nUser-agent: msnbot\nDisallow:\n", false],
  ["User-agent: msnbot\nDisallow: /\n", true],
])("the note on bingbot names the group of another crawler only if it applies: %j", (robots, isNamed) => {
  const { crawlers } = answersOf({ robots, urls: "/", crawlers: "bingbot" });
  expect(crawlers[0]!.note.includes("uses the group for msnbot")).toBe(isNamed);
});

test("a text that no crawler would request as typed has a note", () => {
  const { rows } = answersOf({
    robots: "",
    urls: "https://a.example/x\n/x\nmailto:a\nx/y\n/\u00fc\n/\ud800",
    crawlers: "FooBot",
  });
  expect(rows.map(({ note }) => note)).toEqual([
    "",
    "",
    "neither URL nor path; compared as /",
    "neither URL nor path; compared as /y",
    "compared as typed; a crawler requests /%C3%BC",
    "compared as typed; a crawler requests /%EF%BF%BD",
  ]);
});

test("lists are trimmed, deduplicated and bounded", () => {
  expect(listOf(" a \r\n\nb\na", 5)).toEqual({ items: ["a", "b"], left: 0 });
  const many = Array.from({ length: most.urls + 7 }, (_, at) => `/${at}`).join("\n");
  expect(answersOf({ robots: "", urls: many, crawlers: "FooBot" }).left).toEqual({ crawlers: 0, urls: 7 });
});

test("the first 500 findings are shown, with a sentence that tells how many are left out", () => {
  const [finding] = lint("Disallow: /");
  const manyOf = (count: number): ReturnType<typeof lint> => Array.from({ length: count }, () => finding!);
  const toldOf = (count: number): readonly unknown[] => {
    const { shown, leftOut } = shownFindingsOf(manyOf(count));
    return [shown.length, leftOut];
  };
  expect([0, 500, 501, 1_734].map(toldOf)).toEqual([
    [0, undefined],
    [500, undefined],
    [500, "1 more finding is not shown."],
    [500, "1,234 more findings are not shown."],
  ]);
});

test.each([
  ["User-agent: A\nDisallow: /x\nAllow: /y\n", "Names A. The rules from line 2 to 3 bind it."],
  ["User-agent: A\n", "Names A. Its group has no rule: everything is allowed."],
  ["User-agent: 9\nDisallow: /x\n", "Names no crawler: its value has no product token."],
])("the note on the first line of %j", (text, expected) => {
  expect(lineNotesOf(text, parseRobotsTxt(text))(1)).toBe(expected);
});

test("the note on each line of a file", () => {
  const text =
    "Disallow: /early\nUser-agent: A\nCrawl-delay: 1\nUser-agent: B\nDisallow: /x\n\nUser-agent: *\nDisallow:\n# c\nSitemap: https://a.example/s\nfoo: bar\n";
  const noteOf = lineNotesOf(text, parseRobotsTxt(text));
  expect(Array.from({ length: 12 }, (_, at) => noteOf(at + 1))).toMatchInlineSnapshot(`
    [
      "Binds no crawler: there is no user-agent line above it.",
      "Names A. The rule on line 5 binds it.",
      "crawl-delay, for A, B (lines 2 to 4); it changes no decision, and does not separate user-agent lines.",
      "Names B. The rule on line 5 binds it.",
      "Binds A, B (lines 2 to 4).",
      "Not a directive: it has no effect.",
      "Names every crawler that no group names. The rule on line 8 binds it.",
      "Binds every crawler that no group names (*) (line 7). It is empty, so it disallows nothing.",
      "Not a directive: it has no effect.",
      "For every crawler, because a Sitemap line belongs to no group.",
      "“foo” is not a directive of any known crawler.",
      "Not a directive: it has no effect.",
    ]
  `);
  expect(noteOf(99)).toBe("");
});

test("page directives and preferences for each crawler", () => {
  const robots = parseRobotsTxt("User-agent: *\nContent-Signal: ai-train=no\n");
  const page = {
    headers: "HTTP/2 200\nx-robots-tag: bingbot: noarchive\n",
    html: `<meta name="googlebot" content="noindex">`,
    robots,
    url: "/",
  };
  const answers = pageAnswersOf(
    page,
    ["Googlebot", "bingbot", "Mozilla/5.0 (X11)"].map((typed) => askedCrawlerOf(typed)),
  );
  expect(
    answers.map(({ decision, usage }) => [
      decision.indexable,
      decision.prohibited,
      usage["train-ai"].value,
      usage["ai-input"].value,
    ]),
  ).toEqual([
    [false, ["noindex"], "disallow", "unknown"],
    [true, ["noarchive"], "disallow", "disallow"],
  ]);
  expect(fieldsOf("HTTP/1.1 200 OK\r\n< Link: <a>; rel=license\r\nno field\r\n")).toEqual([
    ["link", "<a>; rel=license"],
  ]);
});

describe("links", () => {
  test.each(examples.map(({ name, question }) => [name, question] as const))("keep %s", async (_, question) => {
    const fragment = await fragmentOf(question);
    expect(fragment).toMatch(/^1\.[\w-]+$/u);
    expect(await questionIn(`#${fragment!}`)).toEqual(question);
  });

  test.each(["", "#", "#1.", "#1.!!", "#2.abc", "#1.AAAA", "#answers"])("%j is not a question", async (fragment) => {
    expect(await questionIn(fragment)).toBeUndefined();
  });

  test("a fragment that inflates to too many bytes is not a question", async () => {
    const inflated = JSON.stringify({ robots: "a".repeat(mostBytes) });
    expect(await questionIn(`1.${deflateRawSync(inflated).toString("base64url")}`)).toBeUndefined();
  });

  test("a question has a link exactly if the link can be read again", async () => {
    const lettersOf = (count: number): string => randomBytes(count).toString("base64").slice(0, count);
    const longest = mostBytes - `{"robots":""}`.length;
    for (const robots of ["a".repeat(longest), lettersOf(longest)]) {
      const fragment = await fragmentOf(questionOf({ robots }));
      expect((await questionIn(fragment!))?.robots === robots).toBe(true);
    }
    // The last text also exceeds the limit when it is deflated.
    for (const robots of ["a".repeat(longest + 1), "\u00fc".repeat(longest / 2 + 1), lettersOf(3_000_000)])
      expect(typeof (await fragmentOf(questionOf({ robots })))).toBe("undefined");
  });
});
