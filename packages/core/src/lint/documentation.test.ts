// Tests that docs/LINT.md has a section for every code, and that lint reports for each example what the document shows.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type FindingCode, findingSeverities } from "./findings.ts";
import { lint } from "./lint.ts";
import { sentenceOf } from "./sentences.ts";

interface Section {
  readonly code: string;
  /** The first word below the heading. */
  readonly severity: string;
  readonly bad: Uint8Array;
  readonly shown: string;
  readonly good: Uint8Array;
}

const text = readFileSync(new URL("../../../../docs/LINT.md", import.meta.url), "utf8");
const sections = text.split(/^### /m).slice(1).map(sectionOf);

/** The example is a diff from the file with the finding to the file without it, and an arrow with the finding. */
function sectionOf(part: string): Section {
  const [, escaped, diff = "", shown = ""] = /^```diff( escaped)?\n([\s\S]*?)\n→ (.*)\n```$/mu.exec(part)!;
  const without = (mark: string): Uint8Array => {
    const lines = diff.split("\n").filter((line) => !line.startsWith(mark));
    const file = lines.map((line) => line.slice(1)).join("\n");
    return escaped === undefined ? new TextEncoder().encode(file) : bytesOf(file);
  };
  return {
    code: part.slice(0, part.indexOf("\n")),
    severity: /^\w+/m.exec(part.slice(part.indexOf("\n\n") + 2))![0].toLowerCase(),
    bad: without("+"),
    shown,
    good: without("-"),
  };
}

/** The bytes of an escaped example: `\xNN` a byte, `\r` CR, `\n` LF, `‹a×3›` a repetition. */
function bytesOf(example: string): Uint8Array {
  const repeated = example.replaceAll(/‹(.*?)×(\d+)›/gs, (_, piece: string, times: string) =>
    piece.repeat(Number(times)),
  );
  const bytes = repeated
    .split(/(\\x[0-9a-f]{2}|\\r|\\n)/)
    .map((piece, index) =>
      index % 2 === 0
        ? Buffer.from(piece)
        : Buffer.from(
            piece === "\\r" ? "\r" : piece === "\\n" ? "\n" : String.fromCharCode(parseInt(piece.slice(2), 16)),
            "latin1",
          ),
    );
  return Uint8Array.from(Buffer.concat(bytes));
}

test("the document has one section for each code, with its severity, in the order of findingSeverities", () => {
  expect(sections.map(({ code, severity }) => [code, severity])).toEqual(Object.entries(findingSeverities));
});

describe.each(sections.map((section) => [section.code, section] as const))("%s", (code, { bad, shown, good }) => {
  test("the first file has the finding, as shown", () => {
    const found = lint(bad).filter((finding) => finding.code === code);
    expect(found.length).toBeGreaterThan(0);
    const first = found[0]!;
    expect(`${first.line}:${first.column}: ${first.severity}: ${sentenceOf(first)} [${first.code}]`).toBe(shown);
    expect(first.severity).toBe(findingSeverities[code as FindingCode]);
  });

  test("the second file does not have the finding", () => {
    expect(lint(good).map((finding) => finding.code)).not.toContain(code);
  });
});
