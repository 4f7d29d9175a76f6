// The error class of this package, and the check of option names.
import { nearestOf } from "@robots-stream/core/internal";

/** Codes of {@link PreferencesError}. */
export type PreferencesErrorCode = "ERR_INVALID_ARGUMENT" | "ERR_INVALID_OPTION" | "ERR_UNKNOWN_SIGNAL";

/**
 * Thrown synchronously for a mistake of the caller, never because of a file's or a page's content. Compare `code`; the message may change.
 */
export class PreferencesError extends TypeError {
  readonly code: PreferencesErrorCode;

  constructor(code: PreferencesErrorCode, message: string) {
    super(message);
    this.name = "PreferencesError";
    this.code = code;
  }
}

/** Throws `ERR_INVALID_ARGUMENT` unless the argument is valid. `what` says what it has to be. */
export function checkArgument(isValid: boolean, what: string): void {
  if (!isValid) throw new PreferencesError("ERR_INVALID_ARGUMENT", `${what}.`);
}

/**
 * Throws `ERR_INVALID_OPTION` if `given` has an option that is not in `known`. The message suggests the nearest known option, or lists all.
 */
export function checkNames(given: object | undefined, known: readonly string[]): void {
  for (const name of Object.keys(given ?? {})) {
    if (known.includes(name)) continue;
    const near = nearestOf(name, known);
    const advice = near === undefined ? `Known options: ${known.join(", ")}.` : `Did you mean ${near}?`;
    throw new PreferencesError(
      "ERR_INVALID_OPTION",
      `${JSON.stringify(name.slice(0, 100))} is not an option. ${advice}`,
    );
  }
}
