// Reads the audit document in a file.
import { type AuditDocument, checkDocument } from "@robots-stream/audit";
import { UsageError } from "@robots-stream/engine";
import { readFileStart, reasonOf, shownWordOf } from "@robots-stream/engine/internal";
import { endedBySignals } from "../ended-by-signals.ts";
import { asUsage } from "./as-usage.ts";

/** Maximum size of a document. Real documents are smaller, because the tables in them have limits. */
export const mostDocumentBytes: number = 512 * 1_048_576;

/**
 * Reads one audit document. `flag`: the flag that names the file, if any, for messages. Throws a `UsageError` for a file that cannot be
 * read or is not an audit document.
 */
export function readDocument(path: string, flag?: string): AuditDocument {
  const shown = flag === undefined ? shownWordOf(path) : `--${flag} ${shownWordOf(path)}`;
  let bytes: Buffer;
  try {
    bytes = readFileStart(path, mostDocumentBytes);
  } catch (error) {
    throw new UsageError("unreadable-input", `${shown}: ${reasonOf(error)}`);
  }
  return documentIn(bytes, shown);
}

/** Parses and checks an audit document. For other bytes, throws a `UsageError` whose message begins with `shown`. */
export function documentIn(bytes: Buffer, shown: string): AuditDocument {
  return endedBySignals(() => parsedIn(bytes, shown));
}

function parsedIn(bytes: Buffer, shown: string): AuditDocument {
  if (bytes.length >= mostDocumentBytes) {
    throw new UsageError("unreadable-input", `${shown}: is too large for an audit`);
  }
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw new UsageError("unreadable-input", `${shown}: ${reasonOf(error)}`);
    throw new UsageError("unreadable-input", `${shown}: is not JSON`, "robots-stream audit … --output json makes one");
  }
  return asUsage(`${shown}: `, () => checkDocument(value));
}
