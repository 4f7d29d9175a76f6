// Reads files with URLs into the set of these URLs.
import { UsageError } from "@robots-stream/engine";
import { Input, type InputStream, locateUrl } from "@robots-stream/engine/internal";
import { createNoRowsWriter } from "../no-rows-writer.ts";

/** Maximum number of URLs; that many need about 500 MB of memory. */
const mostUrls = 5_000_000;

/** The URLs of sitemaps, compared as origins and targets. */
export class SitemapUrls {
  readonly #urls = new Set<string>();

  has(origin: string, target: string): boolean {
    return this.#urls.has(origin + target);
  }

  /** Adds a URL, unless no robots.txt applies to it. Throws a `UsageError` when the set has too many URLs. */
  add(url: string): void {
    const located = locateUrl(url);
    if (typeof located === "string") return;
    this.#urls.add(located.origin + located.target);
    if (this.#urls.size > mostUrls) {
      throw new UsageError("wrong-value", `--sitemap: more than ${mostUrls} URLs`, "split the pages by site");
    }
  }
}

/**
 * Reads the files one after another. Rejects with an `IoError` or a `UsageError` for a file that cannot be read to its end, and with a
 * `UsageError` when the files have too many URLs.
 */
export async function readSitemapUrls(files: readonly string[], stdin: InputStream): Promise<SitemapUrls> {
  const urls = new SitemapUrls();
  const input = new Input(files, stdin, {
    format: undefined,
    maxLineBytes: 1_048_576,
    urlField: undefined,
    base: undefined,
  });
  await input.check(createNoRowsWriter);
  for await (const batch of input.batches(createNoRowsWriter())) {
    const packed = batch.records;
    for (let record = 0; record < packed.count; record++) urls.add(packed.urlOf(record));
    packed.recycle?.();
  }
  const [failure] = input.failures;
  if (failure !== undefined) throw failure;
  return urls;
}
