// Composes the beginning of a URL, up to the path, from a scheme and a host.
import { type Base, type HostBases, urlOf } from "@robots-stream/logs";
import { type Words, wordsOf } from "../../records/words.ts";

/** The empty beginning, for a request whose target is a whole URL. */
export const noBeginning: Words = wordsOf("");

/**
 * The beginning of the URLs of a host. Without `host`, the host of `base` is used. Undefined when neither is given, and for a `host` that
 * is not a host name.
 */
export function beginningOf(
  scheme: "http" | "https" | undefined,
  host: string | undefined,
  base: Base | undefined,
  hosts?: HostBases,
): Words | undefined {
  const url = urlOf({ scheme, host, target: "/" }, base, hosts);
  return typeof url === "string" ? wordsOf(url.slice(0, -1)) : undefined;
}
