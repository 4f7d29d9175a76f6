// Counts, for each crawler, pages and the contradictions about these pages, with examples. The counts of several documents can be merged.
import { Hash64, bytesOf } from "../hash.ts";
import {
  type Example,
  type ExampleCell,
  Examples,
  exampleCellOf,
  exampleOf,
  exampleTextOf,
  mostExamples,
} from "./examples.ts";

/** The kinds of contradictions about a page, by their names in documents and findings. */
export const pageFindings = [
  "noindex-not-seen",
  "engines-differ",
  "sitemap-disallowed",
  "sitemap-noindex",
  "canonical-disallowed",
] as const;

/** The kind of a contradiction about a page. */
export type PageFinding = (typeof pageFindings)[number];

/** The counts of the pages that were judged for one crawler. */
export interface DocumentPages {
  readonly crawler: string;
  readonly pages: number;
  readonly findings: readonly {
    readonly code: PageFinding;
    readonly pages: number;
    /** The URLs with the smallest hashes. */
    readonly examples: readonly ExampleCell[];
  }[];
}

interface Counts {
  pages: number;
  readonly findings: Map<PageFinding, { pages: number; readonly examples: Examples }>;
}

/** Counts pages. Memory is bounded by the number of crawlers. */
export class PageCounts {
  readonly #byCrawler = new Map<string, Counts>();
  readonly #withValues: boolean;
  readonly #hash = new Hash64();

  /** `withValues`: whether examples contain the values of parameters. */
  constructor(withValues: boolean) {
    this.#withValues = withValues;
  }

  /** Counts a page for a crawler. `found` has the kinds of contradictions about the page, each once. */
  add(crawler: string, origin: string, target: string, found: readonly PageFinding[]): void {
    const counts = this.#countsOf(crawler);
    counts.pages++;
    for (const code of found) this.#add(counts, code, 1, [this.#exampleOf(origin, target)]);
  }

  /** Adds the counts of a document. */
  addDocument(pages: readonly DocumentPages[]): void {
    for (const { crawler, pages: count, findings } of pages) {
      const counts = this.#countsOf(crawler);
      counts.pages += count;
      for (const each of findings) {
        this.#add(counts, each.code, each.pages, each.examples.map(exampleOf));
      }
    }
  }

  /** The rows for a document, in canonical order. */
  rows(): readonly DocumentPages[] {
    return [...this.#byCrawler]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([crawler, { pages, findings }]) => ({
        crawler,
        pages,
        findings: pageFindings.flatMap((code) => {
          const found = findings.get(code);
          if (found === undefined) return [];
          return [{ code, pages: found.pages, examples: found.examples.of(0).map(exampleCellOf) }];
        }),
      }));
  }

  #countsOf(crawler: string): Counts {
    let counts = this.#byCrawler.get(crawler);
    if (counts === undefined) this.#byCrawler.set(crawler, (counts = { pages: 0, findings: new Map() }));
    return counts;
  }

  #add({ findings }: Counts, code: PageFinding, pages: number, examples: readonly Example[]): void {
    let found = findings.get(code);
    if (found === undefined) {
      found = { pages: 0, examples: new Examples(this.#withValues, mostExamples) };
      findings.set(code, found);
    }
    found.pages += pages;
    for (const example of examples) found.examples.addExample(0, example);
  }

  #exampleOf(origin: string, target: string): Example {
    const bytes = bytesOf(target);
    const whole = bytesOf(origin + target);
    this.#hash.start(0, 0);
    this.#hash.add(whole, 0, whole.length);
    this.#hash.finish();
    const text = origin + exampleTextOf(bytes, 0, bytes.length, this.#withValues);
    return { high: this.#hash.high, low: this.#hash.low, target: text };
  }
}
