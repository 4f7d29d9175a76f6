// Properties of lint for any input: nothing throws, findings are in order and bounded, and claims about rules are true.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type RecordedFile, bytesOf, shared, sharedFolder } from "../../test/vectors.ts";
import { createMatcher } from "../matcher/match.ts";
import { parseRobotsTxt } from "../read/parse.ts";
import { knownRecords } from "../read/keys.ts";
import { type Finding, findingSeverities } from "./findings.ts";
import { lint } from "./lint.ts";
import { mostOfOneCode } from "./findings-list.ts";
import { sentenceOf } from "./sentences.ts";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;
/** The number of runs: all in the long form, a quarter otherwise. */
const runsOf = (all: number): number => (isThorough ? all : all / 4);

/** The first fault in a list of findings about a file of `lines` lines; empty if there is none. */
function faultOf(findings: readonly Finding[], lines: number): string {
  const counts = new Map<string, number>();
  let before = 1;
  for (const finding of findings) {
    const { line, column, code, severity } = finding;
    if (line < before || line > lines || column < 1) return `${code} is at ${line}:${column}`;
    if (severity !== findingSeverities[code]) return `${code} is ${severity}`;
    const sentence = sentenceOf(finding);
    // oxlint-disable-next-line no-control-regex
    if (!/^["A-Z$%*a-z0-9][^\x00-\x1f\x7f-\xa0]*[.?]$/u.test(sentence) || hasGap(finding, sentence)) return sentence;
    const count = (counts.get(code) ?? 0) + 1;
    if (count > mostOfOneCode) return `${code} is reported ${count} times`;
    counts.set(code, count);
    before = line;
  }
  return "";
}

/** Whether the sentence contains "undefined" although no text of the file does. */
function hasGap({ args }: Finding, sentence: string): boolean {
  return sentence.includes("undefined") && !JSON.stringify(args).includes("undefined");
}

const linesOf = (bytes: Uint8Array): number =>
  Buffer.from(bytes)
    .toString("latin1")
    .split(/\r\n|\r|\n/).length;

const characters = Array.from("*$/%#: \t\r\n\0,;.?=&-_\"'<>[]{}\\aAzZ09é日😀\u00a0\u200b\ufeff\u0085\ud800");
const words = [
  "%2A",
  "%7e",
  "%c3",
  "%zz",
  "//",
  "https://",
  "index.html",
  "robots.txt",
  "Mozilla/5.0",
  "1e3",
  "301",
  "train-ai=n",
  "AI-train=no",
];
const piece = fc.constantFrom(...characters, ...words);
const value = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(""));
const keys = [
  "User-agent",
  "useragent",
  "user_agent",
  "Disallow",
  "disalow",
  "Disllow",
  "Disallowed",
  "Allow",
  "Sitemap",
  "x",
  "",
];
const key = fc.constantFrom(...keys, ...knownRecords.map(({ name }) => name));
const soupLine = fc.tuple(key, fc.constantFrom(": ", ":", " ", "", " : ", "："), value).map((parts) => parts.join(""));
const soup = fc.array(soupLine, { maxLength: 30 }).map((lines) => lines.join("\n"));

describe("any input", () => {
  test("bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(faultOf(lint(bytes), linesOf(bytes))).toBe("");
      }),
      { numRuns: runsOf(1_500) },
    );
  });

  test("lines that resemble a robots.txt", () => {
    fc.assert(
      fc.property(soup, (text) => {
        const bytes = new TextEncoder().encode(text);
        expect(faultOf(lint(bytes), linesOf(bytes))).toBe("");
        expect(lint(text)).toEqual(lint(bytes));
      }),
      { numRuns: runsOf(1_500) },
    );
  });

  test("random lines with bytes that are not UTF-8", () => {
    fc.assert(
      fc.property(soup, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 5 }), (text, changes) => {
        const bytes = new TextEncoder().encode(text);
        for (const [at, byte] of bytes.length === 0 ? [] : changes) bytes[at % bytes.length] = byte;
        expect(faultOf(lint(bytes), linesOf(bytes))).toBe("");
      }),
      { numRuns: runsOf(1_000) },
    );
  });
});

