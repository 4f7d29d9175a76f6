// Calls a function of the package audit, and converts an AuditError to a UsageError.
import { AuditError } from "@robots-stream/audit";
import { UsageError } from "@robots-stream/engine";
import { printableOf } from "@robots-stream/engine/internal";

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
