// Writes an indexed snapshot in bounded memory: takes entries in any order, and writes a folder with a manifest and one file for each part.
import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { StoredRobots } from "@robots-stream/fetch";
import { createPartWriter, type PartWriter } from "@robots-stream/fetch/archives";
import { IoError, reasonOf, UsageError } from "../../common/errors.ts";
import { newFileFlags, readFileStart } from "../../files/open-file.ts";
import { hashOf } from "../../common/shard.ts";
import { shownWordOf } from "../../common/text.ts";
import {
  formatName,
  isJournal,
  journalName,
  longestOrigin,
  type Manifest,
  manifestName,
  manifestOf,
  type ManifestPart,
  mostManifestBytes,
  mostParts,
  partFile,
  schemaVersion,
  textOfManifest,
} from "./snapshot-manifest.ts";

/** The settings of writing a snapshot. */
export interface SnapshotWriterOptions {
  /** Number of parts; 1 by default. */
  readonly parts?: number;
  /**
   * Whether the caller adds the entries of the folder's journal, which `finish` then removes. If false, a folder with a journal is refused.
   */
  readonly takesJournal?: boolean;
}

/** Memory for pages of all parts together. */
const cacheBytes = 64 * 1_048_576;

/**
 * Collects entries in files with temporary names inside the folder, and names them in `finish`. The manifest is replaced in one step after
 * the new part files, so that a reader finds either the earlier snapshot or the new one. Only one writer may use a folder at a time.
 */
export class SnapshotWriter {
  readonly #folder: string;
  readonly #parts: WrittenPart[] = [];
  #fetchedFrom = Infinity;
  #fetchedTo = 0;

  /**
   * Creates the folder, or takes an empty folder or an earlier snapshot, which is replaced. Throws a `UsageError` for a folder with other
   * content or with an unfinished fetch, and for a folder that cannot be created. Throws a `RangeError` for an invalid number of parts, and
   * an `IoError`.
   */
  constructor(folder: string, { parts = 1, takesJournal = false }: SnapshotWriterOptions = {}) {
    if (!Number.isInteger(parts) || parts < 1 || parts > mostParts) {
      throw new RangeError(`a snapshot has from 1 to ${mostParts} parts`);
    }
    this.#folder = folder;
    prepareFolder(folder);
    if (!takesJournal && existsSync(join(folder, journalName))) {
      throw new UsageError(
        "unusable-output",
        `${shownWordOf(folder)}: contains an unfinished fetch, ${journalName}`,
        "continue it with robots-stream fetch, or remove that file",
      );
    }
    try {
      for (let number = 1; number <= parts; number++) {
        this.#parts.push(new WrittenPart(folder, number, parts));
      }
    } catch (error) {
      this.close();
      throw new IoError("output", shownWordOf(folder), error);
    }
  }

