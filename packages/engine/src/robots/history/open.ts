// Reads the paths of `robotsHistory` (dated folders, caches, archives, files without a date), and returns all observations of robots.txt
// files in them.
import { hint, option, optionText } from "../../common/caller-words.ts";
import { statSync } from "node:fs";
import { join } from "node:path";
import { IoError, reasonOf, UsageError } from "../../common/errors.ts";
import { readFileStart } from "../../files/open-file.ts";
import type { UsedFiles } from "../../files/used-files.ts";
import { isPipe, readOpened } from "../../sources/source.ts";
import { bytesUpTo } from "../../sources/peek.ts";
import { shownWordOf } from "../../common/text.ts";
import type { ArchivedRobots } from "../../formats/warc/warc-entry.ts";
import { cacheName, isSnapshotFile, savedKindOf, checkRobotsFile } from "../saved-kind.ts";
import { openSavedStream, withoutEntries } from "../archive/stream.ts";
import { Faults } from "../first-told.ts";
import { type FolderOptions, readFolder } from "./folder.ts";
import { everyOrigin } from "./timeline.ts";
import { SeenRobots } from "./seen-robots.ts";

export interface HistoryOptions {
  /** The option that names the paths, for messages. */
  readonly from: FolderOptions["from"];
  /** Limit of the bytes of each robots.txt. */
  readonly maxBytes: number;
  /** The origin of a robots.txt that is given as a single file; undefined: such a file is refused, or holds for every origin (`isShared`). */
  readonly origin: string | undefined;
  /** Whether a single file without an origin becomes an observation of `everyOrigin`. */
  readonly isShared?: boolean;
  /** Whether the program has an option for that origin; true by default. */
  readonly hasBase?: boolean;
  /** Whether the names of the files in a folder end with their times; true by default. */
  readonly isDated?: boolean;
  /** Whether a file in a folder whose name has no scheme applies to https only. */
  readonly isOnce?: boolean;
  readonly used: UsedFiles;
  /** Called with sentences about what was left out. */
  readonly say: (sentence: string) => void;
  /** Is told what is damaged, and whose history therefore proves nothing. */
  readonly damaged?: Damaged | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called for each damaged entry of a source; a dated capture that cannot be read is none. */
  readonly onReject?: (() => unknown) | undefined;
}

/** The damaged entries of a history. */
interface Damaged {
  /** Adds an origin of which a cache, or a snapshot if the origin is asked for, has a damaged entry. */
  add(origin: string): void;
  /** Adds a damaged entry whose origin or time is not certain, such as one of an export or a WARC file. */
  addUnnamed(): void;
  /** Whether an entry of this origin is, or may be, damaged. */
  has(origin: string): boolean;
}

/**
 * Reads any number and mix of sources into one history: folders of files with dated names, caches, indexed snapshots, NDJSON exports and
 * WARC files, compressed or not, and one robots.txt without a date. Rejects with a `UsageError` for a source that cannot be used, and with
 * the signal's reason.
 */
export async function readHistory(paths: readonly string[], options: HistoryOptions): Promise<SeenRobots> {
  const { damaged } = options;
  const seen = new SeenRobots(options.maxBytes, undefined, (origin) => damaged?.has(origin) === true);
  try {
    for (const path of paths) await addSource(seen, path, options);
    const lost = seen.resolve();
    if (lost === 1)
      options.say("1 redirect of a robots.txt leads to a file that is not in the archive, so it is not known");
    if (lost > 1)
      options.say(
        `${lost} redirects of robots.txt files lead to files that are not in the archive, so these are not known`,
      );
    return seen;
  } catch (error) {
    seen.close();
    throw error;
  }
}

/**
 * Adds a candidate: a folder of files without dates, or, with an origin, the robots.txt of this origin.
 * Throws a `UsageError` for what cannot be used.
 */
