// Writes and parses a line of the output of `origins`.
import { locateUrl } from "@robots-stream/engine/internal";
import { longestCounted } from "./counter.ts";

/** Returns the line for an origin and its count. */
export function lineOfOrigin(origin: string, count: number): string {
  return `{"origin":${JSON.stringify(origin)},"count":${count}}\n`;
}

/** Matches the first line of a file that the command `origins` wrote. */
const beginning = /^\s*\{\s*"origin"\s*:\s*"[^"\\]{1,8192}"\s*,\s*"count"\s*:\s*\d{1,16}\s*\}\s*(?:\r?\n|$)/;

/** Number of bytes at the beginning of a file that are examined for such a line. */
export const tellingBytes = 16_384;

/** Whether the bytes begin with a line of an origin and its count. */
export function isCounted(bytes: Uint8Array): boolean {
  return beginning.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"));
}

/** Returns the origin and the count in a line; undefined for any other line. */
export function countedOf(line: string): { readonly origin: string; readonly count: number } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const { origin, count } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  if (typeof origin !== "string" || origin.length > longestCounted || !isCount(count)) return undefined;
  const located = locateUrl(`${origin}/`);
  return typeof located !== "string" && located.origin === origin ? { origin, count } : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
