// The error of a caller's mistake: a stable code to compare, a text to read.

/** Codes of {@link UsageError}. */
export type UsageErrorCode = "ERR_NOT_A_STRING" | "ERR_NOT_AN_ORIGIN" | "ERR_NOT_A_TARGET";

/** Thrown at once for what a caller did wrong, never for what a URL says. Compare `code`; the text may change. */
export class UsageError extends TypeError {
  readonly code: UsageErrorCode;

  constructor(code: UsageErrorCode, message: string) {
    super(message);
    this.name = "UsageError";
    this.code = code;
  }
}
