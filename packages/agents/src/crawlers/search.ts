// Crawlers of search engines other than Google, Bing and Yandex: Apple, Baidu, DuckDuckGo, Seznam, Naver and others.
import type { Crawler } from "../types.ts";
import { type Row, aiList, crawlersOf, headerList, kinOf } from "./row.ts";

const apple = "https://support.apple.com/en-us/119829";
const baiduHelp = "https://help.baidu.com/question?prod_id=99&class=476&id=2996";
const baidu = "https://chrisleverseo.com/user-agents/baiduspider-image";
const coccoc = "https://help.coccoc.com/en/search-engine/coccoc-robots";
const qwant = "https://help.qwant.com/bot/";
const sogouHelp = "http://www.sogou.com/docs/help/webmasters.htm#07";

const ofBaidu = (productToken: string): Row => ({
  productToken,
  purposes: ["search"],
  after: ["Baiduspider"],
  sources: [baiduHelp, baidu],
});

const ofCocCoc = (productToken: string, rest: Partial<Row> = {}): Row => ({
  productToken,
  purposes: ["search"],
  after: ["coccocbot"],
  header: `Mozilla/5.0 (compatible; ${productToken}/1.0; +http://help.coccoc.com/searchengine)`,
  note: "Coc Coc calls coccocbot the generic name of all its robots. No source says whether robots.txt binds it.",
  bound: "undocumented",
  sources: [coccoc],
  ...rest,
});

const ofSogou = (productToken: string, version?: string): Row =>
  kinOf("Sogou web spider", {
    productToken,
    purposes: ["search"],
    ...(version === undefined ? {} : { header: `${productToken}/${version}(+${sogouHelp})` }),
    note: "Not a valid product token: Google's parser reads only Sogou.",
    evidence: "listed",
    sources: [headerList],
  });

