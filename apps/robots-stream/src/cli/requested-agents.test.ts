// Tests the names of crawlers, or the error, for values of --agent and --agents.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crawlerSetOf } from "@robots-stream/agents";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setCallerWords } from "@robots-stream/engine/internal";
import { requestedAgentsOf } from "./requested-agents.ts";
import { callerWords } from "./caller-words.ts";

let folder = "";
beforeAll(() => {
  setCallerWords(callerWords);
  folder = mkdtempSync(join(tmpdir(), "robots-stream-agents-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fileOf = (text: string): string => {
  const path = join(folder, "agents.txt");
  writeFileSync(path, text);
  return path;
};

describe("names", () => {
  test("of a set", () => {
    expect(requestedAgentsOf([], ["control"])).toEqual([
      "Google-Extended",
      "Applebot-Extended",
      "Webzio-Extended",
      "__usage_ai-training",
    ]);
  });

  test("of several sets and agents, each once, agents first", () => {
    const names = requestedAgentsOf(["my-bot", "GPTBot"], ["ai-training", "ai"]);
    expect(names.slice(0, 2)).toEqual(["my-bot", "GPTBot"]);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(names)).toEqual(
      new Set(["my-bot", ...crawlerSetOf("ai")!.crawlers.map(({ productToken }) => productToken)]),
    );
  });

  test("of sets with commas", () => {
    expect(requestedAgentsOf([], ["control, ai-training,control"])).toEqual(
      requestedAgentsOf([], ["control", "ai-training"]),
    );
  });

  test.each<[readonly string[], readonly string[]]>([
    [["Googlebot,bingbot"], ["Googlebot", "bingbot"]],
    [
      ["Googlebot, bingbot", "GPTBot,Googlebot"],
      ["Googlebot", "bingbot", "GPTBot"],
    ],
    [["Sogou web spider,a"], ["Sogou web spider", "a"]],
  ])("of lists with commas: %j", (values, expected) => {
    expect(requestedAgentsOf(values, [])).toEqual(expected);
  });

  test.each<[string, string, readonly string[]]>([
    ["one per line", "a\nb\n", ["a", "b"]],
    ["comments, blank lines and spaces", "# mine\n\n  a  # first\n\tb", ["a", "b"]],
    ["CRLF and CR as line ends", "a\r\nb\rc", ["a", "b", "c"]],
    ["a byte order mark", "\uFEFFa\n", ["a"]],
    ["names with spaces", "Sogou web spider\n", ["Sogou web spider"]],
    ["a repeated name", "a\na\n", ["a"]],
  ])("of a file: %s", (_what, text, expected) => {
    expect(requestedAgentsOf([], [fileOf(text)])).toEqual(expected);
  });
});

describe("mistakes", () => {
  test.each<[string, () => readonly string[], string, RegExp]>([
    ["no values", () => requestedAgentsOf([], []), "ERR_MISSING_AGENT", /--agent is missing/],
    [
      "neither set nor file",
      () => requestedAgentsOf([], ["al-search"]),
      "ERR_WRONG_VALUE",
      /neither a set .*no such file/s,
    ],
    [
      "a set and a word",
      () => requestedAgentsOf([], ["ai,sae"]),
      "ERR_WRONG_VALUE",
      /--agents ai,sae: this is neither/,
    ],
    ["an empty file", () => requestedAgentsOf([], [fileOf("# nobody\n")]), "ERR_WRONG_VALUE", /contains no names/],
    ["a folder", () => requestedAgentsOf([], [folder]), "ERR_WRONG_VALUE", /nor a readable file: /],
    [
      "a header in a file",
      () => requestedAgentsOf([], [fileOf("a\nGooglebot/2.1\n")]),
      "ERR_NO_PRODUCT_TOKEN",
      /line 2: .*header/,
    ],
    ["the star", () => requestedAgentsOf(["*"], []), "ERR_NO_PRODUCT_TOKEN", /is not a crawler's name/],
    ["an empty name in a list", () => requestedAgentsOf(["a,,b"], []), "ERR_NO_PRODUCT_TOKEN", /must not be empty/],
    [
      "a list in a line of a file",
      () => requestedAgentsOf([], [fileOf("a\nb,c\n")]),
      "ERR_NO_PRODUCT_TOKEN",
      /line 2: .*comma/,
    ],
    [
      "a header with a comma",
      () => requestedAgentsOf(["Mozilla/5.0 (KHTML, like Gecko; compatible; GPTBot/1.2)"], []),
      "ERR_NO_PRODUCT_TOKEN",
      /this is a User-Agent header/,
    ],
    ["an empty name", () => requestedAgentsOf([" "], []), "ERR_NO_PRODUCT_TOKEN", /must not be empty/],
  ])("%s is refused", (_what, asked, code, message) => {
    expect(asked).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) as string }) as Error,
    );
  });

  test("the hint for a known crawler's header has the crawler's product token", () => {
    const header = "Mozilla/5.0 (Linux) Chrome/1 Safari/1 (compatible; AdsBot-Google-Mobile; +http://x)";
    expect(() => requestedAgentsOf([header], [])).toThrow(
      expect.objectContaining({ hint: "probably: --agent AdsBot-Google-Mobile" }) as Error,
    );
  });
});
