// Imports the entries of a file into a store: an NDJSON export, or a WARC file of this app or of any crawler, compressed or not.
import type { StoredRobots } from "@robots-stream/fetch";
import { entriesOf } from "@robots-stream/engine/archives";
import { IoError } from "@robots-stream/engine";
import { shownWordOf } from "@robots-stream/engine/internal";
import { countText, numberText } from "../figures.ts";
import { firstTold } from "../terminal.ts";
import type { Source } from "../read-all.ts";

/** Number of entries that one transaction adds. */
const batchEntries = 200;

interface ImportOptions {
  /** The name of the file, for messages. */
  readonly shown: string;
  readonly source: Source;
  /** Adds the entries that the store lacks, and resolves to their number. */
  readonly merge: (entries: readonly StoredRobots[]) => Promise<number>;
  readonly say: (sentence: string) => void;
  readonly signal: AbortSignal | undefined;
}

/**
 * Imports a file, and says how many entries were added, were known before, and were left out because they are not valid. Resolves to the
 * number of entries of the file. Rejects with an `IoError`, with the error of the store, or with the signal's reason; entries that were read
 * before are added.
 */
export async function importEntries({ shown, source, merge, say, signal }: ImportOptions): Promise<number> {
  let [added, known] = [0, 0];
  const faults = firstTold(say, "faults");
  const reject = (where: string, why: string): void => faults.tell(`${shown}: ${where}: ${why}`);
  let batch: StoredRobots[] = [];
  const flush = async (): Promise<void> => {
    const count = await merge(batch);
    added += count;
    known += batch.length - count;
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
  } catch (error) {
    if (signal?.aborted === true || isStoreError(error) || error instanceof IoError) throw error;
    throw new IoError("input", shown, error);
  } finally {
    signal?.removeEventListener("abort", stop);
    source.destroy();
    // Stores the last batch, also when reading failed after it.
    await flush();
    const leftOut = faults.count === 0 ? "" : `, ${numberText(faults.count)} left out`;
    say(`${shown}: ${countText(added, "fetch", "fetches")} added, ${numberText(known)} known before${leftOut}`);
  }
  return added + known;
}

/** The name of a file in messages. */
export function shownFileOf(name: string): string {
  return name === "-" ? "stdin" : shownWordOf(name);
}

function isStoreError(error: unknown): boolean {
  return error instanceof Error && error.name === "StoreError";
}
