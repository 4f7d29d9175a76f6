// Finds out which kind of file or folder is at a path of `robots`: saved files, one file, or an archive. The content determines the kind,
// never the name of the path. Finds files that are no robots.txt, before they are read as one that allows everything.
import { hint, option, type OptionName, optionText } from "../common/caller-words.ts";
import { closeSync, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { openToRead, readUpTo } from "../files/open-file.ts";
import { UsageError } from "../common/errors.ts";
import { shownWordOf, printableOf } from "../common/text.ts";
import { isSavedName } from "./saved-names.ts";
import { formatInsteadOf } from "@robots-stream/core/internal";
import { sitemaps } from "@robots-stream/core/records";
import { robotsOf, type SourcedRobots } from "./in-force.ts";

/** The kinds of archives. `compressed`: the kind is known only after decompression. */
export type ArchiveKind = "snapshot" | "cache" | "ndjson" | "warc" | "compressed";

/** The kind of a file or folder: a folder of saved files, one robots.txt, or an archive. */
type SavedKind = "folder" | "file" | ArchiveKind;

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

/** The kind of a file, the path of an option, that begins with these bytes. Throws a `UsageError` for an empty file, and for binary data of another kind. */
export function kindOfBeginning(
  path: string,
  bytes: Uint8Array,
  from: OptionName = "robots",
): Exclude<SavedKind, "folder" | "snapshot"> {
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, tellingBytes));
  if (beginning.length === 0) {
    const none = hint`for no rules at all: ${option("robots", "/dev/null")}`;
    throw unusable(path, "is empty: neither a robots.txt nor an archive", none, from);
  }
  const known = magics.find(({ bytes: magic }) => magic.equals(beginning.subarray(0, magic.length)));
  if (known !== undefined) return known.kind as Exclude<ArchiveKind, "snapshot">;
  const text = beginning.toString("latin1");
  // No line of a robots.txt begins with a brace. The readers reject the damaged lines and records.
  if (/^(?:\xef\xbb\xbf)?\s*\{/.test(text) || exportLine.test(text)) return "ndjson";
  if (warcLine.test(text)) return "warc";
  if (isArchive(beginning)) throw unusable(path, "is a damaged archive: its first bytes are wrong", archiveHint, from);
  if (isBinary(beginning)) {
    throw unusable(path, "is neither text nor an archive of robots.txt files", archiveHint, from);
  }
  return "file";
}

/**
 * Whether bytes are those of an archive, perhaps damaged: they begin with a magic number in which at most one byte differs, or have a line
 * of an archive. The robots.txt files in a damaged archive could otherwise be read as one robots.txt.
 */
function isArchive(bytes: Uint8Array): boolean {
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, tellingBytes));
  if (magics.some(({ bytes: magic }) => isNearly(magic, beginning))) return true;
  const text = beginning.toString("latin1");
  return exportLine.test(text) || warcLine.test(text);
}

/** Matches members that every line of an NDJSON export has, and the manifest of a snapshot. */
const exportLine = /"(?:fetchedAt|freshUntil)"\s*:\s*\d|"robots-stream snapshot"/;
const warcLine = /^WARC-(?:Type|Date|Record-ID):/im;

/** Whether a file begins with these bytes except for at most one. */
function isNearly(magic: Uint8Array, beginning: Uint8Array): boolean {
  let wrong = 0;
  for (let at = 0; at < magic.length && wrong < 2; at++) if (magic[at] !== beginning[at]) wrong++;
  return wrong < 2;
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

/** The error for the path of an option that cannot be used. */
export function unusable(path: string, why: string, remedy?: string, from: OptionName = "robots"): UsageError {
  return new UsageError("unusable-robots", `${optionText(from, shownWordOf(path))}: ${why}`, remedy);
}

type Parsed = Pick<SourcedRobots, "robotsIn">;
type Warn = (sentence: string) => void;

/** Matches a text with a line that is neither blank nor a comment. */
const hasText = /^[ \t]*[^#\s]/mu;
/** Matches control characters that no text has. */
// oxlint-disable-next-line no-control-regex
const binary = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;
const archiveName = /\.(?:ndjson|jsonl|warc|sqlite3?|gz|zst|robots)$/i;

/**
 * Checks a file that is given as the robots.txt of an origin or of all origins. `warn` is called if the file has text, but no user-agent
 * line. Throws a `UsageError` for an archive, and for such a file if it has the name of an archive or binary data. `from`: the option that
 * names the file.
 */
export function checkRobotsFile(
  path: string,
  bytes: Uint8Array,
  warn: Warn,
  { from = "robots", robots = robotsOf(bytes) }: { readonly from?: OptionName; readonly robots?: Parsed } = {},
): void {
  if (isArchive(bytes)) throw unusable(path, isAnArchive, archiveHint, from);
  if (!isWithoutRules(bytes, robots)) return;
  if (archiveName.test(path) || binary.test(beginningOf(bytes))) {
    throw unusable(path, "is neither an archive nor a robots.txt with a user-agent line", archiveHint, from);
  }
  warn(`${shownWordOf(path)} has no user-agent line, so it allows every URL`);
}

/**
 * Checks one of many files in a folder, as servers sent them. `warn` is called for a file that is clearly no robots.txt, such as HTML, and
 * allows every URL. Throws an error for an archive.
 */
export function checkFileOfFolder(path: string, bytes: Uint8Array, warn: Warn): void {
  if (isArchive(bytes)) throw new Error(isAnArchive);
  const format = formatInsteadOf(bytes);
  if (format !== undefined) warn(`${printableOf(path)} is ${format} without a user-agent line, so it allows every URL`);
}

const isAnArchive = "is an archive or a part of one, not one robots.txt";

function beginningOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1", 0, 512);
}

function isWithoutRules(bytes: Uint8Array, robots: Parsed): boolean {
  // The matchers of the google dialect use the same parsed file.
  const parsed = robots.robotsIn("google")!;
  if (parsed.groups.length > 0 || sitemaps(parsed).length > 0) return false;
  return hasText.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"));
}
