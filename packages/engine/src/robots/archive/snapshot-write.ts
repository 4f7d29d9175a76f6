// Writes an indexed snapshot in bounded memory: takes entries in any order, and writes a folder with sorted, compressed and indexed
// records.
import { createHash, type Hash, randomBytes } from "node:crypto";
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
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { StoredRobots } from "@robots-stream/fetch";
import { IoError, reasonOf, UsageError } from "../../errors.ts";
import { newFileFlags, readFileStart } from "../../files/open-file.ts";
import { TempFile } from "../../files/temp-file.ts";
import { hashOf } from "../../shard.ts";
import { shownWordOf } from "../../text.ts";
import { IndexBuilder, type Place } from "./snapshot-block.ts";
import {
  bytesOfHeader,
  formatName,
  headerBytes,
  journalName,
  keyOf,
  keyTailBytes,
  longestOrigin,
  type Manifest,
  manifestName,
  manifestOf,
  type ManifestPart,
  mostManifestBytes,
  mostParts,
  mostRecordBytes,
  partFile,
  schemaVersion,
  textOfManifest,
} from "./snapshot-format.ts";
import { bytesOfRecord } from "./snapshot-record.ts";
import { type KeyedPlace, SortedRuns } from "./sorted-runs.ts";

/** The settings of writing a snapshot. */
export interface SnapshotWriterOptions {
  /** Number of parts; 1 by default. */
  readonly parts?: number;
  /** Number of keys that are sorted at once in memory; 100,000 by default. */
  readonly runKeys?: number;
  /**
   * Whether the caller adds the entries of the folder's journal, which `finish` then removes. If false, a folder with a journal is refused.
   */
  readonly takesJournal?: boolean;
}

/** Bytes of records that are written at once, between two turns of the event loop. */
const pieceBytes = 1_048_576;

/** Size in bytes of the part's number, with which a sort key begins. The key of the index follows it. */
const partBytes = 2;

/**
 * Collects entries in temporary files inside the folder, and writes the snapshot in `finish`. The manifest is replaced in one step after
 * the new part files, so that a reader finds either the earlier snapshot or the new one. Only one writer may use a folder at a time.
 */
export class SnapshotWriter {
  entries = 0;
  readonly #folder: string;
  readonly #parts: number;
  readonly #records: TempFile;
  readonly #runs: SortedRuns;
  #fetchedFrom = Infinity;
  #fetchedTo = 0;

  /**
   * Creates the folder, or takes an empty folder or an earlier snapshot, which is replaced. Throws a `UsageError` for a folder with other
   * content or with an unfinished fetch, and for a folder that cannot be created. Throws a `RangeError` for an invalid number of parts.
   */
  constructor(folder: string, { parts = 1, runKeys, takesJournal = false }: SnapshotWriterOptions = {}) {
    if (!Number.isInteger(parts) || parts < 1 || parts > mostParts) {
      throw new RangeError(`a snapshot has from 1 to ${mostParts} parts`);
    }
    this.#folder = folder;
    this.#parts = parts;
    prepareFolder(folder);
    if (!takesJournal && existsSync(join(folder, journalName))) {
      throw new UsageError(
        "unusable-output",
        `${shownWordOf(folder)}: contains an unfinished fetch, ${journalName}`,
        "continue it with robots-stream fetch, or remove that file",
      );
    }
    this.#records = new TempFile(folder);
    this.#runs = new SortedRuns(folder, runKeys);
  }

