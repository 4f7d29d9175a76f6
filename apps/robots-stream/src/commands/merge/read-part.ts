// Reads one part, the document of an audit or of a census in a file, a pipe or stdin.
import { statSync } from "node:fs";
import { UsageError } from "@robots-stream/engine";
import { type InputStream, nameOf, openSource, reasonOf, shownWordOf } from "@robots-stream/engine/internal";
import { readAll } from "../../cli/read-all.ts";
import { jsonIn, mostDocumentBytes, readJson } from "../../cli/audit/read-document.ts";

/** Stdin, and the signal that stops the command. */
export interface PartStreams {
  readonly stdin: InputStream;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the JSON of one part; "-" is `stdin`. Rejects with a `UsageError` for a file that cannot be read, and with the signal's reason. */
export async function readPart(path: string, { stdin, signal }: PartStreams): Promise<unknown> {
  if (path !== "-" && statSync(path, { throwIfNoEntry: false })?.isFIFO() !== true) {
    return readJson(path, shownWordOf(path));
  }
  const shown = nameOf(path);
  let bytes: Buffer;
  try {
    bytes = await readAll(openSource(path, stdin), mostDocumentBytes, shown, signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw new UsageError("unreadable-input", reasonOf(error));
  }
  return jsonIn(bytes, shown);
}
