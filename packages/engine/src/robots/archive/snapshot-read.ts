// Finds the newest entry of an origin in an indexed snapshot. A look-up reads only the index blocks and the record that it needs, and
// verifies their checksums.
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { readFileStart } from "../../files/open-file.ts";
import type { StoredRobots } from "@robots-stream/fetch";
import { hashOf } from "../../shard.ts";
import { printableOf } from "../../text.ts";
import { ArchiveError } from "./archive-error.ts";
import { IndexBlock, mostBlockBytes, type Place } from "./snapshot-block.ts";
import {
  headerBytes,
  keyTailBytes,
  longestOrigin,
  type Manifest,
  manifestName,
  manifestOf,
  type ManifestPart,
  mostManifestBytes,
  mostRecordBytes,
  rootOfHeader,
} from "./snapshot-format.ts";
import { recordOf, type SnapshotRecord } from "./snapshot-record.ts";

/** Maximum number of index blocks that are kept in memory, but at least 16 for each part; nearly all blocks have 4 KiB. */
const keptBlocks = 2_048;

/** Size of the shared buffer for records; a longer record gets a buffer of its own. */
const roomBytes = 32 * 1_024;

/** Maximum number of attempts to open a snapshot that a writer replaces meanwhile. */
const mostTries = 3;

/** An open snapshot. The files stay open, so that replacing the snapshot changes nothing for this reader. */
export interface Snapshot {
  readonly manifest: Manifest;
  /**
   * Calls `take` with the newest record of an origin, and returns the result of `take`; undefined without a record. The record is valid
   * only during the call. `take` returns undefined for a damaged record. Throws an `ArchiveError` for damage, and the system's errors.
   */
  find<T>(origin: string, take: (record: SnapshotRecord) => T | undefined): T | undefined;
  /** Every entry; for a damaged record, a text that says where it is. Throws as `find` does, but only for a damaged index. */
  entries(): Generator<StoredRobots | string>;
  close(): void;
}

/** Opens the snapshot in a folder. Throws an `ArchiveError` for a damaged snapshot and for another version, and the system's errors. */
export function openSnapshot(folder: string): Snapshot {
  for (let tries = 1; ; tries++) {
    const text = readFileStart(join(folder, manifestName), mostManifestBytes).toString("utf8");
    try {
      return new OpenSnapshot(folder, manifestOf(text));
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
      if (!isMissing || tries === mostTries) throw error;
      const again = readFileStart(join(folder, manifestName), mostManifestBytes).toString("utf8");
      if (again === text) throw new ArchiveError(`${(error as Error & { file?: string }).file ?? "a part"} is missing`);
    }
  }
}

class OpenSnapshot implements Snapshot {
  readonly manifest: Manifest;
  readonly #parts: OpenPart[] = [];
  readonly #key: Buffer = Buffer.alloc(longestOrigin + 1);

