// Tests the verdicts about requests, from lists and DNS answers.
import { describe, expect, test } from "vitest";
import { ClientAddresses } from "./client-address.ts";
import { publishedChecks, rangeFiles } from "./checks.ts";
import { type HostFinding, type Resolver, findHosts, isHostOf } from "./hosts.ts";
import { readRanges } from "./range-list.ts";
import { type DatedList, createVerifier } from "./verifier.ts";
import { parseAddress, parsePrefix } from "./index.ts";

const day = 86_400_000;
const at = Date.UTC(2026, 10, 20);

const listOf = (name: string, prefixes: readonly string[], fetchedAtMs: number | undefined = at): DatedList => ({
  name,
  ranges: readRanges(JSON.stringify(prefixes)).ranges!,
  fetchedAtMs,
});
const google = listOf("google-common", ["66.249.64.0/19", "66.249.64.32/27", "2001:4860:4801:10::/64"]);
const gptbot = listOf("openai-gptbot", ["20.171.206.0/24"]);
const searchbot = listOf("openai-searchbot", ["20.169.77.0/25"]);
const damaged: DatedList = { name: "ccbot", ranges: readRanges('["18.97.9.168/29","x"]').ranges!, fetchedAtMs: at };
const fetchers = listOf("google-fetchers", ["66.102.6.0/24"]);
const shared = listOf("google-fetchers-shared", ["34.22.85.0/27"]);
const bing = listOf("bingbot", ["157.55.39.0/24"]);

const none: HostFinding = { isAnswered: true, hosts: [] };
const named = (...hosts: string[]): HostFinding => ({ isAnswered: true, hosts });
const unanswered: HostFinding = { isAnswered: false };

interface Case {
  readonly token: string;
  readonly address: string;
  readonly hosts?: HostFinding;
  readonly atMs?: number;
  readonly lists?: readonly DatedList[];
  readonly gives: string;
}

