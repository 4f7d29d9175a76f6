// Exports the entries of a cache with all their members, as lines of JSON or as WARC records.
import type { StoredRobots } from "@robots-stream/fetch";
import { jsonOfStored } from "@robots-stream/fetch/json";
import { printableJsonOf, UsageError } from "@robots-stream/engine/internal";
import { exitCodes } from "../../shell/exit-codes.ts";
import { checksumOf } from "./checksum.ts";
import { originOf } from "./named-origin.ts";
import type { ActionContext } from "./action.ts";
import { warcBeginning, warcRecordsOf } from "./warc-write.ts";

/** The line of an entry, with its line end. */
export function lineOfEntry(entry: StoredRobots): string {
  // Control characters are escaped, because the line may be shown on a terminal and contains text that a server chose.
  return `${printableJsonOf(JSON.stringify({ ...jsonOfStored(entry), checksum: checksumOf(entry) }))}\n`;
}

/** Writes the entries of the given origins, or of all origins, in the order in which they were stored. */
export async function exportEntries({ command, store, write, stdout }: ActionContext): Promise<number> {
  const isWarc = command.output.format.name === "warc";
  if (isWarc && stdout.isTTY === true) {
    throw new UsageError(
      "wrong-value",
      "a WARC file is compressed bytes, and stdout is a terminal",
      "for example: robots-stream cache export --output-file robots.warc.gz",
    );
  }
  if (isWarc) await write(warcBeginning(Date.now()));
  for (const batch of batchesOf()) {
    if (isWarc) await write(Buffer.concat(batch.flatMap(warcRecordsOf)));
    else await write(batch.map(lineOfEntry).join(""));
  }
  return exitCodes.done;

  function* batchesOf(): Generator<readonly StoredRobots[]> {
    const { names, isNewest } = command;
    if (names.length === 0) {
      yield* isNewest ? store.newest() : store.entries();
      return;
    }
    for (const origin of new Set(names.map(originOf))) {
      yield store.history(origin, isNewest ? { limit: 1 } : {}).toReversed();
    }
  }
}