  constructor(folder: string, manifest: Manifest) {
    this.manifest = manifest;
    const { parts } = manifest;
    const blocks = Math.max(16, Math.floor(keptBlocks / parts.length));
    try {
      for (const [at, part] of parts.entries()) {
        this.#parts.push(new OpenPart(folder, part, { number: at + 1, of: parts.length, blocks }));
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  find<T>(origin: string, take: (record: SnapshotRecord) => T | undefined): T | undefined {
    if (origin.length > longestOrigin) return undefined;
    const key = this.#key;
    const length = key.write(origin, 0, "latin1") + 1;
    key[length - 1] = 0;
    const parts = this.#parts;
    const part = parts.length === 1 ? parts[0]! : parts[hashOf(origin) % parts.length]!;
    const place = part.find(key, length);
    if (place === undefined) return undefined;
    const record = recordOf(part.read(place, mostRecordBytes), origin);
    const found = record === undefined ? undefined : take(record);
    if (found === undefined) throw part.damaged("record", place);
    return found;
  }

  *entries(): Generator<StoredRobots | string> {
    for (const part of this.#parts) yield* part.entries();
  }

  close(): void {
    for (const part of this.#parts) part.close();
  }
}

/** The shared buffer for records and blocks. */
const room = Buffer.allocUnsafeSlow(roomBytes);

class OpenPart {
  readonly #fd: number;
  readonly #file: string;
  readonly #bytes: number;
  readonly #root: IndexBlock | undefined;
  /** The index blocks in memory, by offset, in the order in which they were read. */
  readonly #blocks = new Map<number, IndexBlock>();
  readonly #mostBlocks: number;

  constructor(
    folder: string,
    listed: ManifestPart,
    { number, of, blocks }: { readonly number: number; readonly of: number; readonly blocks: number },
  ) {
    const { file, bytes } = listed;
    this.#file = file;
    this.#bytes = bytes;
    this.#mostBlocks = blocks;
    this.#fd = openPart(folder, file);
    try {
      const { size } = fstatSync(this.#fd);
      if (size !== bytes) throw new ArchiveError(`${file} has ${size} bytes instead of ${bytes}: it is damaged`);
      const header = Buffer.alloc(headerBytes);
      const count = readSync(this.#fd, header, 0, headerBytes, 0);
      const { rootOffset, rootLength } = rootOfHeader(header.subarray(0, count), listed, number, of);
      if (rootLength > 0) this.#root = this.#readBlock({ offset: rootOffset, length: rootLength });
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    }
  }

  /** The place of the first record whose key begins with `key[0, length)`, an origin and a zero byte; undefined if there is none. */
  find(key: Buffer, length: number): Place | undefined {
    let block = this.#root;
    if (block === undefined) return undefined;
    while (block.level > 0) {
      const bound = block.lowerBound(key, length);
      // Descends from the last slot whose key is not greater than `key`.
      const isEqual = bound < block.count && block.isKey(bound, key, length);
      block = this.#blockAt(block.placeOf(isEqual ? bound : Math.max(0, bound - 1)), block.level - 1);
    }
    const slot = block.lowerBound(key, length);
    if (slot === block.count || !block.startsWith(slot, key, length)) return undefined;
    return block.placeOf(slot);
  }

  *entries(): Generator<StoredRobots | string> {
    if (this.#root !== undefined) yield* this.#entriesUnder(this.#root);
  }

  *#entriesUnder(block: IndexBlock): Generator<StoredRobots | string> {
    for (let slot = 0; slot < block.count; slot++) {
      const place = block.placeOf(slot);
      if (block.level > 0) {
        const below = this.#readBlock(place);
        // Blocks of a hostile index may refer to each other in a circle. The walk ends, because levels must decrease.
        if (below.level !== block.level - 1) throw this.damaged("index", place);
        yield* this.#entriesUnder(below);
        continue;
      }
      const key = block.keyOf(slot);
      const origin = key.toString("latin1", 0, Math.max(0, key.length - keyTailBytes));
      const entry = recordOf(this.read(place, mostRecordBytes), origin)?.entry();
      yield entry ?? `${printableOf(origin)} in ${this.#file}, at byte ${place.offset}`;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  #blockAt(place: Place, level: number): IndexBlock {
    const known = this.#blocks.get(place.offset);
    if (known !== undefined) return known;
    const block = this.#readBlock(place);
    // This check also ends a look-up in blocks that refer to each other in a circle.
    if (block.level !== level) throw this.damaged("index", place);
    if (this.#blocks.size >= this.#mostBlocks) {
      const [oldest] = this.#blocks.keys();
      this.#blocks.delete(oldest!);
    }
    this.#blocks.set(place.offset, block);
    return block;
  }

  #readBlock(place: Place): IndexBlock {
    const block = IndexBlock.of(Buffer.from(this.read(place, mostBlockBytes)));
    if (block === undefined) throw this.damaged("index", place);
    return block;
  }

  /** The bytes at a place, valid until the next read. */
  read(place: Place, mostBytes: number): Buffer {
    const { offset, length } = place;
    if (length > mostBytes || offset + length > this.#bytes) throw this.damaged("index", place);
    const bytes = length <= roomBytes ? room.subarray(0, length) : Buffer.allocUnsafeSlow(length);
    for (let at = 0; at < length;) {
      const count = readSync(this.#fd, bytes, at, length - at, offset + at);
      if (count === 0) throw new ArchiveError(`${this.#file} was truncated while it was read`);
      at += count;
    }
    return bytes;
  }

  damaged(what: "index" | "record", { offset }: Place): ArchiveError {
    return new ArchiveError(`${this.#file}: its ${what} is damaged at byte ${offset}`);
  }
}

/** Opens the file of a part. Throws an `ArchiveError` for a link and for anything else that is not a regular file in the folder. */
function openPart(folder: string, file: string): number {
  const path = join(folder, file);
  const before = lstatSync(path, { throwIfNoEntry: false });
  if (before === undefined) throw Object.assign(new Error(`${file} is missing`), { code: "ENOENT", file });
  if (!before.isFile()) throw new ArchiveError(`${file} is not a regular file`);
  const fd = openSync(path, constants.O_RDONLY);
  const { dev, ino } = fstatSync(fd);
  if (dev === before.dev && ino === before.ino) return fd;
  closeSync(fd);
  throw new ArchiveError(`${file} was replaced while it was opened`);
}
