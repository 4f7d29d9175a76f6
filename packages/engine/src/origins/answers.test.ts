// Matchers for many questions about one origin: crawlers of the same groups share blocks, and each question has its own row tail.
import { createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { CrawlerGroups } from "@robots-stream/core/internal";
import { describe, expect, test, vi } from "vitest";
import { OriginState } from "./origin-state.ts";
import { Answers, headOf } from "./answers.ts";

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

describe("three hundred questions about one origin, for crawlers", () => {
  test.each<[what: string, text: string, blocks: number, most: number]>([
    ["of one group", joined, 1, 20_000],
    ["of three groups", three, 3, 20_000],
    ["with a group each", own, 300, 60_000],
    ["without a group of their own", `User-agent: *\n${rules}`, 1, 20_000],
  ])("%s: a block for each set of groups, and each question's own decision", (_what, text, blocks, mostBytes) => {
    const answers = new Answers();
    const add = vi.spyOn(answers.table, "add");
    const state = new OriginState({ originOf: () => "https://a.example" }, 1);
    const robots = parseRobotsTxt(text);
    const groups = new CrawlerGroups(robots);
    answers.settle(
      state,
      names.map((name) => groups.matcherOf(name)),
    );
    expect(add).toHaveBeenCalledTimes(blocks);
    const tailOf = (index: number, target: string): string => `${names[index]} ${target}`;
    let [tailBytes, textBytes] = [0, 0];
    const placeOf = (index: number, target: string): number =>
      answers.table.find(state.blockAt(index), Buffer.from(target), 0, target.length);
    const { ends } = state.runs;
    for (const target of ["/a", "/cb"]) {
      for (const [run, end] of ends.entries()) {
        const start = ends[run - 1] ?? 0;
        const place = placeOf(start, target);
        const questions = names.slice(start, end).map((_, at) => start + at);
        for (const index of questions) {
          const decision = answers.decisionOf(state, index, place, false);
          expect(decision).toEqual(createMatcher(robots, names[index]!).decideTarget(target));
        }
        expect(answers.tailsAt(state, run, place, false)).toBe(0);
        const tails = questions.map((index) => Buffer.from(tailOf(index, target)));
        const { allowed } = answers.decisionOf(state, start, place, false);
        tailBytes += answers.keepTails(state, run, place, false, tails, allowed).bytes;
        textBytes += Buffer.concat(tails).length;
      }
    }
    expect(tailBytes).toBeGreaterThan(textBytes);
    expect(tailBytes).toBeLessThan(mostBytes);
    const checkTails = (): void => {
      for (const [run, end] of ends.entries()) {
        const start = ends[run - 1] ?? 0;
        const tails = answers.tailsAt(state, run, placeOf(start, "/cb"), false);
        const at = ((tails & 0x3ffff) + headOf(end - start)) * 4;
        const expected = names.slice(start, end).map((_, index) => tailOf(start + index, "/cb"));
        const bytes = Buffer.from(answers.arena.bytes[tails >>> 18]!.buffer, at);
        expect(bytes.toString("latin1", 0, expected.join("").length)).toBe(expected.join(""));
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
