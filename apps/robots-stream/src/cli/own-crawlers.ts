// Reads a file of --crawlers, and returns the crawlers that it adds to the registry.
import type { OwnCrawler } from "@robots-stream/agents";
import { UsageError } from "@robots-stream/engine";
import { readFileStart, reasonOf, shownWordOf, crawlersInText } from "@robots-stream/engine/internal";

/** Maximum number of bytes in a file. */
const mostFileBytes = 1_048_576;

/**
 * Reads a file of --crawlers: one JSON object per line; empty lines and lines that begin with # are ignored. Throws a `UsageError` for a
 * file that is unreadable or too large, and for the first mistake in the file.
 */
export function readOwnCrawlers(path: string): readonly OwnCrawler[] {
  const shown = `--crawlers ${shownWordOf(path, 100)}`;
  let bytes: Uint8Array;
  try {
    bytes = readFileStart(path, mostFileBytes + 1);
  } catch (error) {
    throw new UsageError("wrong-value", `${shown}: ${reasonOf(error)}`);
  }
  if (bytes.length > mostFileBytes) throw new UsageError("wrong-value", `${shown}: is larger than 1 MiB`);
  const text = Buffer.from(bytes)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  return crawlersInText(text, shown);
}
