// Tests the product tokens that User-Agent headers name, and that any text takes linear time.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { crawlers } from "./registry.ts";
import { productTokenOf } from "./product-token-of.ts";

const google = "+http://www.google.com/bot.html";

describe("which crawler a header names", () => {
  test.each<[what: string, header: string, token: string | undefined]>([
    ["a product first", `Googlebot/2.1 (${google})`, "Googlebot"],
    ["in a comment", `Mozilla/5.0 (compatible; Googlebot/2.1; ${google})`, "Googlebot"],
    ["after a browser", "Mozilla/5.0 (X11) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b", "BingPreview"],
    [
      "without brackets",
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://x",
      "GPTBot",
    ],
    ["no spaces", "Mozilla/5.0 (compatible;PetalBot;+https://webmaster.petalsearch.com/site/petalbot)", "PetalBot"],
    ["any letter case", "SEMrushBot", "SemrushBot"],
    ["the token as its operator writes it", "adidxbot/2.0", "AdIdxBot"],
    ["the longer name", "Googlebot-Image/1.0", "Googlebot-Image"],
    [
      "a name of three words",
      "Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)",
      "Sogou web spider",
    ],
    ["the beginning of a name of three words", "Sogou webspider/4.0", undefined],
    [
      "the spaces of a name as +",
      "Sogou+web+spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)",
      "Sogou web spider",
    ],
    ["the spaces of a name escaped", "Screaming%20Frog%20SEO%20Spider/5.1", "Screaming Frog SEO Spider"],
    ["the spaces of a name escaped twice", "Sogou%2520web%2520spider/4.0", "Sogou web spider"],
    ["pluses in a name escaped", "Mozilla/5.0%2B(compatible;%2BLinguee%2BBot)", "Linguee Bot"],
    ["another escape in place of the spaces of a name", "Sogou%2fweb%2fspider/4.0", undefined],
    ["a longer name that continues after a +", "Sogou+web+spiders/4.0", undefined],
    ["another name of the same crawler", "coccoc/1.0 (http://help.coccoc.com/)", "coccocbot-web"],
    ["a name of its own in a family: Meta's catalog", "facebookcatalog/1.0", "facebookcatalog"],
    ["a name of its own in a family: Meta's older one", "Facebot/1.0", "Facebot"],
    [
      "a name of its own in a family: Semrush's audit",
      "Mozilla/5.0 (compatible; SemrushBot-SA/0.97; +http://www.semrush.com/bot.html)",
      "SemrushBot-SA",
    ],
    ["a name of its own in a family: Webz.io", "omgilibot/0.4 +http://omgili.com", "omgilibot"],
    [
      "a name of its own in a family: Bing's media",
      "msnbot-media/1.1 (+http://search.msn.com/msnbot.htm)",
      "msnbot-media",
    ],
    [
      "a name of its own in a family: Sogou's pictures",
      "Sogou Pic Spider/3.0(+http://www.sogou.com/)",
      "Sogou Pic Spider",
    ],
    [
      "a product that is a crawler only with its version",
      "Pinterest/0.2 (+http://www.pinterest.com/bot.html)",
      "Pinterestbot",
    ],
    [
      "an app with the name of a crawler",
      "Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile/15E148 [Pinterest/iOS]",
      undefined,
    ],
    [
      "spaces as + in a log of IIS",
      "Mozilla/5.0+(compatible;+bingbot/2.0;++http://www.bing.com/bingbot.htm)",
      "bingbot",
    ],
    ["escaped", "Mozilla/5.0%20(compatible;%20Googlebot/2.1;%20+http://x)", "Googlebot"],
    ["escaped twice", "Mozilla/5.0%2520(compatible;%2520Googlebot/2.1;%2520+http://x)", "Googlebot"],
    ["quoted", '"Twitterbot/1.0"', "Twitterbot"],
    ["in a URL only", "Mozilla/5.0 (compatible; x/1.0; +http://www.bing.com/bingbot.htm)", undefined],
    ["the last part of a URL", "x (+https://example.com/GPTBot)", undefined],
    ["in a mail address only", "x/1.0 (Googlebot@example.com)", undefined],
    ["as a version", "x/Googlebot", undefined],
    [
      "a program by its address",
      "Mozilla/5.0 (compatible; heritrix/3.3.0 +http://archive.org/details/archive.org_bot)",
      "archive.org_bot",
    ],
    ["a name before an address", "Mozilla/5.0 (GPTBot; +http://archive.org/details/archive.org_bot)", "GPTBot"],
    ["a sender that is like another crawler", "TelegramBot (like TwitterBot)", "TelegramBot"],
    [
      "a sender to be treated like another crawler",
      "Mozilla/5.0 (compatible;acapbot/0.1;treat like Googlebot)",
      undefined,
    ],
    [
      "a sender that is like another crawler, with a version",
      "Feedly/1.0 (+http://www.feedly.com; like FeedFetcher-Google/1.0)",
      undefined,
    ],
    ["a sender that checks a crawler", "Dark Visitors/1.0 (checks GPTBot)", undefined],
    ["a sender that blocks a version of a crawler", "Guard/1.0 (blocks GPTBot/1.0)", undefined],
    ["a comment without a semicolon", "Mozilla/5.0 (compatible Googlebot/2.1)", "Googlebot"],
    ["a sender that emulates a crawler", "Mozilla/5.0 (compatible; MyTool/1.0; emulating Googlebot)", undefined],
    ["a sender that is compatible with a crawler", "SentiBot www.sentibot.eu (compatible with Googlebot)", undefined],
    [
      "a sender that follows a crawler",
      "Mozilla/5.0 (compatible) Daumoa/4.0 (Following Mediapartners-Google)",
      undefined,
    ],
    ["a name that holds another", "Mozilla/5.0 AppleWebKit (compatible; s4a-probe-bot/1.0; Fake-Googlebot)", undefined],
    ["a longer name that begins like a known one", "Googlebot-IA/2.1", undefined],
    ["after another crawler", `WireReaderBot/1.0 (compatible; Googlebot/2.1; ${google})`, undefined],
    ["after another crawler, in one comment", "Mozilla/5.0 (compatible; OtherBot/1.0; Googlebot/2.1)", undefined],
    ["after another crawler and a browser", "Mozilla/5.0 (X11) my-crawler/2 Chrome/1.0 (Googlebot/2.1)", undefined],
    ["after a known crawler", "bingbot/2.0 (compatible; Googlebot/2.1)", "bingbot"],
    ["before another crawler", "Googlebot/2.1 OtherBot/1.0", "Googlebot"],
    ["after a word that names no product", "Mozilla/5.0 (compatible; robot; Googlebot/2.1)", "Googlebot"],
    ["after another program", "Gwene/1.0 (The gwene.org rss-to-news gateway) Googlebot", undefined],
    [
      "after another program, with a version",
      "Nokia6820/2.0 (4.83) (compatible; Googlebot-Mobile/2.1)",
      "Googlebot-Mobile",
    ],
    [
      "several names: the first counts",
      "Mozilla/5.0 (Macintosh) Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
      "facebookexternalhit",
    ],
    ["a control token, which no request carries", "Mozilla/5.0 (compatible; Google-Extended/1.0)", "Google-Extended"],
    ["a browser", "Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Firefox/128.0", undefined],
    [
      "a service that renders pages for the crawler, before its name",
      "Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/120.0 Safari/537.36 Prerender (+https://github.com/prerender/prerender) Googlebot/2.1",
      undefined,
    ],
    [
      "such a service behind the name",
      `Mozilla/5.0 (Linux; Android 6.0.1) Chrome/120.0 (compatible; Googlebot/2.1; ${google}) Prerender (+https://github.com/prerender/prerender)`,
      undefined,
    ],
    ["another such service", `Mozilla/5.0 (compatible; bingbot/2.0; ${google}) Prerender.io`, undefined],
    ["Rendertron", "Googlebot/2.1 Rendertron", undefined],
    [
      "a program on App Engine",
      `Googlebot/2.1 (${google}) AppEngine-Google; (+http://code.google.com/appengine; appid: s~x)`,
      undefined,
    ],
    ["a translator", `Googlebot/2.1 (${google}),gzip(gfe) (via translate.google.com)`, undefined],
    ["a simulator", "SEO-Check Googlebot/2.1 simulator", undefined],
    ["a longer word", "Googlebot/2.1 (x-prerender-token)", "Googlebot"],
    ["an empty header", "", undefined],
    ["a dash", "-", undefined],
  ])("%s", (_what, header, token) => {
    expect(productTokenOf(header)).toBe(token);
  });

  test("the example header of every crawler names the crawler", () => {
    const examples = crawlers.filter(({ exampleHeader }) => exampleHeader !== undefined);
    expect(examples.length).toBeGreaterThan(100);
    for (const { productToken, exampleHeader } of examples) expect(productTokenOf(exampleHeader!)).toBe(productToken);
  });
});

