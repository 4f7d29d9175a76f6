// Creates a writer for an input whose rows are not used. The head of each row is empty or the bytes of its record.
import type { RecordWriter } from "@robots-stream/engine/internal";

export function createNoRowsWriter(): RecordWriter {
  return {
    // A name that records do not use, so that the result key does not conflict with a member.
    resultKey: "\u0000",
    keepsObjects: true,
    headOfObject: () => "",
    startRows: () => true,
    headOfFields: () => "",
    memberOpenings: () => [""],
    tailOf: () => "",
    header: () => "",
    losses: () => [],
    known: () => ({}),
  };
}
