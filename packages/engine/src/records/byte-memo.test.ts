// Tests that the cache returns for every string what the function returns for it, whichever method is called.
import { expect, test } from "vitest";
import { ByteMemo } from "./byte-memo.ts";
import { PackedRecords } from "./packed.ts";

const bytes = Buffer.from("onetwo");

/** The spans of a field whose value in record 0 is "one"; `reading` converts it. */
function fieldOf(reading?: (text: string) => string): NonNullable<PackedRecords["fields"]["agent"]> {
  const packed = new PackedRecords(bytes, bytes, 1);
  packed.push(0, 0, 0, 0);
  packed.pushField("agent", 0, 3);
  const field = packed.spansOf("agent");
  field.reading = reading;
  return field;
}

test("calls the function once for equal strings, and with the field's reading of the bytes", () => {
  const asked: string[] = [];
  const memo = new ByteMemo((text) => {
    asked.push(text);
    return text.length;
  });
  const field = fieldOf((text) => `${text}!`);
  for (let call = 0; call < 3; call++) expect(memo.resultOfField(field, bytes, 0)).toBe(4);
  expect(asked).toEqual(["one!"]);
  expect(memo.resultOfField(undefined, bytes, 0)).toBe(0);
});

test("the result for bytes does not depend on the fields that were read before", () => {
  const memo = new ByteMemo((text) => text);
  const raw = fieldOf();
  const upper = fieldOf((text) => text.toUpperCase());
  const read = (): readonly string[] => [
    memo.resultOf(bytes, 0, 3),
    memo.resultOfField(upper, bytes, 0),
    memo.resultOf(bytes, 0, 3),
    memo.resultOf(bytes, 3, 6),
    memo.resultOfField(raw, bytes, 0),
    memo.resultOfField(upper, bytes, 0),
  ];
  for (let round = 0; round < 2; round++) expect(read()).toEqual(["one", "ONE", "one", "two", "one", "ONE"]);
});