describe("properties", () => {
  const word = fc.constantFrom(
    ..."Mozilla/5.0 Googlebot googlebot/2.1 like ( ) ; , + http:// @ % %20 %25 / archive.org_bot Sogou web spider - _ .".split(
      " ",
    ),
    " ",
    "+",
    "%2520",
    "OtherBot/1.0",
    "\t",
    "\0",
    "ß",
    "\u{1f600}",
    "\ud800",
  );
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("latin1")),
    fc.array(word, { maxLength: 40 }).map((words) => words.join("")),
  );
  const known = new Set<string | undefined>([undefined, ...crawlers.map(({ productToken }) => productToken)]);

  test("any text gives a known product token or undefined", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(known.has(productTokenOf(text))).toBe(true);
      }),
    );
  });

  test("a crawler's name gives the same product token as the whole header and inside a browser's header", () => {
    const claims = fc.constantFrom(
      ...crawlers.filter(({ headerNames }) => headerNames.length > 0).map(({ headerNames }) => headerNames[0]!),
    );
    fc.assert(
      fc.property(claims, (name) => {
        expect(productTokenOf(`Mozilla/5.0 (compatible; ${name}/1.0; +http://x)`)).toBe(productTokenOf(name));
      }),
    );
  });

  // Counts steps, not time: each character of the text may be read only a bounded number of times.
  test.each([
    "(",
    "Googlebot-",
    "http://",
    "a@",
    "%25",
    "Sogou web ",
    "Sogou+web%20",
    "Sogou%2520web",
    "like ",
    "a/b ",
    "abot/",
    "x",
  ])("the cost per character of %j does not grow with the length", (part) => {
    const looksAt = (length: number): number => {
      let looks = 0;
      const text = part.repeat(Math.ceil(length / part.length));
      const original = String.prototype.charCodeAt;
      // oxlint-disable-next-line no-extend-native
      String.prototype.charCodeAt = function count(this: string, at: number): number {
        looks++;
        return original.call(this, at);
      };
      try {
        productTokenOf(text);
      } finally {
        // oxlint-disable-next-line no-extend-native
        String.prototype.charCodeAt = original;
      }
      return looks / text.length;
    };
    expect(looksAt(200_000)).toBeLessThan(looksAt(2_000) * 1.5 + 1);
  });
});
