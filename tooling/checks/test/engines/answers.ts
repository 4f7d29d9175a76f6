// Computes results of core and url for robots.txt files, questions about them, and URLs. The same program runs in Node, a browser, Deno and
// Bun.
import { createMatcher, explain, parseRobotsTxt } from "@robots-stream/core";
import { lint, parseDirectives, sentenceOf } from "@robots-stream/core/lint";
import { normalizeTarget, parseTarget, problemOf, robotsUrlOf } from "@robots-stream/url";

/** The jobs of one comparison. */
export interface Jobs {
  readonly files: readonly FileJob[];
  readonly urls: readonly string[];
}

/** A file and the questions about it. */
export interface FileJob {
  /** The file's bytes as a Latin-1 string. */
  readonly latin1: string;
  readonly questions: readonly { readonly agents: readonly string[]; readonly urls: readonly string[] }[];
}

/** The results of all jobs, as data that survives JSON, so that the results of two engines can be compared as text. */
export interface Answers {
  readonly files: readonly FileAnswers[];
  readonly urls: readonly string[];
}

/** The results for one file. */
interface FileAnswers {
  /** Decisions by question, then by URL. */
  readonly decisions: readonly (readonly DecisionAnswer[])[];
  /**
   * JSON of the findings with their messages, the first 100 directives, the parsed file if it has fewer than 10,000 bytes, and for each
   * question a trace for its first URL and the explanations in the dialect rfc9309.
   */
  readonly story: string;
}

/** A decision; `line` is 0 when no rule decides. */
interface DecisionAnswer {
  readonly allowed: boolean;
  readonly line: number;
  readonly sentence: string;
}

/** Runs all jobs. */
export function answersOf({ files, urls }: Jobs): Answers {
  return { files: files.map(answersOfFile), urls: urls.map(answerOfUrl) };
}

function answersOfFile({ latin1, questions }: FileJob): FileAnswers {
  const bytes = Uint8Array.from(latin1, (character) => character.charCodeAt(0));
  const findings = lint(bytes).map((finding) => [finding, sentenceOf(finding)]);
  const told: unknown[] = [findings, parseDirectives(bytes).slice(0, 100)];
  const decisions: DecisionAnswer[][] = [];
  const rfc9309 = parseRobotsTxt(bytes, { dialect: "rfc9309" });
  const google = parseRobotsTxt(bytes);
  if (bytes.length < 10_000) told.push(google);
  for (const question of questions) {
    const matcher = createMatcher(google, question.agents);
    decisions.push(
      question.urls.map((url) => {
        const decision = matcher.decide(url);
        const line = decision.because === "rule" ? decision.rule.line : 0;
        return { allowed: decision.allowed, line, sentence: explain(decision) };
      }),
    );
    const [first = "/"] = question.urls;
    const whole = createMatcher(rfc9309, question.agents, { tokenMatch: "whole" });
    told.push(
      matcher.trace(first.slice(0, 500)),
      question.urls.map((url) => explain(whole.decide(url))),
    );
  }
  return { decisions, story: JSON.stringify(told) };
}

function answerOfUrl(url: string): string {
  const parsed = parseTarget(url);
  if (parsed === undefined) return problemOf(url) ?? "";
  return [robotsUrlOf(parsed.origin), parsed.target, normalizeTarget(parsed.target)].join(" ");
}
