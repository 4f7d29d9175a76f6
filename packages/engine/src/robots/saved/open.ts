// Opens the path of `robots` as a source of robots.txt files: a directory with a file for each origin, one file for all origins, or an
// archive.
import type { ArchiveOptions } from "../archive/open.ts";
import { optionText } from "../../common/caller-words.ts";
import { join, sep } from "node:path";
import { IoError, reasonOf, UsageError } from "../../common/errors.ts";
import { readFileStart } from "../../files/open-file.ts";
import type { UsedFiles } from "../../files/used-files.ts";
import { printableOf, shownWordOf } from "../../common/text.ts";
import { accessOfStatus } from "@robots-stream/fetch/internal";
import { accessPolicies } from "@robots-stream/fetch/policy";
import { FirstTold } from "../first-told.ts";
import { constantOf, robotsUpTo, sharedRobotsOf, type RobotsSource } from "../in-force.ts";
import {
  type ArchiveKind,
  checkFileOfFolder,
  checkRobotsFile,
  isSnapshotFile,
  kindOfBeginning,
  savedKindOf,
  tellingBytes,
  unusable,
} from "../saved-kind.ts";
import { isPipe, readOpened } from "../../sources/source.ts";
import { bytesUpTo, peekBytes } from "../../sources/peek.ts";
import { SavedNames, isSavedName } from "../saved-names.ts";

/** `warn` also gets sentences about names that do not match an origin, files that cannot be read, and a file that is not a robots.txt. */
export interface SavedSourceOptions extends ArchiveOptions {
  /** The files of the run: a file that the run writes must not be one of the files to read. */
  readonly used?: UsedFiles;
}

/**
 * Opens what `path` leads to: a folder of saved files, one file for all origins, or an archive (`saved-kind.ts`), also through a named
 * pipe. Rejects with a `UsageError` when the path cannot be used, and with the signal's reason.
 */
export async function openSavedSource(path: string, options: SavedSourceOptions): Promise<RobotsSource> {
  const { maxBytes, warn, used, signal } = options;
  try {
    if (isPipe(path)) return await openPipe(path, options);
    const saved = createSavedSource(path, maxBytes, warn, used);
    if (saved !== undefined) return saved;
    const kind = savedKindOf(path) as ArchiveKind;
    if (kind === "snapshot") used?.checkOfFolder(path, optionText("robots", shownWordOf(path)), isSnapshotFile);
    const { openArchive } = await import("../archive/open.ts");
    return await openArchive(path, kind, options);
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof IoError ? error : unusableFor(path, error);
  }
}

/**
 * Creates a source of the robots.txt files at `path`, a folder or a file. This call lists a folder; each of its files is read when its
 * origin is loaded, up to `maxBytes` bytes. Only regular files can be read. Returns undefined for an archive. Throws a `UsageError` when
 * `path` cannot be used, or contains a file that the run writes. `warn` is called with sentences about names that do not match an
 * origin, and about files that cannot be read.
 */
export function createSavedSource(
  path: string,
  maxBytes: number,
  warn: (sentence: string) => void,
  used?: UsedFiles,
): RobotsSource | undefined {
  try {
    const kind = savedKindOf(path);
    if (kind === "folder") return directorySource(path, maxBytes, warn, used);
    return kind === "file" ? sourceOfFile(path, maxBytes, readFileStart(path, maxBytes + 1), warn) : undefined;
  } catch (error) {
    throw unusableFor(path, error);
  }
}

function unusableFor(path: string, error: unknown): UsageError {
  return error instanceof UsageError ? error : unusable(path, reasonOf(error));
}

