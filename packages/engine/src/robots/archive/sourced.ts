// Converts an entry of an archive to the robots.txt that was in force when the entry was fetched (RFC 9309 §2.3.1).
import type { StoredRobots } from "@robots-stream/fetch";
import { accessPolicies, inForceAt } from "@robots-stream/fetch/policy";
import { constantOf, robotsUpTo } from "../parsed.ts";
import type { SourcedRobots } from "../types.ts";

/**
 * The robots.txt that was in force when an entry was fetched, up to `maxBytes` bytes. The current time has no influence, so that the
 * same archive always gives the same decisions. During an outage, Google's access policy uses the outage's length and the last copy.
 */
export function sourcedOfEntry(entry: StoredRobots, maxBytes: number): SourcedRobots;
export function sourcedOfEntry(entry: StoredRobots | undefined, maxBytes: number): SourcedRobots | undefined;
export function sourcedOfEntry(entry: StoredRobots | undefined, maxBytes: number): SourcedRobots | undefined {
  if (entry === undefined) return undefined;
  const { access, body } = inForceAt(entry, accessPolicies.google, entry.fetchedAt);
  if (access !== "successful" || body === undefined) return constantOf(access, entry.code);
  const robots = robotsUpTo(maxBytes, body);
  return { ...robots, code: entry.code, ...(entry.truncated === true ? { isTruncated: true } : {}) };
}
