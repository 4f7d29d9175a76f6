// The output formats for findings. The flag --output and the help are made from this list.
import { type Finding, type FindingSeverity, sentenceOf } from "@robots-stream/core/lint";
import { visibleJsonOf } from "@robots-stream/core/internal";
import { printableOf } from "@robots-stream/engine/internal";
import { annotationOf } from "../../cli/github.ts";
import { type RobotsSource, shownNameOf } from "../../cli/robots/sources.ts";
import { createSarifWriter, type LintWriter } from "./sarif.ts";

export interface LintFormat {
  readonly name: string;
  /** The format's description in the help. */
  readonly about: string;
  createWriter(): LintWriter;
}

/** Makes a format that has a text for each finding, and nothing else. */
function formatOf(name: string, about: string, textOf: (finding: Finding, source: RobotsSource) => string): LintFormat {
  return {
    name,
    about,
    createWriter: () => ({
      file: ({ source, findings }) => findings.map((finding) => textOf(finding, source)).join(""),
      end: () => "",
    }),
  };
}

const levels: Readonly<Record<FindingSeverity, "error" | "warning" | "notice">> = {
  error: "error",
  warning: "warning",
  info: "notice",
};

export const lintFormats: readonly [LintFormat, ...LintFormat[]] = [
  // As compilers write their messages.
  formatOf("text", "file:line:column: severity: sentence [code]", (finding, source) => {
    const { line, column, severity, code } = finding;
    const where = `${shownNameOf(source)}:${line}:${column}`;
    return `${where}: ${severity}: ${printableOf(sentenceOf(finding), 2000)} [${code}]\n`;
  }),
  formatOf("ndjson", "a line of JSON for each finding, with its data as args", (finding, source) => {
    const { line, column, severity, code, args } = finding;
    const record = { file: source.name, line, column, severity, code, message: sentenceOf(finding), args };
    return `${visibleJsonOf(JSON.stringify(record))}\n`;
  }),
  { name: "sarif", about: "one SARIF 2.1.0 log, as code scanning services read it", createWriter: createSarifWriter },
  formatOf("github", "annotations of a GitHub Actions run", (finding, source) => {
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
  }),
];
