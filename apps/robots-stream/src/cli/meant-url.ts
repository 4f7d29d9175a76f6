// Guesses the URL that a user meant by a word such as "example.com/path".
import { parseTarget } from "@robots-stream/url";
import { shownWordOf } from "@robots-stream/engine/internal";

/** Endings of file names. A word with such an ending is not treated as a host, even if its last label could be a top-level domain. */
const fileEnding = /\.(?:txt|log|csv|tsv|json|ndjson|jsonl|html?|xml|gz|zst|bz2|xz|list|urls|conf|bak|old|parquet)$/i;

/** The URL of a word that looks like a host, perhaps with a port and a path; undefined for other words and for names of files. */
export function meantUrlOf(word: string): string | undefined {
  const host = /^([\w-]+(?:\.[\w-]+)+)(?:[:/?].*)?$/.exec(word)?.[1];
  if (host === undefined || fileEnding.test(host)) return undefined;
  const meant = `https://${word}`;
  return parseTarget(meant) !== undefined && shownWordOf(meant, Infinity) === meant ? meant : undefined;
}
