// The error for a wrong argument of a caller: a stable code for programs, a message for people.

/** The code of {@link VerifyError}. */
export type VerifyErrorCode = "ERR_INVALID_ARGUMENT";

/** Thrown synchronously for a mistake of the caller, never because of the content of a file or an address. Compare `code`; the message may change. */
export class VerifyError extends TypeError {
  readonly code: VerifyErrorCode = "ERR_INVALID_ARGUMENT";

  constructor(message: string) {
    super(message);
    this.name = "VerifyError";
  }
}

/** Throws an {@link VerifyError} unless the argument is valid. `what` says what it has to be. */
export function checkArgument(isValid: boolean, what: string): void {
  if (!isValid) throw new VerifyError(`${what}.`);
}
