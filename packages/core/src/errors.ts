// A mistake of the caller in, an error out: a stable code to compare, a text to read.
import { nearestOf } from "./nearest.ts";

/** Codes of {@link CoreError}. */
export type CoreErrorCode =
  | "ERR_FOREIGN_ROBOTS"
  | "ERR_INVALID_OPTION"
  | "ERR_NO_PRODUCT_TOKEN"
  | "ERR_UNKNOWN_DIALECT"
  | "ERR_UNKNOWN_TOKEN_MATCH";

/** Thrown at once for what a caller did wrong, never for what a file says. Compare `code`; the text may change. */
export class CoreError extends TypeError {
  readonly code: CoreErrorCode;

  constructor(code: CoreErrorCode, message: string) {
    super(message);
    this.name = "CoreError";
    this.code = code;
  }
}

/**
 * Throws a {@link CoreError} with code `ERR_INVALID_OPTION` when an options object has an option of another name than the
 * known ones. The message gives the name and the nearest known one.
 */
export function checkOptionNames(options: object | undefined, known: readonly string[]): void {
  for (const name of Object.keys(options ?? {})) {
    if (known.includes(name)) continue;
    const near = nearestOf(name, known);
    const advice = near === undefined ? `Known options: ${known.join(", ")}.` : `Did you mean ${near}?`;
    throw new CoreError("ERR_INVALID_OPTION", `${JSON.stringify(shownValueOf(name))} is not an option. ${advice}`);
  }
}

/** A wrong value as a message shows it: the beginning of a string, else the type alone, since converting a value may throw. */
export function shownValueOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 100) : `a value of type ${typeof value}`;
}
