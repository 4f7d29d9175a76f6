// Defines the errors for mistakes of the caller. Each error has a stable code for programs and a message for people.

/** Codes of {@link CoreError}. */
export type CoreErrorCode =
  | "ERR_FOREIGN_ROBOTS"
  | "ERR_INVALID_ARGUMENT"
  | "ERR_INVALID_OPTION"
  | "ERR_NO_PRODUCT_TOKEN"
  | "ERR_UNKNOWN_DIALECT"
  | "ERR_UNKNOWN_TOKEN_MATCH";

/** Thrown synchronously for a mistake of the caller, never because of a file's content. Compare `code`; the message may change. */
export class CoreError extends TypeError {
  readonly code: CoreErrorCode;

  constructor(code: CoreErrorCode, message: string) {
    super(message);
    this.name = "CoreError";
    this.code = code;
  }
}

/**
 * Throws a {@link CoreError} with code `ERR_INVALID_OPTION` when an options object has an unknown option. The message has the
 * name of the option and the known names.
 */
export function checkOptionNames(options: object | undefined, known: readonly string[]): void {
  for (const name of Object.keys(options ?? {})) {
    if (known.includes(name)) continue;
    throw new CoreError(
      "ERR_INVALID_OPTION",
      `${JSON.stringify(shownValueOf(name))} is not an option. Known options: ${known.join(", ")}.`,
    );
  }
}

/** Throws a {@link CoreError} with code `ERR_INVALID_ARGUMENT` unless an argument is a string, or bytes if these are allowed. */
export function checkText(text: unknown, orBytes?: boolean): void {
  if (typeof text === "string" || (orBytes && ArrayBuffer.isView(text))) return;
  throw new CoreError("ERR_INVALID_ARGUMENT", `Not text: ${shownValueOf(text)}.`);
}

/**
 * Describes a wrong value for a message: the beginning of a string, or the type of any other value, because converting that value may
 * throw.
 */
export function shownValueOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 100) : `a value of type ${typeof value}`;
}
