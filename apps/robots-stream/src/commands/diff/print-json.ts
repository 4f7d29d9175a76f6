// Renders a comparison as one JSON document.
import { printableJsonOf } from "@robots-stream/engine/internal";
import type { Compared } from "./types.ts";

/** Returns the JSON document as text that ends in a newline. */
export function jsonOf({ old, new: next, diffs, logs }: Compared): string {
  const document = { schemaVersion: 1, old: old.name, new: next.name, diffs, ...(logs === undefined ? {} : { logs }) };
  return `${printableJsonOf(JSON.stringify(document, undefined, 2))}\n`;
}
