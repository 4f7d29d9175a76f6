// Properties for any input: addresses, freshness, content codings in any pieces.
import * as fc from "fast-check";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { isIP } from "node:net";
import { expect, test } from "vitest";
import { AddressBlocks, addressOf, createGuard } from "./network/guard.ts";
import { type Coding, codingsOf } from "./network/codings.ts";
import { type BodyEnd, createBodyReader } from "./network/decode.ts";
import { freshUntilOf, maxAgeMsOf, retryAfterMsOf } from "./access/freshness.ts";
import { hostsOf } from "./network/lookup.ts";

const now = Date.UTC(2026, 0, 15);
const minute = 60_000;
const anyField = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(fc.constantFrom("max-age", "=", ",", '"', "\\", " ", "0", "9", "-", "private"), { maxLength: 40 })
    .map((parts) => parts.join("")),
);

test("with any Cache-Control and Retry-After, freshness stays within its bounds", () => {
  fc.assert(
    fc.property(anyField, anyField, (cacheControl, retryAfter) => {
      const headers = { "cache-control": cacheControl, "retry-after": retryAfter };
      const fresh = freshUntilOf("successful", headers, now) - now;
      expect(fresh).toBeGreaterThanOrEqual(5 * minute);
      expect(fresh).toBeLessThanOrEqual(24 * 60 * minute);
      const failed = freshUntilOf("unreachable", headers, now) - now;
      expect(failed).toBeGreaterThanOrEqual(5 * minute);
      expect(failed).toBeLessThanOrEqual(60 * minute);
      for (const value of [maxAgeMsOf(cacheControl), retryAfterMsOf(retryAfter, now)]) {
        expect(value === undefined || (Number.isFinite(value) && value >= 0)).toBe(true);
      }
    }),
  );
});

test("an IPv6 address has the same octets in its long, dotted and shortest notations", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (octets) => {
      const groups = Array.from({ length: 8 }, (_, i) =>
        (((octets[2 * i] ?? 0) << 8) | (octets[2 * i + 1] ?? 0)).toString(16),
      );
      const long = groups.map((group) => group.padStart(4, "0").toUpperCase()).join(":");
      const dotted = `${groups.slice(0, 6).join(":")}:${octets.subarray(12).join(".")}`;
      const short = new URL(`http://[${long}]/`).hostname.slice(1, -1);
      for (const text of [long, dotted, short]) expect(addressOf(text)).toEqual(octets);
    }),
  );
});

test("addresses are the texts that node:net takes for addresses", () => {
  const part = fc.constantFrom(
    "1",
    "01",
    "255",
    "256",
    "0",
    "ffff",
    "0a0B",
    "12345",
    "1.2.3.4",
    "1.2.3",
    "::",
    ":",
    ".",
    "%eth0",
    "%",
    "x",
    " ",
  );
  const separated = fc
    .array(part, { maxLength: 9 })
    .chain((parts) => fc.constantFrom("", ".", ":").map((by) => parts.join(by)));
  fc.assert(
    fc.property(fc.oneof(separated, fc.ipV4(), fc.ipV6(), fc.string({ maxLength: 6 })), (text) => {
      const octets = { 0: undefined, 4: 4, 6: 16 }[isIP(text)];
      expect([text, addressOf(text)?.length]).toEqual([text, octets]);
    }),
    {
      numRuns: 5_000,
      examples: [
        ["::1%eth0"],
        ["::1%"],
        ["1.2.3.4 "],
        ["[::1]"],
        ["::ffff:1.2.3.4"],
        ["1::2::3"],
        ["1.2.3.4%eth0"],
        ["1.2.3.4%::0"],
      ],
    },
  );
});

test.each(["10.0.0.0/33", "::/129", "10.0.0.0/8/8", "10.0.0.0/-1", "x/8", "10.0.0.0/ 8"])("not a block: %j", (text) => {
  expect(new AddressBlocks().add(text)).toBe(false);
});

