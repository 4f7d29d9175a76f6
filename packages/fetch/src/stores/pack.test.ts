// Packed bodies unpack to the original, the format does not change, and damaged bytes do not unpack.
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { packedOf, unpackedOf } from "./pack.ts";

const lines = [
  "User-agent: *\nDisallow: /\n",
  "user-agent: Googlebot\r\nAllow: /search/about\r\n",
  "\n\nDisallow: /wp-admin/\nCrawl-delay: 10\nSitemap: https://www.example.com/sitemap.xml\n",
  "# \u0440\u043e\u0431\u043e\u0442\u044b\nDisallow: /*?sessionid=\n",
];
const file = (bytes: number): Buffer => {
  let text = "";
  for (let at = 0; text.length < bytes; at++)
    text += `${lines[at % 4]}Disallow: /${(at * 7919) % 1000}/${"x".repeat(at % 200)}\n`;
  return Buffer.from(text, "utf8").subarray(0, bytes);
};

describe("packed and unpacked", () => {
  test.each<[what: string, bytes: Buffer, isShorter: boolean]>([
    ["nothing", Buffer.alloc(0), false],
    ["seven octets", Buffer.from("Allow:/"), false],
    ["one line", Buffer.from("User-agent: *\n"), true],
    ["2 KB", file(2_048), true],
    ["one octet 8,000 times", Buffer.alloc(8_000, "a"), true],
    ["8 KiB", file(8_192), true],
    ["half a megabyte", file(512_000), true],
    ["octets of any kind", Buffer.from(Array.from({ length: 256 }, (_, octet) => octet)), false],
    ["another script", Buffer.from("\u062f\u0633\u062a\u0631\u0633\u06cc \u0628\u0647 ".repeat(9)), true],
    ["random octets", randomBytes(3_000), false],
  ])("%s", (_what, bytes, isShorter) => {
    const packed = packedOf(bytes);
    expect(packed.length < bytes.length).toBe(isShorter);
    expect(packed.length).toBeLessThanOrEqual(bytes.length);
    expect(Buffer.compare(unpackedOf(packed, bytes.length) ?? Buffer.from("?"), bytes)).toBe(0);
  });

  test("any octets, and any lines", () => {
    const octets = fc.uint8Array({ maxLength: 3_000 });
    const text = fc.array(fc.oneof(fc.constantFrom(...lines), fc.string({ maxLength: 40 })), { maxLength: 150 });
    fc.assert(
      fc.property(
        fc.oneof(
          octets,
          text.map((some) => Buffer.from(some.join(""))),
        ),
        (bytes) => {
          const unpacked = unpackedOf(packedOf(bytes), bytes.length);
          expect(Buffer.compare(unpacked ?? Buffer.from("?"), bytes)).toBe(0);
        },
      ),
      { numRuns: 500 },
    );
  });

  // Existing caches have this format: a change that fails this test needs a new schema version.
  test("the format does not change", () => {
    // The deflated bytes depend on the version of zlib, but every version can read them.
    const text =
      "User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\nSitemap: https://www.example.com/sitemap.xml\n";
    expect(String(unpackedOf(Buffer.from("w6mIAptxlPvgEh8A", "base64"), text.length))).toBe(text);
  });
});

test("damaged bytes give undefined or exactly the requested size", () => {
  const packed = packedOf(file(2_048));
  let seen = 0;
  for (let at = 0; at < packed.length; at++) {
    const broken = Buffer.from(packed);
    broken[at]! ^= 1 << (at % 8);
    for (const bytes of [broken, packed.subarray(0, at), Buffer.concat([packed, Buffer.alloc(at % 9)])]) {
      const unpacked = unpackedOf(bytes, 2_048);
      if (unpacked === undefined) continue;
      expect(unpacked.length).toBe(2_048);
      seen++;
    }
    expect(unpackedOf(packed.subarray(0, at), 2_048)).toBeUndefined();
  }
  expect(unpackedOf(packed, 2_047)).toBeUndefined();
  expect(unpackedOf(packed, 2_058)).toBeUndefined();
  expect(unpackedOf(packed, 600_000)).toBeUndefined();
  // Most changes give a different text, which the checksum of a row detects.
  expect(seen).toBeGreaterThan(packed.length / 4);
});

test("no memory is allocated for a size that the bytes cannot unpack to", () => {
  const zeros = Buffer.alloc(1_000_000);
  const packed = packedOf(zeros);
  expect(unpackedOf(packed, zeros.length)?.length).toBe(zeros.length);
  const before = process.memoryUsage().arrayBuffers;
  expect(unpackedOf(packed, 268_435_456)).toBeUndefined();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000);
});
