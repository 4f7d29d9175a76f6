// Makes the beginning of a line's URL from its scheme and host: as text, and as words that can be copied.
import { type Base, type HostBases, urlOf } from "@robots-stream/logs";
import { type Words, wordsOf } from "../../records/words.ts";

/** The beginning of URLs, up to the path. */
export interface UrlBeginning {
  /** As bytes in a Latin-1 string. */
  readonly text: string;
  readonly words: Words;
}

/** The beginning of a URL whose target is a URL itself. */
export const noBeginning: UrlBeginning = { text: "", words: wordsOf("") };

/** The beginning of the URLs of a host; undefined without a host, or for a text that is not a host. */
export function beginningOf(
  scheme: "http" | "https" | undefined,
  host: string | undefined,
  base: Base | undefined,
  hosts?: HostBases,
): UrlBeginning | undefined {
  const url = urlOf({ scheme, host, target: "/" }, base, hosts);
  if (typeof url !== "string") return undefined;
  const text = url.slice(0, -1);
  return { text, words: wordsOf(text) };
}
