// Microsoft's crawlers: the crawlers of Bing, and others.
import type { Crawler } from "../types.ts";
import { type Row, crawlersOf, headerList, kinOf } from "./row.ts";

const which = "https://www.bing.com/webmaster/help/which-crawlers-does-bing-use-8c184ec0";
const order = "https://blogs.bing.com/webmaster/2012/05/03/to-crawl-or-not-to-crawl-that-is-bingbots-question";
const delay =
  "https://thrivesearch.com/robots-txt-tip-from-bing-include-all-relevant-directives-if-you-have-a-bingbot-section/";

const kinOfMsnbot = (productToken: string, version: string): Row =>
  kinOf("msnbot", {
    productToken,
    purposes: ["search"],
    crawlDelay: "yes",
    header: `${productToken}/${version} (+http://search.msn.com/msnbot.htm)`,
    evidence: "listed",
    sources: [headerList],
  });

export const microsoft: readonly Crawler[] = crawlersOf("Microsoft", [
  {
    productToken: "bingbot",
    purposes: ["search", "ai-search"],
    after: ["msnbot"],
    crawlDelay: "everybody",
    header: "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    note: "Its own group replaces the group for *, except for the Crawl-delay, which still comes from the group for *. A Crawl-delay is the length of a time window, 1 to 30 seconds, in which one page is fetched. In 2012, its operator said that it falls back to msnbot's group.",
    sources: [which, order, delay, "https://en.wikipedia.org/wiki/Robots.txt"],
  },
  {
    productToken: "msnbot",
    purposes: ["search"],
    crawlDelay: "yes",
    header: "msnbot/2.0b (+http://search.msn.com/msnbot.htm)",
    note: "The forerunner of bingbot.",
    sources: [order, headerList],
  },
  kinOfMsnbot("msnbot-media", "1.1"),
  kinOfMsnbot("msnbot-NewsBlogs", "2.0b"),
  kinOfMsnbot("msnbot-UDiscovery", "2.0b"),
  {
    productToken: "AdIdxBot",
    purposes: ["ads"],
    header: "Mozilla/5.0 (compatible; adidxbot/2.0; +http://www.bing.com/bingbot.htm)",
    sources: [which],
  },
  {
    productToken: "BingPreview",
    purposes: ["search"],
    header: "Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b",
    note: "Makes pictures of pages.",
    sources: [which],
  },
  {
    productToken: "MicrosoftPreview",
    purposes: ["social"],
    header: "MicrosoftPreview/2.0; +https://aka.ms/MicrosoftPreview",
    note: "Makes link previews.",
    evidence: "listed",
    sources: [headerList],
  },
  { productToken: "AzureAI-SearchBot", purposes: ["ai-search"], evidence: "listed", sources: [headerList] },
  {
    productToken: "SkypeUriPreview",
    kind: "user-triggered",
    purposes: ["social"],
    evidence: "listed",
    sources: [headerList],
  },
]);
