// Renders findings as lines in the style of a compiler: file:line:column: severity: sentence [code].
import { sentenceOf } from "@robots-stream/core/lint";
import { printableOf } from "@robots-stream/engine/internal";
import type { LintFormat, LintSource } from "./types.ts";

/** Returns the name of a source as messages and texts show it: with control characters as escapes. */
export function shownNameOf({ kind, name }: LintSource): string {
  return kind === "stdin" ? "<stdin>" : printableOf(name, 500);
}

export const text: LintFormat = {
  name: "text",
  about: "file:line:column: severity: sentence [code]",
  createWriter: () => ({
    file({ source, findings }) {
      const name = shownNameOf(source);
      const lines = findings.map((finding) => {
        const { line, column, severity, code } = finding;
        return `${name}:${line}:${column}: ${severity}: ${printableOf(sentenceOf(finding), 2000)} [${code}]\n`;
      });
      return lines.join("");
    },
    end: () => "",
  }),
};
