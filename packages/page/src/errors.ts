// Errors for mistakes of the caller: each has a stable code for programs and a message for people.

/** Codes of {@link PageError}. */
export type PageErrorCode = "ERR_INVALID_ARGUMENT" | "ERR_INVALID_OPTION" | "ERR_UNKNOWN_ENGINE";

/** Thrown synchronously for a mistake of the caller, never because of a page's content. Compare `code`; the message may change. */
export class PageError extends TypeError {
  readonly code: PageErrorCode;

  constructor(code: PageErrorCode, message: string) {
    super(message);
    this.name = "PageError";
    this.code = code;
  }
}

/** Throws a {@link PageError} with code `ERR_INVALID_ARGUMENT` unless the argument is valid. `what` says what it has to be. */
export function checkArgument(isValid: boolean, what: string): void {
  if (!isValid) throw new PageError("ERR_INVALID_ARGUMENT", `${what}.`);
}

/**
 * Throws a {@link PageError} with code `ERR_INVALID_OPTION` for an unknown option. The message names the option and suggests a known
 * option, or lists all known options.
 */
export function checkOptionNames(options: object | undefined, known: readonly string[]): void {
  for (const name of Object.keys(options ?? {})) {
    if (known.includes(name)) continue;
    // A mistyped name nearly always begins with the same three letters as the known name.
    const start = name.slice(0, 3).toLowerCase();
    const near = known.find((each) => each.toLowerCase().startsWith(start));
    const advice = near === undefined ? `Known options: ${known.join(", ")}.` : `Did you mean ${near}?`;
    throw new PageError("ERR_INVALID_OPTION", `${JSON.stringify(name.slice(0, 100))} is not an option. ${advice}`);
  }
}
