// Crawlers of companies that train or run language models: OpenAI, Anthropic, Perplexity, Meta, Amazon, ByteDance and others.
import type { Crawler } from "../types.ts";
import { aiList, crawlersOf, headerList } from "./row.ts";

const openai = ["https://platform.openai.com/docs/bots"];
const anthropic = ["https://support.anthropic.com/en/articles/8896518"];
const perplexity = ["https://docs.perplexity.ai/guides/bots", aiList, headerList];
const meta = "https://developers.facebook.com/docs/sharing/webmasters/crawler/";
const amazon = "https://developer.amazon.com/amazonbot";

/** Crawlers of AI companies. */
export const ai: readonly Crawler[] = [
  ...crawlersOf("OpenAI", [
    {
      productToken: "GPTBot",
      purposes: ["ai-training"],
      header: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot",
      note: "Changes of robots.txt take about a day.",
      sources: [...openai, headerList],
    },
    {
      productToken: "OAI-SearchBot",
      purposes: ["ai-search"],
      header:
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot",
      sources: [...openai, headerList],
    },
    {
      productToken: "ChatGPT-User",
      kind: "user-triggered",
      purposes: ["ai-assistant"],
      obeys: "partly",
      header:
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
      note: "A user sets it off; rules may not apply.",
      sources: [...openai, headerList],
    },
    {
      productToken: "OAI-AdsBot",
      purposes: ["ads"],
      header:
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; OAI-AdsBot/1.0; +https://openai.com/adsbot",
      note: "Visits the pages that submitted ads lead to.",
      sources: openai,
    },
  ]),
  ...crawlersOf("Anthropic", [
    {
      productToken: "ClaudeBot",
      purposes: ["ai-training"],
      crawlDelay: "yes",
      header: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
      sources: [...anthropic, headerList],
    },
    {
      productToken: "Claude-User",
      kind: "user-triggered",
      purposes: ["ai-assistant"],
      crawlDelay: "yes",
      header:
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)",
      note: "A user sets it off; it obeys robots.txt.",
      sources: [...anthropic, headerList],
    },
    {
      productToken: "Claude-SearchBot",
      purposes: ["ai-search"],
      crawlDelay: "yes",
      header:
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-SearchBot/1.0; +https://www.anthropic.com)",
      sources: [...anthropic, headerList],
    },
    {
      productToken: "anthropic-ai",
      purposes: ["ai-training"],
      header: "anthropic-ai",
      note: "An older name, not documented, that many files still hold.",
      evidence: "listed",
      sources: [headerList, aiList],
    },
    {
      productToken: "Claude-Web",
      purposes: ["ai-assistant"],
      header: "Claude-Web/1.0 (web crawler; +https://www.anthropic.com/; bots@anthropic.com)",
      note: "An older name, not documented, that many files still hold.",
      evidence: "listed",
      sources: [headerList, aiList],
    },
  ]),
  ...crawlersOf("Perplexity", [
    {
      productToken: "PerplexityBot",
      purposes: ["ai-search"],
      obeys: "yes",
      header:
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)",
      evidence: "listed",
      sources: perplexity,
    },
    {
      productToken: "Perplexity-User",
      kind: "user-triggered",
      purposes: ["ai-assistant"],
      boundByEverybody: false,
      obeys: "no",
      headerNames: ["Perplexity-User", "PerplexityUser"],
      header:
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)",
      note: "A user sets it off; robots.txt is generally not asked.",
      evidence: "listed",
      sources: perplexity,
    },
  ]),
  ...crawlersOf("Meta", [
    {
      productToken: "meta-externalagent",
      purposes: ["ai-training"],
      header: "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
      sources: [meta, headerList],
    },
    {
      productToken: "meta-externalfetcher",
      kind: "user-triggered",
      purposes: ["ai-assistant"],
      obeys: "partly",
      header: "meta-externalfetcher/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
      note: "A user sets it off; it may pass robots.txt by.",
      sources: [meta, headerList],
    },
    {
      productToken: "meta-webindexer",
      purposes: ["ai-search"],
      header: "meta-webindexer/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
      sources: [meta, headerList],
    },
    {
      productToken: "meta-externalads",
      purposes: ["ads"],
      header: "meta-externalads/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
      sources: [meta, headerList],
    },
    {
      productToken: "FacebookBot",
      purposes: ["ai-training"],
      obeys: "yes",
      header:
        "Mozilla/5.0 (compatible; FacebookBot/1.0; +https://developers.facebook.com/docs/sharing/webmasters/facebookbot/)",
      evidence: "listed",
      sources: [headerList, aiList],
    },
  ]),
  ...crawlersOf("Amazon", [
    {
      productToken: "Amazonbot",
      purposes: ["ai-search"],
      crawlDelay: "no",
      header:
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot) Chrome/119.0.6045.214 Safari/537.36",
      note: "Where robots.txt cannot be fetched, it goes by a copy of up to 30 days, else as if there were none.",
      sources: [amazon, headerList],
    },
    {
      productToken: "Amzn-SearchBot",
      purposes: ["ai-search"],
      crawlDelay: "no",
      header:
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Amzn-SearchBot/0.1) Chrome/119.0.6045.214 Safari/537.36",
      sources: [amazon, headerList],
    },
    {
      productToken: "Amzn-User",
      kind: "user-triggered",
      purposes: ["ai-assistant"],
      obeys: "partly",
      crawlDelay: "no",
      header: "Mozilla/5.0 (compatible; Amzn-User; +https://developer.amazon.com/)",
      note: "A user sets it off.",
      sources: [amazon, headerList],
    },
  ]),
  ...crawlersOf("ByteDance", [
    {
      productToken: "Bytespider",
      purposes: ["ai-training"],
      obeys: "partly",
      header:
        "Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)",
      note: "Reported to ignore robots.txt; one operator of a site saw it ignore a group for several crawlers and obey one of its own.",
      evidence: "listed",
      sources: ["https://www.feitsui.com/en/article/32", headerList, aiList],
    },
    {
      productToken: "TikTokSpider",
      purposes: ["social"],
      obeys: "yes",
      header:
        "Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; TikTokSpider; ttspider-feedback@tiktok.com)",
      evidence: "listed",
      sources: [headerList, aiList],
    },
  ]),
  ...crawlersOf("Mistral", [
    {
      productToken: "MistralAI-User",
      kind: "user-triggered",
      purposes: ["ai-assistant"],
      header:
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; MistralAI-User/1.0; +https://docs.mistral.ai/robots)",
      evidence: "listed",
      sources: [headerList],
    },
  ]),
  ...crawlersOf("Cohere", [
    {
      productToken: "cohere-ai",
      purposes: ["ai-assistant"],
      header: "cohere-ai",
      evidence: "listed",
      sources: [headerList, aiList],
    },
    {
      productToken: "cohere-training-data-crawler",
      purposes: ["ai-training"],
      header: "cohere-training-data-crawler (+crawler@cohere.ai)",
      evidence: "listed",
      sources: [headerList, aiList],
    },
  ]),
  ...crawlersOf("DeepSeek", [
    {
      productToken: "DeepSeekBot",
      purposes: ["ai-training"],
      header: "Mozilla/5.0 (compatible; DeepSeekBot/1.0; +https://www.deepseek.com/bot)",
      evidence: "listed",
      sources: [headerList, aiList],
    },
  ]),
  ...crawlersOf("Ai2", [
    {
      productToken: "AI2Bot",
      purposes: ["ai-training"],
      obeys: "yes",
      header: "AI2Bot",
      note: "No product token: Google's parser sees only AI of it.",
      evidence: "listed",
      sources: [headerList, aiList],
    },
  ]),
  ...crawlersOf("Common Crawl", [
    {
      productToken: "CCBot",
      purposes: ["ai-training", "archive", "research"],
      crawlDelay: "yes",
      header: "CCBot/2.0 (https://commoncrawl.org/faq/)",
      note: "Its collection is public; language models are trained with it.",
      sources: ["https://commoncrawl.org/faq", headerList],
    },
  ]),
  ...crawlersOf("You.com", [
    {
      productToken: "YouBot",
      purposes: ["ai-search"],
      header: "YouBot (+http://www.you.com)",
      evidence: "listed",
      sources: [headerList, aiList],
    },
  ]),
  ...crawlersOf("Timpi", [
    {
      productToken: "Timpibot",
      purposes: ["ai-training", "search"],
      header: "Timpibot/0.9 (+http://www.timpi.io)",
      evidence: "listed",
      sources: [headerList, aiList],
    },
  ]),
  ...crawlersOf("Hive", [
    {
      productToken: "ImagesiftBot",
      purposes: ["ai-training"],
      header: "Mozilla/5.0 (compatible; ImagesiftBot; +imagesift.com)",
      evidence: "listed",
      sources: [headerList, aiList],
    },
  ]),
  ...crawlersOf("Webz.io", [
    {
      productToken: "omgili",
      purposes: ["ai-training"],
      headerNames: ["omgili", "omgilibot"],
      header: "omgili/0.5 +http://omgili.com",
      evidence: "listed",
      sources: [headerList, aiList],
    },
    {
      productToken: "Webzio-Extended",
      kind: "control-token",
      purposes: ["ai-training"],
      note: "Says whether what Webz.io fetches may be used for AI.",
      evidence: "listed",
      sources: [headerList, aiList],
    },
  ]),
  ...crawlersOf("img2dataset", [
    {
      productToken: "img2dataset",
      purposes: ["ai-training"],
      note: "A program that anybody may run. No product token: Google's parser sees only img of it.",
      evidence: "listed",
      sources: [headerList, aiList],
    },
  ]),
];
