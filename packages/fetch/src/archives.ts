// The names of @robots-stream/fetch/archives: this project's packages read and write stored entries with them. Unstable: any release
// may change them.
import "./supported-node.ts";
export { packedOf, unpackedOf } from "./stores/pack.ts";
export { type SqliteReader, openSqliteReader } from "./stores/sqlite-read.ts";
