// Makes the findings about pages from the counts of pages in a document.
import type { PageFinding } from "../count/pages.ts";
import type { AuditDocument } from "../document/types.ts";
import { amountOf } from "./numbers.ts";
import type { SentencePart, Severity } from "./types.ts";

/** The parts of a finding about pages. */
export interface FoundPages {
  readonly code: PageFinding;
  readonly severity: Severity;
  readonly crawlers: readonly string[];
  readonly pages: number;
  readonly sentence: readonly SentencePart[];
}

const severityOf: Readonly<Record<PageFinding, Severity>> = {
  "noindex-not-seen": "warning",
  "sitemap-disallowed": "warning",
  "sitemap-noindex": "warning",
  "canonical-disallowed": "warning",
  "engines-differ": "note",
};

type Counted = NonNullable<AuditDocument["pages"]>[number]["findings"][number];

/** The findings about pages. Crawlers with equal numbers of pages and equal examples share a finding. */
export function pageFindingsOf({ pages: all = [] }: AuditDocument): readonly FoundPages[] {
  const groups = new Map<string, { readonly found: Counted; readonly looked: number; readonly crawlers: string[] }>();
  for (const { crawler, pages: looked, findings } of all) {
    for (const found of findings) {
      const key = JSON.stringify([found, looked]);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { found, looked, crawlers: [crawler] });
      else group.crawlers.push(crawler);
    }
  }
  return [...groups.values()].map(({ found: { code, pages, examples }, looked, crawlers }) => {
    const urls = examples.flatMap(([, url], at): readonly SentencePart[] => [
      at === 0 ? "; for example " : ", ",
      { code: url },
    ]);
    const sentence = [
      ...sentenceOf(code, namesOf(crawlers), pages),
      ` (of ${amountOf(looked, "page")} examined)`,
      ...urls,
    ];
    return { code, severity: severityOf[code], crawlers, pages, sentence };
  });
}

/** A list of crawlers: "Googlebot", "Googlebot and bingbot", "Googlebot, YandexBot and bingbot". */
function namesOf(crawlers: readonly string[]): readonly SentencePart[] {
  return crawlers.flatMap((name, at): readonly SentencePart[] => [
    ...(at === 0 ? [] : [at === crawlers.length - 1 ? " and " : ", "]),
    { name },
  ]);
}

function sentenceOf(code: PageFinding, names: readonly SentencePart[], count: number): readonly SentencePart[] {
  const isOne = count === 1;
  const [pages, say, are, have, it] = isOne
    ? ["page", "says", "is", "has", "it"]
    : ["pages", "say", "are", "have", "them"];
  const noindex = { code: "noindex" };
  switch (code) {
    case "noindex-not-seen":
      return [`${pages} ${say} `, noindex, ", which ", ...names, ` cannot see: robots.txt disallows fetching ${it}`];
    case "engines-differ":
      return [`${pages} may be in the index of some of Google, Bing and Yandex, and not of others`];
    case "sitemap-disallowed":
      return [`${pages} of the sitemap ${are} disallowed for `, ...names];
    case "sitemap-noindex":
      return [`${pages} of the sitemap ${say} `, noindex, " to ", ...names];
    case "canonical-disallowed":
      return [`${pages} ${have} a canonical URL that robots.txt disallows for `, ...names];
  }
}
