// The nouns of `lint`: a file with its findings, and a format that tells them.
import type { Finding } from "@robots-stream/core/lint";

/** Where a robots.txt was read. */
export interface LintSource {
  /** As it was given: the name of a file, `-`; of a URL the robots.txt that was asked for. */
  readonly name: string;
  readonly kind: "file" | "url" | "stdin";
}

/** A robots.txt and what was found in it. */
interface LintedFile {
  readonly source: LintSource;
  readonly findings: readonly Finding[];
}

/** Turns the findings of one file after the other into output. */
interface LintWriter {
  /** The text for a file; may be empty. */
  file(linted: LintedFile): string;
  /** The text after the last file. */
  end(): string;
}

/** One way to tell findings. */
export interface LintFormat {
  readonly name: string;
  /** A line of the help. */
  readonly about: string;
  createWriter(): LintWriter;
}
