// The file names of reports by origin: all are distinct, none is a folder, and none is too long.
import { expect, test } from "vitest";
import { fileNamesOf } from "./split.ts";

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
