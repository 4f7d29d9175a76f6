// Tests the parsing of addresses in the forms that logs and range files have.
import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressText, isLocalAddress, parseAddress } from "./address.ts";

const cases: readonly [text: string, family: 4 | 6 | undefined, canonical?: string][] = [
  ["66.249.66.1", 4, "66.249.66.1"],
  ["0.0.0.0", 4, "0.0.0.0"],
  ["255.255.255.255", 4, "255.255.255.255"],
  ["66.249.66.1:51000", 4, "66.249.66.1"],
  ["::ffff:66.249.66.1", 4, "66.249.66.1"],
  ["::FFFF:42f9:4201", 4, "66.249.66.1"],
  ["[::ffff:66.249.66.1]:443", 4, "66.249.66.1"],
  ["::ffff:66.249.66.1:443", 4, "66.249.66.1"],
  ["0:0:0:0:0:FFFF:66.249.66.1", 4, "66.249.66.1"],
  ["0000:0000:0000:0000:0000:ffff:42f9:4201", 4, "66.249.66.1"],
  ["::ffff:66.249.66.1%eth0", 4, "66.249.66.1"],
  ["2001:4860:4801:0010:0000:0000:0000:0001", 6, "2001:4860:4801:10::1"],
  ["2001:4860:4801:10::1%2", 6, "2001:4860:4801:10::1"],
  ["[2001:4860:4801:10::1%2]:443", 6, "2001:4860:4801:10::1"],
  ["2001:4860:4801:10::1", 6, "2001:4860:4801:10::1"],
  ["[2001:4860:4801:10::1]", 6, "2001:4860:4801:10::1"],
  ["[2001:4860:4801:10::1]:443", 6, "2001:4860:4801:10::1"],
  ["fe80::1%eth0", 6, "fe80::1"],
  ["::", 6, "::"],
  ["::1", 6, "::1"],
  ["1::", 6, "1::"],
  ["64:ff9b::192.0.2.33", 6, "64:ff9b::c000:221"],
  ["2001:db8:0:0:1:0:0:1", 6, "2001:db8::1:0:0:1"],
  ["1:2:3:4:5:6:7:8", 6, "1:2:3:4:5:6:7:8"],
  ["1:2:3:4:5:6:7::", 6, "1:2:3:4:5:6:7:0"],
  ["", undefined],
  ["-", undefined],
  ["66.249.66", undefined],
  ["66.249.66.256", undefined],
  ["066.249.66.1", undefined],
  ["66.249.66.1.1", undefined],
  ["66.249.66.1/32", undefined],
  ["66.249.66.xxx", undefined],
  ["66.249.66.1:", undefined],
  ["66.249.66.1:123456", undefined],
  ["1:2:3:4:5:6:7", undefined],
  ["1:2:3:4:5:6:7:8:9", undefined],
  ["1::2::3", undefined],
  [":1", undefined],
  ["1:", undefined],
  [":::", undefined],
  ["12345::", undefined],
  ["::1.2.3", undefined],
  ["::ffff:1.2.3.4:", undefined],
  ["::ffff:1.2.3.4:x", undefined],
  ["[::ffff:1.2.3.4:5]", undefined],
  ["::ffff:066.249.66.1", undefined],
  ["1.2.3.4::", undefined],
  ["[::1", undefined],
  ["[::1]x", undefined],
  ["crawl-66-249-66-1.googlebot.com", undefined],
  ["8f4e2c", undefined],
  ["a".repeat(100_000), undefined],
  [`${"1:".repeat(50_000)}1`, undefined],
];

test.each(cases)("%s", (text, family, canonical) => {
  const address = parseAddress(text);
  expect(address?.family).toBe(family);
  if (address === undefined) return;
  expect(addressText(address.family, address.words)).toBe(canonical);
  // All spellings of an address have the same words.
  expect(address).toEqual(parseAddress(canonical!));
});

test("property: a text without a port is an address exactly when Node says so, and an address as text parses to itself", () => {
  const piece = fc.constantFrom(
    ":",
    "::",
    ".",
    "0",
    "1",
    "ff",
    "ffff",
    "255",
    "256",
    "10.0.0.1",
    "2001:db8",
    "g",
    "01",
  );
  const text = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
  );
  fc.assert(
    fc.property(text, (given) => {
      const address = parseAddress(given);
      // Only this package accepts a port after IPv4.
      if (/^(?:.*:)?[\d.]+\.\d+:\d+$/.test(given)) return;
      expect(address !== undefined).toBe(isIP(given) !== 0);
      if (address === undefined) return;
      const canonical = addressText(address.family, address.words);
      expect(parseAddress(canonical)).toEqual(address);
      if (address.family === 6) expect(canonical).toBe(new URL(`http://[${given}]/`).hostname.slice(1, -1));
    }),
  );
});

describe("addresses that no client on the internet has", () => {
  const local = [
    "10.1.2.3",
    "127.0.0.1",
    "192.168.0.1",
    "172.31.0.1",
    "100.64.0.1",
    "169.254.1.1",
    "224.0.0.1",
    "0.0.0.0",
  ];
  const others = ["66.249.66.1", "172.32.0.1", "100.128.0.1", "11.0.0.1", "223.255.255.255", "2001:4860:4801::1"];
  const localOf6 = ["::1", "fe80::1", "fd00::1", "ff02::1", "2001:db8::1", "::"];
  const judged: readonly (readonly [text: string, isLocal: boolean])[] = [
    ...[...local, ...localOf6].map((text) => [text, true] as const),
    ...others.map((text) => [text, false] as const),
    ...["10.1.2.3", "192.168.0.1"].map((text) => [`::ffff:${text}`, true] as const),
    ["::ffff:66.249.66.1", false],
  ];
  test.each(judged)("%s: %s", (text, isLocal) => {
    const { family, words } = parseAddress(text)!;
    expect(isLocalAddress(family, words)).toBe(isLocal);
  });
});
