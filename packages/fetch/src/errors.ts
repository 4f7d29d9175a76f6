// The error of a caller's mistake: a stable code to compare, a text to read; the world's failures are values (failures.ts).

/** Codes of {@link UsageError}. */
export type UsageErrorCode = "ERR_INVALID_OPTION" | "ERR_NOT_AN_ORIGIN" | "ERR_CLIENT_CLOSED";

/** Thrown at once for what a caller did wrong, never for what the network does. Compare `code`; the text may change. */
export class UsageError extends TypeError {
  readonly code: UsageErrorCode;

  constructor(code: UsageErrorCode, message: string) {
    super(message);
    this.name = "UsageError";
    this.code = code;
  }
}
