// Defines the errors of this package: one base class, and the error of stores. Failures of the network are values instead
// (failures.ts).

/** Codes of {@link StoreError}. */
export type StoreErrorCode =
  /**
   * The store cannot be opened or written. Causes are permissions, a read-only disk, a link or a folder in place of the file, or a file
   * of another user.
   */
  | "ERR_STORE_ACCESS"
  /** The file is not a store, or is a store of another version. */
  | "ERR_STORE_SCHEMA"
  /** The content is damaged. */
  | "ERR_STORE_DAMAGED"
  /** The disk or the server has no space left. */
  | "ERR_STORE_FULL"
  /** Other processes kept the store locked for too long. */
  | "ERR_STORE_BUSY"
  /** The server of the store does not answer, or answers with an error. */
  | "ERR_STORE_UNREACHABLE"
  | "ERR_STORE_CLOSED";

/** Codes of {@link FetchError}: codes of a caller's mistakes, and the codes of {@link StoreError}. */
export type FetchErrorCode =
  | "ERR_INVALID_OPTION"
  | "ERR_INVALID_OBSERVATION"
  | "ERR_NOT_AN_ORIGIN"
  | "ERR_CLIENT_CLOSED"
  /** The package was imported by a version of Node that it does not support. */
  | "ERR_UNSUPPORTED_NODE"
  | StoreErrorCode;

/**
 * The base of every error that this package throws or rejects with: a caller's mistake, or a {@link StoreError}. Failures of
 * the network are never thrown. Compare `code`; the text may change.
 */
export class FetchError extends Error {
  readonly code: FetchErrorCode;

  constructor(code: FetchErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "FetchError";
    this.code = code;
  }
}

/** The error of a store that cannot do its work. */
export class StoreError extends FetchError {
  override readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options);
    this.name = "StoreError";
    this.code = code;
  }
}
