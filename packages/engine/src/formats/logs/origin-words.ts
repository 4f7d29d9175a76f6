// The scheme and the host that a line names in, the beginning of its URL as words to copy out.
import { type Base, type HostBases, urlOf } from "@robots-stream/logs";
import { type Words, wordsOf } from "../../records/words.ts";

/** The beginning of the URLs of a host, before the path; undefined without a host, or for a text that is none. */
export function wordsOfOrigin(
  scheme: "http" | "https" | undefined,
  host: string | undefined,
  base: Base | undefined,
  hosts?: HostBases,
): Words | undefined {
  const url = urlOf({ scheme, host, target: "/" }, base, hosts);
  return typeof url === "string" ? wordsOf(url.slice(0, -1)) : undefined;
}
