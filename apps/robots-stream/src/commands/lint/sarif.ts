// Renders findings as one SARIF log (Static Analysis Results Interchange Format 2.1.0, OASIS).
import {
  type Finding,
  type FindingSeverity,
  findingSeverities,
  sentenceOf,
  type FindingCode,
} from "@robots-stream/core/lint";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { visibleJsonOf } from "@robots-stream/core/internal";
import type { RobotsSource } from "../../cli/robots/sources.ts";

const project = "https://github.com/robots-stream/robots-stream";
const levels: Readonly<Record<FindingSeverity, string>> = { error: "error", warning: "warning", info: "note" };

interface LintedFile {
  readonly source: RobotsSource;
  readonly findings: readonly Finding[];
}

/** Renders the findings of several files. Call `file` for each file, then `end`. */
export interface LintWriter {
  /** Returns the text for the findings in one file; may be empty. */
  file(linted: LintedFile): string;
  /** Returns the text after the last file. */
  end(): string;
}

export function createSarifWriter(): LintWriter {
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
      return `${visibleJsonOf(JSON.stringify(log, undefined, 2))}\n`;
    },
  };
}

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

/** A short title for each code of a finding. docs/LINT.md explains the codes. */
const titles: Readonly<Record<FindingCode, string>> = {
  bom: "Byte order mark",
  "utf-16": "UTF-16 instead of UTF-8",
  "not-robots-txt": "Another document in place of robots.txt",
  "too-large": "More than 512,000 bytes",
  "cr-only": "Lines that end with CR alone",
  "no-group": "No user-agent line",
  "invalid-utf8": "Bytes that are not UTF-8",
  nul: "NUL byte",
  "control-character": "Control character",
  "invisible-character": "Character that cannot be seen",
  "line-too-long": "Line longer than 16,663 bytes",
  "forgiven-typo": "Misspelling that Google forgives",
  "prefix-key": "Key that only begins like a directive",
  "misspelled-directive": "Misspelled directive",
  "forgiven-colon": "Missing colon that Google forgives",
  "missing-colon": "Missing colon",
  "misplaced-colon": "Colon in the wrong place",
  "several-directives": "Several directives on one line",
  "html-line": "Line of HTML",
  "not-a-directive": "Line that is not a directive",
  "unknown-directive": "Unknown directive",
  "empty-user-agent": "User-agent line without a name",
  "no-token": "Name without product token",
  "token-cut": "Name that Google truncates",
  "user-agent-version": "Name with a version",
  "user-agent-header": "User-Agent header instead of a product token",
  "several-names": "Several names on one line",
  "star-and-text": "Text after *",
  "repeated-user-agent": "Name twice in one group",
  "duplicate-group": "Several groups for one crawler",
  "joined-groups": "One group that looks like two",
  "group-without-rules": "Group without rules",
  "unbound-by-star": "Group without rules that exempts a crawler from the rules for *",
  "allow-only-group": "Group that only allows",
  "rule-outside-group": "Rule before any user-agent line",
  "pattern-never-matches": "Pattern that matches nothing",
  "url-as-pattern": "URL instead of a path",
  "several-paths": "Several paths in one rule",
  "blank-in-pattern": "Blank in a pattern",
  "host-in-path": "Name of a host in a path",
  "joined-paths": "Several paths in one rule, without blanks",
  "hash-in-value": "Value cut off by #",
  "useless-star": "* at the end",
  "double-star": "Several * in a row",
  "useless-end": "*$ at the end",
  "dollar-inside": "$ that is not at the end",
  "escaped-special": "Escaped * or $",
  "needless-escape": "Needless escape",
  "broken-escape": "Broken escape",
  "lower-case-escape": "Escape in lower case",
  "raw-non-ascii": "Characters outside ASCII in a pattern",
  "empty-rule": "Empty disallow beside other rules",
  "empty-allow": "Empty allow",
  "matches-robots-txt": "Rule that matches /robots.txt",
  "duplicate-rule": "Rule that matches the same URLs as another",
  "contradicted-rule": "Rule that always loses to another",
  "redundant-rule": "Rule that has no effect beside another",
  "needless-allow": "Allow rule for a path that no rule disallows",
  "partly-read-record": "Record that not all crawlers read",
  "unread-record": "Record that no crawler is known to read",
  "noindex-record": "Noindex in robots.txt",
  "host-record": "Host",
  "empty-record": "Record without a value",
  "record-outside-group": "Record for a group before any user-agent line",
  "crawl-delay-value": "Crawl-delay that is not a number",
  "crawl-delay-large": "Crawl-delay of more than 300 seconds",
  "crawl-delay-repeated": "Several crawl-delays in one group",
  "sitemap-relative": "Sitemap without an absolute URL",
  "sitemap-scheme": "Sitemap over a protocol other than http and https",
  "sitemap-blank": "Blank in a sitemap's URL",
  "sitemap-repeated": "The same sitemap twice",
  "license-relative": "Licence without an absolute URL",
  "usage-path-without-slash": "Path of a preference that does not begin with /",
  "usage-upper-case": "Key of Content-Usage in upper case",
  "usage-not-a-dictionary": "Content-Usage that is not a dictionary",
  "usage-unknown-key": "Preference with an unknown key",
  "usage-unknown-value": "Preference with an unknown value",
  "usage-contradicted": "Preference in a crawler's group that contradicts the group for *",
  "usage-unbound-by-star": "Preferences in the group for * that do not apply to a crawler",
  "more-findings": "More findings of one code",
};
