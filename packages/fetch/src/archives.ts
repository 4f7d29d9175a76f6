// The names of @robots-stream/fetch/archives: for this project's readers and writers of stored entries. Unstable: any release may
// change them.
import "./supported-node.ts";
export { packedOf, unpackedOf } from "./stores/pack.ts";
export { type SqliteReader, openSqliteReader } from "./stores/sqlite-read.ts";