describe("verdicts", () => {
  const all = [google, gptbot, searchbot, damaged, fetchers, shared, bing];
  test.each<[what: string, given: Case]>([
    ["in the list", { token: "Googlebot", address: "66.249.66.1", gives: "verified range" }],
    ["in the list, IPv6", { token: "Googlebot-Image", address: "2001:4860:4801:10::f", gives: "verified range" }],
    [
      "in the list, mapped, with a port",
      { token: "Googlebot", address: "[::ffff:66.249.66.1]:80", gives: "verified range" },
    ],
    [
      "in the list, mapped, a port without brackets",
      { token: "Googlebot", address: "::ffff:66.249.66.1:80", gives: "verified range" },
    ],
    ["a product token in lower case", { token: "gptbot", address: "20.171.206.1", gives: "verified range" }],
    ["a product token in other letters", { token: "Bingbot", address: "157.55.39.1", gives: "verified range" }],
    [
      "a product token in capitals",
      { token: "GOOGLEBOT", address: "203.0.114.9", hosts: none, gives: "false no-match" },
    ],
    ["in the list, without a time", { token: "Googlebot", address: "66.249.66.1", atMs: NaN, gives: "verified range" }],
    ["not in the only list", { token: "GPTBot", address: "203.0.114.9", gives: "false no-match" }],
    ["in another crawler's list", { token: "GPTBot", address: "20.169.77.1", gives: "false no-match" }],
    ["without a list", { token: "GPTBot", address: "203.0.114.9", lists: [], gives: "claimed no-list" }],
    [
      "a crawler that has no lists, only host names",
      { token: "YandexBot", address: "203.0.114.9", lists: [], gives: "claimed dns-not-asked" },
    ],
    ["30 days after", { token: "GPTBot", address: "203.0.114.9", atMs: at + 30 * day, gives: "false no-match" }],
    ["30 days before", { token: "GPTBot", address: "203.0.114.9", atMs: at - 30 * day, gives: "false no-match" }],
    [
      "more than 30 days after",
      { token: "GPTBot", address: "203.0.114.9", atMs: at + 30 * day + 1, gives: "claimed other-time" },
    ],
    ["without a time", { token: "GPTBot", address: "203.0.114.9", atMs: NaN, gives: "claimed other-time" }],
    [
      "with a list without a date",
      {
        token: "GPTBot",
        address: "203.0.114.9",
        lists: [{ ...gptbot, fetchedAtMs: undefined }],
        gives: "claimed other-time",
      },
    ],
    ["with a damaged list", { token: "CCBot", address: "203.0.114.9", hosts: none, gives: "claimed damaged-list" }],
    ["in the readable part of a damaged list", { token: "CCBot", address: "18.97.9.170", gives: "verified range" }],
    ["two checks, one made", { token: "bingbot", address: "203.0.114.9", gives: "claimed dns-not-asked" }],
    ["two checks, both made", { token: "bingbot", address: "203.0.114.9", hosts: none, gives: "false no-match" }],
    [
      "two checks, no answer",
      { token: "bingbot", address: "203.0.114.9", hosts: unanswered, gives: "claimed dns-failed" },
    ],
    [
      "two checks, no list",
      { token: "bingbot", address: "203.0.114.9", hosts: none, lists: [], gives: "claimed no-list" },
    ],
    [
      "a host of its operator",
      {
        token: "bingbot",
        address: "203.0.114.9",
        hosts: named("msnbot-1.search.msn.com"),
        lists: [],
        gives: "verified host",
      },
    ],
    [
      "another operator's host",
      { token: "bingbot", address: "203.0.114.9", hosts: named("crawl-1.googlebot.com"), gives: "false no-match" },
    ],
    [
      "in a shared list",
      { token: "FeedFetcher-Google", address: "34.22.85.1", hosts: none, gives: "claimed shared-range" },
    ],
    ["one of two lists", { token: "FeedFetcher-Google", address: "66.102.6.1", gives: "verified range" }],
    [
      "one of two lists missing",
      { token: "FeedFetcher-Google", address: "203.0.114.9", hosts: none, lists: [fetchers], gives: "claimed no-list" },
    ],
    ["a private address", { token: "GPTBot", address: "10.0.0.7", gives: "claimed local-address" }],
    ["no address", { token: "GPTBot", address: "-", gives: "claimed no-address" }],
    ["a hashed address", { token: "GPTBot", address: "8f4e2c1d", gives: "claimed no-address" }],
    ["a masked address", { token: "GPTBot", address: "203.0.113.xxx", gives: "claimed no-address" }],
    ["masked to its network", { token: "GPTBot", address: "20.171.207.0", gives: "claimed masked-address" }],
    ["masked, in the list", { token: "GPTBot", address: "20.171.206.0", gives: "verified range" }],
    ["masked, IPv6", { token: "GPTBot", address: "2600:1900:0:2d00::", gives: "claimed masked-address" }],
    ["not masked, IPv6", { token: "GPTBot", address: "2600:1900:0:2d00::1", gives: "false no-match" }],
    [
      "DNS asked 30 days after",
      {
        token: "YandexBot",
        address: "203.0.114.9",
        hosts: { ...none, askedAtMs: at + 30 * day },
        gives: "false no-match",
      },
    ],
    [
      "DNS asked more than 30 days after",
      {
        token: "YandexBot",
        address: "203.0.114.9",
        hosts: { ...none, askedAtMs: at + 30 * day + 1 },
        gives: "claimed other-time",
      },
    ],
    [
      "DNS asked, for a request without a time",
      {
        token: "YandexBot",
        address: "203.0.114.9",
        hosts: { ...none, askedAtMs: at },
        atMs: NaN,
        gives: "claimed other-time",
      },
    ],
    [
      "in another version near the request, but not in the nearest",
      {
        token: "GPTBot",
        address: "203.0.114.9",
        lists: [listOf("openai-gptbot", ["203.0.114.0/24"], at - 10 * day), gptbot],
        atMs: at - 4 * day,
        gives: "claimed other-time",
      },
    ],
    ["no published check", { token: "Bytespider", address: "203.0.114.9", gives: "no-check none-published" }],
    ["an unknown crawler", { token: "AcmeBot", address: "203.0.114.9", gives: "no-check not-known" }],
    [
      "a name that every object has as a property",
      { token: "constructor", address: "203.0.114.9", gives: "no-check not-known" },
    ],
  ])("%s", (_what, { token, address, hosts, atMs = at, lists = all, gives }) => {
    const verifier = createVerifier({ lists });
    const { verdict, because } = verifier.verify({ productToken: token, address, hosts, atMs });
    expect(`${verdict} ${because}`).toBe(gives);
  });

  test("verifications have the list, its date and the entry; equal verifications are one object", () => {
    const verifier = createVerifier({ lists: [google] });
    const claim = { productToken: "Googlebot", address: "66.249.64.40", atMs: at };
    expect(verifier.verify(claim)).toEqual({
      verdict: "verified",
      because: "range",
      list: "google-common",
      dateMs: at,
      entry: "66.249.64.32/27",
    });
    expect(verifier.verify({ ...claim, address: "66.249.64.41" })).toBe(verifier.verify(claim));
  });

  test("the cached verdict is not used for another time, other host names or another address", () => {
    const checks = createVerifier({ lists: [bing, gptbot] }).checksOf("bingbot")!;
    const asked: readonly (readonly [address: string, atMs: number, hosts?: HostFinding])[] = [
      ["203.0.114.9", at, none],
      ["203.0.114.9", at + 31 * day, none],
      ["203.0.114.9", at],
      ["157.55.39.1", at],
      ["-", at],
      ["-", at],
      ["", at],
      ["157.55.39.1", at],
      ["2001:4860::1", at, none],
      ["157.55.39.1", at],
    ];
    expect(asked.map((each) => checks.verify(...each).because)).toEqual([
      "no-match",
      "other-time",
      "dns-not-asked",
      "range",
      "no-address",
      "no-address",
      "no-address",
      "range",
      "no-match",
      "range",
    ]);
  });

  test("of several versions of a list, the one nearest to the request counts", () => {
    const old = listOf("openai-gptbot", ["203.0.114.0/24"], at - 300 * day);
    const verifier = createVerifier({ lists: [gptbot, old] });
    const verdictAt = (atMs: number): string =>
      verifier.verify({ productToken: "GPTBot", address: "203.0.114.9", atMs }).verdict;
    expect([at, at - 290 * day, at - 150 * day + 1, NaN].map(verdictAt)).toEqual([
      "false",
      "verified",
      "claimed",
      "claimed",
    ]);
  });
});

