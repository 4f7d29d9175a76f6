// Versions of robots.txt files in; for a version, a crawler and a target as bytes, what two dialects decide out, as one object each time.
import type { Decision, DialectName, Matcher } from "@robots-stream/core";
import { Arena, MatcherTable } from "@robots-stream/core/internal";
import { matchersOf } from "../origins/matchers.ts";
import { type Question, type QuestionOptions, questionsOf } from "../questions.ts";
import type { SourcedRobots } from "../robots/types.ts";

/** What one version decides in the crawler's dialect, and whether the other dialect differs in whether it allows. */
export type VersionDecision = Decision & { readonly disputed: boolean };

/** The rules of one version for the crawlers that share them. */
interface SharedRules {
  /** In the crawlers' dialect, and in the other one. */
  readonly block: number;
  readonly otherBlock: number;
  /** By place, and by whether the other dialect differs. */
  readonly decisions: Map<number, VersionDecision>;
}

/** One version. */
interface Version {
  readonly robots: Pick<SourcedRobots, "robotsIn" | "matcherOf">;
  readonly matchers: Map<string, Matcher>;
  readonly blocks: Map<Matcher, number>;
  readonly shared: Map<string, SharedRules>;
  /** By crawler. */
  readonly rules: (SharedRules | undefined)[];
}

/** A crawler and the dialect that it is judged by. */
export interface JudgedCrawler {
  readonly productToken: string;
  readonly dialect: DialectName;
}

/** The rules of all versions. Crawlers that the same group binds share memory. */
export class VersionRules {
  readonly #crawlers: readonly JudgedCrawler[];
  readonly #options: Omit<QuestionOptions, "dialects">;
  readonly #table = new MatcherTable(new Arena());
  readonly #versions = new Map<string, Version>();
  /** Per crawler, the questions in its dialect and in the other one. */
  readonly #questions: (readonly Question[] | undefined)[] = [];

  constructor(crawlers: readonly JudgedCrawler[], options: Omit<QuestionOptions, "dialects">) {
    this.#crawlers = crawlers;
    this.#options = options;
  }

  /** Makes a version known by its name. */
  add(name: string, robots: Version["robots"]): void {
    if (this.#versions.has(name)) return;
    this.#versions.set(name, { robots, matchers: new Map(), blocks: new Map(), shared: new Map(), rules: [] });
  }

  /**
   * What a version decides for the crawler at an index about the target in `bytes` from `start` to `end`: the same object for the
   * same decision. Throws for a version that was not added.
   */
  decide(version: string, crawler: number, bytes: Uint8Array, start: number, end: number): VersionDecision {
    const known = this.#versions.get(version);
    if (known === undefined) throw new Error(`there is no version ${version}`);
    const rules = known.rules[crawler] ?? this.#make(known, crawler);
    const table = this.#table;
    const place = table.find(rules.block, bytes, start, end);
    const allowed = table.isAllowed(place);
    const disputed = table.isAllowed(table.find(rules.otherBlock, bytes, start, end)) !== allowed;
    const key = place * 2 + (disputed ? 1 : 0);
    let decision = rules.decisions.get(key);
    if (decision === undefined) {
      decision = Object.freeze({ ...table.decisionAt(rules.block, place), disputed });
      rules.decisions.set(key, decision);
    }
    return decision;
  }

  #make(version: Version, crawler: number): SharedRules {
    const matchers = matchersOf(version.robots, this.#questionsOf(crawler), version.matchers);
    const [block = 0, otherBlock = 0] = matchers.map((matcher) => this.#blockOf(version, matcher));
    const key = `${block} ${otherBlock}`;
    let rules = version.shared.get(key);
    if (rules === undefined) version.shared.set(key, (rules = { block, otherBlock, decisions: new Map() }));
    version.rules[crawler] = rules;
    return rules;
  }

  #questionsOf(crawler: number): readonly Question[] {
    const { productToken, dialect } = this.#crawlers[crawler]!;
    const other = dialect === "google" ? "rfc9309" : "google";
    return (this.#questions[crawler] ??= questionsOf([productToken], { ...this.#options, dialects: [dialect, other] }));
  }

  #blockOf({ blocks }: Version, matcher: Matcher): number {
    let block = blocks.get(matcher);
    if (block === undefined) blocks.set(matcher, (block = this.#table.add(matcher)));
    return block;
  }
}
