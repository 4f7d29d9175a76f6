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
