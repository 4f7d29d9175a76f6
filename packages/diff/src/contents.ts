// Finds the group names and the records that only one of two parsed files has.
import type { RobotsTxt, UserAgentLine } from "@robots-stream/core";
import type { FileSide } from "./effects.ts";
import { nameIn } from "./names.ts";
import type { GroupChange, RecordChange } from "./types.ts";

/** The maximum number of product tokens that are listed for a record. */
const mostProductTokens = 100;

/** The crawlers' names that only one file has in user-agent lines, each with its first line. */
export function groupChangesOf(old: RobotsTxt, next: RobotsTxt): readonly GroupChange[] {
  const [before, after] = [tokensOf(old), tokensOf(next)];
  return [
    ...missingOf(after, before).map(([productToken, line]) => ({ side: "new" as const, productToken, line })),
    ...missingOf(before, after).map(([productToken, line]) => ({ side: "old" as const, productToken, line })),
  ];
}

/** The records that only one file has: Sitemap, Crawl-delay … No decision depends on them. */
export function recordChangesOf(old: RobotsTxt, next: RobotsTxt): readonly RecordChange[] {
  // A group of thousands of names may have thousands of records, so a number stands for its names in each key.
  const numbers = new Map<string, number>();
  const [before, after] = [recordsOf(old, "old", numbers), recordsOf(next, "new", numbers)];
  return [...missingOf(after, before), ...missingOf(before, after)].map(([, record]) => record);
}

function tokensOf({ groups }: RobotsTxt): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const { userAgents } of groups) {
    for (const agent of userAgents) {
      const [name, { line }] = [nameOf(agent), agent] as const;
      if (name !== "" && !lines.has(name)) lines.set(name, line);
    }
  }
  return lines;
}

/** The whole name in lower case: names such as "MJ12bot" and "MJ13bot" are different, although Google's parser cuts both to "MJ". */
function nameOf({ productToken, value }: UserAgentLine): string {
  return productToken === "*" ? "*" : nameIn(value).toLowerCase();
}

function recordsOf(
  { groups, records }: RobotsTxt,
  side: FileSide,
  numbers: Map<string, number>,
): ReadonlyMap<string, RecordChange> {
  const found = new Map<string, RecordChange>();
  const add = (change: RecordChange, group: number): void => {
    const key = JSON.stringify([change.name, change.value, group]);
    if (!found.has(key)) found.set(key, change);
  };
  for (const { name, value, line, scope } of records) {
    if (scope === "file") add({ side, name, value, line, productTokens: [], moreProductTokens: 0 }, -1);
  }
  for (const { userAgents, records: ofGroup } of groups) {
    if (ofGroup.length === 0) continue;
    const names = [...new Set(userAgents.map(nameOf))].toSorted();
    const productTokens = names.slice(0, mostProductTokens);
    const moreProductTokens = names.length - productTokens.length;
    const list = JSON.stringify(names);
    const group = numbers.get(list) ?? numbers.size;
    numbers.set(list, group);
    for (const { name, value, line } of ofGroup) {
      add({ side, name, value, line, productTokens, moreProductTokens }, group);
    }
  }
  return found;
}

function missingOf<Value>(
  from: ReadonlyMap<string, Value>,
  other: ReadonlyMap<string, Value>,
): readonly (readonly [string, Value])[] {
  return [...from].filter(([key]) => !other.has(key));
}
