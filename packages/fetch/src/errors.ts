/**
 * What the caller did wrong, as an error with a stable code; the world's failures are values (failures.ts).
 */

/** The codes of `RobotsClientError`. */
export type RobotsClientErrorCode = "invalid-option" | "invalid-origin" | "client-closed";

/** Thrown at once for a caller's mistake. Compare `code`, never the text. */
export class RobotsClientError extends Error {
  readonly code: RobotsClientErrorCode;

  constructor(code: RobotsClientErrorCode, message: string) {
    super(message);
    this.name = "RobotsClientError";
    this.code = code;
  }
}
