// Reads the audit document in a file.
import { type AuditDocument, checkDocument, AuditError } from "@robots-stream/audit";
import { UsageError } from "@robots-stream/engine";
import { readFileStart, reasonOf, shownWordOf, printableOf } from "@robots-stream/engine/internal";
import { endedBySignals } from "../exit-codes.ts";

/** Maximum size of a document. Real documents are smaller, because the tables in them have limits. */
export const mostDocumentBytes: number = 512 * 1_048_576;

/**
 * Reads one audit document. `flag`: the flag that names the file, if any, for messages. Throws a `UsageError` for a file that cannot be
 * read or is not an audit document.
 */
export function readDocument(path: string, flag?: string): AuditDocument {
  const shown = flag === undefined ? shownWordOf(path) : `--${flag} ${shownWordOf(path)}`;
  return documentIn(readJson(path, shown), shown);
}

/** Reads the JSON in a file. Throws a `UsageError` whose message begins with `shown`. */
export function readJson(path: string, shown: string): unknown {
  let bytes: Buffer;
  try {
    bytes = readFileStart(path, mostDocumentBytes);
  } catch (error) {
    throw new UsageError("unreadable-input", `${shown}: ${reasonOf(error)}`);
  }
  return jsonIn(bytes, shown);
}

/** Checks an audit document. For another value, throws a `UsageError` whose message begins with `shown`. */
export function documentIn(value: unknown, shown: string): AuditDocument {
  return endedBySignals(() => asUsage(`${shown}: `, () => checkDocument(value)));
}

/** Parses the JSON of a document. For other bytes, throws a `UsageError` whose message begins with `shown`. */
export function jsonIn(bytes: Buffer, shown: string): unknown {
  return endedBySignals(() => parsedIn(bytes, shown));
}

function parsedIn(bytes: Buffer, shown: string): unknown {
  if (bytes.length >= mostDocumentBytes) {
    throw new UsageError("unreadable-input", `${shown}: is too large for an audit`);
  }
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw new UsageError("unreadable-input", `${shown}: ${reasonOf(error)}`);
    throw new UsageError("unreadable-input", `${shown}: is not JSON`, "robots-stream audit … --output json makes one");
  }
}

/** The maximum length of the message of an `AuditError`, which contains names from a document. */
const longestMessage = 1_000;

/**
 * Calls `act` and returns its result. Rethrows an `AuditError` as a `UsageError` whose message begins with `what`. The message is safe on a
 * terminal, whatever the document contains.
 */
export function asUsage<Result>(what: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    if (error instanceof AuditError)
      throw new UsageError("wrong-value", `${what}${printableOf(error.message, longestMessage)}`);
    throw error;
  }
}
