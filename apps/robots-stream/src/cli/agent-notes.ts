// The note of a run about records that have no field for the User-Agent header.
import { numberText } from "./figures.ts";

/**
 * The note about `count` such records: records of JSON may lack the field, and a log's later heading may name other fields than its first.
 * No note without such a record.
 */
export function agentNotesOf(count: number): readonly string[] {
  if (count === 0) return [];
  const [records, have] = count === 1 ? ["1 record", "has"] : [`${numberText(count)} records`, "have"];
  return [
    `${records} ${have} no field for the User-Agent header (of a log, see the #Fields lines), so no crawler is known`,
  ];
}
