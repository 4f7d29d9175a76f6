// The note of a run about records whose part of the log has no field for the User-Agent header.
import { numberText } from "./figures.ts";

/** The note about `count` such records: a log's later heading may name other fields than its first. No note without such a record. */
export function agentNotesOf(count: number): readonly string[] {
  if (count === 0) return [];
  const [records, have] = count === 1 ? ["1 record", "has"] : [`${numberText(count)} records`, "have"];
  return [
    `${records} ${have} no field for the User-Agent header (see the #Fields lines of the log), so no crawler is known`,
  ];
}
