// Programs that fetch pages and that anyone may run. The person who runs a program decides whether it obeys robots.txt.
import type { Crawler, Purpose } from "../types.ts";
import { type Row, aiList, crawlersOf, headerList } from "./row.ts";

const program = (productToken: string, purpose: Purpose, rest: Partial<Row> & Pick<Row, "note">): Row => ({
  productToken,
  kind: "program",
  purposes: [purpose],
  evidence: "listed",
  sources: [headerList],
  ...rest,
});

const scrapyDocs = "https://docs.scrapy.org/en/latest/topics/settings.html#robotstxt-obey";

export const programs: readonly Crawler[] = [
  ...crawlersOf("Screaming Frog", [
    program("Screaming Frog SEO Spider", "seo", {
      header: "Screaming Frog SEO Spider/5.1",
      note: "Can be configured to ignore robots.txt. Not a valid product token: Google's parser reads only Screaming, the first word.",
    }),
  ]),
  ...crawlersOf("img2dataset", [
    program("img2dataset", "ai-training", {
      note: "Downloads lists of pictures. Not a valid product token: Google's parser reads only img.",
      sources: [headerList, aiList],
    }),
  ]),
  ...crawlersOf("Scrapy", [
    program("Scrapy", "tools", {
      header: "Scrapy/1.0.3 (+http://scrapy.org)",
      note: "A library. It obeys robots.txt if its setting ROBOTSTXT_OBEY is on, as in new projects; the library's own default is off.",
      sources: [scrapyDocs, headerList, aiList],
    }),
  ]),
  ...crawlersOf("Crawl4AI", [program("Crawl4AI", "ai-training", { note: "A library.", sources: [aiList] })]),
  ...crawlersOf("Lightpanda", [
    program("Lightpanda", "ai-training", { note: "A headless browser.", sources: [aiList] }),
  ]),
  ...crawlersOf("Anthropic", [
    program("Claude-Code", "ai-assistant", { note: "Writes programs on a user's machine.", sources: [aiList] }),
  ]),
  ...crawlersOf("Google", [
    program("Google-Gemini-CLI", "ai-assistant", { note: "Writes programs on a user's machine.", sources: [aiList] }),
  ]),
  ...crawlersOf("Tiny Tiny RSS", [
    program("Tiny Tiny RSS", "feeds", {
      header: "Tiny Tiny RSS/1.15.3 (http://tt-rss.org/)",
      note: "A feed reader. Not a valid product token: Google's parser reads only Tiny.",
    }),
  ]),
];
