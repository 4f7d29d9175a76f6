// Lists the URLs of the sitemaps that the robots.txt files in a cache name.
import { parseRobotsTxt } from "@robots-stream/core";
import { sitemaps } from "@robots-stream/core/records";
import type { StoredRobots } from "@robots-stream/fetch";
import { exitCodes } from "../../cli/exit-codes.ts";
import { printableJsonOf, printableOf } from "@robots-stream/engine/internal";
import type { ActionContext } from "./action.ts";

/** Maximum length of a sitemap's URL according to the sitemap protocol. Longer values are skipped. */
const longestSitemap = 2_048;

/**
 * Lists the sitemaps of every origin that contains one of the named texts, or of all origins if no text is named. URLs are listed as they
 * are written in the robots.txt files.
 */
export async function listSitemaps({ command, store, write }: ActionContext): Promise<number> {
  const texts = command.names.map((name) => name.toLowerCase());
  const isJson = command.output.format.name === "ndjson";
  for (const batch of store.newest()) {
    for (const entry of batch) {
      if (texts.length > 0 && !texts.some((text) => entry.origin.includes(text))) continue;
      await write(linesOf(entry, isJson));
    }
  }
  return exitCodes.done;
}

/** Returns one line for each sitemap that the robots.txt of an entry names. During an outage, the last copy of the robots.txt is read. */
function linesOf({ origin, body, lastCopy }: StoredRobots, isJson: boolean): string {
  const bytes = body ?? lastCopy?.body;
  if (bytes === undefined) return "";
  return sitemaps(parseRobotsTxt(bytes))
    .filter(({ value }) => value !== "" && value.length <= longestSitemap)
    .map(({ value, line }) =>
      isJson
        ? `${printableJsonOf(JSON.stringify({ origin, sitemap: value, line }))}\n`
        : `${printableOf(value, longestSitemap)}\n`,
    )
    .join("");
}
