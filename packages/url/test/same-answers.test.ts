// Tests that every Node version gives the same results for 60,000 odd URLs: one digest of all results.
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { normalizeTarget, parseTarget, problemOf } from "../src/index.ts";

/** A pseudo-random number generator: the same seed gives the same numbers (mulberry32). */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const starts = [
  "http://",
  "https://",
  "http://",
  "https://",
  "HTTPS://",
  "ftp://",
  "http:",
  "http:\\/",
  " http://",
  "ht\ttp://",
  "http://u:p@",
  "x:",
  "//",
  "",
];
const hosts = [
  ..."example.com EXAMPLE.com. a_b.-c 127.1 0x7f.1 017700000001 4294967296 1.2.3 1.2.3.4.5 09 [::1] [1:2::] [::1.2.3.4] [1::2::3] xn--a xn--fa-hia.de".split(
    " ",
  ),
  ..."faß.de FAẞ.de exämple.com u\u0308.de βόλος.com ①②⑦.⓪.⓪.① example。com ﷺ.com Ⅷ.com क्\u200dष.com א1.com 1א.com نامه\u200cای.com".split(
    " ",
  ),
  ..."look᠎out.net look⁫out.net Ӏ.com ⴀ.com Ⴀ.com 𑀓\u0307.com 𐀀\u0303.com \u{105d2}\u0307.com \u{11382}\u{113c9}.com 한글.kr 한\u1100\u1161.kr".split(
    " ",
  ),
  ..."ex%61mple.com %C3%BC.de %zz a%00b a|b a^b {a} a;b a!b ａ／ｂ \u00ad a\u00adb \u0378.com \ud800.com".split(" "),
];
const ports = [":", ":80", ":443", ":8080", ":00080", ":65536", ":8a"];
const pieces = [
  ..."/ // \\ . .. %2e %2E%2e ? # & = ; a ä 日 😀 é A z 0 ~ % %4 %41 %c3%bc %zz \" < > ` { } | ^ [ ] ' \ud800 \udc00 \u0080 \uffff \ufeff \u2028".split(
    " ",
  ),
  " ",
  "\t",
  "\n",
  "\0",
  "\u007f",
];

function oddUrls(count: number): string[] {
  const random = createRandom(9309);
  const one = (list: readonly string[]): string => list[random(list.length)]!;
  return Array.from({ length: count }, () => {
    let url =
      one(starts) + one(hosts) + (random(8) === 0 ? `.${one(hosts)}` : "") + (random(3) === 0 ? one(ports) : "");
    if (random(8) > 0) url += one(["/", "/", "?", "\\"]);
    for (let length = random(12); length > 0; length--) url += one(pieces);
    return url;
  });
}

test("the origins, targets and problems of 60,000 odd URLs have the recorded digest", () => {
  const digest = createHash("sha256");
  const counts = { parsed: 0, "invalid-url": 0, "unsupported-scheme": 0 };
  for (const url of oddUrls(60_000)) {
    const parsed = parseTarget(url);
    const problem = problemOf(url);
    counts[problem ?? "parsed"]++;
    digest.update(
      JSON.stringify([url, parsed && [parsed.origin, parsed.target, normalizeTarget(parsed.target)], problem]),
    );
  }
  expect(counts).toEqual({ parsed: 27_414, "invalid-url": 28_261, "unsupported-scheme": 4325 });
  expect(digest.digest("hex")).toBe("7e92bd8c0acaf31ddf7b00037b6adf88f427bec205c7faafacfc68e5a839a9cb");
});
