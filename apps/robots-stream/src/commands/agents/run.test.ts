// The output of `agents` for its command lines: lists, single crawlers, and unknown names.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crawlerSets, crawlers, dataVersion } from "@robots-stream/agents";
import { createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { lint } from "@robots-stream/core/lint";
import { describe, expect, test } from "vitest";
import { runHere } from "../../../test/here.ts";
import { recordsOf } from "../../../test/run.ts";

const agents = (...argv: readonly string[]): ReturnType<typeof agentsFor> => agentsFor({}, argv);

const agentsFor = (env: NodeJS.ProcessEnv, argv: readonly string[]): ReturnType<typeof runHere> =>
  runHere(["agents", ...argv], "", env);

describe("listing", () => {
  test("all crawlers, one row each", async () => {
    const { code, stdout, stderr } = await agents();
    const [head, ...rows] = stdout.split("\n");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(head).toMatch(/^token +operator +for +obeys +other groups$/);
    expect(rows.slice(0, crawlers.length).map((row) => row.split("  ")[0])).toEqual(
      crawlers.map(({ productToken }) => productToken),
    );
    expect(rows.slice(crawlers.length)).toEqual(["", `${crawlers.length} crawlers, as of ${dataVersion}`, ""]);
  });

  test.each([60, 80, 100])("no row is wider than %d columns", async (columns) => {
    const { stdout } = await agentsFor({ COLUMNS: String(columns) }, []);
    const rows = stdout.split("\n");
    expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(columns);
    expect(rows).toHaveLength((await agents()).stdout.split("\n").length);
  });

  test("a set", async () => {
    const { stdout } = await agents("control");
    expect(stdout).toMatch(/^Google-Extended +Google +control-token: ai-training +yes +\*$/m);
    expect(stdout).toContain(`4 of ${crawlers.length} crawlers`);
  });

  test("several sets with commas, each crawler once", async () => {
    const { stdout } = await agents("control,security,control");
    expect(stdout).toContain(`7 of ${crawlers.length} crawlers`);
  });

  test("as JSON", async () => {
    const { stdout } = await agents("--output", "ndjson");
    const lines = recordsOf<{ readonly agent: string }>(stdout);
    expect(lines.map(({ agent }) => agent)).toEqual(crawlers.map(({ productToken }) => productToken));
    expect(lines[0]).toMatchObject({ agent: "Googlebot", names: ["Googlebot"], kind: "crawler", dataVersion });
    expect(lines[0]).toMatchObject({ bound: "yes", boundSource: expect.stringContaining("google-common") as string });
    expect(lines[0]).toMatchObject({ dialect: "google", accessPolicy: "google" });
  });
});

describe("one crawler", () => {
  test.each<[string, readonly RegExp[]]>([
    [
      "Googlebot-Image",
      [
        /^ {2}group +Googlebot-Image, then Googlebot, then \*$/m,
        /^ {2}sources +https:\/\/developers\.google\.com\//m,
        /^ {2}example +robots-stream --agent Googlebot-Image urls\.ndjson$/m,
      ],
    ],
    ["adsbot-google", [/^ {2}group +AdsBot-Google; the group for \* does not apply$/m]],
    ["adsbot-google", [/^ {2}robots\.txt +obeyed in a group that names the crawler; the group for \* is not obeyed$/m]],
    [
      "Google-Safety",
      [/^ {2}robots\.txt +not obeyed, or not always\n {2}evidence +https:\/\/developers\.google\.com\//m],
    ],
    ["Googlebot", [/^ {2}robots\.txt +obeyed$/m, /^ {2}dialect +google, as its/m, /^ {2}policy +google, as its/m]],
    ["Twitterbot", [/^ {2}robots\.txt +no documentation says whether it is obeyed$/m]],
    ["Scrapy", [/^ {2}kind +program that anyone may run$/m]],
    [
      "bingbot",
      [/^ {2}Crawl-delay +obeyed; if its own group has none, it obeys the Crawl-delay of the group for \*$/m],
    ],
    [
      "Google-Extended",
      [/^ {2}kind +control token: a name for robots.txt only; crawlers with other names send the requests$/m],
    ],
    ["ChatGPT-User", [/^ {2}kind +user-triggered: fetches single pages because a user asks for them$/m]],
    ["Sogou web spider", [/--agent "Sogou web spider" urls/]],
    ["Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", [/^bingbot\n/]],
  ])("%s", async (name, expected) => {
    const { code, stdout } = await agents(name);
    expect(code).toBe(0);
    for (const pattern of expected) expect(stdout).toMatch(pattern);
  });

  test("no line is longer than 102 characters, except for a single long word", async () => {
    const { stdout } = await agents(...crawlers.map(({ productToken }) => productToken));
    const long = stdout.split("\n").filter((line) => line.length > 102 && line.trim().split(/\s+/).length > 2);
    expect(long).toEqual([]);
  });

  test.each<[string, string]>([
    ["gogglebot", "did you mean Googlebot?"],
    ["ai-trainning", "did you mean ai-training?"],
    ["zzzzzzzzzz", "robots-stream agents lists the known crawlers"],
    ["\u001b[2J", "\\x1b[2J: no crawler"],
  ])("the unknown name %j is wrong usage, and the message names it or suggests another", async (name, hint) => {
    const { code, stdout, stderr } = await agents(name);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(hint);
  });
});

test("a crawler from --crawlers has no empty facts and no registry date", async () => {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-own-"));
  try {
    const path = join(folder, "own.ndjson");
    writeFileSync(path, '{"productToken":"AcmeBot"}\n');
    const { code, stdout } = await agents("--crawlers", path, "AcmeBot");
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/^ {2}(?:operator|for|as of)\b/m);
    expect(stdout).toMatch(/^ {2}example +robots-stream --crawlers FILE --agent AcmeBot urls\.ndjson$/m);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("help names every set", async () => {
  const { stdout } = await agents("--help");
  for (const { name } of crawlerSets) expect(stdout).toContain(`  ${name} `);
});

test("an unknown flag is wrong usage, and the message suggests the nearest one", async () => {
  expect(await agents("--outptu")).toMatchObject({ code: 2, stderr: expect.stringContaining("--output") as string });
});

describe("the group that refuses crawlers", () => {
  const encoder = new TextEncoder();

  /** The crawlers of the registry that read `Disallow: /` in the group of a file. */
  function refusedBy(body: string): readonly string[] {
    const robots = parseRobotsTxt(encoder.encode(body));
    // As the engine compares names that are no product tokens, such as MJ12bot.
    const matchOf = (token: string): "whole" | "google" => (/[^A-Za-z_-]/u.test(token) ? "whole" : "google");
    return crawlers
      .filter(({ names, productToken }) => {
        const matcher = createMatcher(robots, [...names], { tokenMatch: matchOf(productToken) });
        return !matcher.decideTarget("/x").allowed;
      })
      .map(({ productToken }) => productToken);
  }

  test.each(
    crawlerSets.filter(({ name }) => name !== "all").map(({ name, crawlers: members }) => [name, members] as const),
  )("%s: its crawlers, and those that the comment names, are refused, and no other", async (name, members) => {
    const { code, stdout, stderr } = await agents(name, "--output", "robots");
    expect([code, stderr]).toEqual([0, ""]);
    const comments = stdout.replaceAll(/\n# {3}/gu, " ");
    const [, others = ""] = /^# Also refused, unless the file has a group for them: (.*)$/mu.exec(comments) ?? [];
    const expected = [...members.map(({ productToken }) => productToken), ...(others === "" ? [] : others.split(", "))];
    expect(refusedBy(stdout).toSorted()).toEqual(expected.toSorted());
    expect(Math.max(...stdout.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(100);
  });

  test("the comments name the list, several purposes, and crawlers that may not obey", async () => {
    const { stdout } = await agents("ai", "--output", "robots");
    expect(stdout).toContain(`# Refuses ai: list of ${dataVersion}, robots-stream `);
    expect(stdout).toContain("bingbot (search, ai-search)");
    const comments = stdout.replaceAll(/\n# {3}/gu, " ");
    expect(comments).toMatch(/^# Not bound by robots.txt, or not always: .*ChatGPT-User/mu);
    expect(comments).toMatch(/^# No source says whether these obey: .*Bytespider/mu);
  });

  test("one crawler, or several names", async () => {
    const { stdout } = await agents("GPTBot", "CCBot", "GPTBot", "--output", "robots");
    expect(stdout.split("\n").filter((line) => !line.startsWith("#"))).toEqual([
      "User-agent: GPTBot",
      "User-agent: CCBot",
      "Disallow: /",
      "",
    ]);
    expect(lint(encoder.encode(stdout)).filter(({ severity }) => severity === "error")).toEqual([]);
  });

  test("without a name it is refused, because it would refuse everybody", async () => {
    expect(await agents("--output", "robots")).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("name a set or a crawler") as string,
    });
  });
});
