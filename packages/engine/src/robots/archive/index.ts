// The exports of @robots-stream/engine/archives: reading and writing archives of robots.txt files, for this project's own programs. Not
// stable: they change without notice.
import "@robots-stream/fetch/internal";

export { base32Of } from "../../formats/warc/records.ts";
export { checksumOf } from "./checksum.ts";
export { entriesOf, type Rejected } from "./entries.ts";
export { FetchJournal } from "./fetch-journal.ts";
export { lineOfEntry } from "./entries.ts";
export { SnapshotWriter, type SnapshotWriterOptions } from "./snapshot-write.ts";
