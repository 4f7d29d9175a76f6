// Tests that a request's place (origin and target), found in the bytes of its record, equals that of its URL as a string.
import fc from "fast-check";
import { expect, test } from "vitest";
import { locateUrl } from "../common/target.ts";
import { PackedRecords } from "../records/packed.ts";
import { RequestPlaces } from "./request-places.ts";

const origin = "https://shop.example";
const part = fc.constantFrom(
  "/",
  "a",
  "é",
  "%C3%A9",
  "%c3%a9",
  "%2f",
  "%zz",
  "%",
  "%a",
  "c",
  "?",
  "#",
  "\\",
  " ",
  "\t",
  "*",
);
const target = fc.array(part, { maxLength: 8 }).map((parts) => `/${parts.join("")}`);

const cases: readonly [target: string, found: string][] = [
  ["/a/%c3%a9?b=%2f", "/a/%C3%A9?b=%2F"],
  ["/%c3%a9#%zz", "/%C3%A9"],
  ["/%zz%c3", "/%zz%C3"],
  ["/a%c", "/a%c"],
  ["/a b%c3", "/a%20b%C3"],
  [`/${"a".repeat(30_000)}%c3`, `/${"a".repeat(30_000)}%C3`],
];

/** The place of a request with a URL in the bytes. */
function placeOf(places: RequestPlaces, text: string): readonly [origin: string, target: string] {
  // The bytes before and after the URL must not be read.
  const bytes = Buffer.from(`f${text}f`);
  const packed = new PackedRecords(bytes, bytes, 1);
  packed.push(0, 0, 1, bytes.length - 1);
  places.locate(packed, 0);
  return [places.origin, Buffer.from(places.buffer).toString("utf8", places.targetStart, places.targetEnd)];
}

/** The place that locating the URL as a string gives. */
function locatedPlace(text: string): readonly [origin: string, target: string] {
  const located = locateUrl(origin + text);
  if (typeof located === "string") throw new Error(located);
  return [located.origin, located.target];
}

test.each(cases)("target %#", (text, found) => {
  const places = new RequestPlaces();
  expect(locatedPlace(text)).toEqual([origin, found]);
  expect(placeOf(places, origin + text)).toEqual([origin, found]);
});

test("a request's place is that of its URL", () => {
  const places = new RequestPlaces();
  fc.assert(
    fc.property(target, (text) => {
      expect(placeOf(places, origin + text)).toEqual(locatedPlace(text));
    }),
    { numRuns: process.env["ROBOTS_STREAM_THOROUGH"] !== undefined ? 50_000 : 1_000 },
  );
});
