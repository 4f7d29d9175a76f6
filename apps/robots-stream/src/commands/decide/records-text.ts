// A number of records in, the words for it out.

/** "1 record", "2 records". */
export function recordsText(count: number): string {
  return `${count} record${count === 1 ? "" : "s"}`;
}
