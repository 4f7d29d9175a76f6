// Zlib's CRC-32, for the checksums of archives.
import zlib from "node:zlib";

/** Not a named import, which fails in an old Node before supported-node.ts of @robots-stream/fetch can refuse that Node. */
export const crc32: typeof zlib.crc32 = zlib.crc32;
