// The layout of an indexed snapshot: a folder with a manifest in JSON, and one file for each part with records and their index.
//
//     robots-snapshot.json     format, version, counts, and for each part its file, size and digest
//     part-1-of-1-DIGEST.robots
//       header   64 bytes: version, sizes, place of the root, CRC-32
//       records  one per fetch, sorted by origin, the latest fetch first: see snapshot-record.ts
//       blocks   of the index, a B-tree, between the records and after them: see snapshot-block.ts
//
// Integers are big-endian. An origin is in the part `hashOf(origin) % parts`, as with `--shard`.
import { snapshotName } from "../saved-kind.ts";
import { ArchiveError } from "./archive-error.ts";
import { crc32 } from "./crc32.ts";

/** The manifest's name in the folder. */
export const manifestName: string = snapshotName;

/** The name in the folder of the journal of a fetch that has not ended: lines of an NDJSON export. */
export const journalName = "robots-fetch.ndjson";

/** Limit of the manifest's size in bytes. */
export const mostManifestBytes = 1_048_576;

/** The member `format` of a manifest. */
export const formatName = "robots-stream snapshot";

/** Increased with every change of the layout. */
export const schemaVersion = 1;

/** Limit of the number of parts of a snapshot: a reader keeps the file of each part open. */
export const mostParts = 1_024;

/** Limit of an origin's length in characters, because two keys have to fit into a block of the index. */
export const longestOrigin = 8_192;

/** Limit of a record in bytes: enough for two robots.txt files of the largest size that a run reads, compressed, and their exchanges. */
export const mostRecordBytes: number = 64 * 1_048_576;

export interface ManifestPart {
  readonly file: string;
  readonly bytes: number;
  readonly origins: number;
  readonly entries: number;
  /** SHA-256 of the keys and records, in hexadecimal digits. */
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
        [part.bytes, part.origins, part.entries].every(isCount) &&
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

export interface PartHeader {
  /** From 1. */
  readonly part: number;
  readonly parts: number;
  /** Size of the file. */
  readonly bytes: number;
  readonly entries: number;
  /** The root of the index; its length is 0 without entries. */
  readonly rootOffset: number;
  readonly rootLength: number;
  /** SHA-256 as in the manifest; the header holds the first `digestBytes` bytes of it. */
  readonly digest: string;
}

/** Size of a header, and of the digest in it, in bytes. */
export const headerBytes = 64;
const digestBytes = 16;

const magic: Buffer = Buffer.from("\x89RSNAP\r\n", "latin1");
const versionAt = 8;
const partAt = 12;
const partsAt = 16;
const bytesAt = 20;
const entriesAt = 26;
const rootOffsetAt = 32;
const rootLengthAt = 38;
const digestAt = 42;
const checksumAt = 60;

/** Number of bytes that store an offset in a file. */
export const offsetBytes = 6;

export function bytesOfHeader(header: PartHeader): Buffer {
  const bytes = Buffer.alloc(headerBytes);
  magic.copy(bytes);
  bytes.writeUInt32BE(schemaVersion, versionAt);
  bytes.writeUInt32BE(header.part, partAt);
  bytes.writeUInt32BE(header.parts, partsAt);
  bytes.writeUIntBE(header.bytes, bytesAt, offsetBytes);
  bytes.writeUIntBE(header.entries, entriesAt, offsetBytes);
  bytes.writeUIntBE(header.rootOffset, rootOffsetAt, offsetBytes);
  bytes.writeUInt32BE(header.rootLength, rootLengthAt);
  bytes.write(header.digest.slice(0, digestBytes * 2), digestAt, "hex");
  bytes.writeUInt32BE(crc32(bytes.subarray(0, checksumAt)), checksumAt);
  return bytes;
}

/** Checks the header of a part against the manifest; returns the place of the root. Throws an `ArchiveError` for any other header. */
export function rootOfHeader(
  bytes: Buffer,
  { file, ...expected }: ManifestPart,
  part: number,
  parts: number,
): Pick<PartHeader, "rootOffset" | "rootLength"> {
  if (bytes.length < headerBytes || !magic.equals(bytes.subarray(0, magic.length))) {
    throw new ArchiveError(`${file} is not a part of a snapshot, or is damaged`);
  }
  if (bytes.readUInt32BE(checksumAt) !== crc32(bytes.subarray(0, checksumAt))) {
    throw new ArchiveError(`${file} is damaged: the checksum of its header does not match`);
  }
  const rootOffset = bytes.readUIntBE(rootOffsetAt, offsetBytes);
  const rootLength = bytes.readUInt32BE(rootLengthAt);
  const isAsListed =
    bytes.readUInt32BE(versionAt) === schemaVersion &&
    bytes.readUInt32BE(partAt) === part &&
    bytes.readUInt32BE(partsAt) === parts &&
    bytes.readUIntBE(bytesAt, offsetBytes) === expected.bytes &&
    bytes.readUIntBE(entriesAt, offsetBytes) === expected.entries &&
    expected.digest.startsWith(bytes.toString("hex", digestAt, digestAt + digestBytes)) &&
    rootOffset + rootLength <= expected.bytes &&
    (rootLength === 0) === (expected.entries === 0);
  if (!isAsListed) throw new ArchiveError(`${file} is not the part that ${manifestName} lists`);
  return { rootOffset, rootLength };
}

/** Bytes after the origin in a key: a zero byte and the inverted time of the fetch, so that the latest fetch sorts first. */
export const keyTailBytes = 7;
const latestTime = 2 ** 48 - 1;

/** The key of a fetch in the index: its origin, a zero byte, the inverted time. Keys are compared byte by byte. */
export function keyOf(origin: string, fetchedAt: number): Buffer {
  const key = Buffer.alloc(origin.length + keyTailBytes);
  key.write(origin, "latin1");
  key.writeUIntBE(latestTime - Math.min(fetchedAt, latestTime), origin.length + 1, offsetBytes);
  return key;
}
