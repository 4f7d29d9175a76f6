// The entries of a cache in, all that is known about them out: a line of JSON each, or WARC records.
import type { StoredRobots } from "@robots-stream/fetch";
import { jsonOfStored } from "@robots-stream/fetch/json";
import { printableJsonOf, UsageError } from "@robots-stream/engine/internal";
import { exitCodes } from "../../shell/exit-codes.ts";
import { checksumOf } from "./checksum.ts";
import { originOf } from "./named-origin.ts";
import type { ActionContext } from "./action.ts";
import { warcBeginning, warcRecordsOf } from "./warc-write.ts";

/** The line of an entry, with its end. */
export function lineOfEntry(entry: StoredRobots): string {
  // Escaped: the line may be shown on a terminal, and a server chose what is in it.
  return `${printableJsonOf(JSON.stringify({ ...jsonOfStored(entry), checksum: checksumOf(entry) }))}\n`;
}

/** Writes the entries of the origins, or of all, in the order they were stored. */
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
