// Renders findings as one SARIF log (Static Analysis Results Interchange Format 2.1.0, OASIS).
import { type Finding, type FindingSeverity, findingSeverities, sentenceOf } from "@robots-stream/core/lint";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { titles } from "./titles.ts";
import { printableJsonOf } from "@robots-stream/engine/internal";
import type { RobotsSource } from "../../cli/robots/sources.ts";
import type { LintFormat } from "./types.ts";

const project = "https://github.com/robots-stream/robots-stream";
const levels: Readonly<Record<FindingSeverity, string>> = { error: "error", warning: "warning", info: "note" };

export const sarif: LintFormat = {
  name: "sarif",
  about: "one SARIF 2.1.0 log, as code scanning services read it",
  createWriter() {
    const rules: object[] = [];
    const indexes = new Map<string, number>();
    const results: object[] = [];
    const artifacts: object[] = [];
    const indexOf = (code: Finding["code"]): number => {
      let index = indexes.get(code);
      if (index === undefined) {
        index = rules.length;
        indexes.set(code, index);
        rules.push(ruleOf(code));
      }
      return index;
    };
    return {
      file({ source, findings }) {
        const location = { uri: uriOf(source), index: artifacts.length };
        artifacts.push({ location: { uri: location.uri }, roles: ["analysisTarget"], mimeType: "text/plain" });
        for (const finding of findings) {
          const { code, line, column, severity } = finding;
          results.push({
            ruleId: code,
            ruleIndex: indexOf(code),
            level: levels[severity],
            message: { text: sentenceOf(finding) },
            locations: [
              { physicalLocation: { artifactLocation: location, region: { startLine: line, startColumn: column } } },
            ],
          });
        }
        return "";
      },
      end() {
        const driver = { name: "robots-stream", informationUri: project, rules };
        const run = { tool: { driver }, columnKind: "utf16CodeUnits", artifacts, results };
        const log = { $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] };
        return `${printableJsonOf(JSON.stringify(log, undefined, 2))}\n`;
      },
    };
  },
};

function ruleOf(code: Finding["code"]): object {
  const helpUri = `${project}/blob/main/docs/LINT.md#${code}`;
  const title = { text: `${titles[code]}.` };
  return {
    id: code,
    shortDescription: title,
    fullDescription: title,
    helpUri,
    help: { text: `${titles[code]}: ${helpUri}` },
    defaultConfiguration: { level: levels[findingSeverities[code]] },
  };
}

/** Returns the URI of a source. The URI is relative if `name` is a relative path. */
function uriOf({ kind, name }: RobotsSource): string {
  if (kind === "url") return URL.canParse(name) ? new URL(name).href : encodeURI(name);
  if (kind === "stdin") return "stdin";
  if (isAbsolute(name)) return pathToFileURL(name).href;
  const path = process.platform === "win32" ? name.replaceAll("\\", "/") : name;
  return path
    .replaceAll(/[\ud800-\udfff]/gu, "\ufffd")
    .split("/")
    .map(encodeURIComponent)
    .join("/");
}
