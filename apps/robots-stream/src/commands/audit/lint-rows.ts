// Makes the rows of an audit's document that contain the linter's findings in a robots.txt.
import { lintSeverities, type LintRow } from "@robots-stream/audit";
import { lint, sentenceOf } from "@robots-stream/core/lint";

const mostLintRows = 100;

/** Returns the `mostLintRows` most severe findings in a robots.txt, sorted by line; undefined without a file. */
export function lintRowsOf(body: Uint8Array | undefined): readonly LintRow[] | undefined {
  if (body === undefined) return undefined;
  return lint(body)
    .toSorted((one, other) => lintSeverities.indexOf(one.severity) - lintSeverities.indexOf(other.severity))
    .slice(0, mostLintRows)
    .toSorted((one, other) => one.line - other.line)
    .map((finding) => [finding.line, finding.severity, finding.code, sentenceOf(finding)]);
}
