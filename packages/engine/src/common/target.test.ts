// Tests URLs around the length limit: what `locateUrl` returns, and the decisions about them in several input formats.
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createSavedRobots, decideStream } from "../index.ts";
import { baseOf, locateUrl, longestTarget, surelyShort } from "./target.ts";

const shop = "https://shop.example";
const saved = createSavedRobots(fileURLToPath(new URL("../../../../examples/robots", import.meta.url)));

test.each([
  ["the longest target", "/".padEnd(longestTarget, "a"), true],
  ["one character more", "/".padEnd(longestTarget + 1, "a"), false],
  ["an escape counts as its three characters", "/".padEnd(longestTarget - 3, "%C3") + "?x=", true],
  ["a star counts as its escape", `/${"*".repeat(21_845)}`, true],
  ["one star more", `/${"*".repeat(21_846)}`, false],
  ["a percent sign that begins no escape", `/${"%".repeat(21_846)}`, false],
  ["stars and other characters", `/${"*".repeat(20_000)}`.padEnd(longestTarget - 40_000, "a"), true],
  ["stars and one other character more", `/${"*".repeat(20_000)}`.padEnd(longestTarget - 40_000 + 1, "a"), false],
  ["letters that are encoded", `/${"é".repeat(10_922)}`, true],
  ["one such letter more", `/${"é".repeat(10_923)}`, false],
  ["a megabyte", "/".padEnd(1_000_000, "a"), false],
  ["a fragment does not count", `/#${"a".repeat(longestTarget)}`, true],
])("%s", (_, path, isDecided) => {
  const located = locateUrl(shop + path);
  expect(located).toEqual(isDecided ? expect.objectContaining({ origin: shop }) : "url-too-long");
  expect(surelyShort * 3).toBeLessThanOrEqual(longestTarget);
});

test.each([
  "https://*.shop.example/a",
  "https://shop.example*/",
  "https://_/a",
  "http://default:8080/",
  "https://0.0.0.0/",
  "https://a$b/",
])("%s: no request can be sent to the host, however the record is read", async (url) => {
  expect(locateUrl(url)).toBe("invalid-url");
  const texts = {
    lines: `${url}\n${shop}\n`,
    ndjson: `{"url":"${url}"}\n{"url":"${shop}"}\n`,
    csv: `url,n\n${url},1\n${shop},2\n`,
  };
  for (const [inputFormat, text] of Object.entries(texts)) {
    const input = Buffer.from(text);
    const found = [];
    for await (const batch of decideStream({ agents: "bingbot", robots: saved, inputFormat, input })) {
      for (const { because, origin } of batch) found.push([because, origin]);
    }
    expect(found).toEqual([
      ["invalid-url", undefined],
      ["no-rule", shop],
    ]);
  }
  expect(() => baseOf(new URL(url).origin, "base: ")).toThrow("must be an http or https origin");
});

test.each([
  "https://localhost/",
  "http://[::1]:8080/",
  "http://192.0.2.1/",
  "https://a_b.example/",
  "https://xn--bcher-kva.example/",
  "ftp://a/",
])("%s has a host", (url) => {
  expect(locateUrl(url)).toMatchObject({ target: "/" });
});

const long = `${shop}/${"a".repeat(70_000)}`;
const starred = `${shop}/${"*".repeat(30_000)}`;
const inputs: [string, string][] = [
  ["lines", `${long}\n${starred}\n${shop}/x\n`],
  ["ndjson", [long, starred, `${shop}/x`].map((url) => `${JSON.stringify({ url })}\n`).join("")],
  ["csv", `url\n${long}\n"${starred}"\n${shop}/x\n`],
];

test.each(inputs)("an overlong URL in a record of %s, in every dialect and target form", async (inputFormat, text) => {
  for (const target of ["raw", "normalized"] as const) {
    const dialects = ["google", "rfc9309"] as const;
    const found = [];
    const input = Buffer.from(text);
    for await (const batch of decideStream({
      agents: "bingbot",
      dialects,
      robots: saved,
      target,
      inputFormat,
      input,
    })) {
      for (const { because, allowed } of batch) found.push([because, allowed]);
    }
    const tooLong = ["url-too-long", null];
    expect(found).toEqual([tooLong, tooLong, tooLong, tooLong, ["no-rule", true], ["no-rule", true]]);
  }
});

test("an overlong URL when each record names its crawler", async () => {
  const input = [long, `${shop}/x`].map((url) => ({ url, agent: "bingbot/2.0" }));
  const found = [];
  for await (const batch of decideStream({ agentField: "agent", robots: saved, input })) found.push(...batch);
  expect(found.map(({ agent, because }) => [agent, because])).toEqual([
    ["bingbot", "url-too-long"],
    ["bingbot", "no-rule"],
  ]);
});
