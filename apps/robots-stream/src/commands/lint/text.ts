// Renders findings as lines in the style of a compiler: file:line:column: severity: sentence [code].
import { sentenceOf } from "@robots-stream/core/lint";
import { printableOf } from "@robots-stream/engine/internal";
import { shownNameOf } from "../../cli/robots/sources.ts";
import type { LintFormat } from "./types.ts";

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
