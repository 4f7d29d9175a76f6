// Lists the entries of a cache, one line per entry: time, result, size, origin.
import type { StoredRobots } from "@robots-stream/fetch";
import { exitCodes } from "../../cli/exit-codes.ts";
import { printableJsonOf, printableOf } from "@robots-stream/engine/internal";
import type { ActionContext } from "./action.ts";

/** Lists the newest entry of every origin that contains one of the named texts, or of all origins if no text is named. */
export async function listEntries({ command, store, write }: ActionContext): Promise<number> {
  const texts = command.names.map((name) => name.toLowerCase());
  for (const batch of store.newest()) {
    const wanted = batch.filter(({ origin }) => texts.length === 0 || texts.some((text) => origin.includes(text)));
    await write(wanted.map((entry) => lineOf(entry, command.output.format.name === "ndjson")).join(""));
  }
  return exitCodes.done;
}

/** Returns the line for an entry, as JSON or as columns for people. */
export function lineOf(entry: StoredRobots, isJson: boolean): string {
  const { origin, fetchedAt, freshUntil, access, code, status } = entry;
  const bytes = entry.body?.byteLength;
  if (isJson)
    return `${printableJsonOf(JSON.stringify({ origin, fetchedAt, freshUntil, access, code, status, bytes }))}\n`;
  const columns = [
    isoOf(fetchedAt),
    access.padEnd(11),
    printableOf(code, 30).padEnd(15),
    String(bytes ?? "").padStart(7),
  ];
  return `${columns.join("  ")}  ${printableOf(origin, 300)}\n`;
}

/** Converts milliseconds since 1970 to ISO 8601. */
export function isoOf(ms: number): string {
  // Larger values are shown as the latest date that JavaScript can represent.
  return new Date(Math.min(ms, 8_640_000_000_000_000)).toISOString();
}
