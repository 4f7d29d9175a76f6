// Creates a writer for an input whose rows are not used. The head of each row is empty or the bytes of its record.
import type { RecordWriter } from "@robots-stream/engine/internal";

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
