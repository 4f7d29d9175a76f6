// The base of the errors that this package throws: a stable code to compare, a text to read.

/** Codes of {@link UrlError}. */
export type UrlErrorCode = "ERR_NOT_A_STRING" | "ERR_NOT_AN_ORIGIN" | "ERR_NOT_A_TARGET";

/** Thrown at once for what a caller did wrong, never for what a URL says. Compare `code`; the text may change. */
export class UrlError extends TypeError {
  readonly code: UrlErrorCode;

  constructor(code: UrlErrorCode, message: string) {
    super(message);
    this.name = "UrlError";
    this.code = code;
  }
}
