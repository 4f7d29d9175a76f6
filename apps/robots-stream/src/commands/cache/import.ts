// Imports files into the cache: NDJSON exports, and WARC files of this app or of any crawler. The files may be compressed.
import type { StoredRobots } from "@robots-stream/fetch";
import { entriesOf, type Rejected } from "@robots-stream/engine/archives";
import { IoError } from "@robots-stream/engine";
import type { Source } from "../../cli/read-all.ts";
import { openSource, shownWordOf } from "@robots-stream/engine/internal";
import { exitCodes } from "../../cli/exit-codes.ts";
import { countText, numberText } from "../../cli/figures.ts";
import type { ActionContext } from "./action.ts";

/** Number of entries that one transaction adds to the cache. */
const batchEntries = 200;
/** Maximum number of faults in a file that are reported one by one. Further faults are only counted. */
const toldFaults = 10;

interface Counts {
  /** `added`: number of entries that were added to the cache. `known`: number of entries that the cache already had. */
  added: number;
  known: number;
  /** Number of lines and records that are not valid entries. */
  rejects: number;
}

/** Imports the files, and reports the counts of each file. Reports and skips invalid entries. Resolves to the exit code. */
export async function importFiles(context: ActionContext): Promise<number> {
  const { command, say, stdin } = context;
  for (const name of command.names.length === 0 ? ["-"] : command.names) {
    const counts: Counts = { added: 0, known: 0, rejects: 0 };
    const shown = name === "-" ? "stdin" : shownWordOf(name);
    const reject = (where: string, why: string): void => {
      counts.rejects++;
      if (counts.rejects <= toldFaults) say(`${shown}: ${where}: ${why}`);
      if (counts.rejects === toldFaults) say("… further faults are only counted");
    };
    try {
      await importOne(context, openSource(name, stdin), counts, reject);
    } catch (error) {
      if (context.signal?.aborted === true || isStoreError(error) || error instanceof IoError) throw error;
      throw new IoError("input", shown, error);
    } finally {
      const { added, known, rejects } = counts;
      const leftOut = rejects === 0 ? "" : `, ${numberText(rejects)} left out`;
      say(`${shown}: ${countText(added, "fetch", "fetches")} added, ${numberText(known)} known before${leftOut}`);
    }
  }
  return exitCodes.done;
}

function isStoreError(error: unknown): boolean {
  return error instanceof Error && error.name === "StoreError";
}

async function importOne(
  { store, signal }: ActionContext,
  source: Source,
  counts: Counts,
  reject: Rejected,
): Promise<void> {
  let batch: StoredRobots[] = [];
  const flush = async (): Promise<void> => {
    const added = await store.merge(batch);
    counts.added += added;
    counts.known += batch.length - added;
    batch = [];
  };
  const stop = (): void => source.destroy();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    for await (const entry of entriesOf(source.chunks as AsyncIterable<Uint8Array>, reject)) {
      signal?.throwIfAborted();
      batch.push(entry);
      if (batch.length >= batchEntries) await flush();
    }
    signal?.throwIfAborted();
  } finally {
    signal?.removeEventListener("abort", stop);
    source.destroy();
    // Stores the last batch, also when reading failed after it.
    await flush();
  }
}
