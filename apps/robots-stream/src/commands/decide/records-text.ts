// Converts a number of records to text for messages.

/** Returns "1 record", "2 records" … */
export function recordsText(count: number): string {
  return `${count} record${count === 1 ? "" : "s"}`;
}
