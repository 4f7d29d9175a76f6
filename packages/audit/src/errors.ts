// Defines the error that this package throws for a caller's mistake, and for documents that are not valid or cannot be merged.

/** The stable codes of {@link AuditError}. */
export type AuditErrorCode =
  | "ERR_INVALID_OPTION"
  | "ERR_INVALID_DOCUMENT"
  | "ERR_DIFFERENT_DOCUMENTS"
  | "ERR_SAME_INPUT_TWICE";

/**
 * A mistake of the caller, or a document that is not valid or cannot be merged. Programs compare `code`, which is stable; the message may
 * change.
 */
export class AuditError extends Error {
  override readonly name: string = "AuditError";
  readonly code: AuditErrorCode;

  constructor(code: AuditErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Throws an {@link AuditError} (`ERR_INVALID_DOCUMENT`) for a value that has no list of this name: for `origins` it is no document, for
 * `findings` no report. Only `checkDocument` checks a whole document.
 */
export function checkHas(value: unknown, list: "origins" | "findings"): void {
  if (Array.isArray((value as { readonly [name in typeof list]?: unknown } | null | undefined)?.[list])) return;
  throw new AuditError("ERR_INVALID_DOCUMENT", `the value is no ${list === "origins" ? "audit" : "report"}`);
}

/** Throws an {@link AuditError} (`ERR_INVALID_DOCUMENT`) for a value that is no list. `what`: what the list holds. */
export function checkList(value: unknown, what: "documents" | "parts"): void {
  if (!Array.isArray(value)) throw new AuditError("ERR_INVALID_DOCUMENT", `the ${what} are not a list`);
}
