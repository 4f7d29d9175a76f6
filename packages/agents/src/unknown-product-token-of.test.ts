// Tests the product tokens found in headers of unknown crawlers, and that any text takes linear time.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { productTokenOf } from "./product-token-of.ts";
import { unknownProductTokenOf } from "./unknown-product-token-of.ts";

describe("the product token in a header", () => {
  test.each<[what: string, header: string, token: string | undefined]>([
    ["bot at the end", "Mozilla/5.0 (compatible; AcmeBot/1.0; +https://acme.example/bot)", "AcmeBot"],
    ["a header of one word", "acmebot", "acmebot"],
    ["bot before another part", "acme_bot-images/2", "acme_bot-images"],
    ["bots", "AcmeBots/1.0", "AcmeBots"],
    ["bot before a capital", "BotPoke", "BotPoke"],
    ["bot before a digit", "trendictionbot0.5.0", "trendictionbot0.5.0"],
    ["crawl within", "Site_Crawling_Tool/2.1", "Site_Crawling_Tool"],
    ["spider", "ToutiaoSpider/1.0", "ToutiaoSpider"],
    [
      "after a browser",
      "Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/1 Safari/537.36 moatbot",
      "moatbot",
    ],
    ["spaces of IIS", "Mozilla/5.0+(compatible;+AcmeBot/2.0;++http://acme.example)", "AcmeBot"],
    ["escaped spaces", "Mozilla/5.0%20(compatible;%20AcmeBot/2.0)", "AcmeBot"],
    ["a bare crawler", "Mozilla/5.0 (compatible; Acme Web Crawler/0.1; http://acme.example)", "Acme"],
    ["a bare bot in a phrase of its own", "Snap URL Preview Service; bot; https://acme.example", "Snap"],
    ["a bare bot without a name", "Mozilla/5.0 (compatible; bot)", undefined],
    ["several names: the first counts", "AcmeBot/1.0 OtherBot/2.0", "AcmeBot"],
    ["a URL after a plus sign, a product before", "Acme/1.0 (+https://acme.example)", "Acme"],
    ["a product of two words", "Acme Fetcher/1.0 (+https://acme.example)", "Acme"],
    ["a product in the same comment", "Mozilla/5.0 (compatible; Acme.com/1.0; +https://acme.example)", "Acme.com"],
    ["no version", "Mozilla/5.0 (compatible; Acmeprovider.com; +https://acme.example)", "Acmeprovider.com"],
    ["a browser and a URL after a plus sign", "Mozilla/5.0 (X11) Safari/537.36 (+https://acme.example)", undefined],
    ["a known crawler, and a URL without a plus sign", "Tiny Tiny RSS/21 (https://tt-rss.org/)", undefined],
    ["a URL in a comment, without a plus sign", "TinEye/1.1 (http://tineye.example/crawler.html)", "TinEye"],
    ["a URL in a comment, no version", "Mozilla/5.0 (compatible; Odin; https://docs.acme.example/)", "Odin"],
    ["a URL outside a comment", "WordPress/6.4.2; https://shop.example", undefined],
    [
      "a URL in a comment of Internet Explorer",
      "Mozilla/4.0 (compatible; MSIE 6.0; SV1; http://acme.example)",
      undefined,
    ],
    ["a URL in a browser's comment", "Mozilla/5.0 (X11; Linux x86_64; https://acme.example) Safari/537.36", undefined],
    ["a mail address in a comment", "Wotbox/2.0 (bot@wotbox.example)", "Wotbox"],
    [
      "a mail address after a plus sign",
      "Mozilla/5.0 (compatible; SurveyAgent/1.0; +info@acme.example)",
      "SurveyAgent",
    ],
    [
      "a mail address in a sentence",
      "Expanse, a network company, searches addresses/domains of customers. To be excluded, write to: scan@acme.example",
      "Expanse",
    ],
    ["a mail address alone", "info@acme.example", undefined],
    ["a version after an at sign", "undici-fetch@6.1.2 acme@1.0", undefined],
    ["bot within a word", "Bottle/0.12 Botany/1.0 ROBOTICA/3", undefined],
    ["a sender that is like a crawler", "Reader/1.0 (like SomeBot)", undefined],
    ["a known crawler", "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", undefined],
    ["a known crawler's name that does not count", "Gwene/1.0 (The gwene.org gateway) Googlebot", undefined],
    ["a name that holds a known one", "Fake-Googlebot/1.0", "Fake-Googlebot"],
    [
      "a phone",
      "Mozilla/5.0 (Linux; Android 9; CUBOT_X19 Build/PPR1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120 Mobile Safari/537.36",
      undefined,
    ],
    ["another device", "Mozilla/5.0 (Linux; Android 9; ROBOT-X Build/1) AppleWebKit/537.36", undefined],
    ["an app on a phone", "Dalvik/2.1.0 (Linux; U; Android 9; CUBOT NOTE 7 Build/PPR1)", undefined],
    ["a phone's model outside the comment about a device", "Cubot Note/1.0 browser", undefined],
    [
      "a crawler that shows a phone",
      "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X) AppleWebKit/537.36 Chrome/1 Mobile (compatible; AcmeBot/2.1)",
      "AcmeBot",
    ],
    ["a browser", "Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Firefox/128.0", undefined],
    ["curl", "curl/8.5.0", undefined],
    ["a library", "python-requests/2.31.0", undefined],
    ["part of a word with other letters", "\u0547ooglebot/2.1 AcmeBot\u00fc/1", undefined],
    ["a very long word", `${"x".repeat(65)}bot`, undefined],
    ["control characters end a word", "Acme\u001b[31mBot\u0007", "31mBot"],
    ["an empty header", "", undefined],
    ["a dash", "-", undefined],
  ])("%s", (_what, header, token) => {
    expect(unknownProductTokenOf(header)).toBe(token);
  });
});

describe("properties", () => {
  const word = fc.constantFrom(
    ..."Mozilla/5.0 Googlebot AcmeBot bot crawler/2.1 like ( ) ; , + +http:// http:// @ % %20 / Android _ . - Acme".split(
      " ",
    ),
    " ",
    "\0",
    "\u001b",
    "ß",
    "\ud800",
  );
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(word, { maxLength: 40 }).map((words) => words.join("")),
    fc.array(word, { maxLength: 40 }).map((words) => words.join(" ")),
  );

  test("a token has at most 64 harmless characters, and is never from a header that names a known crawler", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const token = unknownProductTokenOf(text);
        if (token === undefined) return;
        expect(token).toMatch(/^(?=.*[A-Za-z])[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/);
        expect(productTokenOf(text)).toBeUndefined();
      }),
    );
  });

  test.each(["(", "bot ", "bot-", "+http://", "a@", "%25", "Acme ", "like ", "a/b ", "Android ", "botbot", "x"])(
    "the cost per character of %j does not grow with the length",
    (part) => {
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
          unknownProductTokenOf(text);
        } finally {
          // oxlint-disable-next-line no-extend-native
          String.prototype.charCodeAt = original;
        }
        return looks / text.length;
      };
      expect(looksAt(200_000)).toBeLessThan(looksAt(2_000) * 1.5 + 1);
    },
  );
});