describe("the table", () => {
  test("names each crawler and each file once; files and sources have https URLs; no row has only shared files", () => {
    const tokens = publishedChecks.flatMap(({ productTokens }) => productTokens);
    expect(new Set(tokens).size).toBe(tokens.length);
    const names = rangeFiles.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { url } of rangeFiles) expect(new URL(url).protocol).toBe("https:");
    for (const { source, files, hosts } of publishedChecks) {
      expect(new URL(source).protocol).toBe("https:");
      for (const { suffix } of hosts) expect(suffix).toMatch(/^[a-z.]+$/);
      expect(files.every(({ isShared }) => isShared === true)).toBe(files.length === 0);
    }
  });
});

describe("host names", () => {
  test.each<[host: string, suffix: string, begins: string | undefined, isOne: boolean]>([
    ["crawl-66-249-66-1.googlebot.com", "googlebot.com", undefined, true],
    ["crawl-66-249-66-1.GoogleBot.com.", "googlebot.com", undefined, true],
    ["googlebot.com", "googlebot.com", undefined, true],
    ["notgooglebot.com", "googlebot.com", undefined, false],
    ["googlebot.com.evil.example", "googlebot.com", undefined, false],
    ["rate-limited-proxy-1.google.com", "google.com", "rate-limited-proxy-", true],
    ["mail.google.com", "google.com", "rate-limited-proxy-", false],
    ["x.gae.googleusercontent.com", "google.com", "google-proxy-", false],
  ])("%s, %s %s", (host, suffix, begins, isOne) => {
    expect(isHostOf(host, { suffix, ...(begins === undefined ? {} : { begins }) })).toBe(isOne);
  });

  const zone: Readonly<Record<string, readonly string[]>> = {
    "66.249.66.1": ["crawl-66-249-66-1.googlebot.com."],
    "203.0.114.1": ["fake.googlebot.com"],
    "203.0.114.2": ["evil.example", "crawl-2.googlebot.com"],
    "2001:4860:4801:10::1": ["crawl-6.googlebot.com"],
    "203.0.114.3": Array.from({ length: 1_000 }, (_, index) => `n${index}.googlebot.com`),
    "crawl-66-249-66-1.googlebot.com 4": ["192.0.2.1", "::ffff:66.249.66.1"],
    "crawl-6.googlebot.com 6": ["2001:4860:4801:0010:0:0:0:1"],
    "fake.googlebot.com 4": ["66.249.66.9"],
    "crawl-2.googlebot.com 4": ["203.0.114.2"],
  };
  const asked: string[] = [];
  const resolver: Resolver = {
    async namesOf(address) {
      asked.push(address);
      if (address === "203.0.114.9") throw new Error("SERVFAIL");
      return zone[address] ?? [];
    },
    async addressesOf(host, family) {
      asked.push(`${host} ${family}`);
      return zone[`${host} ${family}`] ?? [];
    },
  };

  test.each<[address: string, finding: HostFinding]>([
    ["66.249.66.1", named("crawl-66-249-66-1.googlebot.com")],
    ["2001:4860:4801:10::1", named("crawl-6.googlebot.com")],
    ["203.0.114.1", none],
    ["203.0.114.2", named("crawl-2.googlebot.com")],
    ["203.0.114.3", none],
    ["203.0.114.4", none],
    ["203.0.114.9", unanswered],
    ["-", none],
    ["::ffff:66.249.66.1", named("crawl-66-249-66-1.googlebot.com")],
    ["::FFFF:42f9:4201", named("crawl-66-249-66-1.googlebot.com")],
    ["66.249.66.1:51000", named("crawl-66-249-66-1.googlebot.com")],
    ["[2001:4860:4801:0010:0:0:0:1%2]:443", named("crawl-6.googlebot.com")],
    ["2001:4860:4801:10::00:1", named("crawl-6.googlebot.com")],
    ["::ffff:203.0.114.1", none],
  ])("%s", async (address, finding) => {
    asked.length = 0;
    expect(await findHosts(address, [{ suffix: "googlebot.com" }], resolver)).toEqual(finding);
    expect(asked.length).toBeLessThanOrEqual(11);
    expect(asked).not.toContain("evil.example 4");
  });
});

