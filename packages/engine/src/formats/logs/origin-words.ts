// Composes the beginning of a URL from a scheme and a host, as a string and as `Words`.
import { type Base, type HostBases, urlOf } from "@robots-stream/logs";
import { type Words, wordsOf } from "../../records/words.ts";

/** The beginning of a URL: its scheme and its host, up to the path. */
export interface UrlBeginning {
  /** The bytes as a Latin-1 string. */
  readonly text: string;
  readonly words: Words;
}

/** The empty beginning, for a request whose target is a whole URL. */
export const noBeginning: UrlBeginning = { text: "", words: wordsOf("") };

/**
 * The beginning of the URLs of a host. Without `host`, the host of `base` is used. Undefined when neither is given, and for a `host` that
 * is not a host name.
 */
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
