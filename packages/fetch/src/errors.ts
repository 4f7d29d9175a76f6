// The errors of this package: one base class, and the error of stores. What the network does is a value instead (failure-codes.ts).

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
  /** Other processes kept it locked for too long. */
  | "ERR_STORE_BUSY"
  /** The server that keeps it does not answer, or answers with an error. */
  | "ERR_STORE_UNREACHABLE"
  | "ERR_STORE_CLOSED";

/** Codes of {@link FetchError}: those of a caller's mistakes, and those of {@link StoreError}. */
export type FetchErrorCode = "ERR_INVALID_OPTION" | "ERR_NOT_AN_ORIGIN" | "ERR_CLIENT_CLOSED" | StoreErrorCode;

/**
 * The base of every error that this package throws or rejects with: a caller's mistake, or a {@link StoreError}. Never thrown
 * for what the network does. Compare `code`; the text may change.
 */
export class FetchError extends Error {
  readonly code: FetchErrorCode;

  constructor(code: FetchErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "FetchError";
    this.code = code;
  }
}

/** Thrown, or what a promise rejects with, when a store cannot do its work. */
export class StoreError extends FetchError {
  override readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options);
    this.name = "StoreError";
    this.code = code;
  }
}
