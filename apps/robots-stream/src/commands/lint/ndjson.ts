// Renders each finding as one line of JSON.
import { sentenceOf } from "@robots-stream/core/lint";
import { printableJsonOf } from "@robots-stream/engine/internal";
import type { LintFormat } from "./types.ts";

export const ndjson: LintFormat = {
  name: "ndjson",
  about: "a line of JSON for each finding, with its data as args",
  createWriter: () => ({
    file({ source, findings }) {
      const lines = findings.map((finding) => {
        const { line, column, severity, code, args } = finding;
        const record = { file: source.name, line, column, severity, code, message: sentenceOf(finding), args };
        return `${printableJsonOf(JSON.stringify(record))}\n`;
      });
      return lines.join("");
    },
    end: () => "",
  }),
};
