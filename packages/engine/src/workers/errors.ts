// Converts an error to plain data for another thread, and the data to an error of the same kind.
import { IoError, ReportedBug, UsageError, type UsageMistake, bugTextOf } from "../errors.ts";
import type { ErrorReport } from "./messages.ts";

export function errorReportOf(error: unknown): ErrorReport {
  if (error instanceof UsageError) {
    const { message, mistake, hint } = error;
    return { kind: "usage", message, code: mistake, hint };
  }
  if (error instanceof IoError) return { kind: "io", message: error.message, code: error.side, hint: undefined };
  return { kind: "bug", message: bugTextOf(error), code: "", hint: undefined };
}

export function errorOf({ kind, message, code, hint }: ErrorReport): Error {
  if (kind === "usage") return new UsageError(code as UsageMistake, message, hint);
  if (kind === "io") return new IoError(code as IoError["side"], "worker", new Error(message));
  return new ReportedBug(message);
}
