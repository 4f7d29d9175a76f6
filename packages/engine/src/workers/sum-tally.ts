// Sums the counts that each worker reports repeatedly: the sums are the counts of the run.
import { questionsOf, type Question, type QuestionOptions } from "../questions.ts";
import type { Collected } from "../counts/collect.ts";
import { type Counts, Tally } from "../tally.ts";
import type { Findings } from "./messages.ts";

/** Names of the counts that the main thread makes itself, and that the reports of workers must not change. */
const ownCounts: ReadonlySet<string> = new Set<keyof Tally>([
  "origins",
  "fetches",
  "unavailable",
  "unreachable",
  "downgraded",
]);

export class SumTally {
  readonly tally: Tally;
  readonly #options: QuestionOptions;
  /** The last reported counts of each worker. */
  readonly #last: Counts[];

  constructor(questions: readonly Question[], options: QuestionOptions, workers: number) {
    this.tally = new Tally(questions);
    this.#options = options;
    this.#last = Array.from({ length: workers }, () => ({ numbers: {}, questions: [] }));
  }

  /** Adds what a worker has counted since its last report; `counts` are the worker's totals. */
  take(worker: number, counts: Counts): void {
    const last = this.#last[worker]!;
    const { tally } = this;
    for (const [name, value] of Object.entries(counts.numbers) as [keyof Counts["numbers"], number][]) {
      if (!ownCounts.has(name)) tally[name] += value - (last.numbers[name] ?? 0);
    }
    for (const [at, { agent, dialect, allowed, disallowed, undecided }] of counts.questions.entries()) {
      const before = last.questions[at];
      const sum = this.#questionOf(at, agent, dialect);
      sum.allowed += allowed - (before?.allowed ?? 0);
      sum.disallowed += disallowed - (before?.disallowed ?? 0);
      sum.undecided += undecided - (before?.undecided ?? 0);
    }
    this.#last[worker] = counts;
  }

  /**
   * Adds the problems in a worker's last message. Call it after `take` with the worker's last counts. Returns the worker's counts for
   * reports, in the order of the run's questions.
   */
  end(worker: number, { problems, collected }: Findings): Collected | undefined {
    const { questions } = this.#last[worker]!;
    const because: (ReadonlyMap<string, number> | undefined)[] = [];
    for (const [at, { agent, dialect }] of questions.entries()) {
      const sum = this.#questionOf(at, agent, dialect);
      for (const [problem, count] of problems[at] ?? []) {
        sum.problems.set(problem, (sum.problems.get(problem) ?? 0) + count);
      }
      because[this.tally.questions.indexOf(sum)] = collected?.because[at];
    }
    return collected === undefined ? undefined : { ...collected, because };
  }

  /**
   * The run's counts of a question. `at` is the index of the question in the worker. With `--agent-field`, each worker has its own order of
   * questions.
   */
  #questionOf(at: number, agent: string, dialect: Question["dialect"]): Tally["questions"][number] {
    const { questions } = this.tally;
    const isSame = (each: Tally["questions"][number] | undefined): boolean =>
      each?.question.agent === agent && each.question.dialect === dialect;
    const first = questions[at];
    if (first !== undefined && isSame(first)) return first;
    const known = questions.find(isSame);
    if (known !== undefined) return known;
    this.tally.ask(questionsOf([agent], this.#options));
    return questions.find(isSame)!;
  }
}
