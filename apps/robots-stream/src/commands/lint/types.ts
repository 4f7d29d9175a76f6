// Defines the types of `lint`: a robots.txt with its findings, and an output format for findings.
import type { Finding } from "@robots-stream/core/lint";
import type { RobotsSource } from "../../cli/robots/sources.ts";

interface LintedFile {
  readonly source: RobotsSource;
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
