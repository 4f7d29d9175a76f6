// Crawlers that neither belong to a search engine nor train a model: SEO tools, archives, previews of links, monitoring.
import type { Crawler, Purpose } from "../types.ts";
import { type Row, aiList, crawlersOf, headerList } from "./row.ts";

const listed = (productToken: string, purpose: Purpose, rest: Partial<Row> = {}): Row => ({
  productToken,
  purposes: [purpose],
  evidence: "listed",
  sources: [headerList],
  ...rest,
});

/** The row of a fetcher that previews the pages to which users' messages link. */
const preview = (productToken: string, rest: Partial<Row> = {}): Row =>
  listed(productToken, "social", { kind: "user-triggered", note: "Fetches the pages that messages link to.", ...rest });

/** All other crawlers. */
export const others: readonly Crawler[] = [
  ...crawlersOf("Ahrefs", [
    listed("AhrefsBot", "seo", {
      obeys: "yes",
      header: "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
      note: "Reported to obey Crawl-delay.",
    }),
    listed("AhrefsSiteAudit", "seo", {
      header: "Mozilla/5.0 (compatible; AhrefsSiteAudit/6.1; +http://ahrefs.com/robot/)",
    }),
  ]),
  ...crawlersOf("Semrush", [
    listed("SemrushBot", "seo", {
      obeys: "yes",
      headerNames: [
        "SemrushBot",
        "SemrushBot-BA",
        "SemrushBot-CT",
        "SemrushBot-OCOB",
        "SemrushBot-SA",
        "SemrushBot-SI",
        "SemrushBot-SWA",
      ],
      header: "Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)",
      note: "Reported to obey Crawl-delay up to 10 seconds.",
      evidence: "documented",
      sources: ["https://webmasters.stackexchange.com/questions/130365", headerList],
    }),
  ]),
  ...crawlersOf("Majestic", [
    listed("MJ12bot", "seo", {
      obeys: "yes",
      header: "Mozilla/5.0 (compatible; MJ12bot/v2.0.0; http://mj12bot.com/)",
      note: "Reported to obey Crawl-delay. No product token: Google's parser sees only MJ of it.",
    }),
  ]),
  ...crawlersOf("Moz", [
    listed("DotBot", "seo", {
      obeys: "yes",
      header: "Mozilla/5.0 (compatible; DotBot/1.2; +https://opensiteexplorer.org/dotbot; help@moz.com)",
    }),
    listed("rogerbot", "seo"),
  ]),
  ...crawlersOf("Diffbot", [
    {
      productToken: "Diffbot",
      purposes: ["ai-training", "seo"],
      obeys: "partly",
      crawlDelay: "yes",
      header:
        "Mozilla/5.0 (Windows; U; Windows NT 5.1; en-US; rv:1.9.1.2) Gecko/20090729 Firefox/3.5.2 (.NET CLR 3.5.30729; Diffbot/0.1; +http://www.diffbot.com)",
      note: "Obeys unless a customer has an agreement with the site.",
      sources: ["https://docs.diffbot.com/docs/does-crawl-respect-robotstxt", headerList],
    },
  ]),
  ...crawlersOf("DataForSEO", [listed("DataForSeoBot", "seo")]),
  ...crawlersOf("SE Ranking", [listed("BLEXBot", "seo")]),
  ...crawlersOf("Babbar", [listed("Barkrowler", "seo")]),
  ...crawlersOf("Serpstat", [listed("serpstatbot", "seo")]),
  ...crawlersOf("Awario", [
    listed("AwarioBot", "seo", { note: "Watches what is said about brands." }),
    listed("AwarioSmartBot", "seo", { note: "Watches what is said about brands." }),
    listed("AwarioRssBot", "feeds", { note: "Watches what is said about brands." }),
  ]),
  ...crawlersOf("Screaming Frog", [
    listed("Screaming Frog SEO Spider", "seo", {
      kind: "user-triggered",
      header: "Screaming Frog SEO Spider/5.1",
      note: "A program that anybody may run, and tell to ignore robots.txt. No product token: Google's parser sees only Screaming of it.",
    }),
  ]),
  ...crawlersOf("Internet Archive", [
    {
      productToken: "archive.org_bot",
      purposes: ["archive"],
      obeys: "partly",
      headerNames: ["archive.org_bot", "special_archiver"],
      header: "Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)",
      note: "Said in 2016 that sites of governments are crawled whatever their robots.txt says. No product token: Google's parser sees only archive of it.",
      sources: ["https://blog.archive.org/2016/12/17/robots-txt-gov-mil-websites/", headerList],
    },
    listed("ia_archiver", "archive", {
      obeys: "yes",
      headerNames: ["ia_archiver", "ia_archiver-web.archive.org"],
      header: "ia_archiver (+http://www.alexa.com/site/help/webmasters; crawler@alexa.com)",
      note: "Alexa's crawler, whose pages went into the archive.",
    }),
  ]),
  ...crawlersOf("Arquivo.pt", [listed("Arquivo-web-crawler", "archive")]),
  ...crawlersOf("Meta", [
    {
      productToken: "facebookexternalhit",
      kind: "user-triggered",
      purposes: ["social"],
      obeys: "partly",
      headerNames: ["facebookexternalhit", "facebookcatalog", "Facebot"],
      header: "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
      note: "Fetches the pages that are shared; may pass robots.txt by to check them for safety.",
      sources: ["https://developers.facebook.com/docs/sharing/webmasters/crawler/", headerList],
    },
    preview("WhatsApp", { header: "WhatsApp/2.23.20.0 A" }),
  ]),
  ...crawlersOf("X", [
    listed("Twitterbot", "social", { obeys: "yes", header: "Twitterbot/1.0", sources: [headerList, aiList] }),
  ]),
  ...crawlersOf("LinkedIn", [
    listed("LinkedInBot", "social", {
      obeys: "yes",
      header: "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
      sources: [headerList, aiList],
    }),
  ]),
  ...crawlersOf("Pinterest", [
    listed("Pinterestbot", "social", {
      obeys: "yes",
      headerNames: ["Pinterestbot", "Pinterest/0.2"],
      header: "Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)",
      sources: [headerList, aiList],
    }),
  ]),
  ...crawlersOf("Slack", [
    preview("Slackbot", { headerNames: ["Slackbot", "Slackbot-LinkExpanding"] }),
    preview("Slack-ImgProxy"),
  ]),
  ...crawlersOf("Discord", [preview("Discordbot")]),
  ...crawlersOf("Telegram", [preview("TelegramBot", { header: "TelegramBot (like TwitterBot)" })]),
  ...crawlersOf("Reddit", [listed("redditbot", "social")]),
  ...crawlersOf("UptimeRobot", [
    listed("UptimeRobot", "monitoring", {
      note: "Asks a site whether it answers.",
      header: "Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
    }),
  ]),
  ...crawlersOf("StatusCake", [
    listed("StatusCake_Uptime_Checker", "monitoring", { note: "Asks a site whether it answers." }),
  ]),
];
