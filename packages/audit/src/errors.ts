// The error that this package throws for a caller's mistake.

/** The codes of a caller's mistakes, for programs. */
export type AuditErrorCode =
  | "ERR_INVALID_OPTION"
  | "ERR_INVALID_DOCUMENT"
  | "ERR_DIFFERENT_DOCUMENTS"
  | "ERR_SAME_INPUT_TWICE";

/** A mistake of the caller; `code` is stable, the text is not. */
export class AuditError extends Error {
  override readonly name: string = "AuditError";
  readonly code: AuditErrorCode;

  constructor(code: AuditErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
