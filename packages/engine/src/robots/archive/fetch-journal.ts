// The results of a fetch into the folder of a snapshot. Every entry is in a store of its own as soon as it is added. A fetch that was killed
// can therefore continue without requesting their origins again. `finish` merges this store, the earlier snapshot and added snapshots into the
// new snapshot.
import { optionText } from "../../common/caller-words.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { StoredRobots } from "@robots-stream/fetch";
import { createSqliteStore, type SqliteStore } from "@robots-stream/fetch/sqlite";
import { IoError, reasonOf, UsageError } from "../../common/errors.ts";
import { shownWordOf } from "../../common/text.ts";
import type { Rejected } from "./entries.ts";
import { journalName, type Manifest, manifestName } from "./snapshot-manifest.ts";
import { openSnapshot, type Snapshot } from "./snapshot-read.ts";
import { prepareFolder, SnapshotWriter } from "./snapshot-write.ts";

/** Codes of failures before any contact with the origin's server; the origins of such entries are requested again. */
const askedAgain: ReadonlySet<string> = new Set(["network-unreachable", "dns-failed", "dns-timeout"]);

/** The store of results has no limit that a disk could hold: an entry must not be removed for another one. */
const mostBytes = 2 ** 50;

export interface JournalOptions {
  /** Whether origins of the earlier snapshot are requested again. */
  readonly isRefreshed: boolean;
  /** Called for damaged entries, which are left out. */
  readonly reject: Rejected;
  readonly signal?: AbortSignal | undefined;
  /** Folders of other snapshots; their entries are added to the new one. */
  readonly added?: readonly string[] | undefined;
}

export interface FinishedFetch {
  readonly manifest: Manifest;
  /** Number of entries that a snapshot cannot hold. */
  readonly leftOut: number;
}

/** An open journal. Only one process may have it open. */
export class FetchJournal {
  readonly #folder: string;
  readonly #options: JournalOptions;
  readonly #store: SqliteStore;
  /** The earlier snapshot of the folder, and the added ones. */
  readonly #snapshots: readonly Snapshot[];

  /**
   * Makes the folder, or opens a folder with a snapshot, a journal, or both. Throws a `UsageError` for any other folder, an `ArchiveError`
   * for a damaged snapshot, a `StoreError` for a damaged journal, and the system's errors.
   */
  constructor(folder: string, options: JournalOptions) {
    prepareFolder(folder);
    this.#folder = folder;
    this.#options = options;
    this.#snapshots = openAll(folder, options.added ?? []);
    try {
      this.#store = createSqliteStore(join(folder, journalName), { maxBytes: mostBytes });
    } catch (error) {
      for (const snapshot of this.#snapshots) snapshot.close();
      throw error;
    }
  }

  /** Whether an origin has a result already, and must not be requested. Throws as the constructor does. */
  has(origin: string): boolean {
    const isResult = (entry: StoredRobots | undefined): boolean => entry !== undefined && !askedAgain.has(entry.code);
    if (isResult(this.#store.get(origin))) return true;
    if (this.#options.isRefreshed) return false;
    return this.#snapshots.some((snapshot) => isResult(snapshot.find(origin)));
  }

  /** Resolves when the entry is on disk. Rejects with an `IoError`. */
  async add(entry: StoredRobots): Promise<void> {
    try {
      await this.#store.set(entry);
    } catch (error) {
      throw new IoError("output", shownWordOf(this.#folder), error);
    }
  }

  /** Adds entries of a file that the journal lacks, and resolves to their number. Rejects with an `IoError`. */
  async merge(entries: readonly StoredRobots[]): Promise<number> {
    try {
      return await this.#store.merge(entries);
    } catch (error) {
      throw new IoError("output", shownWordOf(this.#folder), error);
    }
  }

  /**
   * Writes the new snapshot, in `parts` parts, and removes the journal. Rejects with an `IoError`, or with the signal's reason; nothing is
   * replaced then.
   */
  async finish(parts: number): Promise<FinishedFetch> {
    const { signal, reject } = this.#options;
    const writer = new SnapshotWriter(this.#folder, { parts, takesJournal: true });
    let leftOut = 0;
    let added = 0;
    const add = async (entry: StoredRobots): Promise<void> => {
      if (writer.add(entry) !== undefined) leftOut++;
      // Signals are handled between entries.
      if (++added % 256 !== 0) return;
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    };
    try {
      for (const snapshot of this.#snapshots) {
        for (const entry of snapshot.entries()) {
          if (typeof entry === "string") reject(entry, "is damaged");
          else await add(entry);
        }
      }
      const onDamaged = (origin: string): void => reject(origin, "is damaged");
      for (const batch of this.#store.entries({ onDamaged })) for (const entry of batch) await add(entry);
      await this.#store.close();
      return { manifest: await writer.finish(signal), leftOut };
    } finally {
      writer.close();
    }
  }

  /** Closes the files. The journal stays unless `finish` has removed it. */
  async close(): Promise<void> {
    await this.#store.close();
    for (const snapshot of this.#snapshots) snapshot.close();
  }
}

/**
 * Opens the folder's snapshot, if any, and the added ones. Throws as `openSnapshot` does for the folder's snapshot, and a `UsageError` for
 * an added snapshot that cannot be opened or whose fetch is not complete.
 */
function openAll(folder: string, added: readonly string[]): readonly Snapshot[] {
  const open: Snapshot[] = [];
  try {
    if (existsSync(join(folder, manifestName))) open.push(openSnapshot(folder));
    for (const other of added) {
      if (existsSync(join(other, journalName))) {
        throw new UsageError(
          "unusable-robots",
          `${optionText("add", shownWordOf(other))}: its fetch is not complete`,
          "run that fetch again until it is complete",
        );
      }
      try {
        open.push(openSnapshot(other));
      } catch (error) {
        throw new UsageError("unusable-robots", `${optionText("add", shownWordOf(other))}: ${reasonOf(error)}`);
      }
    }
    return open;
  } catch (error) {
    for (const snapshot of open) snapshot.close();
    throw error;
  }
}
