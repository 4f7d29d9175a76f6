// A long robots.txt and records of every known crawler: each crawler gets the decisions of its own matcher, and the crawlers share the
// rules in memory.
import { crawlers } from "@robots-stream/agents";
import { createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { expect, test } from "vitest";
import { Answers } from "./answers.ts";
import { questionsOf } from "../questions/questions.ts";
import { robotsOf } from "../robots/in-force.ts";
import { CrawlerStates } from "./origin-state.ts";

const rule = (at: number): string => `disallow: /folder-${at}\n`;
const common = Array.from({ length: 10_000 }, (_, at) => rule(at)).join("");

test("crawlers that share a long group, and have a group each, do not each get a copy of the long group", () => {
  const names = crawlers.map(({ productToken }) => productToken);
  const groups = names.map((name, at) => `user-agent: ${name}\nallow: /folder-${at}/a\n`);
  const text = names.map((name) => `user-agent: ${name}\n`).join("") + common + groups.join("");
  const answers = new Answers();
  const parsed = parseRobotsTxt(text);
  const states = new CrawlerStates({ originOf: () => "https://shop.example" }, 0);
  states.take(robotsOf(Buffer.from(text)));
  let bytes = 0;
  for (const [at, name] of names.entries()) {
    const questions = questionsOf([name], { dialects: ["google"], tokenMatch: undefined, hasFallback: true });
    const part = states.addPart(at);
    bytes += answers.settle(part, states.matchersFor(part, questions));
    const { tokenMatch, names: tried } = questions[0]!;
    const alone = createMatcher(parsed, tried[0]!, { tokenMatch });
    for (const path of [`/folder-${at}/a`, `/folder-${at}`, "/folder-9999/x", "/"]) {
      const target = Buffer.from(path);
      const place = answers.table.find(part.blockAt(0), target, 0, target.length);
      expect(answers.decisionOf(part, 0, place, false)).toEqual(alone.decideTarget(path));
    }
  }
  // A copy of the rules and an index for each crawler would take 190 MB.
  expect(bytes).toBeLessThan(20_000_000);
});
