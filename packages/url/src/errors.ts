// The class of all errors that this package throws: each error has a stable code for programs and a message for people.

/** Codes of {@link UrlError}. */
export type UrlErrorCode = "ERR_NOT_A_STRING" | "ERR_NOT_A_FUNCTION" | "ERR_NOT_AN_ORIGIN" | "ERR_NOT_A_TARGET";

/** Thrown synchronously for a mistake of the caller, never because of a URL's content. Compare `code`; the message may change. */
export class UrlError extends TypeError {
  readonly code: UrlErrorCode;

  constructor(code: UrlErrorCode, message: string) {
    super(message);
    this.name = "UrlError";
    this.code = code;
  }
}
