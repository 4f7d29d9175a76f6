// Named sets of crawlers: sets by purpose, sets by kind, and sets that include several of these.
import { crawlers } from "./registry.ts";
import type { Crawler } from "./types.ts";

/** A named set of crawlers. */
export interface CrawlerSet {
  readonly name: string;
  readonly about: string;
  /** The crawlers of the set in the order of the registry. */
  readonly crawlers: readonly Crawler[];
}

function setOf(name: string, about: string, isMember: (crawler: Crawler) => boolean): CrawlerSet {
  return Object.freeze({ name, about, crawlers: Object.freeze(crawlers.filter(isMember)) });
}

const has =
  (...purposes: readonly string[]) =>
  (crawler: Crawler): boolean =>
    crawler.purposes.some((purpose) => purposes.includes(purpose));

/** All sets. Sets that include other sets come first. */
export const crawlerSets: readonly CrawlerSet[] = Object.freeze([
  setOf("all", "all known crawlers", () => true),
  setOf("all-search", "crawlers of search engines, AI answers included", has("search", "ai-search")),
  setOf(
    "ai",
    "AI training, AI search and AI assistants, control tokens included",
    has("ai-training", "ai-search", "ai-assistant"),
  ),
  setOf("ai-training", "training data of language models", has("ai-training")),
  setOf("ai-search", "search indexes behind AI answers", has("ai-search")),
  setOf("ai-assistant", "pages that a user asks an assistant about", has("ai-assistant")),
  setOf("ads", "landing pages and pages that carry ads", has("ads")),
  setOf("seo", "tools for search engine optimization", has("seo")),
  setOf("social", "previews of shared links", has("social")),
  setOf("archive", "archives of the web", has("archive")),
  setOf("feeds", "feed readers and aggregators", has("feeds")),
  setOf("monitoring", "checks whether a site responds", has("monitoring")),
  setOf("security", "security scanners", has("security")),
  setOf("user-triggered", "fetchers that a user triggers, page by page", ({ kind }) => kind === "user-triggered"),
  setOf("programs", "programs that anyone may run", ({ kind }) => kind === "program"),
  setOf("control", "control tokens: no request carries them", ({ kind }) => kind === "control-token"),
]);

/** The set with a name; undefined for an unknown name. */
export function crawlerSetOf(name: string): CrawlerSet | undefined {
  return crawlerSets.find((set) => set.name === name);
}
