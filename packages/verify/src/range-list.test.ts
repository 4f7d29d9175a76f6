// Tests reading files of address ranges in the operators' formats, and wrong or hostile files.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseAddress } from "./address.ts";
import { mostFileCharacters, mostPrefixes, readRanges } from "./range-list.ts";

/** The entry of a file that contains an address. */
function entryOf(text: string, address: string): string | undefined {
  const { table } = readRanges(text).ranges!;
  const { family, words } = parseAddress(address)!;
  const index = table.find(family, words);
  return index < 0 ? undefined : table.textOf(index);
}

const google = JSON.stringify({
  creationTime: "2026-11-20T15:46:05.000000",
  prefixes: [
    { ipv6Prefix: "2001:4860:4801:10::/64" },
    { ipv4Prefix: "66.249.64.0/19" },
    { ipv4Prefix: "66.249.64.32/27" },
  ],
});
const jafar = JSON.stringify({
  formatVersion: "1.0",
  creationTime: "2026-11-20T15:46:05Z",
  syncToken: "1763653565",
  notes: "Addresses of ExampleBot.",
  prefixes: [
    { ipv4Prefix: "192.0.2.0/24", service: "fetch" },
    { ipv4Prefix: "198.51.100.0/24", ipv6Prefix: "2001:db8::/32" },
    { service: "fetch" },
  ],
});

describe("formats", () => {
  test.each<[what: string, text: string, address: string, entry: string | undefined]>([
    ["Google's, IPv4", google, "66.249.70.1", "66.249.64.0/19"],
    ["Google's, the most specific prefix", google, "66.249.64.40", "66.249.64.32/27"],
    ["Google's, an IPv4-mapped address", google, "::ffff:66.249.64.40", "66.249.64.32/27"],
    ["Google's, IPv6", google, "2001:4860:4801:10::4d", "2001:4860:4801:10::/64"],
    ["Google's, outside the prefix", google, "2001:4860:4801:11::4d", undefined],
    ["JAFAR", jafar, "192.0.2.200", "192.0.2.0/24"],
    ["JAFAR, an entry with both families", jafar, "198.51.100.1", undefined],
    ["Ahrefs'", '{"ips":[{"ip_address":"5.39.1.224"},{"ip_address":"2001:db8::5"}]}', "5.39.1.224", "5.39.1.224/32"],
    [
      "Ahrefs', IPv6",
      '{"ips":[{"ip_address":"5.39.1.224"},{"ip_address":"2001:db8::5"}]}',
      "2001:db8::5",
      "2001:db8::5/128",
    ],
    ["a JSON list", '["192.0.2.0/25", "192.0.2.200"]', "192.0.2.200", "192.0.2.200/32"],
    ["lines", "\uFEFF# ours\r\n192.0.2.0/25 # office\n\n198.51.100.7\r\n", "198.51.100.7", "198.51.100.7/32"],
    ["mapped prefixes", '["::ffff:192.0.2.0/120"]', "192.0.2.9", "192.0.2.0/24"],
    ["bits of the host", '["192.0.2.77/24"]', "192.0.2.1", "192.0.2.0/24"],
    ["a byte order mark", `\uFEFF${google}`, "66.249.70.1", "66.249.64.0/19"],
  ])("%s", (_what, text, address, entry) => {
    expect(entryOf(text, address)).toBe(entry);
  });

  test.each<[text: string, date: string | undefined]>([
    ["2026-11-20T15:46:05.000000", "2026-11-20T15:46:05.000Z"],
    ["2026-11-20T15:46:05Z", "2026-11-20T15:46:05.000Z"],
    ["2026-11-20T15:46:05+00:00", "2026-11-20T15:46:05.000Z"],
    ["2026-11-20 15:46", "2026-11-20T15:46:00.000Z"],
    ["2026-11-20", "2026-11-20T00:00:00.000Z"],
    ["2026-02-30", undefined],
    ["yesterday", undefined],
    ["2026-11-20T15:46:05+02:00", undefined],
  ])("creationTime %s", (creationTime, date) => {
    const { ranges } = readRanges(JSON.stringify({ creationTime, prefixes: [{ ipv4Prefix: "192.0.2.0/24" }] }));
    expect(ranges?.createdAtMs).toBe(date === undefined ? undefined : Date.parse(date));
  });
});

