// A call of the audit in, its result out; an AuditError about the user's input becomes a UsageError.
import { AuditError } from "@robots-stream/audit";
import { UsageError } from "@robots-stream/engine/internal";

/** Calls a function of the audit, and turns an `AuditError` into a `UsageError`. */
export function asUsage<Result>(what: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    if (error instanceof AuditError) throw new UsageError("wrong-value", `${what}${error.message}`);
    throw error;
  }
}