export function readCandidate(
  seen: SeenRobots,
  path: string,
  { origin, ...given }: Pick<HistoryOptions, "maxBytes" | "used" | "say" | "origin">,
): void {
  const options = { from: "candidate", isDated: false, ...given } as const;
  if (origin === undefined) readFolder(seen, path, options);
  else addFile(seen, path, fileStart(path, options), { ...options, origin });
}

/** As for `SeenRobots.addFile`. */
function fileStart(path: string, options: Pick<HistoryOptions, "from" | "maxBytes">): Uint8Array {
  try {
    return readFileStart(path, options.maxBytes + 1);
  } catch (error) {
    throw unusable(path, options, reasonOf(error));
  }
}

async function addSource(seen: SeenRobots, path: string, options: HistoryOptions): Promise<void> {
  const { used, signal } = options;
  try {
    const kind = isPipe(path) ? "pipe" : savedKindOf(path);
    if (kind === "folder") readFolder(seen, path, { isDated: true, ...options });
    else if (kind === "snapshot") {
      used.checkOfFolder(path, shownOf(path, options), isSnapshotFile);
      await addSnapshot(seen, path, options);
    } else if (kind === "cache") await addCache(seen, path, options);
    else if (kind === "file") addFile(seen, path, fileStart(path, options), options);
    else await addStream(seen, path, kind === "pipe" ? "pipe" : "file", options);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof IoError) throw error;
    if (!(error instanceof UsageError)) throw unusable(path, options, reasonOf(error));
    // The messages of shared checks begin with the option `robots`.
    const shown = optionText("robots", shownWordOf(path));
    const message = error.message.startsWith(shown)
      ? shownOf(path, options) + error.message.slice(shown.length)
      : error.message;
    throw new UsageError(error.mistake, message, error.hint);
  }
}

const shownOf = (path: string, { from }: Pick<HistoryOptions, "from">): string => optionText(from, shownWordOf(path));

function unusable(path: string, options: Pick<HistoryOptions, "from">, why: string, remedy?: string): UsageError {
  return new UsageError("unusable-robots", `${shownOf(path, options)}: ${why}`, remedy);
}

/** Adds one robots.txt without a date, for the origin in the options, or for every origin. `body`: as for `SeenRobots.addFile`. */
function addFile(
  seen: SeenRobots,
  path: string,
  body: Uint8Array,
  options: Pick<HistoryOptions, "origin" | "isShared" | "from" | "say" | "hasBase">,
): void {
  const { isShared = false, from, say, hasBase = true } = options;
  const origin = options.origin ?? (isShared ? everyOrigin : undefined);
  checkRobotsFile(path, body, say, { from });
  if (origin === undefined) {
    const files = `a folder with files like example.com${from === "robots" ? "" : "@2026-03-01T00:00:00Z"}.txt`;
    const remedy = hasBase ? hint`name the site with ${option("base")}, or ${files}` : `name ${files}`;
    throw unusable(path, options, "is one robots.txt without an origin", remedy);
  }
  seen.addFile(origin, undefined, body);
}

/** Adds every fetch in a cache. `path` is the cache's file, or the folder that contains this file. */
async function addCache(seen: SeenRobots, path: string, options: HistoryOptions): Promise<void> {
  // Readers of archives are imported when a source needs them, because they import parts of the HTTP client.
  const { openSqliteReader } = await import("@robots-stream/fetch/archives");
  const reader = openSqliteReader(statSync(path).isDirectory() ? join(path, cacheName) : path);
  const faults = faultsOf(path, options);
  const onDamaged = (origin: string, isCertain: boolean): void => {
    faults.add(origin, "is damaged");
    options.damaged?.add(origin);
    if (!isCertain) options.damaged?.addUnnamed();
  };
  try {
    for (const entries of reader.entries(onDamaged)) {
      for (const entry of entries) seen.addEntry(entry);
      await turn(options.signal);
    }
    endFaults(faults, path, options);
  } finally {
    reader.close();
  }
}

