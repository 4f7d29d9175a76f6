// Matchers for many questions about one origin: crawlers of the same groups share blocks, and each question has its own row tail.
import { createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { CrawlerGroups } from "@robots-stream/core/internal";
import { describe, expect, test, vi } from "vitest";
import { OriginState } from "../origins/origin-state.ts";
import { Answers } from "./answers.ts";

const lettersOf = (number: number): string =>
  Array.from(String(number), (digit) => "abcdefghij".at(Number(digit))).join("");
const names = Array.from({ length: 300 }, (_, index) => `bot-${lettersOf(index)}`);
const rules = "Disallow: /a\nDisallow: /*b\n";
const joined = `${names.map((name) => `User-agent: ${name}\n`).join("")}${rules}`;
const own = names.map((name) => `User-agent: ${name}\n${rules}`).join("\n");
// The names alternate between three groups.
const three = [0, 1, 2]
  .map(
    (group) =>
      names
        .filter((_, index) => index % 3 === group)
        .map((name) => `User-agent: ${name}\n`)
        .join("") + rules,
  )
  .join("");

describe("three hundred crawlers of one origin", () => {
  test.each<[what: string, text: string, blocks: number, most: number]>([
    ["of one group", joined, 1, 20_000],
    ["of three groups", three, 3, 20_000],
    ["with a group each", own, 300, 60_000],
    ["that nobody names", `User-agent: *\n${rules}`, 1, 20_000],
  ])("%s: a block for each set of groups, and each question's own decision", (_what, text, blocks, mostBytes) => {
    const answers = new Answers();
    const add = vi.spyOn(answers.table, "add");
    const state = new OriginState("https://a.example", 1);
    const robots = parseRobotsTxt(text);
    const groups = new CrawlerGroups(robots);
    answers.settle(
      state,
      names.map((name) => groups.matcherOf(name)),
    );
    expect(add).toHaveBeenCalledTimes(blocks);
    const tailOf = (index: number, target: string): string => `${names[index]} ${target}`;
    let tailBytes = 0;
    const placeOf = (index: number, target: string): number =>
      answers.table.find(state.blockAt(index), Buffer.from(target), 0, target.length);
    for (const target of ["/a", "/cb"]) {
      for (const [index, name] of names.entries()) {
        const place = placeOf(index, target);
        const decision = answers.decisionOf(state, index, place);
        expect(decision).toEqual(createMatcher(robots, name).decideTarget(target));
        expect(answers.tailAt(state, index, place)).toBe(0);
        const tail = Buffer.from(tailOf(index, target));
        tailBytes += answers.bytesOfTail(state, index, place, tail.length);
        answers.keepTail(state, index, place, tail, decision.allowed);
      }
    }
    expect(tailBytes).toBeLessThan(mostBytes);
    const checkTails = (): void => {
      for (const index of names.keys()) {
        const at = answers.tailAt(state, index, placeOf(index, "/cb"));
        const bytes = Buffer.from(answers.arena.bytes[at >>> 18]!.buffer, ((at & 0x3ffff) + 2) * 4);
        expect(bytes.toString("latin1", 0, tailOf(index, "/cb").length)).toBe(tailOf(index, "/cb"));
      }
    };
    checkTails();
    expect(answers.decidedOf(state)).toHaveLength(names.length * 2);
    answers.move(state);
    checkTails();
    expect(new Set(answers.decidedOf(state).map(({ decision }) => JSON.stringify(decision))).size).toBe(
      blocks === 1 && !text.includes("bot") ? 2 : 600,
    );
    answers.freeTails(state);
    expect(answers.decidedOf(state)).toEqual([]);
    answers.free(state);
    expect(state.isReady).toBe(false);
  });
});
