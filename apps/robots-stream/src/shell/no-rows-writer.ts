// A writer for an input whose rows are not used: heads are empty, or the records' own bytes.
import type { RecordWriter } from "@robots-stream/engine/internal";

/** Creates the writer. */
export function createNoRowsWriter(): RecordWriter {
  return {
    // A name that no record has as a member, so that it never conflicts with the member of the result.
    resultKey: "\u0000",
    keepsObjects: true,
    headOfObject: () => "",
    startRows: () => true,
    headOfRow: () => "",
    headOfFields: () => "",
    memberOpenings: () => [""],
    tailOf: () => "",
    header: () => "",
    losses: () => [],
    known: () => ({}),
  };
}