  /** Adds an entry, and returns undefined; for an entry that no snapshot can hold, returns the reason. Throws an `IoError`. */
  add(entry: StoredRobots): string | undefined {
    const { origin, fetchedAt } = entry;
    if (origin.length > longestOrigin) return "its name is too long";
    try {
      if (!this.#parts[hashOf(origin) % this.#parts.length]!.rows.add(entry)) return "its robots.txt is too long";
    } catch (error) {
      throw new IoError("output", shownWordOf(this.#folder), error);
    }
    this.#fetchedFrom = Math.min(this.#fetchedFrom, fetchedAt);
    this.#fetchedTo = Math.max(this.#fetchedTo, fetchedAt);
    return undefined;
  }

  /** Writes the snapshot; resolves to its manifest. Rejects with an `IoError`, or with the signal's reason; nothing is replaced then. */
  async finish(signal?: AbortSignal): Promise<Manifest> {
    try {
      const listed: ManifestPart[] = [];
      for (const part of this.#parts) {
        listed.push(part.end());
        await new Promise(setImmediate);
        signal?.throwIfAborted();
      }
      return this.#publish(listed);
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof IoError ? error : new IoError("output", shownWordOf(this.#folder), error);
    } finally {
      this.close();
    }
  }

  /** Removes the temporary files. Idempotent. */
  close(): void {
    for (const part of this.#parts) part.discard();
  }

  #publish(listed: readonly ManifestPart[]): Manifest {
    for (const part of this.#parts) part.publish();
    const digest = createHash("sha256");
    for (const part of listed) digest.update(part.digest);
    const sumOf = (member: "origins" | "entries"): number => listed.reduce((sum, part) => sum + part[member], 0);
    const entries = sumOf("entries");
    const manifest: Manifest = {
      format: formatName,
      schemaVersion,
      digest: digest.digest("hex"),
      origins: sumOf("origins"),
      entries,
      ...(entries === 0 ? {} : { fetchedFrom: this.#fetchedFrom, fetchedTo: this.#fetchedTo }),
      parts: listed,
    };
    const made = join(this.#folder, tempName());
    writeFileSync(made, textOfManifest(manifest), { flag: "wx", flush: true });
    renameSync(made, join(this.#folder, manifestName));
    const kept = new Set(listed.map(({ file }) => file));
    // Removes the journal, the parts of the earlier snapshot, and temporary files of an interrupted writer.
    for (const name of readdirSync(this.#folder)) {
      if (isOwn(name) && name !== manifestName && !kept.has(name)) removeQuietly(join(this.#folder, name));
    }
    return manifest;
  }
}

/** A part that is being written, under a temporary name. */
class WrittenPart {
  readonly rows: PartWriter;
  readonly #number: number;
  readonly #parts: number;
  readonly #folder: string;
  readonly #path: string;
  /** The final name; undefined before `end`. */
  #file: string | undefined;
  #isPublished = false;

  constructor(folder: string, number: number, parts: number) {
    this.#folder = folder;
    this.#number = number;
    this.#parts = parts;
    this.#path = join(folder, tempName());
    // SQLite would follow a link, and would open a file that exists.
    closeSync(openSync(this.#path, constants.O_WRONLY | newFileFlags, 0o666));
    try {
      this.rows = createPartWriter(this.#path, cacheBytes / parts);
    } catch (error) {
      removeQuietly(this.#path);
      throw error;
    }
  }

  /** Writes all rows to the disk; returns the part as the manifest lists it. */
  end(): ManifestPart {
    const { entries, digest } = this.rows.finish(this.#number, this.#parts);
    const { origins } = this.rows;
    this.rows.close();
    const fd = openSync(this.#path, constants.O_RDWR);
    fsyncSync(fd);
    closeSync(fd);
    this.#file = `part-${this.#number}-of-${this.#parts}-${digest.slice(0, 12)}.robots`;
    return { file: this.#file, origins, entries, digest };
  }

  /** Gives the file its final name. */
  publish(): void {
    renameSync(this.#path, join(this.#folder, this.#file!));
    this.#isPublished = true;
  }

  /** Closes and removes a file that was not published. */
  discard(): void {
    if (this.#isPublished) return;
    this.rows.close();
    removeQuietly(this.#path);
  }
}

/**
 * Creates a missing folder. Throws a `UsageError` when it cannot be created, and when an existing folder has other content or a snapshot of
 * another version.
 */
export function prepareFolder(folder: string): void {
  const shown = shownWordOf(folder);
  try {
    mkdirSync(folder, { recursive: true });
    const names = readdirSync(folder);
    const other = names.find((name) => !isOwn(name));
    if (other !== undefined) {
      throw new UsageError(
        "unusable-output",
        `${shown}: contains files that do not belong to a snapshot, for example ${shownWordOf(other)}`,
        "name a new or an empty folder, or an earlier snapshot, which is replaced",
      );
    }
    // Another version's snapshot is not replaced.
    if (names.includes(manifestName))
      manifestOf(readFileStart(join(folder, manifestName), mostManifestBytes).toString());
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError("unusable-output", `${shown}: ${reasonOf(error)}`, "name a new or an empty folder");
  }
}

/** Whether a file in the folder belongs to a snapshot or its writer. */
function isOwn(name: string): boolean {
  return name === manifestName || isJournal(name) || partFile.test(name) || tempFile.test(name);
}

function tempName(): string {
  return `.robots-snapshot-${randomBytes(8).toString("hex")}.tmp`;
}

const tempFile = /^\.robots-snapshot-[0-9a-f]{16}\.tmp$/;

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The file cannot be removed, so it stays; the snapshot does not need it.
  }
}
