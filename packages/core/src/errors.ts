// The error of a caller's mistake: a stable code to compare, a text to read.

/** Codes of {@link UsageError}. */
export type UsageErrorCode = "ERR_UNKNOWN_DIALECT" | "ERR_UNKNOWN_TOKEN_MATCH" | "ERR_FOREIGN_ROBOTS";

/** Thrown at once for what a caller did wrong, never for what a file says. Compare `code`; the text may change. */
export class UsageError extends TypeError {
  readonly code: UsageErrorCode;

  constructor(code: UsageErrorCode, message: string) {
    super(message);
    this.name = "UsageError";
    this.code = code;
  }
}

/** A wrong value for a message: a text as it is, else its type, for a value may throw when it is made text. */
export function shownValueOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 100) : `a value of type ${typeof value}`;
}
