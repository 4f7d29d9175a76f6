// Crawlers that neither belong to a search engine nor train a model: archives, previews of links, ads, feeds, monitoring, security and
// comparison of texts.
import type { Crawler, Purpose } from "../types.ts";
import { type Row, aiList, crawlersOf, headerList, kinOf, ownersTool } from "./row.ts";

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

const facebook = "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers";

export const others: readonly Crawler[] = [
  ...crawlersOf("Internet Archive", [
    {
      productToken: "archive.org_bot",
      purposes: ["archive"],
      bound: "undocumented",
      headerNames: ["archive.org_bot", "special_archiver"],
      header: "Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)",
      note: "Its operator said in 2016 that government sites are crawled regardless of their robots.txt, and in 2017 that robots.txt does not suit archives. Not a valid product token: Google's parser reads only archive.",
      sources: [
        "https://blog.archive.org/2016/12/17/robots-txt-gov-mil-websites/",
        "https://blog.archive.org/2017/04/17/robots-txt-meant-for-search-engines-dont-work-well-for-web-archives/",
        headerList,
      ],
    },
    listed("ia_archiver", "archive", {
      header: "ia_archiver (+http://www.alexa.com/site/help/webmasters; crawler@alexa.com)",
      note: "Alexa's crawler, whose pages went into the archive.",
    }),
    kinOf(
      "ia_archiver",
      listed("ia_archiver-web.archive.org", "archive", {
        header: "ia_archiver-web.archive.org",
        note: "Not a valid product token: Google's parser reads only ia_archiver-web.",
      }),
    ),
  ]),
  ...crawlersOf("Archive Team", [
    {
      productToken: "ArchiveBot",
      purposes: ["archive"],
      bound: "no",
      header: "ArchiveTeam ArchiveBot/20170106.02 (wpull 2.0.2)",
      note: "Reads robots.txt for links, and ignores its rules.",
      sources: [
        "https://wiki.archiveteam.org/index.php?title=Robots.txt",
        "https://wiki.archiveteam.org/index.php/ArchiveBot#Bad_behavior",
        headerList,
      ],
    },
  ]),
  ...crawlersOf("Arquivo.pt", [listed("Arquivo-web-crawler", "archive")]),
  ...crawlersOf("Meta", [
    {
      productToken: "facebookexternalhit",
      kind: "user-triggered",
      purposes: ["social"],
      bound: "no",
      header: "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
      note: "Fetches shared pages. For safety checks it may ignore robots.txt, and its requests do not state their purpose.",
      sources: [facebook, headerList],
    },
    kinOf("facebookexternalhit", {
      productToken: "facebookcatalog",
      kind: "user-triggered",
      purposes: ["social"],
      bound: "no",
      header: "facebookcatalog/1.0",
      sources: [facebook, headerList],
    }),
    kinOf("facebookexternalhit", preview("Facebot", { header: "Facebot/1.0" })),
    kinOf(
      "facebookexternalhit",
      preview("Meta-ExternalHit", {
        header: "Mozilla/5.0 (compatible; Meta-ExternalHit/1.1; +http://www.facebook.com/externalhit_uatext.php)",
      }),
    ),
    preview("WhatsApp", { header: "WhatsApp/2.23.20.0 A" }),
  ]),
  ...crawlersOf("X", [listed("Twitterbot", "social", { header: "Twitterbot/1.0", sources: [headerList, aiList] })]),
  ...crawlersOf("LinkedIn", [
    listed("LinkedInBot", "social", {
      header: "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
      sources: [headerList, aiList],
    }),
  ]),
  ...crawlersOf("Pinterest", [
    {
      productToken: "Pinterestbot",
      purposes: ["social"],
      headerNames: ["Pinterestbot", "Pinterest/0.2"],
      header: "Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)",
      sources: ["https://help.pinterest.com/en/business/article/pinterest-crawler", headerList, aiList],
    },
  ]),
  ...crawlersOf("Slack", [
    preview("Slackbot"),
    kinOf(
      "Slackbot",
      preview("Slackbot-LinkExpanding", { header: "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)" }),
    ),
    preview("Slack-ImgProxy"),
  ]),
  ...crawlersOf("Discord", [preview("Discordbot")]),
  ...crawlersOf("Telegram", [preview("TelegramBot", { header: "TelegramBot (like TwitterBot)" })]),
  ...crawlersOf("Reddit", [listed("redditbot", "social")]),
  ...crawlersOf("Quora", [preview("Quora-Bot", { header: "Quora-Bot/1.0 (http://www.quora.com)" })]),
  ...crawlersOf("Turnitin", [
    {
      productToken: "TurnitinBot",
      purposes: ["research"],
      headerNames: ["TurnitinBot", "Turnitin"],
      header: "TurnitinBot (https://turnitin.com/robot/crawlerinfo.html)",
      note: "Compares student papers with web pages.",
      sources: ["https://turnitin.com/robot/crawlerinfo.html", headerList],
    },
  ]),
  ...crawlersOf("Peer39", [listed("peer39_crawler", "ads", { header: "peer39_crawler/1.0" })]),
  ...crawlersOf("NewsNow", [
    listed("NewsNow", "feeds", { header: "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT) NewsNow/1.0" }),
  ]),
  ...crawlersOf("Google", [listed("FeedBurner", "feeds", { header: "FeedBurner/1.0 (http://www.FeedBurner.com)" })]),
  ...crawlersOf("Censys", [
    listed("CensysInspect", "security", {
      header: "Mozilla/5.0 (compatible; CensysInspect/1.1; +https://about.censys.io/)",
      note: "Scans hosts rather than pages; its operator offers an opt-out by address.",
      sources: ["https://about.censys.io/", headerList],
    }),
  ]),
  ...crawlersOf("Alibaba", [
    listed("AliyunSecBot", "security", { header: "AliyunSecBot/Aliyun AliyunSecBot@service.alibaba.com" }),
  ]),
  ...crawlersOf("Amazon", [
    listed("AmazonProductDiscovery", "tools", {
      header:
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/110.0.0.0 Safari/537.36 (compatible; AmazonProductDiscovery/1.0; https://vendorcentral.amazon.com/support/amazonproductdiscovery)",
      note: "Reads the pages of products for Amazon's shop.",
    }),
  ]),
  ...crawlersOf("Yext", [
    ownersTool(
      "https://hitchhikers.yext.com/modules/kg140-yext-site-crawler/01-create-a-crawler/",
      listed("YextBot", "tools", {
        header:
          "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/87.0.4280.88 YextBot/Java Safari/537.36",
        note: "Reads the pages of a site for its owner's search and listings.",
      }),
    ),
  ]),
  ...crawlersOf("UptimeRobot", [
    ownersTool(
      "https://webmasterid.com/robots/block-uptimerobot",
      listed("UptimeRobot", "monitoring", {
        note: "Checks whether a site responds.",
        header: "Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
      }),
    ),
  ]),
  ...crawlersOf("StatusCake", [
    ownersTool(
      "https://switchtheweb.com/agents/statuscake/block",
      listed("StatusCake_Uptime_Checker", "monitoring", {
        note: "Checks whether a site responds. The same source says that it obeys robots.txt; its operator does not say.",
      }),
    ),
  ]),
];
