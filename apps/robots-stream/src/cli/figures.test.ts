// Tests numbers with their nouns.
import { expect, test } from "vitest";
import { countText } from "./figures.ts";

test.each<[count: number, one: string, several: string | undefined, text: string]>([
  [0, "rule", undefined, "0 rules"],
  [1, "rule", undefined, "1 rule"],
  [2, "more rule", undefined, "2 more rules"],
  [1_234, "rule", undefined, "1,234 rules"],
  [1, "entry", "entries", "1 entry"],
  [2, "entry", "entries", "2 entries"],
])("%d %s", (count, one, several, text) => expect(countText(count, one, several)).toBe(text));
