// Exports the entries of a cache as lines of JSON, as WARC records or as an indexed snapshot.
import type { StoredRobots } from "@robots-stream/fetch";
import { lineOfEntry, SnapshotWriter } from "@robots-stream/engine/archives";
import { UsageError } from "@robots-stream/engine";
import { type FirstTold, printableOf, shownWordOf } from "@robots-stream/engine/internal";
import { exitCodes } from "../../cli/exit-codes.ts";
import { firstTold } from "../../cli/terminal.ts";
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
  const damaged = new DamagedRows(context.say);
  for (const batch of batchesOf(context, damaged.add)) {
    if (!isWarc) await write(batch.map(lineOfEntry).join(""));
    // A signal is heard in turns of the event loop only; compressing a batch takes seconds.
    for (const entry of isWarc ? batch : []) {
      await write(Buffer.concat(warcRecordsOf(entry)));
      await new Promise(setImmediate);
    }
    await new Promise(setImmediate);
  }
  return damaged.end();
}

/** Tells the damaged rows of the cache, which are left out. The export then has fewer entries than the cache, and fails. */
class DamagedRows {
  readonly #say: ActionContext["say"];
  readonly #told: FirstTold;

  constructor(say: ActionContext["say"]) {
    this.#say = say;
    this.#told = firstTold(say, "damaged rows");
  }

  readonly add = (origin: string): void => this.#told.tell(`${printableOf(origin)}: left out: its row is damaged`);

  /** Says how many rows are left out, if there are any, and returns the exit code. */
  end(): number {
    const { count } = this.#told;
    if (count === 0) return exitCodes.done;
    this.#say(count === 1 ? "1 damaged row is left out" : `${count} damaged rows are left out`);
    return exitCodes.failed;
  }
}

async function exportSnapshot(context: ActionContext, folder: string): Promise<number> {
  const { say, signal } = context;
  const writer = new SnapshotWriter(folder);
  const damaged = new DamagedRows(say);
  const left = firstTold(say, "entries that are left out");
  try {
    for (const batch of batchesOf(context, damaged.add)) {
      for (const entry of batch) {
        const why = writer.add(entry);
        if (why !== undefined) left.tell(`${printableOf(entry.origin)}: left out: ${why}`);
      }
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    }
    const { origins, entries } = await writer.finish(signal);
    const more = left.count === 0 ? "" : `, ${left.count} left out`;
    const [fetches, of] = [
      entries === 1 ? "1 fetch" : `${entries} fetches`,
      origins === 1 ? "1 origin" : `${origins} origins`,
    ];
    say(`${shownWordOf(folder)}: ${fetches} of ${of}${more}`);
  } finally {
    writer.close();
  }
  return damaged.end();
}

/** Yields the entries to export in batches. */
function* batchesOf(
  { command, store }: ActionContext,
  onDamaged: (origin: string) => void,
): Generator<readonly StoredRobots[]> {
  const { names, flags } = command;
  const isNewest = flags.get("newest");
  if (names.length === 0) {
    yield* isNewest ? store.newest({ onDamaged }) : store.entries({ onDamaged });
    return;
  }
  for (const origin of new Set(names.map(originOf))) {
    yield store.history(origin, { onDamaged, ...(isNewest ? { limit: 1 } : {}) }).toReversed();
  }
}
