// The guard without node:net compared with the guard over node:net: both refuse the same addresses for the same reasons.
import fc from "fast-check";
import { expect, test } from "vitest";
import { createGuardMaker } from "../network/guard-maker.ts";
import { createGuard } from "../network/guard.ts";
import { octetsOf } from "../network/address.ts";
import { platformAddresses } from "./addresses.ts";

/** The form in which a URL serializes an address: the only form that the guard of the transport over fetch gets. */
const address = fc.oneof(fc.ipV4(), fc.ipV6()).map((text) => {
  const host = new URL(`http://${text.includes(":") ? `[${text}]` : text}`).hostname;
  return host.startsWith("[") ? host.slice(1, -1) : host;
});
/** Addresses near the ends of the refused blocks. */
const special = fc
  .tuple(
    fc.constantFrom(
      "10",
      "100.64",
      "127",
      "169.254",
      "172.16",
      "192.168",
      "198.18",
      "224",
      "240",
      "0",
      "9",
      "11",
      "128",
    ),
    fc.array(fc.constantFrom("0", "1", "31", "63", "64", "127", "128", "254", "255"), { minLength: 3, maxLength: 3 }),
  )
  .map(([start, rest]) => [...start.split("."), ...rest].slice(0, 4).join("."));
const carried = special.chain((text) => {
  const [a = 0, b = 0, c = 0, d = 0] = text.split(".").map(Number);
  const tail = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  return fc.constantFrom(`::ffff:${tail}`, `64:ff9b::${tail}`, `2002:${tail}::1`, `::${tail}`, `fe80::${tail}`);
});

test("both guards judge any address alike", () => {
  const other = createGuardMaker(platformAddresses);
  const guards = [undefined, ["10.0.0.0/8", "fd00::/8", "::1", "172.16.5.0/27"]].map((allow) => [
    createGuard(allow ?? false),
    other(allow ?? false),
  ]);
  fc.assert(
    fc.property(fc.oneof(address, special, carried), (text) => {
      expect(platformAddresses.octetsOf(text)).toEqual(octetsOf(text));
      for (const [one, two] of guards) {
        expect(two?.refuseHost(text)).toBe(one?.refuseHost(text));
        expect(two?.refuseHostOfProxy(text)).toBe(one?.refuseHostOfProxy(text));
      }
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  "",
  "a",
  "1.2.3",
  "1.2.3.4.5",
  "256.1.1.1",
  "01.2.3.4",
  "1.2.3.4 ",
  "::1]",
  "[::1]",
  ":",
  "1::2::3",
  "::1/x",
])("not an address: %j", (text) => expect(platformAddresses.octetsOf(text)).toBe(undefined));

test.each(["10.0.0.0/33", "::/129", "10.0.0.0/8/8", "10.0.0.0/-1", "x/8", "10.0.0.0/ 8"])("not a block: %j", (text) => {
  expect(platformAddresses.createBlocks().add(text)).toBe(false);
});
