// Crawlers of tools for search engine optimization and of companies that watch brands or sell data about sites.
import type { Crawler, Purpose } from "../types.ts";
import { type Row, crawlersOf, headerList, kinOf, ownersTool } from "./row.ts";

const listed = (productToken: string, purpose: Purpose, rest: Partial<Row> = {}): Row => ({
  productToken,
  purposes: [purpose],
  evidence: "listed",
  sources: [headerList],
  ...rest,
});

const ahrefs = "https://ahrefs.com/robot/";
const semrush = "https://www.semrush.com/bot/";
const semrushTokens = "https://webmasters.stackexchange.com/questions/130365";
const semrushAudit = "https://www.semrush.com/kb/681-site-audit-troubleshooting";
const semrushDefault = "It obeys robots.txt by default.";
const moz = "https://moz.com/help/moz-procedures/crawlers/rogerbot";

const ofSemrush = (productToken: string, about: string, header?: string): Row =>
  kinOf("SemrushBot", {
    productToken,
    purposes: ["seo"],
    ...(header === undefined
      ? {}
      : { header: `Mozilla/5.0 (compatible; ${header}; +http://www.semrush.com/bot.html)` }),
    note: about,
    sources: [semrush, semrushTokens],
  });

export const seo: readonly Crawler[] = [
  ...crawlersOf("Ahrefs", [
    {
      productToken: "AhrefsBot",
      purposes: ["seo"],
      crawlDelay: "yes",
      header: "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
      sources: [ahrefs, headerList],
    },
    ownersTool(ahrefs, {
      productToken: "AhrefsSiteAudit",
      purposes: ["seo"],
      crawlDelay: "yes",
      header: "Mozilla/5.0 (compatible; AhrefsSiteAudit/6.1; +http://ahrefs.com/robot/)",
      note: "It obeys robots.txt by default; a verified site owner can make it ignore the site's robots.txt.",
      sources: [ahrefs, headerList],
    }),
  ]),
  ...crawlersOf("Semrush", [
    {
      productToken: "SemrushBot",
      purposes: ["seo"],
      header: "Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)",
      note: "Reported to obey Crawl-delay up to 10 seconds.",
      sources: [semrush, semrushTokens, headerList],
    },
    ofSemrush("SemrushBot-BA", "Audits backlinks.", "SemrushBot-BA"),
    ofSemrush("SemrushBot-CT", "Analyses content."),
    ofSemrush("SemrushBot-OCOB", "Helps to write content with AI."),
    ownersTool(
      semrushAudit,
      ofSemrush(
        "SemrushBot-SA",
        `Audits sites; SiteAuditBot is its newer name. ${semrushDefault}`,
        "SemrushBot-SA/0.97",
      ),
    ),
    ownersTool(
      semrush,
      ofSemrush("SemrushBot-SI", "Checks single pages. It obeys a group that names it.", "SemrushBot-SI/0.97"),
    ),
    ofSemrush("SemrushBot-SWA", "Serves the writing assistant."),
    ownersTool(
      semrushAudit,
      listed("SiteAuditBot", "seo", {
        header: "Mozilla/5.0 (compatible; SiteAuditBot/1.1; +https://siteauditbot.com)",
        note: `Audits sites. ${semrushDefault}`,
        sources: ["https://darkvisitors.com/agents/siteauditbot", headerList],
      }),
    ),
    ownersTool(semrush, listed("SplitSignalBot", "seo", { note: "For A/B tests.", sources: [semrush] })),
  ]),
  ...crawlersOf("Majestic", [
    {
      productToken: "MJ12bot",
      purposes: ["seo"],
      crawlDelay: "yes",
      header: "Mozilla/5.0 (compatible; MJ12bot/v2.0.0; http://mj12bot.com/)",
      note: "Not a valid product token: Google's parser reads only MJ.",
      sources: ["https://mj12bot.com/", headerList],
    },
  ]),
  ...crawlersOf("Moz", [
    {
      productToken: "DotBot",
      purposes: ["seo"],
      header: "Mozilla/5.0 (compatible; DotBot/1.2; +https://opensiteexplorer.org/dotbot; help@moz.com)",
      sources: ["https://moz.com/help/guides/moz-procedures/what-is-rogerbot", headerList],
    },
    { productToken: "rogerbot", purposes: ["seo"], sources: [moz, headerList] },
  ]),
  ...crawlersOf("Diffbot", [
    {
      productToken: "Diffbot",
      purposes: ["ai-training", "seo"],
      crawlDelay: "yes",
      header:
        "Mozilla/5.0 (Windows; U; Windows NT 5.1; en-US; rv:1.9.1.2) Gecko/20090729 Firefox/3.5.2 (.NET CLR 3.5.30729; Diffbot/0.1; +http://www.diffbot.com)",
      note: "Obeys robots.txt unless a customer has an agreement with the site.",
      sources: ["https://docs.diffbot.com/docs/does-crawl-respect-robotstxt", headerList],
    },
  ]),
  ...crawlersOf("DataForSEO", [listed("DataForSeoBot", "seo")]),
  ...crawlersOf("SE Ranking", [
    {
      productToken: "BLEXBot",
      purposes: ["seo"],
      crawlDelay: "yes",
      sources: ["https://help.seranking.com/hc/en-us/articles/17126130916636-BLEXBot-Crawler", headerList],
    },
    listed("SERankingBacklinksBot", "seo", {
      header: "Mozilla/5.0 (compatible; SERankingBacklinksBot/1.0; +https://seranking.com/backlinks-crawler)",
      sources: ["https://seranking.com/backlinks-crawler", headerList],
    }),
  ]),
  ...crawlersOf("Babbar", [listed("Barkrowler", "seo")]),
  ...crawlersOf("Serpstat", [listed("serpstatbot", "seo")]),
  ...crawlersOf("Awario", [
    listed("AwarioBot", "seo", { note: "Monitors mentions of brands." }),
    listed("AwarioSmartBot", "seo", { note: "Monitors mentions of brands." }),
    listed("AwarioRssBot", "feeds", { note: "Monitors mentions of brands." }),
  ]),
  ...crawlersOf("SISTRIX", [
    listed("SISTRIX Crawler", "seo", {
      header: "Mozilla/5.0 (compatible; SISTRIX Crawler; http://crawler.sistrix.net/)",
      note: "Not a valid product token: Google's parser reads only SISTRIX.",
    }),
  ]),
  ...crawlersOf("SEOkicks", [
    listed("SEOkicks", "seo", { header: "Mozilla/5.0 (compatible; SEOkicks; +https://www.seokicks.de/robot.html)" }),
  ]),
  ...crawlersOf("OnCrawl", [
    ownersTool(
      "https://help.oncrawl.com/en/articles/1155162-how-and-why-to-use-a-virtual-robot-txt-file",
      listed("OnCrawl", "seo", {
        header: "Mozilla/5.0 (compatible; OnCrawl/1.0; +http://www.oncrawl.com)",
        note: "It obeys robots.txt by default; a verified site owner can replace the site's robots.txt.",
      }),
    ),
  ]),
  ...crawlersOf("Lumar", [
    ownersTool(
      "https://help.lumar.io/hc/en-us/articles/23918049225745-Robots-txt-Settings",
      listed("DeepCrawl", "seo", {
        note: "Audits sites. It obeys robots.txt by default; the settings of an audit can replace the site's robots.txt.",
      }),
    ),
  ]),
  ...crawlersOf("Dataprovider", [
    listed("Dataprovider.com", "seo", {
      header: "Mozilla/5.0 (compatible; Dataprovider.com)",
      note: "Sells data about sites. Not a valid product token: Google's parser reads only Dataprovider.",
    }),
  ]),
  ...crawlersOf("ZoomInfo", [
    listed("Datanyze", "seo", {
      header:
        "Mozilla/5.0 (X11; Datanyze; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/65.0.3325.181 Safari/537.36",
      note: "Sells data about sites.",
    }),
  ]),
  ...crawlersOf("Brandwatch", [
    listed("magpie-crawler", "seo", {
      header: "magpie-crawler/1.1 (U; Linux amd64; en-GB; +http://www.brandwatch.net)",
      note: "Monitors mentions of brands.",
    }),
  ]),
];
