// Finds the entries of an origin in an indexed snapshot. A look-up reads only the pages that it needs, and verifies the rows' checksums.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { StoredRobots } from "@robots-stream/fetch";
import { openPartReader, type PartReader } from "@robots-stream/fetch/archives";
import { reasonOf } from "../../common/errors.ts";
import { readFileStart } from "../../files/open-file.ts";
import { hashOf } from "../../common/shard.ts";
import { printableOf } from "../../common/text.ts";
import { ArchiveError } from "./checksum.ts";
import {
  longestOrigin,
  type Manifest,
  manifestName,
  manifestOf,
  type ManifestPart,
  mostManifestBytes,
} from "./snapshot-manifest.ts";

/** Memory for pages of all parts together. */
const cacheBytes = 16 * 1_048_576;

/** Maximum number of attempts to open a snapshot that a writer replaces meanwhile. */
const mostTries = 3;

/** Opens the snapshot in a folder. Throws an `ArchiveError` for a damaged snapshot and for another version, and the system's errors. */
export function openSnapshot(folder: string): Snapshot {
  for (let tries = 1; ; tries++) {
    const text = readFileStart(join(folder, manifestName), mostManifestBytes).toString("utf8");
    try {
      return new Snapshot(folder, manifestOf(text));
    } catch (error) {
      const again = readFileStart(join(folder, manifestName), mostManifestBytes).toString("utf8");
      if (again === text || tries === mostTries) throw error;
    }
  }
}

/** An open snapshot. The files stay open, so that replacing the snapshot changes nothing for this reader. */
export class Snapshot {
  readonly manifest: Manifest;
  readonly #parts: OpenPart[] = [];

  constructor(folder: string, manifest: Manifest) {
    this.manifest = manifest;
    try {
      for (const [at, part] of manifest.parts.entries()) {
        this.#parts.push(new OpenPart(folder, part, at + 1, manifest.parts.length));
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The newest entry of an origin; undefined without an entry. Throws an `ArchiveError` for damage. */
  find(origin: string): StoredRobots | undefined {
    return origin.length > longestOrigin ? undefined : this.#partOf(origin).read((part) => part.get(origin));
  }

  /** Every entry of an origin; for damaged rows, a text that says where they are. Throws an `ArchiveError` for a damaged index. */
  entriesOf(origin: string): readonly (StoredRobots | string)[] {
    return origin.length > longestOrigin ? [] : this.#partOf(origin).entriesOf(origin);
  }

  /**
   * The origins whose robots.txt redirected to a target of `origin` other than /robots.txt, and perhaps a few others. Throws an `ArchiveError`
   * for damage.
   */
  redirectingTo(origin: string): readonly string[] {
    return this.#parts.flatMap((part) => part.read((each) => each.redirectingTo(origin)));
  }

  /** Every entry; for damaged rows, a text that says where they are. Throws an `ArchiveError` for a damaged index. */
  *entries(): Generator<StoredRobots | string> {
    for (const part of this.#parts) yield* part.entries();
  }

  /** Like `entries`, with only the newest entry of each origin. */
  *newest(): Generator<StoredRobots | string> {
    for (const part of this.#parts) yield* part.entries("newest");
  }

  close(): void {
    for (const part of this.#parts) part.close();
  }

  #partOf(origin: string): OpenPart {
    const parts = this.#parts;
    return parts.length === 1 ? parts[0]! : parts[hashOf(origin) % parts.length]!;
  }
}

class OpenPart {
  readonly #listed: ManifestPart;
  readonly #part: PartReader;

  constructor(folder: string, listed: ManifestPart, number: number, of: number) {
    this.#listed = listed;
    const { file, entries, digest } = listed;
    const path = join(folder, file);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) throw new ArchiveError(`${file} is missing`);
    // A link could lead to any file. One that takes the place of the file from now on leads to a file without the part's digest.
    if (!stat.isFile()) throw new ArchiveError(`${file} is not a regular file`);
    this.#part = this.#told(() => openPartReader(path, cacheBytes / of));
    const { facts } = this.#part;
    const isAsListed =
      facts.number === number && facts.parts === of && facts.entries === entries && facts.digest === digest;
    if (isAsListed) return;
    this.close();
    throw new ArchiveError(`${file} is not the part that ${manifestName} lists`);
  }

  read<T>(work: (part: PartReader) => T): T {
    return this.#told(() => work(this.#part));
  }

  entriesOf(origin: string): readonly (StoredRobots | string)[] {
    const { entries, damaged } = this.read((part) => part.entriesOf(origin));
    return [...entries, ...Array.from({ length: damaged }, () => `${printableOf(origin)} in ${this.#listed.file}`)];
  }

  *entries(only?: "newest"): Generator<StoredRobots | string> {
    const { file, origins } = this.#listed;
    const entries = only === "newest" ? origins : this.#listed.entries;
    let count = 0;
    const pages = this.#part.entries(only);
    for (;;) {
      const page = this.#told(() => pages.next());
      if (page.done === true) break;
      yield* page.value.entries;
      for (const origin of page.value.damaged) yield `${printableOf(origin)} in ${file}`;
      count += page.value.entries.length + page.value.damaged.length;
    }
    // Damage to the tables can hide rows.
    if (count < entries) yield `${entries - count} of ${entries} entries in ${file}`;
  }

  close(): void {
    this.#part.close();
  }

  #told<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const isDamaged = (error as { readonly code?: unknown }).code === "ERR_STORE_DAMAGED";
      throw new ArchiveError(`${this.#listed.file}: ${isDamaged ? "it is damaged: " : ""}${reasonOf(error)}`);
    }
  }
}
