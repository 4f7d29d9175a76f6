// Reads one part of an audit: an audit document in a file, a pipe or stdin.
import { statSync } from "node:fs";
import type { AuditDocument } from "@robots-stream/audit";
import { UsageError } from "@robots-stream/engine";
import { type InputStream, nameOf, openSource, reasonOf } from "@robots-stream/engine/internal";
import { readAll } from "../../cli/read-all.ts";
import { documentIn, mostDocumentBytes, readDocument } from "../../cli/audit/read-document.ts";

/** Stdin, and the signal that stops the command. */
export interface PartStreams {
  readonly stdin: InputStream;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads one part; "-" is `stdin`. Rejects with a `UsageError` for a file that cannot be read or is not an audit, and with the signal's
 * reason.
 */
export async function readPart(path: string, { stdin, signal }: PartStreams): Promise<AuditDocument> {
  if (path !== "-" && statSync(path, { throwIfNoEntry: false })?.isFIFO() !== true) return readDocument(path);
  const shown = nameOf(path);
  let bytes: Buffer;
  try {
    bytes = await readAll(openSource(path, stdin), mostDocumentBytes, shown, signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw new UsageError("unreadable-input", reasonOf(error));
  }
  return documentIn(bytes, shown);
}
