// Exports the entries of a cache as lines of JSON, as WARC records or as an indexed snapshot.
import type { StoredRobots } from "@robots-stream/fetch";
import { lineOfEntry, SnapshotWriter } from "@robots-stream/engine/archives";
import { UsageError } from "@robots-stream/engine";
import { printableOf, shownWordOf } from "@robots-stream/engine/internal";
import { exitCodes } from "../../cli/exit-codes.ts";
import { originOf } from "./named-origin.ts";
import type { ActionContext } from "./action.ts";
import { warcBeginning, warcRecordsOf } from "./warc-write.ts";

/**
 * Writes the entries of the named origins, or of all origins if none is named. With `isNewest`, writes only the newest entry of each
 * origin. Resolves to the exit code.
 */
export async function exportEntries(context: ActionContext): Promise<number> {
  const { command, write, stdout } = context;
  const snapshotPath = command.flags.get("snapshot");
  if (snapshotPath !== undefined) return exportSnapshot(context, snapshotPath);
  const isWarc = command.output.format.name === "warc";
  if (isWarc && stdout.isTTY === true) {
    throw new UsageError(
      "wrong-value",
      "a WARC file is compressed bytes, and stdout is a terminal",
      "for example: robots-stream cache export --output-file robots.warc.gz",
    );
  }
  if (isWarc) await write(warcBeginning(Date.now()));
  for (const batch of batchesOf(context)) {
    if (!isWarc) await write(batch.map(lineOfEntry).join(""));
    // A signal is heard in turns of the event loop only; compressing a batch takes seconds.
    for (const entry of isWarc ? batch : []) {
      await write(Buffer.concat(warcRecordsOf(entry)));
      await new Promise(setImmediate);
    }
    await new Promise(setImmediate);
  }
  return exitCodes.done;
}

/** Maximum number of entries left out of a snapshot that are reported one by one. Further such entries are only counted. */
const toldEntries = 10;

async function exportSnapshot(context: ActionContext, folder: string): Promise<number> {
  const { say, signal } = context;
  const writer = new SnapshotWriter(folder);
  let left = 0;
  try {
    for (const batch of batchesOf(context)) {
      for (const entry of batch) {
        const why = writer.add(entry);
        if (why === undefined) continue;
        left++;
        if (left <= toldEntries) say(`${printableOf(entry.origin)}: left out: ${why}`);
      }
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    }
    const { origins, entries } = await writer.finish(signal);
    const more = left === 0 ? "" : `, ${left} left out`;
    const [fetches, of] = [
      entries === 1 ? "1 fetch" : `${entries} fetches`,
      origins === 1 ? "1 origin" : `${origins} origins`,
    ];
    say(`${shownWordOf(folder)}: ${fetches} of ${of}${more}`);
  } finally {
    writer.close();
  }
  return exitCodes.done;
}

/** Yields the entries to export in batches. */
function* batchesOf({ command, store }: ActionContext): Generator<readonly StoredRobots[]> {
  const { names, flags } = command;
  const isNewest = flags.get("newest");
  if (names.length === 0) {
    yield* isNewest ? store.newest() : store.entries();
    return;
  }
  for (const origin of new Set(names.map(originOf))) {
    yield store.history(origin, isNewest ? { limit: 1 } : {}).toReversed();
  }
}
