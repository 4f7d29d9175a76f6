// AI crawlers and agents known only from public lists: one row each, with the list's statement about robots.txt.
import type { Crawler, Kind, Purpose } from "../types.ts";
import { type Row, aiList, crawlersOf, headerList, ownersTool } from "./row.ts";

interface Listed {
  readonly operator: string;
  readonly productToken: string;
  readonly purpose: Purpose;
  readonly kind?: Kind;
  /** Present if the list states that the crawler obeys robots.txt: the page that the list cites as evidence, or "" if it cites none. */
  readonly obeys?: string;
  /** Present if the site's owner starts the crawler: the page that says so. */
  readonly owners?: string;
  readonly header?: string;
}

const compatible = (name: string): string => `Mozilla/5.0 (compatible; ${name})`;
const bedrock = "https://docs.aws.amazon.com/bedrock/latest/userguide/webcrawl-data-source-connector.html";
const rovo = "https://support.atlassian.com/organization-administration/docs/connect-custom-website-to-rovo/";
const klaviyo = "https://help.klaviyo.com/hc/en-us/articles/40496146232219";

const table: readonly Listed[] = [
  {
    operator: "AddSearch",
    productToken: "AddSearchBot",
    purpose: "ai-search",
    owners: "https://chrisleverseo.com/user-agents/addsearchbot/",
  },
  { operator: "Amazon", productToken: "amazon-kendra", purpose: "ai-search", obeys: "" },
  { operator: "Amazon", productToken: "amazon-QBusiness", purpose: "ai-assistant" },
  {
    operator: "Amazon",
    productToken: "Amazon-Bedrock-AgentCore-Browser",
    purpose: "ai-assistant",
    kind: "user-triggered",
    header: compatible("Amazon-Bedrock-AgentCore-Browser; +https://aws.amazon.com/bedrock/"),
  },
  { operator: "Amazon", productToken: "AmazonBuyForMe", purpose: "ai-assistant", kind: "user-triggered" },
  { operator: "Amazon", productToken: "bedrockbot", purpose: "ai-search", obeys: bedrock },
  { operator: "Amazon", productToken: "NovaAct", purpose: "ai-assistant", kind: "user-triggered" },
  { operator: "Andi", productToken: "Andibot", purpose: "ai-search" },
  { operator: "The Agent Times", productToken: "AgentTimes", purpose: "feeds" },
  { operator: "Aranet", productToken: "Aranet-SearchBot", purpose: "ai-search" },
  { operator: "Apify", productToken: "ApifyBot", purpose: "ai-training" },
  { operator: "Apify", productToken: "ApifyWebsiteContentCrawler", purpose: "ai-training" },
  {
    operator: "Atlassian",
    productToken: "atlassian-bot",
    purpose: "ai-search",
    obeys: rovo,
    header: compatible("atlassian-bot; +https://www.atlassian.com/"),
  },
  { operator: "Big Sur AI", productToken: "bigsur.ai", purpose: "ai-assistant" },
  { operator: "Ceramic", productToken: "Terra Cotta", purpose: "ai-search" },
  { operator: "Channel3", productToken: "Channel3Bot", purpose: "ai-search" },
  { operator: "Cloudflare", productToken: "Cloudflare-AutoRAG", purpose: "ai-search", obeys: "" },
  { operator: "CragSoftware", productToken: "CragCrawler", purpose: "ai-training" },
  {
    operator: "Crawlspace",
    productToken: "Crawlspace",
    purpose: "ai-search",
    obeys: "https://news.ycombinator.com/item?id=42756654",
  },
  { operator: "Datenbank", productToken: "Datenbank Crawler", purpose: "ai-training" },
  { operator: "Direqt", productToken: "Anomura", purpose: "ai-search", obeys: "" },
  { operator: "Echobox", productToken: "Echobot Bot", purpose: "social" },
  { operator: "Echobox", productToken: "EchoboxBot", purpose: "social" },
  { operator: "FactSet", productToken: "Factset_spyderbot", purpose: "ai-training" },
  { operator: "GeistHaus", productToken: "GeistHaus-PageFetcher", purpose: "ai-assistant" },
  { operator: "Google", productToken: "CloudVertexBot", purpose: "ai-search" },
  { operator: "Google", productToken: "Google-Firebase", purpose: "ai-assistant" },
  { operator: "ISS-Corporate", productToken: "ISSCyberRiskCrawler", purpose: "security" },
  { operator: "Kangaroo LLM", productToken: "Kangaroo Bot", purpose: "ai-training" },
  { operator: "Klaviyo", productToken: "KlaviyoAIBot", purpose: "ai-assistant", obeys: klaviyo },
  { operator: "Kunato", productToken: "KunatoCrawler", purpose: "ai-training" },
  {
    operator: "Linguee",
    productToken: "Linguee Bot",
    purpose: "ai-training",
    header: "Linguee Bot (http://www.linguee.com/bot)",
  },
  {
    operator: "Meltwater",
    productToken: "YaK",
    purpose: "seo",
    header: compatible("YaK/1.0; http://linkfluence.com/; bot@linkfluence.com"),
  },
  { operator: "Mozilla", productToken: "Mozilla-Tabstack", purpose: "ai-assistant", obeys: "" },
  { operator: "Naget", productToken: "NagetBot", purpose: "ai-training" },
  { operator: "netEstate", productToken: "netEstate Imprint Crawler", purpose: "ai-training" },
  {
    operator: "Panscient",
    productToken: "panscient.com",
    purpose: "ai-training",
    obeys: "https://panscient.com/faq.htm",
    header: "panscient.com",
  },
  { operator: "Poggio", productToken: "Poggio-Citations", purpose: "ai-assistant" },
  { operator: "Poseidon Research", productToken: "Poseidon Research Crawler", purpose: "research" },
  { operator: "Qualified", productToken: "QualifiedBot", purpose: "ai-assistant", header: "QualifiedBot/1.0" },
  {
    operator: "QuantumCloud",
    productToken: "wpbot",
    purpose: "ai-assistant",
    header: compatible("wpbot/1.1; +https://forms.gle/ajBaxygz9jSR8p8G9"),
  },
  { operator: "Querit", productToken: "Querit-SearchBot", purpose: "ai-search" },
  { operator: "Querit", productToken: "QueritBot", purpose: "ai-search" },
  { operator: "QuillBot", productToken: "QuillBot", purpose: "ai-assistant" },
  { operator: "Reflection", productToken: "Reflectionbot", purpose: "ai-training" },
  { operator: "Sidetrade", productToken: "Sidetrade indexer bot", purpose: "ai-training" },
  { operator: "Thinkbot", productToken: "Thinkbot", purpose: "ai-training" },
  { operator: "Twin", productToken: "TwinAgent", purpose: "ai-assistant", kind: "user-triggered" },
  { operator: "unknown", productToken: "imageSpider", purpose: "ai-training" },
  { operator: "unknown", productToken: "MyCentralAIScraperBot", purpose: "ai-training" },
  { operator: "Valyu", productToken: "HenkBot", purpose: "ai-search" },
  {
    operator: "WEBSPARK",
    productToken: "WARDBot",
    purpose: "ai-training",
    header: compatible("WARDBot/1.0; http://ward.ai/robot"),
  },
  {
    operator: "Wrtn",
    productToken: "WRTNBot",
    purpose: "ai-search",
    header: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; WRTNBot; +https://wrtn.ai/wrtnbot)",
  },
  { operator: "Zanista", productToken: "ZanistaBot", purpose: "ai-search" },
];

export const aiListed: readonly Crawler[] = table.flatMap(
  ({ operator, productToken, purpose, kind = "crawler", obeys, owners, header }) => {
    const row: Row = {
      productToken,
      kind,
      purposes: [purpose],
      evidence: "listed",
      ...(obeys === undefined ? {} : { bound: "yes" as const }),
      ...(header === undefined ? {} : { header }),
      sources: [
        ...(obeys === undefined || obeys === "" ? [] : [obeys]),
        aiList,
        ...(header === undefined ? [] : [headerList]),
      ],
    };
    return crawlersOf(operator, [owners === undefined ? row : ownersTool(owners, row)]);
  },
);
