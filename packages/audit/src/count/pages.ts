// Counts, for each crawler, pages and the contradictions about these pages, with examples. The counts of several documents can be merged.
import { Hash64, hexOf } from "../hash.ts";
import type { ExampleCell } from "../document/tables.ts";
import { type Example, exampleTextOf } from "./examples.ts";

declare const TextEncoder: new () => { encode(text: string): Uint8Array };
const encoder = new TextEncoder();

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
  readonly findings: Map<PageFinding, { pages: number; examples: Example[] }>;
}

const mostExamples = 3;

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
        const examples = each.examples.map(([hash, target]) => ({
          high: Number.parseInt(hash.slice(0, 8), 16),
          low: Number.parseInt(hash.slice(8), 16),
          target,
        }));
        this.#add(counts, each.code, each.pages, examples);
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
          const examples = found.examples.map(({ high, low, target }) => [hexOf(high, low), target] as const);
          return [{ code, pages: found.pages, examples }];
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
    if (found === undefined) findings.set(code, (found = { pages: 0, examples: [] }));
    found.pages += pages;
    for (const example of examples) {
      if (found.examples.some(({ high, low }) => high === example.high && low === example.low)) continue;
      found.examples.push(example);
      found.examples.sort((one, other) => one.high - other.high || one.low - other.low);
      if (found.examples.length > mostExamples) found.examples.pop();
    }
  }

  #exampleOf(origin: string, target: string): Example {
    const bytes = encoder.encode(target);
    const whole = encoder.encode(origin + target);
    this.#hash.start(0, 0);
    this.#hash.add(whole, 0, whole.length);
    this.#hash.finish();
    const text = origin + exampleTextOf(bytes, 0, bytes.length, this.#withValues);
    return { high: this.#hash.high, low: this.#hash.low, target: text };
  }
}