  /** Adds an entry, and returns undefined; for an entry that no snapshot can hold, returns the reason. Throws an `IoError`. */
  add(entry: StoredRobots): string | undefined {
    const { origin, fetchedAt } = entry;
    if (origin.length > longestOrigin) return "its name is too long";
    const record = bytesOfRecord(entry);
    if (record === undefined || record.length > mostRecordBytes) return "its robots.txt is too long";
    const place = { offset: this.#records.length, length: record.length };
    this.#records.append(record, record.length);
    const key = keyOf(origin, fetchedAt);
    const sortKey = Buffer.allocUnsafe(partBytes + key.length);
    sortKey.writeUInt16BE(hashOf(origin) % this.#parts, 0);
    key.copy(sortKey, partBytes);
    this.#runs.add(sortKey, place);
    this.#fetchedFrom = Math.min(this.#fetchedFrom, fetchedAt);
    this.#fetchedTo = Math.max(this.#fetchedTo, fetchedAt);
    this.entries++;
    return undefined;
  }

  /** Writes the snapshot; resolves to its manifest. Rejects with an `IoError`, or with the signal's reason; nothing is replaced then. */
  async finish(signal?: AbortSignal): Promise<Manifest> {
    const written: WrittenPart[] = [];
    try {
      await this.#writeParts(written, signal);
      return this.#publish(written);
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof IoError ? error : new IoError("output", shownWordOf(this.#folder), error);
    } finally {
      for (const part of written) part.discard();
      this.close();
    }
  }

  /** Removes the temporary files. Idempotent. */
  close(): void {
    this.#records.close();
    this.#runs.close();
  }

  async #writeParts(written: WrittenPart[], signal: AbortSignal | undefined): Promise<void> {
    let bytes = 0;
    const start = (): WrittenPart => {
      const part = new WrittenPart(this.#folder, written.length + 1, this.#parts);
      written.push(part);
      return part;
    };
    let part = start();
    let before: { readonly key: Buffer; readonly record: Buffer } | undefined;
    for (const keyed of this.#runs.sorted()) {
      const record = this.#recordAt(keyed.place);
      // An entry that two snapshots share is written once.
      if (before?.key.equals(keyed.key) === true && before.record.equals(record)) continue;
      before = { key: Buffer.from(keyed.key), record };
      const number = keyed.key.readUInt16BE(0) + 1;
      while (part.number < number) {
        part.end();
        part = start();
      }
      part.add(keyed, record);
      bytes += keyed.place.length;
      if (bytes < pieceBytes) continue;
      bytes = 0;
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    }
    part.end();
    while (written.length < this.#parts) start().end();
  }

  #recordAt({ offset, length }: Place): Buffer {
    const record = Buffer.allocUnsafe(length);
    for (let at = 0; at < length;) {
      const count = this.#records.read(record, at, length, offset + at);
      if (count === 0) throw this.#records.missing();
      at += count;
    }
    return record;
  }

  #publish(written: readonly WrittenPart[]): Manifest {
    const parts = written.map((part) => part.publish());
    const digest = createHash("sha256");
    for (const part of parts) digest.update(part.digest);
    const sumOf = (member: "origins" | "entries"): number => parts.reduce((sum, part) => sum + part[member], 0);
    const entries = sumOf("entries");
    const manifest: Manifest = {
      format: formatName,
      schemaVersion,
      digest: digest.digest("hex"),
      origins: sumOf("origins"),
      entries,
      ...(entries === 0 ? {} : { fetchedFrom: this.#fetchedFrom, fetchedTo: this.#fetchedTo }),
      parts,
    };
    const made = join(this.#folder, tempName());
    writeFileSync(made, textOfManifest(manifest), { flag: "wx", flush: true });
    renameSync(made, join(this.#folder, manifestName));
    const kept = new Set(parts.map(({ file }) => file));
    // Removes the journal, the parts of the earlier snapshot, and temporary files of an interrupted writer.
    for (const name of readdirSync(this.#folder)) {
      if (isOwn(name) && name !== manifestName && !kept.has(name)) removeQuietly(join(this.#folder, name));
    }
    return manifest;
  }
}

/** A part that is being written, under a temporary name. */
class WrittenPart {
  readonly number: number;
  readonly #parts: number;
  readonly #folder: string;
  readonly #path: string;
  readonly #digest: Hash = createHash("sha256");
  readonly #index = new IndexBuilder((block) => this.#append(block));
  #fd: number | undefined;
  #pieces: Buffer[] = [];
  #pendingBytes = 0;
  /** Size of the file, including bytes that are not written yet. */
  #bytes = 0;
  #origins = 0;
  #entries = 0;
  #lastOrigin: Buffer = Buffer.alloc(0);
  #listed: ManifestPart | undefined;
  #isPublished = false;

  constructor(folder: string, number: number, parts: number) {
    this.number = number;
    this.#parts = parts;
    this.#folder = folder;
    this.#path = join(folder, tempName());
    this.#fd = openSync(this.#path, constants.O_WRONLY | newFileFlags, 0o666);
    this.#append(Buffer.alloc(headerBytes));
  }

  /** Appends a record. Records must be added in the order of their keys. */
  add({ key: sortKey }: KeyedPlace, record: Buffer): void {
    const key = Buffer.from(sortKey.subarray(partBytes));
    const origin = key.subarray(0, key.length - keyTailBytes + 1);
    const isNew = !origin.equals(this.#lastOrigin);
    if (isNew) this.#origins++;
    this.#entries++;
    this.#lastOrigin = origin;
    this.#digest.update(key).update(record);
    // A look-up compares separators with the origin and a zero byte. When a block begins with the newest fetch of an origin, its separator
    // equals these bytes, so the look-up descends into that block. When a block begins with an older fetch, its separator is the whole key,
    // which is greater, so the look-up descends into an earlier block, which has the newest fetch.
    const place = { offset: this.#append(record), length: record.length };
    this.#index.add(key, place, isNew ? origin : key);
  }

  /** Writes the index and the header. */
  end(): void {
    const root = this.#index.finish();
    const digest = this.#digest.digest("hex");
    this.#flush();
    const header = bytesOfHeader({
      part: this.number,
      parts: this.#parts,
      bytes: this.#bytes,
      entries: this.#entries,
      rootOffset: root?.offset ?? 0,
      rootLength: root?.length ?? 0,
      digest,
    });
    writeWhole(this.#fd!, header, 0);
    fsyncSync(this.#fd!);
    closeSync(this.#fd!);
    this.#fd = undefined;
    const file = `part-${this.number}-of-${this.#parts}-${digest.slice(0, 12)}.robots`;
    this.#listed = { file, bytes: this.#bytes, origins: this.#origins, entries: this.#entries, digest };
  }

  /** Gives the file its final name; returns the part as the manifest lists it. */
  publish(): ManifestPart {
    const listed = this.#listed!;
    renameSync(this.#path, join(this.#folder, listed.file));
    this.#isPublished = true;
    return listed;
  }

  /** Closes and removes a file that was not published. */
  discard(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    if (!this.#isPublished) removeQuietly(this.#path);
    this.#isPublished = true;
  }

  #append(bytes: Buffer): number {
    const offset = this.#bytes;
    this.#pieces.push(bytes);
    this.#pendingBytes += bytes.length;
    this.#bytes += bytes.length;
    if (this.#pendingBytes >= pieceBytes) this.#flush();
    return offset;
  }

  #flush(): void {
    writeWhole(this.#fd!, Buffer.concat(this.#pieces), this.#bytes - this.#pendingBytes);
    this.#pieces = [];
    this.#pendingBytes = 0;
  }
}

function writeWhole(fd: number, bytes: Buffer, position: number): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, position + at);
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
  return name === manifestName || name === journalName || partFile.test(name) || tempFile.test(name);
}

function tempName(): string {
  return `.robots-snapshot-${randomBytes(8).toString("hex")}.tmp`;
}

/** The temporary files of a writer: its own, and those of `TempFile`. */
const tempFile = /^(?:\.robots-snapshot-[0-9a-f]{16}\.tmp|robots-stream-[0-9a-f-]{36}\.spill)$/;

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The file cannot be removed, so it stays; the snapshot does not need it.
  }
}
