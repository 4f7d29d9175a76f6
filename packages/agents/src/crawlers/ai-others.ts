// Crawlers of other AI companies: for training, for search and for assistants. Most are known from public lists.
import type { Crawler, Purpose } from "../types.ts";
import { type Row, aiList, crawlersOf, headerList, kinOf } from "./row.ts";

const listed = (productToken: string, purpose: Purpose, rest: Partial<Row> = {}): Row => ({
  productToken,
  purposes: [purpose],
  evidence: "listed",
  sources: [aiList],
  ...rest,
});

/** The row of a crawler that obeys robots.txt according to the list of AI companies' crawlers. */
const obedient = (productToken: string, purpose: Purpose, rest: Partial<Row> = {}): Row =>
  listed(productToken, purpose, { bound: "yes", ...rest });

/** The row of a fetcher that requests single pages for a user of an assistant, or browses for a user. */
const forUser = (productToken: string, rest: Partial<Row> = {}): Row =>
  listed(productToken, "ai-assistant", { kind: "user-triggered", note: "Fetches pages for a user.", ...rest });

const both: readonly string[] = [headerList, aiList];
const mistral = "https://docs.mistral.ai/en/robots";
const webz = "https://webz.io/blog/web-data/what-is-the-omgili-bot-and-why-is-it-crawling-your-website/";
const compatible = (name: string): string => `Mozilla/5.0 (compatible; ${name})`;
const ofMistral = (name: string): string =>
  `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${name}/1.0; +https://docs.mistral.ai/robots)`;

