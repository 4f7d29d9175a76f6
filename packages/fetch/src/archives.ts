// Exports the names of @robots-stream/fetch/archives, with which this project's packages read and write stored entries. Unstable: any
// release may change these names.
import "./common/supported-node.ts";
export {
  type PartFacts,
  type PartReader,
  type PartWriter,
  createPartWriter,
  openPartReader,
} from "./stores/sqlite-part.ts";
export { type SqliteReader, openSqliteReader } from "./stores/sqlite-read.ts";
export { sqliteModule } from "./stores/sqlite-open.ts";
