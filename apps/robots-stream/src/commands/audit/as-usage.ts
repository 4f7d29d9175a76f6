// Calls a function of the package audit, and converts an AuditError to a UsageError.
import { AuditError } from "@robots-stream/audit";
import { UsageError } from "@robots-stream/engine/internal";

/** Calls `act` and returns its result. Rethrows an `AuditError` as a `UsageError` whose message begins with `what`. */
export function asUsage<Result>(what: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    if (error instanceof AuditError) throw new UsageError("wrong-value", `${what}${error.message}`);
    throw error;
  }
}