export const aiOthers: readonly Crawler[] = [
  ...crawlersOf("Mistral", [
    forUser("MistralAI-User", {
      header: ofMistral("MistralAI-User"),
      evidence: "documented",
      sources: [mistral, ...both],
    }),
    {
      productToken: "MistralAI-Index",
      purposes: ["ai-search"],
      header: ofMistral("MistralAI-Index"),
      note: "For Mistral's search index; not for training.",
      sources: [mistral],
    },
    {
      productToken: "MistralAI-Training",
      purposes: ["ai-training"],
      header: ofMistral("MistralAI-Training"),
      sources: [mistral],
    },
  ]),
  ...crawlersOf("Cohere", [
    listed("cohere-ai", "ai-assistant", { header: "cohere-ai", sources: both }),
    listed("cohere-training-data-crawler", "ai-training", {
      header: "cohere-training-data-crawler (+crawler@cohere.ai)",
      sources: both,
    }),
  ]),
  ...crawlersOf("DeepSeek", [
    listed("DeepSeekBot", "ai-training", {
      header: compatible("DeepSeekBot/1.0; +https://www.deepseek.com/bot"),
      note: "Reported not to obey robots.txt; its operator does not say.",
      sources: both,
    }),
  ]),
  ...crawlersOf("Ai2", [
    obedient("AI2Bot", "ai-training", {
      header: "AI2Bot",
      note: "Not a valid product token: Google's parser reads only AI.",
      sources: ["https://allenai.org/crawler", ...both],
    }),
    obedient("Ai2Bot-Dolma", "ai-training", {
      after: ["AI2Bot"],
      header: "Mozilla/5.0 (compatible) Ai2Bot-Dolma (+https://www.allenai.org/crawler)",
      note: "For the data set Dolma. Not a valid product token: Google's parser reads only Ai. No source says that it falls back to the group for AI2Bot.",
      sources: ["https://allenai.org/crawler", aiList],
    }),
    listed("AI2Bot-DeepResearchEval", "ai-search", {
      after: ["AI2Bot"],
      note: "Not a valid product token: Google's parser reads only AI. No source says that it falls back to the group for AI2Bot.",
    }),
    listed("SemanticScholarBot", "research", {
      header: "SemanticScholarBot/1.0 (+http://s2.allenai.org/bot.html)",
      sources: [headerList, "https://www.semanticscholar.org/crawler"],
    }),
  ]),
  ...crawlersOf("You.com", [
    obedient("YouBot", "ai-search", {
      header: "YouBot (+http://www.you.com)",
      sources: ["https://about.you.com/youbot/", ...both],
    }),
  ]),
  ...crawlersOf("Timpi", [
    listed("Timpibot", "ai-training", {
      purposes: ["ai-training", "search"],
      header: "Timpibot/0.9 (+http://www.timpi.io)",
      sources: both,
    }),
  ]),
  ...crawlersOf("Hive", [
    obedient("ImagesiftBot", "ai-training", {
      header: compatible("ImagesiftBot; +imagesift.com"),
      sources: ["https://imagesift.com/about", ...both],
    }),
  ]),
  ...crawlersOf("Webz.io", [
    obedient("omgili", "ai-training", { header: "omgili/0.5 +http://omgili.com", sources: [webz, ...both] }),
    kinOf("omgili", obedient("omgilibot", "ai-training", { note: "An older name.", sources: [webz, aiList] })),
    listed("webzio", "ai-training", { header: "webzio (+https://webz.io/bot.html)", sources: [headerList] }),
    listed("Webzio-Extended", "ai-training", {
      kind: "control-token",
      note: "States whether content that Webz.io fetches may be used for AI.",
      sources: both,
    }),
  ]),
  ...crawlersOf("IETF draft", [
    listed("__usage_ai-training", "ai-training", {
      kind: "control-token",
      boundByEverybody: false,
      note: "Reported by one source: the token with which draft-kelley-aipref-training-preference-signal-00 states whether any crawler may train AI. Whether a group for * binds it is unknown.",
      sources: ["https://datatracker.ietf.org/doc/draft-kelley-aipref-training-preference-signal/"],
    }),
  ]),
  ...crawlersOf("Huawei", [
    listed("PanguBot", "ai-training", { header: compatible("PanguBot +https://www.pangutech.com"), sources: both }),
  ]),
  ...crawlersOf("Alibaba", [forUser("TongyiBot")]),
  ...crawlersOf("Baidu", [forUser("YiyanBot")]),
  ...crawlersOf("Moonshot AI", [forUser("Kimi-User")]),
  ...crawlersOf("Zhipu AI", [
    listed("ChatGLM-Spider", "ai-training", {
      header: compatible("ChatGLM-Spider/1.0; +https://chatglm.cn/"),
      sources: both,
    }),
  ]),
  ...crawlersOf("Butterfly Effect", [
    forUser("Manus-User", {
      header:
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/132.0.0.0 Safari/537.36; Manus-User/1.0",
      note: "An agent that browses for a user.",
      sources: both,
    }),
  ]),
  ...crawlersOf("Cognition", [
    forUser("Devin", {
      header:
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36; Devin/1.0; +https://devin.ai",
      bound: "yes",
      boundSource: aiList,
      note: "An agent that browses for a user.",
      sources: both,
    }),
  ]),
  ...crawlersOf("Phind", [
    forUser("PhindBot", { header: compatible("PhindBot; +https://www.phind.com/"), sources: both }),
  ]),
  ...crawlersOf("Liner", [
    forUser("LinerBot", {
      header:
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; LinerBot/1.0; +https://docs.getliner.com/docs/linerbot)",
      sources: [headerList, aiList],
    }),
  ]),
  ...crawlersOf("iAsk", [
    listed("iaskspider", "ai-search", {
      header: "iaskspider/2.0",
      note: "Reported not to obey robots.txt; its operator does not say.",
      sources: both,
    }),
    listed("iAskBot", "ai-search", {
      header:
        "Mozilla/5.0 AppleWebKit/605.1.15 (KHTML, like Gecko; compatible; iAskBot/1.0; +https://iask.ai/) Chrome/120.0.6099.119 Safari/605.1.15",
      sources: both,
    }),
  ]),
  ...crawlersOf("Exa", [listed("ExaSearchBot", "ai-search")]),
  ...crawlersOf("Linkup", [
    listed("LinkupBot", "ai-search", {
      header: "LinkupBot/1.0 (LinkupBot for web indexing; https://linkup.so/bot; bot@linkup.so)",
      note: "LinkUp (linkup.com), which searches for jobs, sends the same name and says that it obeys robots.txt.",
      sources: [...both, "https://linkup.com/linkup-bot"],
    }),
  ]),
  ...crawlersOf("Tavily", [
    listed("TavilyBot", "ai-search", {
      header: compatible("TavilyBot; +https://tavily.com/"),
      note: "Its operator says that its search crawler has no name of its own, and skips the pages that Googlebot may not crawl.",
      sources: [...both, "https://docs.tavily.com/documentation/search-crawler"],
    }),
  ]),
  ...crawlersOf("Firecrawl", [
    obedient("FirecrawlAgent", "ai-search", {
      header: compatible("FirecrawlAgent; +https://firecrawl.dev/"),
      boundSource: aiList,
      note: "Fetches for the customers of Firecrawl.",
      sources: both,
    }),
  ]),
  ...crawlersOf("Parallel", [
    obedient("ShapBot", "ai-search", {
      header: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ShapBot/0.1.0",
      sources: ["https://docs.parallel.ai/features/crawler", ...both],
    }),
    forUser("Shap-User"),
  ]),
  ...crawlersOf("SB Intuitions", [
    obedient("SBIntuitionsBot", "ai-training", {
      header: compatible("SBIntuitionsBot/0.1; +https://www.sbintuitions.co.jp/bot/"),
      sources: ["https://www.sbintuitions.co.jp/en/bot/", ...both],
    }),
  ]),
  ...crawlersOf("ROIS", [
    obedient("Cotoyogi", "ai-training", {
      header: compatible("Cotoyogi/4.0; +https://ds.rois.ac.jp/center8/crawler/"),
      sources: ["https://ds.rois.ac.jp/en_center8/en_crawler/", ...both],
    }),
  ]),
  ...crawlersOf("NICT", [
    {
      productToken: "ICC-Crawler",
      purposes: ["research", "ai-training"],
      header: "ICC-Crawler/2.0 (Mozilla-compatible; ; http://ucri.nict.go.jp/en/icccrawler.html)",
      note: "Its data may be passed on to companies.",
      sources: ["https://ucri.nict.go.jp/en/icccrawler.html", ...both],
    },
  ]),
  ...crawlersOf("LAION", [
    listed("LAIONDownloader", "ai-training", { bound: "no", sources: ["https://laion.ai/faq/", aiList] }),
    listed("laion-huggingface-processor", "ai-training", {
      header: compatible("laion-huggingface-processor; +https://laion.ai/"),
      sources: both,
    }),
  ]),
  ...crawlersOf("Ceramic", [
    obedient("TerraCotta", "ai-search", { sources: ["https://github.com/CeramicTeam/CeramicTerracotta", aiList] }),
  ]),
  ...crawlersOf("Lyrenth", [
    obedient("AIWebIndex", "ai-search", { crawlDelay: "yes", sources: ["https://lyrenth.com/crawler-policy", aiList] }),
  ]),
  ...crawlersOf("Bright Data", [listed("Brightbot", "ai-training", { header: "Brightbot 1.0", sources: both })]),
  ...crawlersOf("Cloudflare", [
    {
      productToken: "CloudflareBrowserRenderingCrawler",
      purposes: ["ai-training", "tools"],
      crawlDelay: "yes",
      header: "CloudflareBrowserRenderingCrawler/1.0",
      note: "Crawls sites for the customers of Cloudflare's Browser Rendering.",
      sources: ["https://developers.cloudflare.com/browser-rendering/reference/robots-txt"],
    },
  ]),
  ...crawlersOf("Velen", [
    obedient("VelenPublicWebCrawler", "ai-training", {
      header: "VelenPublicWebCrawler (velen.io)",
      sources: ["https://velen.io", ...both],
    }),
  ]),
  ...crawlersOf("aiHit", [
    obedient("aiHitBot", "ai-training", {
      header: compatible("aiHitBot/2.9; +https://www.aihitdata.com/about"),
      sources: ["https://www.aihitdata.com/about", ...both],
    }),
  ]),
  ...crawlersOf("unknown", [
    obedient("FriendlyCrawler", "ai-training", {
      header:
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/605.1.15 (KHTML, like Gecko; compatible; FriendlyCrawler/1.0) Chrome/120.0.6099.216 Safari/605.1.15",
      note: "Its operator is not known.",
      sources: ["https://imho.alex-kunz.com/2024/01/25/an-update-on-friendly-crawler", ...both],
    }),
  ]),
];
