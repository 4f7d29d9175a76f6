// Zlib's CRC-32, for the checksums of archives.
import zlib from "node:zlib";

/** A named import that an old Node lacks would fail before its refusal (supported-node.ts of @robots-stream/fetch) can run. */
export const crc32: typeof zlib.crc32 = zlib.crc32;
