// The names of @robots-stream/fetch/archives: for this project's readers and writers of stored entries. Unstable: any release may
// change them.
export { bytesOfEntry, entryOfBytes, isTooLarge } from "./stores/redis-value.ts";
export { type SqliteReader, openSqliteReader } from "./stores/sqlite-read.ts";
