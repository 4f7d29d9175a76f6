// Lists the names of crawlers in the user-agent lines of parsed files (RFC 9309 §2.2.1).
import type { RobotsTxt } from "@robots-stream/core";
import { checkParsed } from "@robots-stream/core/internal";

/** The name at the beginning of the value of a user-agent line; it ends before white space, `/`, `*`, `;` or `(`. */
export function nameIn(value: string): string {
  return /^[^\s/*;(]*/.exec(value)![0];
}

/** The maximum number of characters of a name; longer values are ignored. */
const longestName = 100;

/**
 * The names of crawlers that user-agent lines of the files have, each once without regard to case, in the order of the lines.
 */
export function namesIn(...files: readonly RobotsTxt[]): readonly string[] {
  const names = new Map<string, string>();
  for (const robots of files) {
    checkParsed(robots);
    const { groups } = robots;
    for (const { userAgents } of groups) {
      for (const { value } of userAgents) {
        const name = nameIn(value);
        if (name === "" || name.length > longestName) continue;
        if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
      }
    }
  }
  return [...names.values()];
}