test("an IPv4 address embedded in IPv6 is judged as the IPv4 address alone", () => {
  const guard = createGuard();
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 4, maxLength: 4 }), (octets) => {
      const alone = guard.refuseAddress(octets.join(".")) === undefined;
      const [a, b] = [octets.subarray(0, 2), octets.subarray(2)].map((pair) => Buffer.from(pair).toString("hex"));
      for (const carried of [`::ffff:${octets.join(".")}`, `64:ff9b::${a}:${b}`, `2002:${a}:${b}::1`]) {
        expect([carried, guard.refuseAddress(carried) === undefined]).toEqual([carried, alone]);
      }
    }),
  );
});

test("an address is in a block when its first bits are the block's", () => {
  const family = fc.constantFrom(4, 16);
  const octetsOfFamily = (length: number): fc.Arbitrary<Uint8Array> =>
    fc.uint8Array({ minLength: length, maxLength: length });
  const bitsOf = (octets: Uint8Array): string =>
    Array.from(octets, (octet) => octet.toString(2).padStart(8, "0")).join("");
  const textOf = (octets: Uint8Array): string =>
    octets.length === 4 ? octets.join(".") : (Buffer.from(octets).toString("hex").match(/.{4}/gu) ?? []).join(":");
  fc.assert(
    fc.property(
      family.chain((length) =>
        fc.tuple(octetsOfFamily(length), fc.nat({ max: length * 8 }), fc.nat({ max: length * 8 - 1 })),
      ),
      family.chain(octetsOfFamily),
      ([first, bits, flipped], stranger) => {
        const blocks = new AddressBlocks();
        expect(blocks.add(`${textOf(first)}/${bits}`)).toBe(true);
        const near = first.slice();
        near[flipped >> 3]! ^= 0x80 >> (flipped & 7);
        for (const octets of [first, near, stranger]) {
          const isIn = octets.length === first.length && bitsOf(octets).slice(0, bits) === bitsOf(first).slice(0, bits);
          expect(blocks.has(octets), `${textOf(octets)} in ${textOf(first)}/${bits}`).toBe(isIn);
        }
      },
    ),
  );
});

test("any text can be tested for an address, and any text parses as a hosts file", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect([undefined, 4, 16]).toContain(addressOf(text)?.length);
      expect(createGuard().refuseAddress(text) === undefined).toBe(false);
      expect(hostsOf(text).size).toBeLessThanOrEqual(text.length);
      expect(codingsOf(text, 5)).toBeDefined();
    }),
  );
});

const encoders: Readonly<Record<Coding | "raw", (data: Uint8Array) => Uint8Array>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  raw: deflateRawSync,
  br: brotliCompressSync,
};

test("codings in any order, in any pieces, decode to the original, up to the limit", async () => {
  const names = fc.array(fc.constantFrom("gzip", "deflate", "raw", "br" as const), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      names,
      fc.uint8Array({ maxLength: 300 }),
      fc.integer({ min: 1, max: 40 }),
      async (list, data, size) => {
        const coded = list.reduce((bytes, name) => encoders[name](bytes), data as Uint8Array);
        const end = await new Promise<BodyEnd>((resolve) => {
          const codings = list.map((name): Coding => (name === "raw" ? "deflate" : name));
          const reader = createBodyReader({ codings, maxBytes: 200, onEnd: resolve, onDrain: () => undefined });
          for (let at = 0; at < coded.length; at += size) reader.write(coded.subarray(at, at + size));
          reader.end();
        });
        expect(end).toEqual({ body: data.slice(0, 200), truncated: data.length > 200 });
      },
    ),
    { numRuns: 60 },
  );
});

test("truncated coded bytes are never a body", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("gzip", "deflate", "br" as const), fc.nat(), async (coding, seed) => {
      const whole = encoders[coding](Buffer.from("User-agent: *\nDisallow: /private\n".repeat(20)));
      const cut = 1 + (seed % (whole.length - 1));
      const end = await new Promise<BodyEnd>((resolve) => {
        const reader = createBodyReader({
          codings: [coding],
          maxBytes: 10_000,
          onEnd: resolve,
          onDrain: () => undefined,
        });
        reader.write(whole.subarray(0, cut));
        reader.end();
      });
      expect(end).toMatchObject({ failure: { code: "incomplete" } });
    }),
    { numRuns: 100 },
  );
});
