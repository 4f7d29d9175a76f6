// A writer for an input whose rows are not used. The heads of its rows are empty, or the bytes of the records.
import type { RecordWriter } from "@robots-stream/engine/internal";

/** Creates the writer. */
export function createNoRowsWriter(): RecordWriter {
  return {
    // No record has a member with this name, so the result key never conflicts with a member.
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
