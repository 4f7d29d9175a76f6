// Reads the audit document in a file.
import { type AuditDocument, checkDocument } from "@robots-stream/audit";
import { readFileStart, reasonOf, shownWordOf, UsageError } from "@robots-stream/engine/internal";
import { asUsage } from "./as-usage.ts";

/** Maximum size of a file. An audit document is smaller, because the tables in it have limits. */
const mostBytes = 512 * 1_048_576;

/**
 * Reads one audit document. `flag`: the flag that names the file, if any, for messages. Throws a `UsageError` for a file that cannot be
 * read or is not an audit document.
 */
export function readDocument(path: string, flag?: string): AuditDocument {
  const shown = flag === undefined ? shownWordOf(path) : `--${flag} ${shownWordOf(path)}`;
  let value: unknown;
  try {
    const bytes = readFileStart(path, mostBytes);
    if (bytes.length === mostBytes) throw new Error("is too large for an audit");
    value = JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new UsageError(
        "unreadable-input",
        `${shown}: is not JSON`,
        "robots-stream audit … --output json makes one",
      );
    }
    throw new UsageError("unreadable-input", `${shown}: ${reasonOf(error)}`);
  }
  return asUsage(`${shown}: `, () => checkDocument(value));
}
