// The file names of reports by origin: all are distinct, none is a folder, and none is too long; and the operators that sent visits.
import { expect, test } from "vitest";
import { fileNamesOf } from "./write-report.ts";
import { crawlers } from "@robots-stream/agents";
import { referringOperators } from "@robots-stream/audit";

const long = `${"a".repeat(60)}.`.repeat(4);

test.each<[origins: readonly string[], names: readonly string[]]>([
  [["https://shop.example"], ["shop.example"]],
  [
    ["http://shop.example:8080", "https://shop.example"],
    ["http@shop.example@8080", "shop.example"],
  ],
  [["https://[::1]:8443"], ["[--1]@8443"]],
  [
    ["https://index", "https://.."],
    ["index-2", "_.."],
  ],
  [
    ["https://a%62", "https://a*62"],
    ["a_62", "a_62-2"],
  ],
  [
    [`https://${long}x`, `https://${long}y`],
    [long.slice(0, 200), `${long.slice(0, 200)}-2`],
  ],
])("%j", (origins, names) => {
  expect([...fileNamesOf(origins).values()]).toEqual(names);
});

test("every operator is in the registry", () => {
  const known = new Set(crawlers.map(({ operator }) => operator));
  expect(referringOperators.filter((operator) => !known.has(operator))).toEqual([]);
});
