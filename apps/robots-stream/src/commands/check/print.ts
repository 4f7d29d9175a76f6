// Defines the results of decision tests, and renders them as text for people, as one JSON document, or as annotations of a GitHub Actions run.
import { visibleJsonOf } from "@robots-stream/core/internal";
import { printableOf } from "@robots-stream/engine/internal";
import type { Paint } from "../../cli/terminal.ts";
import { annotationOf } from "../../cli/github.ts";
import { countText } from "../../cli/figures.ts";
import { groundOf } from "../../cli/decision-words.ts";
import type { NamedFormat } from "../../cli/output-format.ts";
import type { Decision } from "@robots-stream/core";
import type { RobotsSource } from "../../cli/robots/sources.ts";

/** Maximum number of failures in a sitemap that the text shows for each crawler. */
const mostShown = 10;

/** Returns the results in a format, as text that ends in a newline or is empty. `paint` colours the text for people. */
export function printedOf(results: TestResults, format: TestFormat["name"], paint: Paint): string {
  if (format === "json") return jsonOf(results);
  return format === "github" ? githubOf(results) : textOf(results, paint);
}

function textOf({ tests, failed, failures, sitemaps }: TestResults, paint: Paint): string {
  const lines = failures
    .filter(({ line }) => line !== undefined)
    .map(
      (failure) =>
        `${printableOf(failure.file, 500)}:${failure.line}: ${paint("red", "failed")}: ${sentenceOf(failure)}`,
    );
  for (const { file, urls, skipped, blocked } of sitemaps) {
    const shown = printableOf(file, 500);
    for (const [agent, count] of Object.entries(blocked)) {
      const ofSitemap = failures.filter(
        (each) => each.line === undefined && each.file === file && each.productToken === agent,
      );
      const head = count === 0 ? paint("green", "passed") : paint("red", "failed");
      lines.push(
        `${shown}: ${head}: ${count.toLocaleString("en-US")} of ${countText(urls, "URL")} ${count === 1 ? "is" : "are"} blocked for ${printableOf(agent, 100)}`,
        ...ofSitemap
          .slice(0, mostShown)
          .map(({ url, decision }) => `  ${printableOf(url, 500)}  ${groundOf(decision)}`),
      );
      if (count > mostShown) lines.push(`  and ${countText(count - mostShown, "more URL")}`);
    }
    if (skipped > 0)
      lines.push(`${shown}: ${countText(skipped, "entry", "entries")} not tested: no URL, or a URL of another origin`);
  }
  lines.push(
    `${countText(tests, "test")}, ${failed === 0 ? paint("green", "all passed") : paint("red", `${failed.toLocaleString("en-US")} failed`)}`,
  );
  return `${lines.join("\n")}\n`;
}

function sentenceOf({ productToken, url, isAllowed, by, decision }: TestFailure): string {
  const is = decision.allowed ? "allowed" : "disallowed";
  const what = `${printableOf(url, 500)} is ${is} for ${printableOf(productToken, 100)}: ${groundOf(decision)}`;
  if (decision.allowed !== isAllowed) return what;
  return `${what}; line ${by} was expected`;
}

function jsonOf({ robots, tests, failed, failures, sitemaps }: TestResults): string {
  const document = {
    schemaVersion: 1,
    robots: robots.name,
    tests,
    failed,
    failures: failures.map(({ file, line, productToken, url, isAllowed, by, decision }) => ({
      file,
      ...(line === undefined ? {} : { line }),
      agent: productToken,
      url,
      expected: { allowed: isAllowed, ...(by === undefined ? {} : { line: by }) },
      decision,
    })),
    sitemaps,
  };
  return `${visibleJsonOf(JSON.stringify(document, undefined, 2))}\n`;
}

function githubOf({ robots, failures, sitemaps }: TestResults): string {
  const fileOf = (file: string): string | undefined => (file === "-" ? undefined : file);
  const ofTests = failures
    .filter(({ line }) => line !== undefined)
    .map((failure) =>
      annotationOf({
        level: "error",
        file: fileOf(failure.file),
        line: failure.line,
        title: "test failed",
        message: sentenceOf(failure),
      }),
    );
  const ofSitemaps = sitemaps.flatMap(({ file, urls, blocked }) =>
    Object.entries(blocked)
      .filter(([, count]) => count > 0)
      .map(([agent, count]) => {
        const first = failures.find(
          (each) => each.line === undefined && each.file === file && each.productToken === agent,
        );
        const { decision } = first!;
        return annotationOf({
          level: "error",
          file: robots.kind === "file" ? robots.name : undefined,
          line: decision.because === "rule" ? decision.rule.line : undefined,
          title: "sitemap blocked",
          message: `${count} of ${countText(urls, "URL")} of ${printableOf(file, 200)} ${count === 1 ? "is" : "are"} blocked for ${printableOf(agent, 100)}; first ${printableOf(first!.url, 500)}, by ${groundOf(decision)}`,
        });
      }),
  );
  return [...ofTests, ...ofSitemaps].join("");
}

/** A decision that differs from the expected decision. */
export interface TestFailure {
  readonly file: string;
  /** The number of the test's line in `file`; undefined for a URL of a sitemap. */
  readonly line: number | undefined;
  readonly productToken: string;
  readonly url: string;
  /** The expected decision: allowed or not. */
  readonly isAllowed: boolean;
  /** The number of the robots.txt line that was expected to decide; undefined: any line may decide. */
  readonly by: number | undefined;
  readonly decision: Decision;
}

export interface TestedSitemap {
  readonly file: string;
  readonly urls: number;
  readonly skipped: number;
  /** Number of disallowed URLs, by crawler. */
  readonly blocked: Readonly<Record<string, number>>;
}

/** The results of all tests and sitemaps of a command. `tests` and `failed` also count the URLs of sitemaps, once for each crawler. */
export interface TestResults {
  readonly robots: RobotsSource;
  readonly tests: number;
  readonly failed: number;
  readonly failures: readonly TestFailure[];
  readonly sitemaps: readonly TestedSitemap[];
}

export interface TestFormat extends NamedFormat {
  readonly name: "text" | "json" | "github";
}
