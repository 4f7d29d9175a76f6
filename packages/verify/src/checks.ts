// The checks that operators publish to distinguish their crawlers from impostors, as data with sources.

/** A file of address ranges. */
export interface RangeFile {
  /** The name by which lists, verdicts and commands refer to the file. Never changes. */
  readonly name: string;
  /** The URL at which the operator publishes the file. */
  readonly url: string;
  /** Whether customers of the operator also have addresses in these ranges, so that an address in them proves nothing. */
  readonly isShared?: true;
}

/** Host names of an operator's crawlers. */
export interface HostNames {
  /** The domain of the host names: a name is the domain itself, or ends with a dot and the domain. */
  readonly suffix: string;
  /** The text with which host names of crawlers begin, if the domain also has other hosts. */
  readonly begins?: string;
}

/** The checks that an operator publishes for some of its crawlers. */
export interface PublishedChecks {
  readonly operator: string;
  readonly productTokens: readonly string[];
  readonly files: readonly RangeFile[];
  readonly hosts: readonly HostNames[];
  /** The page on which the operator documents the checks. */
  readonly source: string;
}

const googleFiles = "https://developers.google.com/static/crawling/ipranges";
const googleSource = "https://developers.google.com/search/docs/crawling-indexing/verifying-googlebot";
const openai = (productToken: string, name: string): PublishedChecks => ({
  operator: "OpenAI",
  productTokens: [productToken],
  files: [{ name: `openai-${name}`, url: `https://openai.com/${name}.json` }],
  hosts: [],
  source: "https://platform.openai.com/docs/bots",
});
const perplexity = (productToken: string, name: string): PublishedChecks => ({
  operator: "Perplexity",
  productTokens: [productToken],
  files: [{ name, url: `https://www.perplexity.com/${name}.json` }],
  hosts: [],
  source: "https://docs.perplexity.ai/guides/bots",
});
const duckDuckGo = (productToken: string, name: string): PublishedChecks => ({
  operator: "DuckDuckGo",
  productTokens: [productToken],
  files: [{ name, url: `https://duckduckgo.com/${name}.json` }],
  hosts: [],
  source: `https://duckduckgo.com/duckduckgo-help-pages/results/${name}`,
});
const none = (operator: string, productTokens: readonly string[], source: string): PublishedChecks => ({
  operator,
  productTokens,
  files: [],
  hosts: [],
  source,
});

/** The day on which `publishedChecks` was last compared with its sources. */
export const checksReviewed = "2026-11-28";

/**
 * The checks of all operators that are known. For a crawler in no row, it is unknown whether its operator publishes a check. A row without
 * files and hosts means that the operator publishes nothing that a program can check.
 */
