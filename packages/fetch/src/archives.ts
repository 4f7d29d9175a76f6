// The names of @robots-stream/fetch/archives: for this project's readers and writers of stored entries. Unstable: any release may
// change them.
export { packedOf, unpackedOf } from "./stores/pack.ts";
export { type SqliteReader, openSqliteReader } from "./stores/sqlite-read.ts";