/** Adds a snapshot, of which only the origins that are asked for are read. */
async function addSnapshot(seen: SeenRobots, path: string, options: HistoryOptions): Promise<void> {
  const { openSnapshot } = await import("../archive/snapshot-read.ts");
  const snapshot = openSnapshot(path);
  const faults = faultsOf(path, options);
  /** Damage of an index, or of a table, could hide files. The run ends: what is not known would look like what is not there. */
  const checked = <Result>(read: () => Result): Result => {
    try {
      return read();
    } catch (error) {
      throw unusable(path, options, reasonOf(error));
    }
  };
  function* whole(entries: Iterable<ArchivedRobots | string>): Generator<ArchivedRobots> {
    for (const entry of entries) {
      if (typeof entry === "string") faults.add(entry, "is damaged");
      else yield entry;
    }
  }
  const { digest, origins, entries } = snapshot.manifest;
  seen.addLazy({
    digest,
    origins,
    *entriesOf(origin) {
      const all = checked(() => snapshot.entriesOf(origin));
      if (all.some((entry) => typeof entry === "string")) options.damaged?.add(origin);
      yield* whole(all);
    },
    *byOrigin() {
      const newest = whole(snapshot.newest());
      for (;;) {
        const next = checked(() => newest.next());
        if (next.done === true) return;
        const { origin } = next.value;
        // Few snapshots have several entries of an origin; a look-up for each origin would take longer than the reading.
        const all = entries === origins ? [next.value] : [...whole(checked(() => snapshot.entriesOf(origin)))];
        yield { origin, entries: all };
      }
    },
    redirectingTo: (origin) => checked(() => snapshot.redirectingTo(origin)),
    close: () => {
      endFaults(faults, path, options);
      snapshot.close();
    },
  });
}

/** Adds the content of a file or a pipe, perhaps compressed: an NDJSON export, a WARC file, or one robots.txt from a pipe. */
async function addStream(
  seen: SeenRobots,
  path: string,
  opened: "file" | "pipe",
  options: HistoryOptions,
): Promise<void> {
  const { maxBytes, signal } = options;
  const faults = faultsOf(path, options, () => {
    options.onReject?.();
    options.damaged?.addUnnamed();
  });
  const { lineEntriesOf, warcEntriesOf } = await import("../archive/entries.ts");
  await readOpened(path, opened, signal, async (packed) => {
    const { kind, chunks } = await openSavedStream(path, packed);
    const before = seen.observations.length;
    if (kind === "ndjson") await addEntries(seen, lineEntriesOf(chunks, faults.add), signal);
    else if (kind === "warc") {
      const entries = warcEntriesOf(chunks, faults.add, {
        onRedirect: (redirect) => seen.addRedirect(redirect),
        onUnread: (unread) => seen.addUnread(unread),
      });
      await addEntries(seen, entries, signal);
    } else addFile(seen, path, await bytesUpTo(chunks, maxBytes + 1), options);
    endFaults(faults, path, options);
    const isRead = seen.observations.slice(before).some(({ access }) => access !== "unknown");
    if (kind !== "file" && !isRead) throw withoutEntries(path, kind, faults.first);
  });
}

async function addEntries(
  seen: SeenRobots,
  entries: AsyncIterable<ArchivedRobots>,
  signal: AbortSignal | undefined,
): Promise<void> {
  let count = 0;
  for await (const entry of entries) {
    seen.addEntry(entry);
    if (++count % 1_000 === 0) await turn(signal);
  }
}

/** Signals are handled between two batches. */
async function turn(signal: AbortSignal | undefined): Promise<void> {
  await new Promise(setImmediate);
  signal?.throwIfAborted();
}

function faultsOf(path: string, options: HistoryOptions, onAdd = options.onReject): Faults {
  return new Faults(shownOf(path, options), options.say, { onAdd });
}

/** Says how many damaged entries were not reported one by one. */
function endFaults({ left }: Faults, path: string, { from, say }: Pick<HistoryOptions, "from" | "say">): void {
  if (left > 0)
    say(`${shownOf(path, { from })}: ${left} more damaged ${left === 1 ? "entry is" : "entries are"} left out`);
}