export const publishedChecks: readonly PublishedChecks[] = [
  {
    operator: "Google",
    productTokens: [
      "Googlebot",
      "Googlebot-Image",
      "Googlebot-Video",
      "Googlebot-News",
      "Storebot-Google",
      "Google-InspectionTool",
      "GoogleOther",
      "GoogleOther-Image",
      "GoogleOther-Video",
      "Google-CloudVertexBot",
    ],
    files: [{ name: "google-common", url: `${googleFiles}/common-crawlers.json` }],
    hosts: [{ suffix: "googlebot.com" }],
    source: googleSource,
  },
  {
    operator: "Google",
    productTokens: [
      "AdsBot-Google",
      "AdsBot-Google-Mobile",
      "AdsBot-Google-Mobile-Apps",
      "APIs-Google",
      "Mediapartners-Google",
      "Google-Safety",
    ],
    files: [{ name: "google-special", url: `${googleFiles}/special-crawlers.json` }],
    hosts: [{ suffix: "google.com", begins: "rate-limited-proxy-" }],
    source: googleSource,
  },
  {
    operator: "Google",
    productTokens: [
      "FeedFetcher-Google",
      "GoogleProducer",
      "Google-Read-Aloud",
      "Google-Site-Verification",
      "Google-CWS",
      "Google-NotebookLM",
      "Google-GeminiNotebook",
      "Google-Pinpoint",
      "GoogleMessages",
    ],
    files: [
      { name: "google-fetchers", url: `${googleFiles}/user-triggered-fetchers-google.json` },
      // The ranges of App Engine, which its customers (gae.googleusercontent.com) use, too.
      { name: "google-fetchers-shared", url: `${googleFiles}/user-triggered-fetchers.json`, isShared: true },
    ],
    hosts: [{ suffix: "google.com", begins: "google-proxy-" }],
    source: googleSource,
  },
  {
    operator: "Google",
    productTokens: ["Google-Agent"],
    files: [{ name: "google-agents", url: `${googleFiles}/user-triggered-agents.json` }],
    hosts: [],
    source: googleSource,
  },
  {
    operator: "Microsoft",
    productTokens: ["bingbot"],
    files: [{ name: "bingbot", url: "https://www.bing.com/toolbox/bingbot.json" }],
    hosts: [{ suffix: "search.msn.com" }],
    source: "https://www.bing.com/webmasters/help/how-to-verify-bingbot-3905dc26",
  },
  openai("GPTBot", "gptbot"),
  openai("OAI-SearchBot", "searchbot"),
  openai("ChatGPT-User", "chatgpt-user"),
  openai("OAI-AdsBot", "adsbot"),
  {
    operator: "Anthropic",
    productTokens: ["ClaudeBot", "Claude-User", "Claude-SearchBot"],
    files: [{ name: "anthropic", url: "https://claude.com/crawling/bots.json" }],
    hosts: [],
    source: "https://claude.com/crawling/bots.json",
  },
  perplexity("PerplexityBot", "perplexitybot"),
  perplexity("Perplexity-User", "perplexity-user"),
  {
    operator: "Apple",
    productTokens: ["Applebot"],
    files: [{ name: "applebot", url: "https://search.developer.apple.com/applebot.json" }],
    hosts: [{ suffix: "applebot.apple.com" }],
    source: "https://support.apple.com/en-us/119829",
  },
  duckDuckGo("DuckDuckBot", "duckduckbot"),
  duckDuckGo("DuckAssistBot", "duckassistbot"),
  {
    operator: "Common Crawl",
    productTokens: ["CCBot"],
    files: [{ name: "ccbot", url: "https://index.commoncrawl.org/ccbot.json" }],
    hosts: [{ suffix: "crawl.commoncrawl.org" }],
    source: "https://commoncrawl.org/ccbot",
  },
  {
    operator: "Mistral",
    productTokens: ["MistralAI-User"],
    files: [{ name: "mistral-user", url: "https://mistral.ai/mistralai-user-ips.json" }],
    hosts: [],
    source: "https://docs.mistral.ai/en/robots",
  },
  {
    operator: "Mistral",
    productTokens: ["MistralAI-Index"],
    files: [{ name: "mistral-index", url: "https://mistral.ai/mistralai-index-ips.json" }],
    hosts: [],
    source: "https://docs.mistral.ai/en/robots",
  },
  {
    operator: "Liner",
    productTokens: ["LinerBot"],
    files: [{ name: "linerbot", url: "https://docs.getliner.com/linerbot.json" }],
    hosts: [],
    source: "https://docs.getliner.com/linerbot.json",
  },
  {
    operator: "Ahrefs",
    productTokens: ["AhrefsBot"],
    files: [{ name: "ahrefs", url: "https://api.ahrefs.com/v3/public/crawler-ips" }],
    hosts: [{ suffix: "ahrefs.com" }, { suffix: "ahrefs.net" }],
    source: "https://help.ahrefs.com/en/articles/78658-what-is-the-list-of-your-ip-ranges",
  },
  {
    operator: "Yandex",
    productTokens: [
      "YandexBot",
      "YandexImages",
      "YandexVideo",
      "YandexMedia",
      "YandexBlogs",
      "YandexDirect",
      "YandexMetrika",
      "YandexRenderResourcesBot",
      "YandexFavicons",
      "YandexMarket",
      "YandexWebmaster",
    ],
    files: [],
    hosts: [{ suffix: "yandex.ru" }, { suffix: "yandex.net" }, { suffix: "yandex.com" }],
    source: "https://yandex.com/support/webmaster/robot-workings/check-yandex-robots.html",
  },
  {
    operator: "Baidu",
    productTokens: ["Baiduspider", "Baiduspider-render", "Baiduspider-image", "Baiduspider-video", "Baiduspider-news"],
    files: [],
    hosts: [{ suffix: "baidu.com" }, { suffix: "baidu.jp" }],
    source: "https://help.baidu.com/question?prod_id=99&class=476&id=2996",
  },
  {
    operator: "Naver",
    productTokens: ["Yeti"],
    files: [{ name: "yeti", url: "https://searchadvisor.naver.com/doc/naverbot.json" }],
    hosts: [{ suffix: "naver.com" }],
    source: "https://searchadvisor.naver.com/guide/seo-basic-firewall",
  },
  {
    operator: "Mojeek",
    productTokens: ["MojeekBot"],
    files: [{ name: "mojeekbot", url: "https://www.mojeek.com/mojeekbot.json" }],
    hosts: [{ suffix: "mojeek.com", begins: "crawl-" }],
    source: "https://www.mojeek.com/bot.html",
  },
  // Amazon's addresses are in the text of web pages, and Meta's geofeed has only some of its crawlers' addresses.
  none("Amazon", ["Amazonbot", "Amzn-SearchBot", "Amzn-User"], "https://developer.amazon.com/amazonbot"),
  none(
    "Meta",
    [
      "meta-externalagent",
      "meta-externalfetcher",
      "meta-webindexer",
      "meta-externalads",
      "facebookexternalhit",
      "FacebookBot",
    ],
    "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers",
  ),
  none("Slack", ["Slackbot", "Slackbot-LinkExpanding", "Slack-ImgProxy"], "https://api.slack.com/robots"),
  none("ByteDance", ["Bytespider"], "https://github.com/ai-robots-txt/ai.robots.txt"),
];

/** All files of `publishedChecks`, each once. */
export const rangeFiles: readonly RangeFile[] = publishedChecks.flatMap(({ files }) => files);
