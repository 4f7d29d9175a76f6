// Tests that each origin gets its own result again, also when every origin has a code of its own.
import { expect, test } from "vitest";
import { constantOf } from "../robots/in-force.ts";
import { KnownRobots } from "./known-robots.ts";

test("results with more than 65,536 different codes are returned unchanged", () => {
  const source = {
    isRemote: true,
    load: () => constantOf("unreachable", "unused"),
    close: () => undefined,
  };
  const known = new KnownRobots(source, new AbortController().signal);
  const resultOf = (number: number) =>
    constantOf(number % 2 === 0 ? "unavailable" : "unreachable", `code-${number % 65_537}`);
  const origins = 65_540;
  for (let number = 0; number < origins; number++) known.remember(number, resultOf(number), true);
  const isWrong = (number: number): boolean => {
    const { access, code } = known.again(number, "https://a.example");
    const expected = resultOf(number);
    return access !== expected.access || code !== expected.code || !known.isSame(number, expected);
  };
  expect(Array.from({ length: origins }, (_, number) => number).filter(isWrong)).toEqual([]);
  known.close();
});
