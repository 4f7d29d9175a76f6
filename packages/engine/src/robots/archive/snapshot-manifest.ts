// The manifest of an indexed snapshot: a folder with a manifest in JSON, and one SQLite file for each part.
//
//     robots-snapshot.json          format, version, counts, and for each part its file, counts and digest
//     part-1-of-1-DIGEST.robots     the rows of a part: see sqlite-part.ts of @robots-stream/fetch
//
// An origin is in the part `hashOf(origin) % parts`, as with `shard`.
import { callerText } from "../../common/caller-words.ts";
import { snapshotName } from "../saved-kind.ts";
import { ArchiveError, crc32 } from "./checksum.ts";

/** The manifest's name in the folder. */
export const manifestName: string = snapshotName;

/** The name in the folder of the journal of a fetch that has not ended: a store of its results. */
export const journalName = "robots-fetch.sqlite";

/** Whether a file in the folder is the journal, or belongs to it. */
export function isJournal(name: string): boolean {
  return ["", "-wal", "-shm", "-journal"].some((ending) => name === journalName + ending);
}

/** Limit of the manifest's size in bytes. */
export const mostManifestBytes = 1_048_576;

/** The member `format` of a manifest. */
export const formatName = "robots-stream snapshot";

/** Increased with every change of the layout. */
export const schemaVersion = 3;

/** Limit of the number of parts of a snapshot: a reader keeps the file of each part open. */
export const mostParts = 1_024;

/** Limit of an origin's length in characters. */
export const longestOrigin = 8_192;

export interface ManifestPart {
  readonly file: string;
  readonly origins: number;
  readonly entries: number;
  /** SHA-256 of the rows' content, in hexadecimal digits. */
  readonly digest: string;
}

/** The content of the manifest. Counts and times cover all parts. */
export interface Manifest {
  readonly format: typeof formatName;
  readonly schemaVersion: typeof schemaVersion;
  /** SHA-256 of the parts' digests: two snapshots with the same digest have the same content. */
  readonly digest: string;
  readonly origins: number;
  readonly entries: number;
  /** Milliseconds since the epoch of the first and the last fetch; absent without entries. */
  readonly fetchedFrom?: number;
  readonly fetchedTo?: number;
  readonly parts: readonly ManifestPart[];
}

export function textOfManifest(manifest: Manifest): string {
  return `${JSON.stringify({ ...manifest, checksum: checksumOf(manifest) }, undefined, 2)}\n`;
}

/** Reads a manifest's text. Throws an `ArchiveError` for another version and for a damaged manifest. */
export function manifestOf(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ArchiveError(`${manifestName} is damaged: it is not JSON`);
  }
  const { checksum, ...manifest } = (typeof value === "object" && value !== null ? value : {}) as Manifest & {
    readonly checksum?: unknown;
  };
  if (manifest.format !== formatName) throw new ArchiveError(`${manifestName} is not the manifest of a snapshot`);
  const found: unknown = manifest.schemaVersion;
  if (found !== schemaVersion) {
    if (found === 1 || found === 2)
      throw new ArchiveError(
        `an earlier version of robots-stream wrote it: ${callerText("newSnapshot") ?? "make a new one"}`,
      );
    const ourVersion: number = schemaVersion;
    const version = Number.isSafeInteger(found) ? ` (${Number(found)})` : "";
    throw new ArchiveError(`another version of robots-stream wrote it${version}, this one reads ${ourVersion}`);
  }
  if (checksum !== checksumOf(manifest) || !isWhole(manifest)) {
    throw new ArchiveError(`${manifestName} is damaged, or was changed: its checksum does not match its content`);
  }
  return manifest;
}

function checksumOf(manifest: Manifest): string {
  return crc32(JSON.stringify(manifest)).toString(16).padStart(8, "0");
}

/** Whether all members have valid values. The checksum does not prove it, because an attacker can compute a valid checksum. */
function isWhole({ digest, origins, entries, fetchedFrom = 0, fetchedTo = 0, parts }: Manifest): boolean {
  return (
    isDigest(digest) &&
    [origins, entries, fetchedFrom, fetchedTo].every(isCount) &&
    Array.isArray(parts) &&
    parts.length > 0 &&
    parts.length <= mostParts &&
    (parts as readonly (Partial<ManifestPart> | null)[]).every(
      (part) =>
        part !== null &&
        typeof part.file === "string" &&
        partFile.test(part.file) &&
        [part.origins, part.entries].every(isCount) &&
        isDigest(part.digest),
    )
  );
}

/** The form of a part file's name. It has no path separator, so that no name in a manifest leads to another folder. */
export const partFile: RegExp = /^part-\d{1,5}-of-\d{1,5}-[0-9a-f]{12}\.robots$/;

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isDigest(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}
