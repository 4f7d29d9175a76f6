// Finds out which kind of file or folder is at a path of `--robots`: saved files, one file, or an archive. The content determines the kind,
// but a file with the name of an archive is never a robots.txt: a damaged archive would be a robots.txt that allows everything.
import { closeSync, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { openToRead, readUpTo } from "../files/open-file.ts";
import { UsageError } from "../errors.ts";
import { shownWordOf } from "../text.ts";
import { isSavedName } from "./saved-names.ts";

/** The kinds of archives. `compressed`: the kind is known only after decompression. */
export type ArchiveKind = "snapshot" | "cache" | "ndjson" | "warc" | "compressed";

/** The kind of a file or folder: a folder of saved files, one robots.txt, or an archive. */
export type SavedKind = "folder" | "file" | ArchiveKind;

/** The manifest of an indexed snapshot, and the database of a cache, in their folders. */
export const snapshotName = "robots-snapshot.json";
export const cacheName = "robots.sqlite";

/** Whether a file of this name in a folder belongs to an indexed snapshot. */
export function isSnapshotFile(name: string): boolean {
  return name === snapshotName || /^part-.*\.robots$/.test(name);
}

/** Number of bytes at the beginning of a file that determine its kind. */
export const tellingBytes = 4_096;

/**
 * The kind of the file or folder at a path, which must not be a pipe. Throws a `UsageError` for an empty file and for binary data that is
 * not an archive, and the system's errors.
 */
export function savedKindOf(path: string): SavedKind {
  if (statSync(path).isDirectory()) {
    if (existsSync(join(path, snapshotName))) return "snapshot";
    // Saved files take precedence over a cache in the same folder.
    return existsSync(join(path, cacheName)) && !readdirSync(path).some(isSavedName) ? "cache" : "folder";
  }
  const file = openToRead(path, ["file", "null"]);
  try {
    return file.kind === "null" ? "file" : kindOfBeginning(path, readUpTo(file, tellingBytes));
  } finally {
    closeSync(file.fd);
  }
}

const magics: readonly { readonly kind: ArchiveKind; readonly bytes: Buffer }[] = [
  { kind: "cache", bytes: Buffer.from("SQLite format 3\0", "latin1") },
  { kind: "warc", bytes: Buffer.from("WARC/") },
  { kind: "compressed", bytes: Buffer.from([0x1f, 0x8b, 0x08]) },
  { kind: "compressed", bytes: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]) },
];

/** The kind of a file, the path of a flag, that begins with these bytes. Throws a `UsageError` for an empty file, and for binary data of another kind. */
export function kindOfBeginning(
  path: string,
  bytes: Uint8Array,
  flag = "robots",
): Exclude<SavedKind, "folder" | "snapshot"> {
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, tellingBytes));
  if (beginning.length === 0) {
    const hint = "for no rules at all: --robots /dev/null";
    throw unusable(path, "is empty: neither a robots.txt nor an archive", hint, flag);
  }
  const known = magics.find(({ bytes: magic }) => magic.equals(beginning.subarray(0, magic.length)));
  if (known !== undefined) return known.kind as Exclude<ArchiveKind, "snapshot">;
  if (isBinary(beginning))
    throw unusable(path, "is neither text nor an archive of robots.txt files", archiveHint, flag);
  if (magics.some(({ kind, bytes: magic }) => kind === "compressed" && isNearly(magic, beginning))) {
    throw unusable(path, "is a damaged archive: its first bytes are not those of gzip or zstd", archiveHint, flag);
  }
  const text = beginning.toString("latin1");
  // No line of a robots.txt begins with a brace or has such a key. The readers reject the damaged line or record.
  if (/^(?:\xef\xbb\xbf)?\s*\{/.test(text) || /^\{"origin":"|"fetchedAt":\d/m.test(text)) return "ndjson";
  if (/^WARC-(?:Type|Record-ID):/m.test(text)) return "warc";
  if (archiveName.test(path)) {
    throw unusable(
      path,
      "has the name of an archive, and is neither an archive nor an export of a cache",
      archiveHint,
      flag,
    );
  }
  return "file";
}

/** The ends of names that only archives have. */
const archiveName = /\.(?:ndjson|jsonl|json|warc|sqlite3?)(?:\.(?:gz|zst))?$/i;

/** Whether a file begins with these bytes except for one. */
function isNearly(magic: Buffer, beginning: Buffer): boolean {
  return beginning.length >= magic.length && magic.filter((byte, at) => byte !== beginning[at]).length === 1;
}

/**
 * Whether a file begins as binary data does (an image, a program, an archive of other data). Later bytes are not examined: a robots.txt may
 * have any bytes, but no editor begins one with a zero byte.
 */
function isBinary(beginning: Buffer): boolean {
  const start = beginning.toString("latin1", 0, 16);
  return start.includes("\0") || start.startsWith("%PDF-");
}

/** The kinds of archives, as the hint of a message. */
export const archiveHint =
  "archives are files written by robots-stream cache export, WARC files, and a cache's robots.sqlite";

/** The error for the path of a flag that cannot be used. */
export function unusable(path: string, why: string, hint?: string, flag = "robots"): UsageError {
  return new UsageError("unusable-robots", `--${flag} ${shownWordOf(path)}: ${why}`, hint);
}
