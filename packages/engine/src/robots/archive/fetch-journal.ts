// The journal of a fetch into the folder of a snapshot. Every entry is written to the journal as soon as it is added. A fetch that was
// killed can therefore continue without requesting the origins in the journal again. `finish` merges the journal, the earlier snapshot and
// added snapshots into the new snapshot.
import { closeSync, constants, createReadStream, existsSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { StoredRobots } from "@robots-stream/fetch";
import { IoError, reasonOf, UsageError } from "../../errors.ts";
import { newFileFlags } from "../../files/open-file.ts";
import { ByteKeys } from "../../records/byte-keys.ts";
import { shownWordOf } from "../../text.ts";
import { entriesOf, type Rejected } from "./entries.ts";
import { lineOfEntry } from "./entry-line.ts";
import { journalName, longestOrigin, type Manifest, manifestName } from "./snapshot-format.ts";
import { openSnapshot, type Snapshot } from "./snapshot-read.ts";
import { prepareFolder, SnapshotWriter } from "./snapshot-write.ts";

/** Codes of failures before any contact with the origin's server; the origins of such entries are requested again. */
const askedAgain: ReadonlySet<string> = new Set(["network-unreachable", "dns-failed", "dns-timeout"]);

export interface JournalOptions {
  /** Whether origins of the earlier snapshot are requested again. */
  readonly isRefreshed: boolean;
  /** Called for damaged lines and records, which are left out. */
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

/** An open journal, which keeps the names of its origins in memory. Only one process may have it open. */
export class FetchJournal {
  readonly #folder: string;
  readonly #options: JournalOptions;
  readonly #fd: number;
  /** The earlier snapshot of the folder, and the added ones. */
  readonly #snapshots: readonly Snapshot[];
  readonly #origins = new ByteKeys();
  readonly #scratch = Buffer.alloc(longestOrigin);

  private constructor(folder: string, options: JournalOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#snapshots = openAll(folder, options.added ?? []);
    try {
      this.#fd = openSync(join(folder, journalName), constants.O_RDWR | constants.O_APPEND | journalFlags, 0o666);
    } catch (error) {
      for (const snapshot of this.#snapshots) snapshot.close();
      throw error;
    }
  }

  /**
   * Makes the folder, or opens a folder with a snapshot, a journal, or both. Rejects with a `UsageError` for any other folder, with an
   * `ArchiveError` for a damaged snapshot, and with the system's errors.
   */
  static async open(folder: string, options: JournalOptions): Promise<FetchJournal> {
    prepareFolder(folder);
    const journal = new FetchJournal(folder, options);
    try {
      for await (const { origin, code } of journal.#entries(options.reject)) {
        if (!askedAgain.has(code)) journal.#note(origin);
      }
      journal.#endLastLine();
    } catch (error) {
      journal.close();
      throw error;
    }
    return journal;
  }

  /** Whether an origin has a result already, and must not be requested. */
  has(origin: string): boolean {
    if (origin.length > longestOrigin) return false;
    if (this.#origins.find(this.#scratch, 0, this.#write(origin)) >= 0) return true;
    if (this.#options.isRefreshed) return false;
    return this.#snapshots.some((snapshot) => {
      const code = snapshot.find(origin, (record) => record.entry())?.code;
      return code !== undefined && !askedAgain.has(code);
    });
  }

  /** Writes an entry. Throws an `IoError`. */
  add(entry: StoredRobots): void {
    const line = Buffer.from(lineOfEntry(entry));
    try {
      for (let at = 0; at < line.length;) at += writeSync(this.#fd, line, at);
    } catch (error) {
      throw new IoError("output", shownWordOf(this.#folder), error);
    }
  }

  /**
   * Writes the new snapshot, in `parts` parts, and removes the journal. Rejects with an `IoError`, or with the signal's reason; nothing is
   * replaced then.
   */
  async finish(parts: number): Promise<FinishedFetch> {
    const { signal } = this.#options;
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
          if (typeof entry === "string") this.#options.reject(entry, "is damaged");
          else await add(entry);
        }
      }
      // Damaged lines were reported when the journal was opened.
      for await (const entry of this.#entries(() => undefined)) await add(entry);
      return { manifest: await writer.finish(signal), leftOut };
    } finally {
      writer.close();
    }
  }

  /** Closes the files. The journal stays unless `finish` has removed it. */
  close(): void {
    closeSync(this.#fd);
    for (const snapshot of this.#snapshots) snapshot.close();
  }

  #entries(reject: Rejected): AsyncIterable<StoredRobots> {
    return entriesOf(createReadStream("", { fd: this.#fd, autoClose: false, start: 0 }), reject);
  }

  /** Ends the incomplete line of a killed process, so that the next entry begins a line of its own. */
  #endLastLine(): void {
    const { size } = fstatSync(this.#fd);
    const last = Buffer.alloc(1);
    if (size > 0 && readSync(this.#fd, last, 0, 1, size - 1) === 1 && last[0] !== lineFeed) writeSync(this.#fd, "\n");
  }

  #note(origin: string): void {
    if (origin.length > longestOrigin) return;
    const length = this.#write(origin);
    if (this.#origins.find(this.#scratch, 0, length) < 0) this.#origins.add(this.#scratch, 0, length);
  }

  #write(origin: string): number {
    return this.#scratch.write(origin, "latin1");
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
          `--add ${shownWordOf(other)}: its fetch is not complete`,
          "run that fetch again until it is complete",
        );
      }
      try {
        open.push(openSnapshot(other));
      } catch (error) {
        throw new UsageError("unusable-robots", `--add ${shownWordOf(other)}: ${reasonOf(error)}`);
      }
    }
    return open;
  } catch (error) {
    for (const snapshot of open) snapshot.close();
    throw error;
  }
}

const lineFeed = 0x0a;

/** Flags that create a missing file and refuse a link. */
const journalFlags = newFileFlags & ~constants.O_EXCL;
