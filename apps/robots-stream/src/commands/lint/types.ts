// The types of `lint`: a file with its findings, and an output format for findings.
import type { Finding } from "@robots-stream/core/lint";

/** Where a robots.txt was read. */
export interface LintSource {
  /** The name of a file, `-`, or the URL of the fetched robots.txt. */
  readonly name: string;
  readonly kind: "file" | "url" | "stdin";
}

/** A robots.txt and what was found in it. */
interface LintedFile {
  readonly source: LintSource;
  readonly findings: readonly Finding[];
}

/** Writes the findings of one file after the other. */
interface LintWriter {
  /** The text for a file; may be empty. */
  file(linted: LintedFile): string;
  /** The text after the last file. */
  end(): string;
}

/** An output format for findings. */
export interface LintFormat {
  readonly name: string;
  /** A line of the help. */
  readonly about: string;
  createWriter(): LintWriter;
}
