// Checks the members of parsed JSON that may be a document. An error names the member that is not valid.
import { AuditError } from "../errors.ts";

/** The members of an object. */
export type Members = Readonly<Record<string, unknown>>;

/** Returns an object. Throws an {@link AuditError} for another value. */
export function membersOf(value: unknown, where: string): Members {
  if (typeof value !== "object" || value === null || Array.isArray(value)) fail(where);
  return value as Members;
}

/** Returns a list. Throws an {@link AuditError} for another value. */
export function listOf(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) fail(where);
  return value as readonly unknown[];
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function isIn(list: readonly string[], value: unknown): boolean {
  return typeof value === "string" && list.includes(value);
}

/** Throws an {@link AuditError} about a member. */
export function fail(where: string): never {
  throw new AuditError("ERR_INVALID_DOCUMENT", `${where} is not what this schema version says`);
}
