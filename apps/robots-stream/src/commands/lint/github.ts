// Renders findings as workflow commands of GitHub Actions, which annotate the lines of a change.
import { type FindingSeverity, sentenceOf } from "@robots-stream/core/lint";
import { printableOf } from "@robots-stream/engine/internal";
import { shownNameOf } from "./text.ts";
import type { LintFormat } from "./types.ts";

const commands: Readonly<Record<FindingSeverity, string>> = { error: "error", warning: "warning", info: "notice" };

export const github: LintFormat = {
  name: "github",
  about: "annotations of a GitHub Actions run",
  createWriter: () => ({
    file({ source, findings }) {
      const lines = findings.map((finding) => {
        const { line, column, severity, code } = finding;
        const isFile = source.kind === "file";
        // Only files of the repository can be annotated.
        const place = isFile
          ? `file=${propertyOf(printableOf(source.name.replaceAll("\\", "/"), 500))},line=${line},col=${column},`
          : "";
        const before = isFile ? "" : `${shownNameOf(source)}:${line}:${column}: `;
        const message = printableOf(before + sentenceOf(finding), 2000);
        return `::${commands[severity]} ${place}title=${propertyOf(code)}::${messageOf(message)}\n`;
      });
      return lines.join("");
    },
    end: () => "",
  }),
};

function messageOf(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function propertyOf(text: string): string {
  return messageOf(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