describe("files of the shared folder", () => {
  const real = shared<RecordedFile>("corpora/robots/real-pairs-google.ndjson.gz");
  test.skipIf(real === undefined)("real files", () => {
    const codes = new Set<string>();
    for (const row of real!) {
      const bytes = bytesOf(row);
      const findings = lint(bytes);
      expect(faultOf(findings, linesOf(bytes))).toBe("");
      for (const { code } of findings) codes.add(code);
    }
    expect(codes.size).toBeGreaterThan(30);
  });

  const hostile = new URL("faults/adversarial/", sharedFolder);
  test.skipIf(!existsSync(hostile))("hostile files", () => {
    for (const name of readdirSync(hostile)) {
      const file = readFileSync(new URL(name, hostile));
      const bytes = new Uint8Array(name.endsWith(".gz") ? gunzipSync(file) : file);
      expect([name, faultOf(lint(bytes), linesOf(bytes))]).toEqual([name, ""]);
    }
  });
});

describe("claims about rules", () => {
  // Small alphabets, so that rules often match paths.
  const pattern = fc
    .array(fc.constantFrom("a", "b", "/", "*", "$", "/index.html", "/index.htm"), { maxLength: 6 })
    .map((parts) => parts.join(""));
  const ruleLine = fc
    .tuple(fc.constantFrom("Allow: ", "Disallow: "), fc.constantFrom("/", "", "*"), pattern)
    .map((parts) => parts.join(""));
  const agentLine = fc.constantFrom("*", "a", "b").map((name) => `User-agent: ${name}`);
  const file = fc.array(fc.oneof({ weight: 4, arbitrary: ruleLine }, agentLine), { minLength: 2, maxLength: 14 });
  const paths = fc.array(
    fc
      .array(fc.constantFrom("a", "b", "/", "$", "index.html", "/index.htm"), { maxLength: 6 })
      .map((parts) => `/${parts.join("")}`),
    { minLength: 1, maxLength: 20 },
  );
  const claims = [
    "redundant-rule",
    "needless-allow",
    "contradicted-rule",
    "empty-rule",
    "empty-allow",
    "pattern-never-matches",
  ];
  const decide = (lines: readonly string[], path: string): boolean[] =>
    ["a", "b", "c"].map((token) => createMatcher(parseRobotsTxt(lines.join("\n")), token).decideTarget(path).allowed);

  test("a rule that lint reports as having no effect can be removed without changing a decision", () => {
    const told = new Map<string, number>();
    fc.assert(
      fc.property(agentLine, file, paths, (first, rest, targets) => {
        const lines = [first, ...rest];
        for (const { code, line } of lint(lines.join("\n"))) {
          if (!claims.includes(code)) continue;
          told.set(code, (told.get(code) ?? 0) + 1);
          // An empty rule in place of the removed rule keeps the groups separate.
          const without = lines.with(line - 1, "Disallow:");
          for (const path of targets)
            expect([code, path, decide(without, path)]).toEqual([code, path, decide(lines, path)]);
        }
      }),
      { numRuns: runsOf(3_000) },
    );
    expect([...told.keys()].sort()).toEqual(claims.toSorted());
  });

  test("two rules that lint reports as duplicates match the same paths", () => {
    fc.assert(
      fc.property(agentLine, file, paths, (first, rest, targets) => {
        const lines = [first, ...rest];
        for (const { code, line, args } of lint(lines.join("\n"))) {
          if (code !== "duplicate-rule") continue;
          const only = (number: number): string[] => ["User-agent: *", lines[number - 1]!.replace("Allow", "Disallow")];
          // Allow rules for index files also match the folder, so both rules are compared as disallow rules.
          for (const path of targets) expect(decide(only(line), path)).toEqual(decide(only(args.firstLine), path));
        }
      }),
      { numRuns: runsOf(2_000) },
    );
  });

  test("a crawler with only allow rules may fetch everything", () => {
    fc.assert(
      fc.property(agentLine, file, paths, (first, rest, targets) => {
        const lines = [first, ...rest];
        for (const { code, args } of lint(lines.join("\n"))) {
          if (code !== "allow-only-group") continue;
          const matcher = createMatcher(parseRobotsTxt(lines.join("\n")), args.token);
          for (const path of targets) expect(matcher.decideTarget(path).allowed).toBe(true);
        }
      }),
      { numRuns: runsOf(2_000) },
    );
  });
});
