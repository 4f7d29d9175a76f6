// Makes the jobs for every engine from core's recorded cases, hostile files and unusual URLs.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { checkout, readJson } from "../../src/workspace.ts";
import type { FileJob, Jobs } from "./answers.ts";

interface RecordedFile {
  readonly robots?: string;
  readonly robots_b64?: string;
  readonly cases: readonly RecordedCase[];
}

interface RecordedCase {
  readonly agents: readonly string[];
  readonly url: string;
  readonly expected: boolean;
  readonly line: number;
}

/** Results of Google's C++ parser for the first files of the jobs, by question. */
export type Recorded = readonly (readonly { readonly allowed: boolean; readonly line: number }[])[];

/** The jobs for every engine, and the recorded results of the first files. */
export function jobsOf(): { readonly jobs: Jobs; readonly recorded: Recorded } {
  // All unusual cases, and a sample of the ordinary ones.
  const rows = [...rowsOf("google-quirks"), ...rowsOf("google-dev").filter((_, at) => at % 8 === 0)];
  const files = rows.map(({ robots, robots_b64: base64, cases }) => ({
    latin1: (base64 === undefined ? Buffer.from(robots ?? "") : Buffer.from(base64, "base64")).toString("latin1"),
    questions: cases.map(({ agents, url }) => ({ agents, urls: [url] })),
  }));
  return {
    jobs: { files: [...files, ...hostileFiles(), ...adversarialFiles()], urls: urls() },
    recorded: rows.map(({ cases }) => cases.map(({ expected, line }) => ({ allowed: expected, line }))),
  };
}

function rowsOf(fixture: string): readonly RecordedFile[] {
  const bytes = readFileSync(join(checkout, `packages/core/test/fixtures/${fixture}.ndjson.gz`));
  const lines = gunzipSync(bytes).toString("utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as RecordedFile);
}

/** Files that exercise the matcher's rule index, path index and length limits, index files, and characters outside ASCII. */
function hostileFiles(): readonly FileJob[] {
  const letters = "abcdefghijklmnopqrstuvwxyz";
  const many = (count: number, rule: (at: number) => string): string =>
    `User-agent: *\n${Array.from({ length: count }, (_, at) => `${at % 3 === 0 ? "Allow" : "Disallow"}: ${rule(at)}\n`).join("")}`;
  const word = (at: number): string =>
    `${letters[at % 26]}${letters[(at * 7) % 26]}${letters[(at * 11) % 26]}${at % 10}`;
  const long = `/${"ab".repeat(2000)}`;
  return [
    ["a*a*a*…b", "User-agent: *\nDisallow: /*a*a*a*a*a*a*a*a*a*b\n", [`/${"a".repeat(3000)}`, `/${"a".repeat(2999)}b`]],
    ["thousands of rules", many(3000, (at) => `/${word(at)}/${at}`), ["/aaa0/0", `/${word(7)}/7/x`, "/nothing"]],
    ["thousands of stars", many(3000, (at) => `/*${word(at)}*${word(at + 1)}$`), [`/x${word(5)}y${word(6)}`, long]],
    ["stars of one letter", many(3000, (at) => `/*${letters[at % 26]}*${"ab".repeat(at % 30)}c`), [long, `${long}c`]],
    ["index files", many(300, (at) => `/${at}/index.html`), ["/3/", "/3/index.html", "/4/"]],
    ["outside of ASCII", "User-agent: b\u00f6t\nDisallow: /\u65e5\u672c\n", ["/\u65e5\u672c", "/%E6%97%A5%e6%9c%ac"]],
    ["a long line", `User-agent: *\nDisallow: /${"x".repeat(20_000)}\n`, [`/${"x".repeat(16_700)}`, "/x"]],
  ].map(([, text, paths]) => ({
    latin1: Buffer.from(text as string).toString("latin1"),
    // Enough decisions for the matcher to index the rules.
    questions: [{ agents: ["FooBot"], urls: Array.from({ length: 8 }, () => paths as string[]).flat() }],
  }));
}

/** The hostile files in the folder beside the repository, if it exists (see CONTRIBUTING.md). */
function adversarialFiles(): readonly FileJob[] {
  const folder = join(process.env["ROBOTS_STREAM_SHARED"] ?? join(checkout, "../shared"), "faults/adversarial");
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => {
    const bytes = readFileSync(join(folder, name));
    return {
      latin1: (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).subarray(0, 600_000).toString("latin1"),
      questions: [{ agents: ["bingbot"], urls: ["/", "/private/x", `/${"ab/".repeat(500)}`] }],
    };
  });
}

function urls(): readonly string[] {
  const { cases } = readJson<{ readonly cases: readonly { readonly input: string }[] }>(
    join(checkout, "packages/url/test/fixtures/url-odd-vectors.json"),
  );
  return [
    ...cases.map(({ input }) => input),
    "https://B\u00fccher.example/\u00e9?q=\u00fc#f",
    "http://fa\u1e9e.de",
    "http://xn--zn7c.com",
    "https://[::FFFF:1.2.3.4]:443/a b",
    "http://0x7f.1/%41%zz",
    "HTTP://User@EXAMPLE.com:80\\a\\b",
    "mailto:a@b",
    "//example.com/x",
  ];
}
