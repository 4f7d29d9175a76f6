// Search engines besides Google, Bing and Yandex: Apple, Baidu, DuckDuckGo, Seznam, Naver and others.
import type { Crawler } from "../types.ts";
import { type Row, aiList, crawlersOf, headerList } from "./row.ts";

const apple = "https://support.apple.com/en-us/119829";
const baidu = "https://chrisleverseo.com/user-agents/baiduspider-image";

const ofBaidu = (productToken: string): Row => ({
  productToken,
  purposes: ["search"],
  after: ["Baiduspider"],
  obeys: "yes",
  evidence: "listed",
  sources: [baidu],
});

/** Crawlers of search engines. */
export const search: readonly Crawler[] = [
  ...crawlersOf("Apple", [
    {
      productToken: "Applebot",
      purposes: ["search"],
      after: ["Googlebot"],
      header:
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
      note: "For Siri, Spotlight and Safari. Where no group names it but one names Googlebot, it follows that one.",
      sources: [apple, "https://www.seroundtable.com/amp/applebot-listens-googlebot-21278.html"],
    },
    {
      productToken: "Applebot-Extended",
      kind: "control-token",
      purposes: ["ai-training"],
      headerNames: ["Applebot-Extended"],
      note: "Says whether Apple's models may be trained with what Applebot fetches. It fetches nothing itself.",
      sources: [apple, aiList],
    },
    {
      productToken: "iTMS",
      purposes: ["feeds"],
      boundByEverybody: false,
      obeys: "no",
      note: "For Apple Podcasts: fetches registered feeds only, and does not ask robots.txt.",
      sources: [
        "https://web.swipeinsight.app/posts/apple-updates-applebot-documentation-clarifying-crawler-differences-and-data-usage-16396",
      ],
    },
  ]),
  ...crawlersOf("Baidu", [
    {
      productToken: "Baiduspider",
      purposes: ["search"],
      obeys: "yes",
      headerNames: ["Baiduspider", "Baiduspider-render"],
      header: "Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)",
      evidence: "listed",
      sources: [headerList],
    },
    { ...ofBaidu("Baiduspider-image"), header: "Baiduspider-image+(+http://www.baidu.com/search/spider.htm)" },
    ...["Baiduspider-video", "Baiduspider-news", "Baiduspider-mobile", "Baiduspider-favo"].map(ofBaidu),
    { ...ofBaidu("Baiduspider-cpro"), purposes: ["ads"], boundByEverybody: false },
    { ...ofBaidu("Baiduspider-ads"), purposes: ["ads"], boundByEverybody: false },
  ]),
  ...crawlersOf("DuckDuckGo", [
    {
      productToken: "DuckDuckBot",
      purposes: ["search"],
      obeys: "yes",
      headerNames: ["DuckDuckBot", "DuckDuckBot-Https"],
      header: "DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)",
      evidence: "listed",
      sources: [headerList],
    },
    {
      productToken: "DuckAssistBot",
      purposes: ["ai-search"],
      obeys: "yes",
      header: "DuckAssistBot/1.2; (+http://duckduckgo.com/duckassistbot.html)",
      evidence: "listed",
      sources: [headerList, aiList],
    },
  ]),
  ...crawlersOf("Huawei", [
    {
      productToken: "PetalBot",
      purposes: ["search"],
      obeys: "yes",
      header: "Mozilla/5.0 (compatible;PetalBot;+https://webmaster.petalsearch.com/site/petalbot)",
      evidence: "listed",
      sources: [headerList],
    },
  ]),
  ...crawlersOf("Seznam", [
    {
      productToken: "SeznamBot",
      purposes: ["search"],
      obeys: "yes",
      header:
        "Mozilla/5.0 (compatible; SeznamBot/4.0; +https://o-seznam.cz/napoveda/vyhledavani/en/seznambot-crawler/)",
      evidence: "listed",
      sources: [headerList],
    },
  ]),
  ...crawlersOf("Naver", [
    {
      productToken: "Yeti",
      purposes: ["search"],
      obeys: "yes",
      header: "Mozilla/5.0 (compatible; Yeti/1.1; +http://naver.me/bot)",
      evidence: "listed",
      sources: [headerList],
    },
  ]),
  ...crawlersOf("Yahoo", [
    {
      productToken: "Slurp",
      purposes: ["search"],
      obeys: "yes",
      header: "Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)",
      evidence: "listed",
      sources: [headerList],
    },
  ]),
  ...crawlersOf("Sogou", [
    {
      productToken: "Sogou web spider",
      purposes: ["search"],
      obeys: "yes",
      headerNames: ["Sogou web spider", "Sogou News Spider", "Sogou Pic Spider", "Sogou inst spider"],
      header: "Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)",
      note: "No product token: Google's parser sees only Sogou of it.",
      evidence: "listed",
      sources: [headerList, "https://www.feitsui.com/en/article/32"],
    },
  ]),
  ...crawlersOf("Qihoo", [
    {
      productToken: "360Spider",
      purposes: ["search"],
      obeys: "yes",
      header:
        "Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.1 (KHTML, like Gecko) Chrome/21.0.1180.89 Safari/537.1; 360Spider",
      note: "No product token: Google's parser sees nothing of it.",
      evidence: "listed",
      sources: [headerList],
    },
  ]),
  ...crawlersOf("Coc Coc", [
    {
      productToken: "coccocbot-web",
      purposes: ["search"],
      obeys: "yes",
      headerNames: ["coccocbot-web", "coccoc"],
      header: "Mozilla/5.0 (compatible; coccocbot-web/1.0; +http://help.coccoc.com/searchengine)",
      evidence: "listed",
      sources: [headerList, aiList],
    },
    {
      productToken: "coccocbot-image",
      purposes: ["search"],
      headerNames: ["coccocbot-image", "imagecoccoc", "image.coccoc"],
      header: "Mozilla/5.0 (compatible; coccocbot-image/1.0; +http://help.coccoc.com/searchengine)",
      evidence: "listed",
      sources: [headerList],
    },
  ]),
  ...crawlersOf("Qwant", [
    {
      productToken: "Qwantbot",
      purposes: ["search"],
      obeys: "yes",
      headerNames: ["Qwantbot", "Qwantbot-news"],
      header: "Mozilla/5.0 (compatible; Qwantbot/1.0_12345; +https://help.qwant.com/bot/)",
      evidence: "listed",
      sources: [headerList, aiList],
    },
  ]),
  ...crawlersOf("Mojeek", [
    {
      productToken: "MojeekBot",
      purposes: ["search"],
      obeys: "yes",
      header: "Mozilla/5.0 (compatible; MojeekBot/0.11; +https://www.mojeek.com/bot.html)",
      evidence: "listed",
      sources: [headerList, aiList],
    },
  ]),
  ...crawlersOf("VK", [
    { productToken: "Mail.RU_Bot", purposes: ["search"], evidence: "listed", sources: [headerList] },
  ]),
  ...crawlersOf("Brave", [
    { productToken: "Bravebot", purposes: ["search"], obeys: "yes", evidence: "listed", sources: [aiList] },
  ]),
];
