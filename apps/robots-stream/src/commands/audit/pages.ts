// Reads files with pages (crawl exports, web archives, records with headers or HTML), and counts pages whose directives contradict
// robots.txt or each other.
import type { AuditCounter, DocumentInput } from "@robots-stream/audit";
import { locateUrl, type PackedRecords, utf8TextOf, type VersionRules } from "@robots-stream/engine/internal";
import type { PageSettings } from "../../cli/page/flags.ts";
import { htmlTextOf, PageJudge, type PageTexts } from "../../cli/page/judge.ts";
import { pageTextsOf, readSitemapUrls } from "../../cli/page/members.ts";
import type { AuditSettings } from "./flags.ts";
import { type LogSurroundings, readInput, type ReadLogs } from "./read-logs.ts";
import { numberOfCrawler } from "../../cli/audit/registry.ts";

/** The crawlers for which pages are judged. The operators of these crawlers document how they interpret page directives. */
const pageCrawlers = ["Googlebot", "bingbot", "YandexBot"];

/** The counter of the pages, and the rules that decide the URLs of the pages. */
export interface PagesJudgedBy {
  readonly counter: AuditCounter;
  readonly rules: VersionRules;
}

/**
 * Reads the files of `--pages`, one after another, and counts the pages. Rejects with a `UsageError` for a file that cannot be read, and
 * with the signal's reason.
 */
export async function readPages(
  settings: AuditSettings & { readonly page: PageSettings },
  judgedBy: PagesJudgedBy,
  { stdin, say, signal }: LogSurroundings,
): Promise<ReadLogs> {
  const { page, pagesPaths, maxLineBytes, urlField, base } = settings;
  const sitemap = page.sitemaps.length === 0 ? undefined : await readSitemapUrls(page.sitemaps, stdin);
  const pages = new CountedPages(judgedBy, new PageJudge(sitemap));
  const inputs: DocumentInput[] = [];
  const failures: Error[] = [];
  const options = { format: undefined, maxLineBytes, urlField, base, texts: pageTextsOf(page) };
  for (const path of pagesPaths) {
    const read = await readInput(path, options, { stdin, say, signal }, (packed) => pages.take(packed));
    inputs.push(read.input);
    failures.push(...read.failures);
  }
  return { inputs, failures };
}

/** Judges each page by the newest known robots.txt of its origin, and counts the page. */
class CountedPages {
  readonly #judgedBy: PagesJudgedBy;
  readonly #judge: PageJudge;

  constructor(judgedBy: PagesJudgedBy, judge: PageJudge) {
    this.#judgedBy = judgedBy;
    this.#judge = judge;
  }

  /** Counts the pages of a batch. Returns the problem of each record whose URL cannot be decided, such as "invalid-url". */
  take(packed: PackedRecords): readonly string[] {
    const problems: string[] = [];
    for (let record = 0; record < packed.count; record++) {
      const located = locateUrl(packed.urlOf(record));
      if (typeof located === "string") {
        problems.push(located);
        continue;
      }
      const { origin, target } = located;
      const text = (name: "xRobotsTag" | "robotsMeta" | "canonical"): string =>
        utf8TextOf(packed.fields[name]?.textOf(packed.bytes, record) ?? "");
      const texts: PageTexts = {
        xRobotsTag: text("xRobotsTag"),
        robotsMeta: text("robotsMeta"),
        html: htmlTextOf(Buffer.from(packed.fields.html?.textOf(packed.bytes, record) ?? "", "latin1")),
        canonical: text("canonical"),
      };
      for (const agent of pageCrawlers) this.#count(texts, agent, origin, target);
    }
    return problems;
  }

  #count(texts: PageTexts, agent: string, origin: string, target: string): void {
    const { counter, rules } = this.#judgedBy;
    const version = counter.history.of(origin)?.intervals.at(-1)?.version;
    const allows = (asked: string): boolean | undefined => {
      if (version === undefined) return undefined;
      const bytes = Buffer.from(asked);
      return rules.decide(version, numberOfCrawler.get(agent)! - 1, bytes, 0, bytes.length).allowed;
    };
    const page = this.#judge.judge({ texts, agent, origin, target, isAllowed: allows(target), allows });
    if (page !== undefined) counter.pages.add(agent, origin, target, page.contradictions);
  }
}
