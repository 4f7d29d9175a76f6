// Finds the authority and the target of a URL in bytes, if it is written in a form that needs no change.
import { RawUrlScanner } from "@robots-stream/url/internal";
import { surelyShort } from "../common/target.ts";

/** Examines one URL per call. The results are in the fields until the next call. */
export class UrlInBytes {
  /** Offset of the end of the authority, where the target starts. */
  authorityEnd = 0;
  targetEnd = 0;
  readonly #scanner = new RawUrlScanner();

  /**
   * Sets the fields for the URL `bytes[start, end)`. Returns false for a URL that has to be parsed, and for a target of more than
   * `surelyShort` bytes.
   */
  find(bytes: Uint8Array, start: number, end: number): boolean {
    const authorityEnd = this.#scanner.authorityEndOf(bytes, start, end);
    if (authorityEnd < 0) return false;
    this.authorityEnd = authorityEnd;
    this.targetEnd = this.#scanner.targetEndOf(bytes, authorityEnd, end);
    return this.targetEnd >= 0 && this.targetEnd - authorityEnd <= surelyShort;
  }
}
