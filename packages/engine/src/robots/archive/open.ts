// Opens an archive of robots.txt files as a source: an indexed snapshot, a cache's own file, an NDJSON export, a WARC file.
import { optionText } from "../../common/caller-words.ts";
import { closeSync, statSync } from "node:fs";
import { join } from "node:path";
import { openSqliteReader } from "@robots-stream/fetch/archives";
import { IoError, reasonOf } from "../../common/errors.ts";
import { type OpenFile, openToRead } from "../../files/open-file.ts";
import { DirectInput } from "../../sources/direct.ts";
import { printableOf, shownWordOf } from "../../common/text.ts";
import { type ArchiveKind, cacheName, snapshotName, unusable } from "../saved-kind.ts";
import { Faults, FirstTold } from "../first-told.ts";
import { constantOf, robotsUpTo, type RobotsSource, type SourcedRobots } from "../in-force.ts";
import { copiedLines, LineArchive, type LineStore, linesOfFile } from "./line-archive.ts";
import { openSavedStream, withoutEntries } from "./stream.ts";
import { openSnapshot } from "./snapshot-read.ts";
import type { StoredRobots } from "@robots-stream/fetch";
import { accessPolicies, inForceAt } from "@robots-stream/fetch/policy";

export interface ArchiveOptions {
  /** Limit of the bytes of each robots.txt. */
  readonly maxBytes: number;
  /** Called with sentences about damaged entries. */
  readonly warn: (sentence: string) => void;
  /** Called with each origin that is loaded and whose entry is damaged. An error that it throws ends the load. */
  readonly onDamaged?: ((origin: string, error: IoError) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Archive {
  /** A description for people: "an indexed snapshot of 3 origins". */
  readonly about: string;
  /** The newest entry of an origin; undefined without an entry. Throws if the entry is damaged. */
  find(origin: string): StoredRobots | undefined;
  close(): void;
}

/**
 * Opens the archive at a path as a source. Rejects with an error that says why the archive cannot be used, and with the signal's reason.
 */
export async function openArchive(path: string, kind: ArchiveKind, options: ArchiveOptions): Promise<RobotsSource> {
  if (kind === "snapshot") return sourceOf(path, snapshotArchive(path), options);
  return sourceOf(path, kind === "cache" ? cacheArchive(path) : await lineArchive(path, options), options);
}

/** Like `openArchive`, for an archive from a pipe; `chunks` contain all bytes of the archive. */
export async function openPipedArchive(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  options: ArchiveOptions,
): Promise<RobotsSource> {
  return sourceOf(path, await archiveOfChunks(path, chunks, undefined, options), options);
}

function snapshotArchive(path: string): Archive {
  const snapshot = openSnapshot(path);
  const { origins, parts } = snapshot.manifest;
  const divided = parts.length === 1 ? "" : ` in ${parts.length} parts`;
  return {
    about: `an indexed snapshot of ${originsText(origins)}${divided}`,
    find: (origin) => snapshot.find(origin),
    close: () => snapshot.close(),
  };
}

/** `path` is a cache's file, or the folder with it. */
function cacheArchive(path: string): Archive {
  const reader = openSqliteReader(statSync(path).isDirectory() ? join(path, cacheName) : path);
  return {
    about: `a cache of ${originsText(reader.origins)}`,
    find: (origin) => reader.get(origin),
    close: () => reader.close(),
  };
}

async function lineArchive(path: string, options: ArchiveOptions): Promise<Archive> {
  const file = openToRead(path, ["file"]);
  try {
    const input = new DirectInput(file.fd, { start: 0, isOwn: false });
    return await archiveOfChunks(path, input.pieces(), file, options);
  } catch (error) {
    closeSync(file.fd);
    throw error;
  }
}

/** Indexes the entries of an NDJSON export or a WARC file in one pass. `file` is the archive's file; undefined for a pipe. */
async function archiveOfChunks(
  path: string,
  packed: AsyncIterable<Uint8Array>,
  file: OpenFile | undefined,
  { warn, signal }: ArchiveOptions,
): Promise<Archive> {
  const faults = new Faults(optionText("robots", shownWordOf(path)), warn, {
    more: "… further faults are not reported",
  });
  let copies: LineStore | undefined;
  try {
    const { kind, compression, chunks, beginning } = await openSavedStream(path, stoppable(packed, signal));
    const isReadAgain = file !== undefined && compression === undefined && kind === "ndjson";
    if (!isReadAgain) copies = copiedLines();
    const archive = new LineArchive(copies ?? linesOfFile(file!));
    if (kind === "warc") await archive.addWarc(chunks, faults.add);
    else await archive.addLines(chunks, faults.add);
    if (archive.entries === 0) {
      if (Buffer.from(beginning).includes('"robots-stream snapshot"')) {
        throw unusable(path, `is the manifest of an indexed snapshot, ${snapshotName}`, "name its folder");
      }
      throw withoutEntries(path, kind === "warc" ? kind : "ndjson", faults.first);
    }
    if (!isReadAgain && file !== undefined) closeSync(file.fd);
    const form = kind === "ndjson" ? "an NDJSON export" : "a WARC file";
    const { origins } = archive;
    return {
      about: `${form} of ${originsText(origins)}${compression === undefined ? "" : `, ${compression}`}`,
      find: (origin) => archive.find(origin),
      close: () => archive.close(),
    };
  } catch (error) {
    // The caller closes `file`.
    copies?.close();
    throw error;
  }
}

async function* stoppable(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    yield chunk;
    // Signals are handled between two chunks.
    await new Promise(setImmediate);
  }
}

function originsText(count: number): string {
  return count === 1 ? "1 origin" : `${count} origins`;
}

function sourceOf(path: string, archive: Archive, { maxBytes, warn, onDamaged }: ArchiveOptions): RobotsSource {
  const faults = new FirstTold(warn, "… further damaged entries are not reported one by one");
  return {
    isRemote: false,
    about: archive.about,
    load(origin) {
      try {
        const entry = archive.find(origin);
        return entry === undefined ? constantOf("unreachable", "not-saved") : sourcedOfEntry(entry, maxBytes);
      } catch (error) {
        // A temporary file of this program failed, not the archive.
        if (error instanceof IoError) throw error;
        const why = printableOf(reasonOf(error));
        onDamaged?.(origin, new IoError("input", optionText("robots", shownWordOf(path)), new Error(why)));
        const what = `${optionText("robots", shownWordOf(path))}: ${why}`;
        faults.tell(`${what}; ${printableOf(origin)} counts as unreachable`);
        return constantOf("unreachable", "not-readable");
      }
    },
    fileOf: () => path,
    close: () => archive.close(),
  };
}

/**
 * The robots.txt that was in force when an entry was fetched, up to `maxBytes` bytes. The current time has no influence, so that the
 * same archive always gives the same decisions. During an outage, Google's access policy uses the outage's length and the last copy.
 */
function sourcedOfEntry(entry: StoredRobots, maxBytes: number): SourcedRobots {
  const { access, body } = inForceAt(entry, accessPolicies.google, entry.fetchedAt);
  if (access !== "successful" || body === undefined) return constantOf(access, entry.code);
  const robots = robotsUpTo(maxBytes, body);
  return { ...robots, code: entry.code, ...(entry.truncated === true ? { isTruncated: true } : {}) };
}
