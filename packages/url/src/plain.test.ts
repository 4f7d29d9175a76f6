// Tests the reuse of the buffer for plain URLs: many URLs of one origin in a row must not change the results for other URLs.
import { describe, expect, test } from "vitest";
import { parseTarget } from "./target.ts";

const authorities = [
  "https://www.example.com",
  "http://a.b",
  "https://EXAMPLE.com",
  "https://example.com:443",
  "http://example.com:8080",
  "https://-_a.example.com.",
];

const rests = [
  ..."/ /a /a/../b //a /%41 /%c3%A9 /%zz /% /a#b /a?b#c /a?b\\c /a\\b ?a #a \\a :81/a".split(" "),
  "",
  "/ä",
  "/日",
  "/a b",
  "/a ",
  "/a\n",
  "/a\nb",
  "/\u0000",
  "/\u007f",
  '/"',
  `/${"a".repeat(3000)}`,
  `/${"a".repeat(3000)} b`,
  "/a\u2028",
  ".evil.example/a",
  "@evil.example/a",
];

/** All texts that a wrong parser might read as a URL of the authority. */
function neighboursOf(authority: string): string[] {
  const lookAlikes = [
    authority,
    ` ${authority}`,
    authority.replaceAll(".", "x"),
    authority.toUpperCase(),
    `x${authority}`,
  ];
  return lookAlikes.flatMap((start) => rests.map((rest) => start + rest));
}

describe("after many URLs of one origin", () => {
  test.each(authorities)("%s: every answer is as before", (authority) => {
    const urls = authorities.flatMap(neighboursOf);
    const before = urls.map((url) => parseTarget(url));
    const { origin } = parseTarget(authority)!;
    for (let at = 0; at < 2500; at++) {
      expect(parseTarget(`${authority}/page/${at}?a=b`)).toEqual({ origin, target: `/page/${at}?a=b` });
    }
    // Each other URL is parsed between two URLs of the origin.
    for (const [at, url] of urls.entries()) {
      expect(parseTarget(url), url).toEqual(before[at]);
      expect(parseTarget(`${authority}/${at}`)).toEqual({ origin, target: `/${at}` });
    }
    expect(urls.map((url) => parseTarget(url))).toEqual(before);
    expect(urls.map((url) => parseTarget(url))).toEqual(before);
  });

  test("two alternating origins that differ only in the middle of the host are distinguished", () => {
    const parsed = Array.from({ length: 5000 }, (_, at) =>
      parseTarget(`https://www.${at % 2 === 0 ? "aaaaaaaa" : "bbbbbbbb"}.com/`),
    );
    expect(new Set(parsed.map((one) => one?.origin))).toEqual(
      new Set(["https://www.aaaaaaaa.com", "https://www.bbbbbbbb.com"]),
    );
    expect(parsed.every((one, at) => one?.origin.includes(at % 2 === 0 ? "aaaaaaaa" : "bbbbbbbb"))).toBe(true);
  });
});