describe("entries that are left out", () => {
  test.each([
    ["the wrong family", { ipv4Prefix: "2001:4860::/32" }],
    ["the other wrong family", { ipv6Prefix: "192.0.2.0/24" }],
    ["all of IPv4", { ipv4Prefix: "0.0.0.0/0" }],
    ["all of IPv6", { ipv6Prefix: "::/0" }],
    ["an eighth of IPv6", { ipv6Prefix: "2000::/3" }],
    ["an IPv6 prefix around IPv4", { ipv6Prefix: "::ffff:0:0/90" }],
    ["too long a prefix", { ipv4Prefix: "192.0.2.0/33" }],
    ["a length that is no number", { ipv4Prefix: "192.0.2.0/2x" }],
    ["a port", { ipv4Prefix: "192.0.2.1:80" }],
    ["a host name", { ipv4Prefix: "crawler.example" }],
    ["a number instead of text", { ipv4Prefix: 3_221_225_985 }],
    ["null", null],
  ])("%s", (_what, entry) => {
    const { ranges } = readRanges(JSON.stringify({ prefixes: [entry, { ipv4Prefix: "192.0.2.0/24" }] }));
    expect(ranges).toMatchObject({ ignored: 1 });
    expect(ranges?.table.prefixes).toHaveLength(1);
  });
});

describe("the largest list", () => {
  const collect = globalThis.gc!;
  const heldBytes = (): number => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const hex = (value: number): string => value.toString(16);
  /** For each word of an address, an address far away: the node of that word covers all the others in one slot. */
  const far = ["3fff:ffff::", "2001:fff::", "2001:db8:0:ffff::", "2001:db8:0:0:ffff::"];

  // If the time were quadratic, these tests would not end within their limit of a minute.
  test.each<readonly [what: string, prefixOf: (at: number) => string]>([
    ["spread addresses", (at) => `2001:${hex(at >>> 4)}:${hex((at & 15) << 12)}::${hex(at >>> 2)}`],
    ["addresses that differ only at the end", (at) => `2001:db8:0:0:0:0:${hex(at >>> 16)}:${hex(at & 0xffff)}`],
    ["nested prefixes", (at) => `2001:db8:${hex(at >>> 6)}:8000::/${48 + (at & 63)}`],
  ])("%s are all found, with memory in proportion to their number", (_what, prefixOf) => {
    const count = mostPrefixes - far.length;
    // The multiplier is coprime to the count: every number occurs once, in no order.
    const text = [...far, ...Array.from({ length: count }, (_, at) => prefixOf((at * 7_919) % count))].join("\n");
    const before = heldBytes();
    const { ranges } = readRanges(text);
    // At most 280 bytes a prefix on Node 24.
    expect((heldBytes() - before) / mostPrefixes).toBeLessThan(500);
    const { table, ignored } = ranges!;
    const { prefixes } = table;
    expect([prefixes.length, ignored]).toEqual([mostPrefixes, 0]);
    // The most specific prefix that contains the first address of a network is the longest prefix of this network.
    const longest = new Map<string, number>();
    for (const { words, length } of prefixes) {
      const network = words.join();
      longest.set(network, Math.max(length, longest.get(network) ?? 0));
    }
    const wrong = prefixes.filter(({ family, words }) => {
      const found = prefixes[table.find(family, words)];
      const network = words.join();
      return found?.words.join() !== network || found.length !== longest.get(network);
    });
    expect(wrong).toEqual([]);
  });
});

describe("files that cannot be used", () => {
  test.each([
    ["not JSON", "{", "not-json"],
    ["an HTML page", "<!doctype html><p>Blocked", "no-prefixes"],
    ["another object", '{"error":"rate limited"}', "not-ranges"],
    ["an unknown version", '{"formatVersion":"2.0","prefixes":[{"ipv4Prefix":"192.0.2.0/24"}]}', "unknown-version"],
    ["an object as version", '{"formatVersion":{},"prefixes":[{"ipv4Prefix":"192.0.2.0/24"}]}', "unknown-version"],
    ["an empty file", "", "no-prefixes"],
    ["only /0", '{"prefixes":[{"ipv4Prefix":"0.0.0.0/0"},{"ipv6Prefix":"::/0"}]}', "no-prefixes"],
    ["too many lines", "192.0.2.1\n".repeat(mostPrefixes + 1), "too-many-prefixes"],
    [
      "too many entries",
      JSON.stringify(Array.from({ length: mostPrefixes + 1 }, () => "192.0.2.1")),
      "too-many-prefixes",
    ],
    ["too many characters", " ".repeat(mostFileCharacters + 1), "too-long"],
    ["deep nesting", "[".repeat(1_000_000), "not-json"],
  ])("%s", (_what, text, problem) => {
    expect(readRanges(text).problem).toBe(problem);
  });

  test("property: any text is read or refused without throwing", () => {
    const entry = fc.oneof(
      fc.anything(),
      fc.record({ ipv4Prefix: fc.anything() }),
      fc.record({ ipv6Prefix: fc.string() }),
    );
    const text = fc.oneof(
      fc.string(),
      fc.record({ prefixes: fc.array(entry) }).map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(text, (given) => {
        const { ranges, problem } = readRanges(given);
        expect(ranges === undefined).toBe(problem !== undefined);
      }),
    );
  });
});
