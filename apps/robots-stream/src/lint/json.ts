// Findings in, one line of JSON for each out.
import { sentenceOf } from "@robots-stream/core/lint";
import type { LintFormat } from "./types.ts";

export const json: LintFormat = {
  name: "json",
  about: "a line of JSON for each finding, with its data as args",
  createWriter: () => ({
    file({ source, findings }) {
      const lines = findings.map((finding) => {
        const { line, column, severity, code, args } = finding;
        const record = { file: source.name, line, column, severity, code, message: sentenceOf(finding), args };
        return `${withEscapes(JSON.stringify(record))}\n`;
      });
      return lines.join("");
    },
    end: () => "",
  }),
};

/** JSON leaves DEL, the C1 control characters and those that turn the writing direction as they are; terminals obey some. */
export function withEscapes(line: string): string {
  return line.replaceAll(
    /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
