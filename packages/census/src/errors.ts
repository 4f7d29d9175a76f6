// Defines the error that this package throws for a caller's mistake, and for documents that are not valid or cannot be merged.

/** The stable codes of {@link CensusError}. */
export type CensusErrorCode =
  | "ERR_INVALID_OPTION"
  | "ERR_INVALID_DOCUMENT"
  | "ERR_DIFFERENT_DOCUMENTS"
  | "ERR_SAME_PART_TWICE";

/** A mistake of the caller, or a document that is not valid or cannot be merged. Programs compare `code`, which is stable. */
export class CensusError extends Error {
  override readonly name: string = "CensusError";
  readonly code: CensusErrorCode;

  constructor(code: CensusErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
