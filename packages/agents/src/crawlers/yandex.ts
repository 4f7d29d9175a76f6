// Yandex's robots: robots that index pages, and robots that obey only a group with their own name.
import type { Crawler, Purpose } from "../types.ts";
import { type Row, aiList, crawlersOf, headerList } from "./row.ts";

const check = "https://yandex.com/support/webmaster/robot-workings/check-yandex-robots.html";
const list = "https://fornex.com/en/help/robots-txt-controlling";

const indexing = (productToken: string, header: string): Row => ({
  productToken,
  purposes: ["search"],
  after: ["Yandex"],
  header,
  sources: [list, check, headerList],
});

const notIndexing = (productToken: string, purpose: Purpose, header: string | undefined): Row => ({
  productToken,
  purposes: [purpose],
  bound: "own-group",
  ...(header === undefined ? {} : { header }),
  note: "May ignore the group for *; only a group that names it is certain to apply.",
  sources: [check, list],
});

const listed = (productToken: string): Row => ({
  productToken,
  purposes: ["search"],
  after: ["Yandex"],
  header: `Mozilla/5.0 (compatible; ${productToken}/1.0; +http://yandex.com/bots)`,
  note: "No source says whether the groups for Yandex and * bind it.",
  evidence: "listed",
  sources: [headerList],
});

const rows: readonly Row[] = [
  {
    productToken: "YandexBot",
    purposes: ["search"],
    after: ["Yandex"],
    header: "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
    note: "Yandex is a name for all its robots. It used to obey Crawl-delay; third parties report that a setting in Yandex Webmaster replaced it.",
    sources: [check, "https://yandex.com.tr/support/webmaster/robot-workings/crawl-delay.html", list],
  },
  {
    productToken: "Yandex",
    purposes: ["search"],
    headerNames: [],
    note: "A name for all of Yandex's robots; headers carry the name of one of them.",
    sources: [check],
  },
  indexing("YandexImages", "Mozilla/5.0 (compatible; YandexImages/3.0; +http://yandex.com/bots)"),
  indexing("YandexVideo", "Mozilla/5.0 (compatible; YandexVideo/3.0; +http://yandex.com/bots)"),
  indexing("YandexMedia", "Mozilla/5.0 (compatible; YandexMedia/3.0; +http://yandex.com/bots)"),
  indexing("YandexNews", "Mozilla/5.0 (compatible; YandexNews/4.0; +http://yandex.com/bots)"),
  indexing("YandexBlogs", "Mozilla/5.0 (compatible; YandexBlogs/0.99; robot; +http://yandex.com/bots)"),
  indexing("YandexPagechecker", "Mozilla/5.0 (compatible; YandexPagechecker/1.0; +http://yandex.com/bots)"),
  notIndexing("YandexDirect", "ads", "Mozilla/5.0 (compatible; YandexDirect/3.0; +http://yandex.com/bots)"),
  notIndexing("YandexDirectDyn", "ads", "Mozilla/5.0 (compatible; YandexDirectDyn/1.0; +http://yandex.com/bots"),
  notIndexing(
    "YaDirectFetcher",
    "ads",
    "Mozilla/5.0 (compatible; YaDirectFetcher/1.0; Dyatel; +http://yandex.com/bots)",
  ),
  notIndexing("YandexCalendar", "tools", "Mozilla/5.0 (compatible; YandexCalendar/1.0; +http://yandex.com/bots)"),
  notIndexing("YandexMobileBot", "search", undefined),
  notIndexing("YandexMetrika", "tools", "Mozilla/5.0 (compatible; YandexMetrika/2.0; +http://yandex.com/bots)"),
  notIndexing(
    "YandexAccessibilityBot",
    "tools",
    "Mozilla/5.0 (compatible; YandexAccessibilityBot/3.0; +http://yandex.com/bots",
  ),
  {
    productToken: "YandexAdditional",
    purposes: ["ai-search"],
    after: ["YandexAdditionalBot"],
    note: "For quick answers of YandexGPT.",
    evidence: "listed",
    bound: "yes",
    sources: ["https://yandex.ru/support/webmaster/en/search-appearance/fast.html?lang=en", aiList],
  },
  {
    productToken: "YandexAdditionalBot",
    purposes: ["ai-search"],
    after: ["YandexAdditional"],
    note: "For quick answers of YandexGPT.",
    evidence: "listed",
    bound: "yes",
    sources: ["https://yandex.ru/support/webmaster/en/search-appearance/fast.html?lang=en", aiList],
  },
  {
    productToken: "YandexRenderResourcesBot",
    purposes: ["search"],
    header:
      "Mozilla/5.0 (compatible; YandexRenderResourcesBot/1.0; +http://yandex.com/bots) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/108.0.0.0",
    evidence: "listed",
    sources: [headerList],
  },
  ...[
    "YandexAdNet",
    "YandexFavicons",
    "YandexForDomain",
    "YandexImageResizer",
    "YandexMarket",
    "YandexMobileScreenShotBot",
    "YandexOntoDB",
    "YandexOntoDBAPI",
    "YandexPartner",
    "YandexRCA",
    "YandexScreenshotBot",
    "YandexSearchShop",
    "YandexSitelinks",
    "YandexSpravBot",
    "YandexTracker",
    "YandexTurbo",
    "YandexUserproxy",
    "YandexVerticals",
    "YandexVertis",
    "YandexVideoParser",
    "YandexWebmaster",
  ].map(listed),
];

/** Yandex's robots. Yandex documents for all of them how they treat an HTTP status and a large file. */
export const yandex: readonly Crawler[] = crawlersOf(
  "Yandex",
  rows.map((row) => ({ accessPolicy: "yandex", ...row, sources: [...new Set([...row.sources, list])] })),
);
