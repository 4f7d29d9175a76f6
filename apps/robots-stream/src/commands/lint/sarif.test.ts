// The schema of SARIF 2.1.0 accepts the logs for findings of every code and for sources with unusual names.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import AjvDraft04 from "ajv-draft-04";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { type Finding, findingSeverities, lint } from "@robots-stream/core/lint";
import { createSarifWriter } from "./sarif.ts";
import type { RobotsSource } from "../../cli/robots/sources.ts";

// OASIS publishes this schema with the standard. The package that contains it here is maintained by the standard's editors.
const schemaFile = createRequire(import.meta.url).resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
const ajv = new AjvDraft04.default({ strict: false, allErrors: true, unicodeRegExp: false });
addFormats.default(ajv);
const validate = ajv.compile(JSON.parse(readFileSync(schemaFile, "utf8")) as object);

/** The errors that the schema finds in a log. */
function faultsOf(log: string): readonly string[] {
  validate(JSON.parse(log));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function logOf(files: readonly (readonly [RobotsSource, readonly Finding[]])[]): string {
  const writer = createSarifWriter();
  return files.map(([source, findings]) => writer.file({ source, findings })).join("") + writer.end();
}

const file: RobotsSource = { name: "robots.txt", kind: "file" };
const odd = lint("Disalow: /\nUser-agent: \u202e\nDisallow: x\u001b[2J\nSitemap: /\ud800\n");

describe("the schema accepts", () => {
  test("findings of every code", () => {
    const codes = Object.keys(findingSeverities) as Finding["code"][];
    // The data of a finding is only inserted into its sentence, so any text is valid.
    const args = { code: "bom", count: 1, by: "text", seconds: 301 };
    const findings = codes.map(
      (code, at) => ({ code, severity: findingSeverities[code], line: at + 1, column: 1, args }) as unknown as Finding,
    );
    const log = logOf([[file, findings.map((finding) => ({ ...finding, args: textsIn(args) }) as Finding)]]);
    expect(faultsOf(log)).toEqual([]);
    const { runs } = JSON.parse(log) as { runs: [{ results: unknown[]; tool: { driver: { rules: unknown[] } } }] };
    expect([runs[0].results.length, runs[0].tool.driver.rules.length]).toEqual([codes.length, codes.length]);
  });

  test("no findings, and no files", () => {
    expect(faultsOf(logOf([[file, []]]))).toEqual([]);
    expect(faultsOf(logOf([]))).toEqual([]);
  });

  test.each<[what: string, source: RobotsSource]>([
    ["stdin", { name: "-", kind: "stdin" }],
    ["an absolute path", { name: "/var/www/a b/robots.txt", kind: "file" }],
    ["a path with characters that URLs escape", { name: "a%b/#?[]{}|^`\u00e9\u{1f600}\ud800.txt", kind: "file" }],
    ["a path to a parent folder", { name: "../robots.txt", kind: "file" }],
    ["a URL", { name: "https://example.com:8443/robots.txt", kind: "url" }],
    ["a URL of IPv6", { name: "http://[::1]/robots.txt", kind: "url" }],
  ])("%s", (_what, source) => {
    expect(odd.length).toBeGreaterThan(3);
    const log = logOf([
      [source, odd],
      [file, odd],
    ]);
    expect(faultsOf(log)).toEqual([]);
  });
});

describe("the schema does not accept", () => {
  test.each<[what: string, from: string, to: string, fault: string]>([
    ["another level", '"level": "warning"', '"level": "info"', "must be equal to one of the allowed values"],
    ["line 0", '"startLine": 1', '"startLine": 0', "must be >= 1"],
    ["a text for a line", '"startLine": 1', '"startLine": "1"', "must be integer"],
    ["a property that it does not know", '"ruleIndex"', '"ruleNumber"', "must NOT have additional properties"],
    ["another version", '"version": "2.1.0"', '"version": "2.0.0"', "must be equal to one of the allowed values"],
    ["no message", '"message"', '"messages"', "must have required property 'message'"],
    ["a blank in a URI", '"uri": "robots.txt"', '"uri": "robots txt"', 'must match format "uri-reference"'],
  ])("%s", (_what, from, to, fault) => {
    const log = logOf([[file, odd]]);
    expect(log).toContain(from);
    expect(faultsOf(log.replaceAll(from, to)).join("\n")).toContain(fault);
  });
});

/** An object that has a property for every requested name. */
function textsIn(known: object): object {
  return new Proxy(known, { get: (target, name) => (Reflect.get(target, name) as unknown) ?? "x" });
}
