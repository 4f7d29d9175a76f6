// What makes a store that outlives the process unusable → an error with a stable code.

/** Codes of {@link StoreError}. */
export type StoreErrorCode =
  /** It cannot be opened or written: permissions, a read-only disk, a link or a folder in its place, another's file. */
  | "ERR_STORE_ACCESS"
  /** It is no store, or one of another version. */
  | "ERR_STORE_SCHEMA"
  /** Its content is broken. */
  | "ERR_STORE_DAMAGED"
  /** There is no room for more. */
  | "ERR_STORE_FULL"
  /** Others kept it locked for too long. */
  | "ERR_STORE_BUSY"
  /** The server that keeps it does not answer, or answers with an error. */
  | "ERR_STORE_UNREACHABLE"
  | "ERR_STORE_CLOSED";

/** Thrown, or what a promise rejects with, when a store cannot do its work. Compare `code`; the text may change. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StoreError";
    this.code = code;
  }
}