test("the words of a mapped address are those of an IPv4 address", () => {
  const checks = createVerifier({ lists: [gptbot] }).checksOf("gptbot")!;
  const mapped = (word: number): readonly number[] => [0, 0, 0xffff, word];
  expect(checks.verifyWords(6, mapped(0x14abce01), at)).toMatchObject({
    verdict: "verified",
    entry: "20.171.206.0/24",
  });
  expect(checks.verifyWords(6, mapped(0xc0a80001), at)).toMatchObject({ because: "local-address" });
  expect(checks.verifyWords(6, mapped(0x14abcf00), at)).toMatchObject({ because: "masked-address" });
  expect(checks.verifyWords(6, mapped(0xcb007209), at)).toMatchObject({ because: "no-match" });
});

describe("clients behind proxies", () => {
  test.each<[field: string, proxies: readonly string[], client: string]>([
    ["66.249.66.1", [], "66.249.66.1"],
    ["1.1.1.1, 66.249.66.1", [], "66.249.66.1"],
    ["1.1.1.1, 66.249.66.1, 10.0.0.1", ["10.0.0.0/8"], "66.249.66.1"],
    ["66.249.66.1, 203.0.114.9,10.0.0.1 , 2001:db8::1", ["10.0.0.0/8", "2001:db8::/32"], "203.0.114.9"],
    ["10.0.0.2, 10.0.0.1", ["10.0.0.0/8"], ""],
    ["fd00::2", ["fd00::/8"], ""],
    ["104.16.1.1", ["104.16.0.0/13"], ""],
    ["104.16.1.1, 104.16.1.2", ["104.16.0.0/13"], ""],
    ["66.249.66.1, unknown, 10.0.0.1", ["10.0.0.0/8"], "unknown"],
    ["66.249.66.1, 10.0.0.1", ["10.0.0.0/8"], "66.249.66.1"],
    ["::ffff:66.249.66.1, ::ffff:10.0.0.1", ["10.0.0.0/8"], "::ffff:66.249.66.1"],
    ["", [], ""],
    [",", ["10.0.0.0/8"], ""],
    ["-", ["10.0.0.0/8"], "-"],
    ["10.0.0.1,".repeat(100_000), ["10.0.0.0/8"], ""],
  ])("%#", (field, proxies, client) => {
    expect(new ClientAddresses(proxies).clientOf(field)).toBe(client);
  });

  test("a proxy that is not an address is refused", () => {
    expect(() => new ClientAddresses(["10.0.0.0/8", "proxy.example"])).toThrow(RangeError);
  });
});

test.each<readonly [name: string, called: (...given: never[]) => unknown, given: readonly unknown[]]>([
  ["parseAddress", parseAddress, [undefined]],
  ["parsePrefix", parsePrefix, [4]],
  ["readRanges", readRanges, [Buffer.from("192.0.2.0/24")]],
  ["isHostOf", isHostOf, [undefined, { suffix: "a.example" }]],
  ["isHostOf", isHostOf, ["a.example", "a.example"]],
  ["createVerifier", createVerifier, [null]],
  ["createVerifier", createVerifier, [{ lists: "google" }]],
])("%s of a wrong argument", (_name, called, given) => {
  expect(() => (called as (...each: readonly unknown[]) => unknown)(...given)).toThrow(
    expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }),
  );
});

test.each([
  [undefined, [], { namesOf: () => [] }],
  ["192.0.2.1", undefined, { namesOf: () => [] }],
  ["192.0.2.1", [], undefined],
])("findHosts(%j, %j, %j) rejects", async (...given) => {
  const called = findHosts as unknown as (...each: readonly unknown[]) => Promise<unknown>;
  await expect(called(...given)).rejects.toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
});
