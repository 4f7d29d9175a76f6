// Pages in each encoding, and their decoded text.
import { expect, test } from "vitest";
import { htmlTextOf } from "./judge.ts";

const page = '<meta name="robots" content="noindex">\u00e9';
const wide = Buffer.from(`\uFEFF${page}`, "utf16le");

test.each<[what: string, bytes: Buffer, text: string]>([
  ["UTF-8", Buffer.from(page), page],
  ["UTF-16, little-endian", wide, page],
  ["UTF-16, big-endian", Buffer.from(wide).swap16(), page],
  ["half of a character", wide.subarray(0, 5), "<\uFFFD"],
  ["nothing", Buffer.alloc(0), ""],
])("%s", (_what, bytes, text) => {
  expect(htmlTextOf(bytes)).toBe(text);
});
