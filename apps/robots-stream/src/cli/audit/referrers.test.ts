// The operators that sent visits, compared with the registry of crawlers.
import { crawlers } from "@robots-stream/agents";
import { referringOperators } from "@robots-stream/audit";
import { expect, test } from "vitest";

test("every operator is in the registry", () => {
  const known = new Set(crawlers.map(({ operator }) => operator));
  expect(referringOperators.filter((operator) => !known.has(operator))).toEqual([]);
});
