// Converts an entry of a cache to its line in an NDJSON export.
import type { StoredRobots } from "@robots-stream/fetch";
import { jsonOfStored } from "@robots-stream/fetch/json";
import { printableJsonOf } from "../../common/text.ts";
import { checksumOf } from "./checksum.ts";

/** The line of an entry, with its line end. */
export function lineOfEntry(entry: StoredRobots): string {
  // Control characters are escaped, because the line may be shown on a terminal and contains text that a server chose.
  return `${printableJsonOf(JSON.stringify({ ...jsonOfStored(entry), checksum: checksumOf(entry) }))}\n`;
}
