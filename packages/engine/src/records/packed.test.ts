// Tests the fields of packed records: of records with and without a field, and of more records than expected.
import { expect, test } from "vitest";
import { type AskedField, PackedRecords } from "./packed.ts";

test("a field that a record does not have is empty, whichever other records have it", () => {
  const bytes = Buffer.from("/a bingbot 10:00");
  const packed = new PackedRecords(bytes, bytes, 0);
  const fields = (record: number): readonly string[] =>
    (["agent", "time", "address"] as const).map((field: AskedField) => packed.fieldOf(field, record));
  for (let record = 0; record < 100; record++) {
    packed.push(0, 0, 0, 2);
    if (record % 3 === 1) packed.pushField("agent", 3, 10);
    if (record % 3 === 2) packed.pushDecodedField("agent", `Decoded/${record}`);
    if (record >= 50) packed.pushField("time", 11, 16);
  }
  expect(packed.fields.address).toBeUndefined();
  expect([0, 1, 2, 51, 52, 98].map(fields)).toEqual([
    ["", "", ""],
    ["bingbot", "", ""],
    ["Decoded/2", "", ""],
    ["", "10:00", ""],
    ["bingbot", "10:00", ""],
    ["Decoded/98", "10:00", ""],
  ]);
});
