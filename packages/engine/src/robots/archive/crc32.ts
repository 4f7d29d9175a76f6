// Zlib's CRC-32, for the checksums of archives.
import zlib from "node:zlib";

/** A member of `zlib`: a named import that an old Node lacks fails before supported-node.ts of @robots-stream/fetch can refuse that Node. */
export const crc32: typeof zlib.crc32 = zlib.crc32;