/** Opens a named pipe, which has one robots.txt for all origins or an archive. */
function openPipe(path: string, options: SavedSourceOptions): Promise<RobotsSource> {
  const { maxBytes, warn, signal } = options;
  return readOpened(path, "pipe", signal, async (chunks) => {
    const peeked = await peekBytes(chunks, tellingBytes);
    signal?.throwIfAborted();
    const kind = kindOfBeginning(path, peeked.beginning.subarray(0, tellingBytes));
    if (kind === "file") {
      const bytes = await bytesUpTo(peeked.chunks, maxBytes + 1);
      signal?.throwIfAborted();
      return sourceOfFile(path, maxBytes, bytes, warn);
    }
    if (kind === "cache") throw unusable(path, "a cache cannot be read from a pipe");
    const { openPipedArchive } = await import("../archive/open.ts");
    return openPipedArchive(path, peeked.chunks, options);
  });
}

/** The source of one file. `bytes`: as for `robotsUpTo`. */
function sourceOfFile(
  path: string,
  maxBytes: number,
  bytes: Uint8Array,
  warn: (sentence: string) => void,
): RobotsSource {
  const robots = sharedRobotsOf(robotsUpTo(maxBytes, bytes));
  checkRobotsFile(path, bytes, warn, { robots });
  return { isRemote: false, load: () => robots, fileOf: () => path, close: () => undefined };
}

function directorySource(
  path: string,
  maxBytes: number,
  warn: (sentence: string) => void,
  used?: UsedFiles,
): RobotsSource {
  const names = new SavedNames(path, used?.checkOfFolder(path, optionText("robots", shownWordOf(path)), isSavedName));
  if (names.clash !== undefined) {
    const both = names.clash.map((name) => printableOf(name)).join(" and ");
    throw new UsageError(
      "unusable-robots",
      `${optionText("robots", shownWordOf(path))}: ${both} apply to the same origin`,
    );
  }
  if (names.firstIgnored !== undefined) {
    const more = names.ignored > 1 ? ` and ${names.ignored - 1} more` : "";
    warn(`${printableOf(names.firstIgnored)}${more} in ${shownWordOf(path)}: ignored, not named after an origin`);
  }
  if (names.count === 0) {
    warn(`${shownWordOf(path)}: no file has a name like example.com.txt, so every origin counts as unreachable`);
  }
  const folder = path.endsWith(sep) ? path : path + sep;
  const told = new FirstTold(warn, "… further files that are no robots.txt are not reported");
  // An origin that was evicted is loaded again.
  const sentences = new Set<string>();
  const tell = (sentence: string): void => {
    if (told.left > 0 || sentences.has(sentence)) return;
    sentences.add(sentence);
    told.tell(sentence);
  };
  return {
    isRemote: false,
    fileOf(origin) {
      const entry = names.find(keysOf(origin));
      return entry === undefined ? undefined : join(path, entry.name);
    },
    load(origin) {
      const entry = names.find(keysOf(origin));
      if (entry === undefined) return constantOf("unreachable", "not-saved");
      if (entry.status !== undefined)
        return constantOf(accessOfStatus(entry.status, accessPolicies.google), `http-${entry.status}`);
      const file = folder + entry.name;
      try {
        const bytes = readFileStart(file, maxBytes + 1);
        checkFileOfFolder(file, bytes, tell);
        return robotsUpTo(maxBytes, bytes);
      } catch (error) {
        warn(`${printableOf(file)}: ${reasonOf(error)}; its origin counts as unreachable`);
        return constantOf("unreachable", "not-readable");
      }
    },
    close: () => undefined,
  };
}

/**
 * The file names, without ".txt", that apply to an origin, the most exact first. No host contains "@", so no URL has the file name of
 * another origin.
 *
 *     https://example.com         https@example.com        example.com
 *     https://example.com:8443    https@example.com@8443   example.com@8443
 *     http://[2001:db8::1]        http@[2001-db8--1]       [2001-db8--1]
 */
export function keysOf(origin: string): readonly [string, string] {
  const [, scheme = "", host = "", port] = /^([a-z]+):\/\/(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(origin) ?? [];
  const place = (host.startsWith("[") ? host.replaceAll(":", "-") : host) + (port === undefined ? "" : `@${port}`);
  return [`${scheme}@${place}`, place];
}
