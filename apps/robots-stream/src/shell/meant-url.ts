// A word in place of a URL or a file in, the URL that was probably meant out.
import { parseTarget } from "@robots-stream/url";
import { shownWordOf } from "@robots-stream/engine/internal";

/** A last label that is also the ending of a file: such a word is not taken for a host. */
const fileEnding = /\.(?:txt|log|csv|tsv|json|ndjson|jsonl|html?|xml|gz|zst|bz2|xz|list|urls|conf|bak|old|parquet)$/i;

/** The URL of a word that looks like a host, perhaps with a port and a path; undefined for other words and for names of files. */
export function meantUrlOf(word: string): string | undefined {
  const host = /^([\w-]+(?:\.[\w-]+)+)(?:[:/?].*)?$/.exec(word)?.[1];
  if (host === undefined || fileEnding.test(host)) return undefined;
  const meant = `https://${word}`;
  return parseTarget(meant) !== undefined && shownWordOf(meant, Infinity) === meant ? meant : undefined;
}
