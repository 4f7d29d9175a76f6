// The error for a wrong argument of a caller: a stable code for programs, a message for people.

/** The code of {@link AgentsError}. */
export type AgentsErrorCode = "ERR_INVALID_ARGUMENT";

/** Thrown synchronously for a mistake of the caller, never because of the content of a header. Compare `code`; the message may change. */
export class AgentsError extends TypeError {
  readonly code: AgentsErrorCode = "ERR_INVALID_ARGUMENT";

  constructor(message: string) {
    super(message);
    this.name = "AgentsError";
  }
}

/** Throws an {@link AgentsError} unless the argument is valid. `what` says what it has to be. */
export function checkArgument(isValid: boolean, what: string): void {
  if (!isValid) throw new AgentsError(`${what}.`);
}
