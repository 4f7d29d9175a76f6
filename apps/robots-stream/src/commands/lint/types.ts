// Defines the types of `lint`: a robots.txt with its findings, and an output format for findings.
import type { Finding } from "@robots-stream/core/lint";

/** The source of a linted robots.txt. */
export interface LintSource {
  /** The name of a file, `-`, or the URL of the fetched robots.txt. */
  readonly name: string;
  readonly kind: "file" | "url" | "stdin";
}

interface LintedFile {
  readonly source: LintSource;
  readonly findings: readonly Finding[];
}

/** Renders the findings of several files. Call `file` for each file, then `end`. */
interface LintWriter {
  /** Returns the text for the findings in one file; may be empty. */
  file(linted: LintedFile): string;
  /** Returns the text after the last file. */
  end(): string;
}

export interface LintFormat {
  readonly name: string;
  /** The format's description in the help. */
  readonly about: string;
  createWriter(): LintWriter;
}
