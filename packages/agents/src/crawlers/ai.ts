// Crawlers of the largest companies that train or run language models (OpenAI, Anthropic, Perplexity, Meta, Amazon, ByteDance), and of
// Common Crawl.
import type { Crawler } from "../types.ts";
import { aiList, crawlersOf, headerList, kinOf } from "./row.ts";

const openai = ["https://platform.openai.com/docs/bots"];
const anthropic = ["https://support.anthropic.com/en/articles/8896518"];
const perplexity = ["https://docs.perplexity.ai/guides/bots", headerList];
const meta = "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers";
const amazon = "https://developer.amazon.com/amazonbot";

/** Crawlers of the largest AI companies, and of Common Crawl, whose collection is used to train most models. */
export const ai: readonly Crawler[] = [
  ...crawlersOf("OpenAI", [
    {
      productToken: "GPTBot",
      purposes: ["ai-training"],
      header: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot",
      note: "Changes to robots.txt take effect after about a day.",
      ifRefused: "Pages are not used to train OpenAI's models; ChatGPT's search does not depend on it.",
      sources: [...openai, headerList],
    },
    {
      productToken: "OAI-SearchBot",
      purposes: ["ai-search"],
      header:
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot",
      ifRefused: "The site may be missing from ChatGPT's search results; it does not fetch for training.",
      sources: [...openai, headerList],
    },
    {
      productToken: "ChatGPT-User",
      kind: "user-triggered",
      purposes: ["ai-assistant"],
      bound: "no",
      header:
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
      note: "A user triggers it; rules may not apply.",
      ifRefused:
        "Nothing changes for training: it does not fetch for that. Rules may not apply, because users trigger it.",
      sources: [...openai, headerList],
    },
    {
      productToken: "OAI-AdsBot",
      purposes: ["ads"],
      header:
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; OAI-AdsBot/1.0; +https://openai.com/adsbot",
      note: "Visits the landing pages of submitted ads.",
      sources: openai,
    },
  ]),
  ...crawlersOf("Anthropic", [
    {
      productToken: "ClaudeBot",
      purposes: ["ai-training"],
      crawlDelay: "yes",
      header: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
      ifRefused: "Future pages are left out of the data for training Anthropic's models.",
      sources: [...anthropic, headerList],
    },
    {
      productToken: "Claude-User",
      kind: "user-triggered",
      purposes: ["ai-assistant"],
      crawlDelay: "yes",
      header:
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)",
      note: "A user triggers it; it obeys robots.txt.",
      ifRefused: "Claude cannot fetch pages that its users ask about; the site may be less visible in its answers.",
      sources: [...anthropic, headerList],
    },
    {
      productToken: "Claude-SearchBot",
      purposes: ["ai-search"],
      crawlDelay: "yes",
      header:
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-SearchBot/1.0; +https://www.anthropic.com)",
      ifRefused: "Pages are not indexed for Claude's search; the site may be less visible in its answers.",
      sources: [...anthropic, headerList],
    },
    {
      productToken: "anthropic-ai",
      purposes: ["ai-training"],
      header: "anthropic-ai",
      note: "An older, undocumented name that many files still contain.",
      evidence: "listed",
      sources: [headerList, aiList],
    },
    {
      productToken: "Claude-Web",
      purposes: ["ai-assistant"],
      header: "Claude-Web/1.0 (web crawler; +https://www.anthropic.com/; bots@anthropic.com)",
      note: "An older, undocumented name that many files still contain.",
      evidence: "listed",
      sources: [headerList, aiList],
    },
  ]),
  ...crawlersOf("Perplexity", [
    {
      productToken: "PerplexityBot",
      purposes: ["ai-search"],
      header:
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)",
      sources: perplexity,
    },
    {
      productToken: "Perplexity-User",
      kind: "user-triggered",
      purposes: ["ai-assistant"],
      boundByEverybody: false,
      bound: "no",
      headerNames: ["Perplexity-User", "PerplexityUser"],
      header:
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)",
      note: "A user triggers it; it generally ignores robots.txt.",
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
      bound: "no",
      header: "meta-externalfetcher/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
      note: "A user triggers it; it may ignore robots.txt.",
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
      bound: "yes",
      header:
        "Mozilla/5.0 (compatible; FacebookBot/1.0; +https://developers.facebook.com/docs/sharing/webmasters/facebookbot/)",
      evidence: "listed",
      sources: ["https://developers.facebook.com/docs/sharing/bot/", headerList, aiList],
    },
  ]),
  ...crawlersOf("Amazon", [
    {
      productToken: "Amazonbot",
      purposes: ["ai-training", "ai-search"],
      crawlDelay: "no",
      header:
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot) Chrome/119.0.6045.214 Safari/537.36",
      note: "Its operator may train AI models with what it fetches. If robots.txt cannot be fetched, it uses a copy that is up to 30 days old; without one, it crawls as if there were no robots.txt.",
      ifRefused: "Pages that it does not fetch are not used to train Amazon's models.",
      sources: [amazon, headerList],
    },
    kinOf("Amazonbot", {
      productToken: "Amazonbot-Video",
      purposes: ["ai-search"],
      header:
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_1) AppleWebKit/600.2.5 (KHTML, like Gecko) Version/8.0.2 Safari/600.2.5 (Amazonbot-Video/0.1; +https://developer.amazon.com/support/amazonbot)",
      note: "Named by robots.txt files of its partners; not found in Amazon's documentation.",
      evidence: "listed",
      sources: ["https://content.production.cdn.art19.com/robots.txt"],
    }),
    {
      productToken: "Amzn-SearchBot",
      purposes: ["ai-search"],
      bound: "by-name",
      crawlDelay: "no",
      header:
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Amzn-SearchBot/0.1) Chrome/119.0.6045.214 Safari/537.36",
      note: "If no group names it, but other search crawlers are allowed, it follows the rules for them; its operator does not say which crawlers. It does not crawl for training.",
      ifRefused: "Nothing changes for training: it does not fetch for that.",
      sources: [amazon, headerList],
    },
    {
      productToken: "Amzn-User",
      kind: "user-triggered",
      purposes: ["ai-assistant"],
      bound: "no",
      crawlDelay: "no",
      header: "Mozilla/5.0 (compatible; Amzn-User; +https://developer.amazon.com/)",
      note: "A user triggers it; it may not follow all rules of robots.txt.",
      sources: [amazon, headerList],
    },
  ]),
  ...crawlersOf("ByteDance", [
    {
      productToken: "Bytespider",
      purposes: ["ai-training"],
      header:
        "Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)",
      note: "Reported to ignore robots.txt; one site operator saw it ignore a group for several crawlers but obey a group of its own.",
      evidence: "listed",
      sources: ["https://www.feitsui.com/en/article/32", headerList, aiList],
    },
    {
      productToken: "TikTokSpider",
      purposes: ["social"],
      header:
        "Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; TikTokSpider; ttspider-feedback@tiktok.com)",
      evidence: "listed",
      sources: [headerList, aiList],
    },
  ]),
  ...crawlersOf("Common Crawl", [
    {
      productToken: "CCBot",
      purposes: ["ai-training", "archive", "research"],
      crawlDelay: "yes",
      dialect: "rfc9309",
      accessPolicy: "rfc9309",
      header: "CCBot/2.0 (https://commoncrawl.org/faq/)",
      note: "Its collection is public; language models are trained with it. Its FAQ names RFC 9309.",
      sources: ["https://commoncrawl.org/faq", "https://commoncrawl.org/ccbot", headerList, aiList],
    },
  ]),
];