export const search: readonly Crawler[] = [
  ...crawlersOf("Apple", [
    {
      productToken: "Applebot",
      purposes: ["search"],
      after: ["Googlebot"],
      header:
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
      note: "For Siri, Spotlight and Safari. If no group names it but one names Googlebot, it obeys Googlebot's group.",
      sources: [apple, "https://www.seroundtable.com/amp/applebot-listens-googlebot-21278.html"],
    },
    {
      productToken: "Applebot-Extended",
      kind: "control-token",
      purposes: ["ai-training"],
      headerNames: ["Applebot-Extended"],
      note: "States whether Apple's models may be trained on content that Applebot fetches. Sends no requests itself.",
      ifRefused: "Pages are not used to train Apple's models; Applebot still shows them in Spotlight and Siri.",
      sources: [apple, aiList],
    },
    {
      productToken: "iTMS",
      purposes: ["feeds"],
      boundByEverybody: false,
      bound: "no",
      note: "For Apple Podcasts: fetches registered feeds only, and does not read robots.txt.",
      sources: [
        "https://web.swipeinsight.app/posts/apple-updates-applebot-documentation-clarifying-crawler-differences-and-data-usage-16396",
      ],
    },
  ]),
  ...crawlersOf("Baidu", [
    {
      productToken: "Baiduspider",
      purposes: ["search"],
      header: "Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)",
      sources: [baiduHelp, headerList],
    },
    kinOf("Baiduspider", {
      productToken: "Baiduspider-render",
      purposes: ["search"],
      header: "Mozilla/5.0 (compatible; Baiduspider-render/2.0; +http://www.baidu.com/search/spider.html)",
      evidence: "listed",
      sources: [headerList],
    }),
    { ...ofBaidu("Baiduspider-image"), header: "Baiduspider-image+(+http://www.baidu.com/search/spider.htm)" },
    ...["Baiduspider-video", "Baiduspider-news", "Baiduspider-mobile", "Baiduspider-favo"].map(ofBaidu),
    { ...ofBaidu("Baiduspider-cpro"), purposes: ["ads"], bound: "own-group", boundSource: baidu },
    { ...ofBaidu("Baiduspider-ads"), purposes: ["ads"], bound: "own-group", boundSource: baidu },
  ]),
  ...crawlersOf("DuckDuckGo", [
    {
      productToken: "DuckDuckBot",
      purposes: ["search"],
      header: "DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)",
      sources: ["https://duckduckgo.com/duckduckbot.html", headerList],
    },
    kinOf("DuckDuckBot", {
      productToken: "DuckDuckBot-Https",
      purposes: ["search"],
      header: "Mozilla/5.0 (compatible; DuckDuckBot-Https/1.1; https://duckduckgo.com/duckduckbot)",
      evidence: "listed",
      sources: [headerList],
    }),
    {
      productToken: "DuckAssistBot",
      purposes: ["ai-search"],
      header: "DuckAssistBot/1.2; (+http://duckduckgo.com/duckassistbot.html)",
      copyHours: 72,
      note: "Changes to robots.txt take effect after up to 72 hours.",
      sources: ["https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot", headerList, aiList],
    },
  ]),
  ...crawlersOf("Huawei", [
    {
      productToken: "PetalBot",
      purposes: ["search"],
      header: "Mozilla/5.0 (compatible;PetalBot;+https://webmaster.petalsearch.com/site/petalbot)",
      sources: ["https://aspiegel.com/petalbot", headerList],
    },
  ]),
  ...crawlersOf("Seznam", [
    {
      productToken: "SeznamBot",
      purposes: ["search"],
      header:
        "Mozilla/5.0 (compatible; SeznamBot/4.0; +https://o-seznam.cz/napoveda/vyhledavani/en/seznambot-crawler/)",
      // "Several days".
      copyHours: 7 * 24,
      note: "Changes to robots.txt take effect after several days. It also reads Request-rate.",
      sources: ["https://o-seznam.cz/napoveda/vyhledavani/en/crawling-control", headerList],
    },
  ]),
  ...crawlersOf("Naver", [
    {
      productToken: "Yeti",
      purposes: ["search"],
      bound: "yes",
      header: "Mozilla/5.0 (compatible; Yeti/1.1; +http://naver.me/bot)",
      evidence: "listed",
      sources: [
        "https://chrisleverseo.com/user-agents/yeti",
        "https://searchadvisor.naver.com/guide/seo-basic-firewall",
        headerList,
      ],
    },
  ]),
  ...crawlersOf("Yahoo", [
    {
      productToken: "Slurp",
      purposes: ["search"],
      header: "Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)",
      evidence: "listed",
      sources: [headerList],
    },
  ]),
  ...crawlersOf("Sogou", [
    {
      productToken: "Sogou web spider",
      purposes: ["search"],
      header: `Sogou web spider/4.0(+${sogouHelp})`,
      note: "Not a valid product token: Google's parser reads only Sogou.",
      evidence: "listed",
      sources: [headerList, "https://www.feitsui.com/en/article/32"],
    },
    ofSogou("Sogou News Spider", "4.0"),
    ofSogou("Sogou Pic Spider", "3.0"),
    ofSogou("Sogou inst spider"),
  ]),
  ...crawlersOf("Qihoo", [
    {
      productToken: "360Spider",
      purposes: ["search"],
      header:
        "Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.1 (KHTML, like Gecko) Chrome/21.0.1180.89 Safari/537.1; 360Spider",
      note: "Not a valid product token: Google's parser finds no name in it.",
      evidence: "listed",
      sources: [headerList],
    },
  ]),
  ...crawlersOf("Coc Coc", [
    ofCocCoc("coccocbot", {
      after: [],
      header: "Mozilla/5.0 (compatible; coccocbot/1.0; +http://help.coccoc.com/searchengine)",
    }),
    ofCocCoc("coccocbot-web", { headerNames: ["coccocbot-web", "coccoc"], sources: [coccoc, headerList, aiList] }),
    ofCocCoc("coccocbot-image", {
      headerNames: ["coccocbot-image", "imagecoccoc", "image.coccoc"],
      sources: [coccoc, headerList],
    }),
    ofCocCoc("coccocbot-fast"),
    ofCocCoc("coccocbot-ads", { purposes: ["ads"] }),
    ofCocCoc("coccocbot-shopping"),
  ]),
  ...crawlersOf("Qwant", [
    {
      productToken: "Qwantbot",
      purposes: ["search"],
      header: "Mozilla/5.0 (compatible; Qwantbot/1.0_12345; +https://help.qwant.com/bot/)",
      sources: [qwant, headerList, aiList],
    },
    kinOf("Qwantbot", {
      productToken: "Qwantbot-news",
      purposes: ["search"],
      header: "Mozilla/5.0 (compatible; Qwantbot-news/2.0; +https://help.qwant.com/bot/)",
      sources: [qwant, headerList],
    }),
  ]),
  ...crawlersOf("Mojeek", [
    {
      productToken: "MojeekBot",
      purposes: ["search"],
      crawlDelay: "no",
      header: "Mozilla/5.0 (compatible; MojeekBot/0.11; +https://www.mojeek.com/bot.html)",
      note: "Obeys only the first group that names it; RFC 9309 merges all such groups.",
      sources: ["https://www.mojeek.com/bot.html", headerList, aiList],
    },
  ]),
  ...crawlersOf("Kagi", [
    {
      productToken: "Kagibot",
      purposes: ["search"],
      after: ["Googlebot"],
      header: "Mozilla/5.0 (compatible; Kagibot/1.0; +https://kagi.com/bot)",
      note: "If no group names it but one names Googlebot, it obeys Googlebot's group.",
      sources: ["https://kagi.com/bot", headerList],
    },
    {
      productToken: "kagi-fetcher",
      kind: "user-triggered",
      purposes: ["ai-assistant"],
      header: "kagi-fetcher/1.0",
      note: "Fetches the pages that a user asks Kagi's assistant about.",
      evidence: "listed",
      sources: ["https://help.kagi.com/kagi/ai/kagi-ai.html", headerList, aiList],
    },
  ]),
  ...crawlersOf("Alibaba (Shenma)", [
    {
      productToken: "YisouSpider",
      purposes: ["search"],
      header:
        "Mozilla/5.0 (Windows NT 6.1; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/69.0.3497.81 YisouSpider/5.0 Safari/537.36",
      note: "Its operator says that it obeys robots.txt; the source quotes the operator.",
      sources: ["https://tianxianmao.com/view/seo/sou_suo_yin_qing_shen_ma_spider_jie_shao.html", headerList],
    },
  ]),
  ...crawlersOf("Exalead", [
    {
      productToken: "Exabot",
      purposes: ["search", "ai-search"],
      header: "Mozilla/5.0 (compatible; Exabot/3.0; +http://www.exabot.com/go/robot)",
      note: "Exalead's search engine is closed; Exa (exa.ai) is reported to use the same name.",
      sources: ["http://www.exabot.com/go/robot", headerList, aiList],
    },
    kinOf("Exabot", {
      productToken: "Exabot-Images",
      purposes: ["search"],
      header: "Mozilla/5.0 (compatible; Exabot-Images/3.0; +http://www.exabot.com/go/robot)",
      evidence: "listed",
      sources: [headerList],
    }),
  ]),
  ...crawlersOf("VK", [
    { productToken: "Mail.RU_Bot", purposes: ["search"], evidence: "listed", sources: [headerList] },
  ]),
  ...crawlersOf("Brave", [
    { productToken: "Bravebot", purposes: ["search"], bound: "yes", evidence: "listed", sources: [aiList] },
  ]),
];
