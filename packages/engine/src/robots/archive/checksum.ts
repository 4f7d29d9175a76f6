// Checksums of archives: zlib's CRC-32, and the checksum of a cache entry in an export; the error for an archive that is damaged.
import zlib from "node:zlib";
import type { StoredRobots } from "@robots-stream/fetch";

/** An error whose message names the file inside the archive and the fault, and quotes no content. */
export class ArchiveError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ArchiveError";
  }
}

/** Not a named import, which fails in an old Node before supported-node.ts of @robots-stream/fetch can refuse that Node. */
export const crc32: typeof zlib.crc32 = zlib.crc32;

/** Eight hexadecimal digits of the CRC-32 over all members in a fixed order, followed by the bytes of the bodies. */
export function checksumOf(entry: StoredRobots): string {
  const { origin, fetchedAt, freshUntil, access, code, status, body, truncated, headers, unreachableSince } = entry;
  const { lastCopy, hops, cutAtBytes } = entry;
  const fields = Object.entries(headers ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify([
    [origin, fetchedAt, freshUntil, access, code, status ?? null, truncated ?? null, unreachableSince ?? null],
    headers === undefined ? null : fields,
    lastCopy === undefined ? null : [lastCopy.fetchedAt, lastCopy.access, lastCopy.code, lastCopy.status ?? null],
    hops.map(({ url, status: answered }) => [url, answered]),
    ...(cutAtBytes === undefined ? [] : [cutAtBytes]),
    ...(lastCopy?.truncated === undefined ? [] : [[lastCopy.truncated, lastCopy.cutAtBytes ?? null]]),
    // The lengths distinguish an empty file from a missing one, and the first body from the second.
    [body?.byteLength ?? null, lastCopy?.body?.byteLength ?? null],
  ]);
  let sum = crc32(text);
  // For an empty buffer, crc32 of Node 22 returns 0 instead of the previous sum.
  for (const bytes of [body, lastCopy?.body]) if (bytes !== undefined && bytes.byteLength > 0) sum = crc32(bytes, sum);
  return sum.toString(16).padStart(8, "0");
}
