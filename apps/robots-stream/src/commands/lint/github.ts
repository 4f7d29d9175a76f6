// Renders findings as workflow commands of GitHub Actions, which annotate the lines of a file.
import { type FindingSeverity, sentenceOf } from "@robots-stream/core/lint";
import { annotationOf } from "../../cli/github.ts";
import { shownNameOf } from "../../cli/robots/sources.ts";
import type { LintFormat } from "./types.ts";

const levels: Readonly<Record<FindingSeverity, "error" | "warning" | "notice">> = {
  error: "error",
  warning: "warning",
  info: "notice",
};

export const github: LintFormat = {
  name: "github",
  about: "annotations of a GitHub Actions run",
  createWriter: () => ({
    file({ source, findings }) {
      const lines = findings.map((finding) => {
        const { line, column, severity, code } = finding;
        const isFile = source.kind === "file";
        const before = isFile ? "" : `${shownNameOf(source)}:${line}:${column}: `;
        return annotationOf({
          level: levels[severity],
          // GitHub can show annotations only at files of the repository, not at a URL or stdin.
          file: isFile ? source.name : undefined,
          line,
          column,
          title: code,
          message: before + sentenceOf(finding),
        });
      });
      return lines.join("");
    },
    end: () => "",
  }),
};
