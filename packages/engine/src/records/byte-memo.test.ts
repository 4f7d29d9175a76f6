// Tests that the cache returns for every string what the function returns for it, whichever method is called.
import { expect, test } from "vitest";
import { ByteMemo } from "./byte-memo.ts";
import { PackedRecords } from "./packed.ts";

test("calls the function once for equal strings, in bytes or in a field", () => {
  const bytes = Buffer.from("onetwo");
  const packed = new PackedRecords(bytes, bytes, 1);
  packed.push(0, 0, 0, 0);
  packed.pushField("agent", 0, 3);
  const asked: string[] = [];
  const memo = new ByteMemo((text) => {
    asked.push(text);
    return `${text}!`;
  });
  for (let call = 0; call < 3; call++) {
    expect(memo.resultOfField(packed.fields.agent, bytes, 0)).toBe("one!");
    expect(memo.resultOf(bytes, 0, 3)).toBe("one!");
    expect(memo.resultOf(bytes, 3, 6)).toBe("two!");
  }
  expect(asked).toEqual(["one", "two"]);
  expect(memo.resultOfField(undefined, bytes, 0)).toBe("!");
});
