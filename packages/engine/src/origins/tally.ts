// The counts of the records of one run.
import type { Question } from "../questions/questions.ts";
import { mostCountedOrigins } from "./origin-names.ts";

export interface QuestionTally {
  readonly question: Question;
  allowed: number;
  disallowed: number;
  /** Records to whose URL no robots.txt applies, and records whose decision was withdrawn (`RecordMembers.undecidedOf`). */
  undecided: number;
  /** The undecided records by reason. */
  readonly problems: Map<string, number>;
}

/** Counts a record that is undecided for the reason `problem`. */
export function countProblem(tally: QuestionTally, problem: string): void {
  tally.undecided++;
  tally.problems.set(problem, (tally.problems.get(problem) ?? 0) + 1);
}

/** The counts of one run. At the end of a run: records = decided + rejects + notDecided + elsewhere + outside. */
export class Tally {
  /** Records read, rejects included. */
  records = 0;
  /** Records whose answers are complete. */
  decided = 0;
  rejects = 0;
  /** Records given up undecided when the run was stopped. */
  notDecided = 0;
  /** Records that belong to another part of a divided run. */
  elsewhere = 0;
  /** Records that were left out because their time is outside the time window, or because it could not be read. */
  outside = 0;
  /** With a time window or a history: records whose time could not be read. A time window leaves them out. */
  timeless = 0;
  /** With a time window or a history: records whose time has no zone that is known. */
  zoneless = 0;
  /** Times without a zone that were converted with the clock of the log. */
  clockTimes = 0;
  /**
   * The number of requested origins; of loads that used the network; of origins whose first result is "unavailable"; and of origins whose
   * first result is "unreachable".
   */
  origins = 0;
  fetches = 0;
  unavailable = 0;
  unreachable = 0;
  /** Origins whose redirects led from https to http. */
  downgraded = 0;
  /** Decided records without a row because of `onlyDifferences`. */
  alike = 0;
  /** Rows that were not written because of `only`. */
  rowsLeftOut = 0;
  /**
   * Decided records for which the other target form (raw or normalized) gives at least one agent another decision. Counted only for a
   * summary.
   */
  otherForm = 0;
  /** With `agentField`: decided records that no crawler made. */
  noCrawler = 0;
  /** With `agentField`: records of parts of a log that have no field for the User-Agent header, so that they name no crawler. */
  withoutAgentField = 0;
  /** With `agentField`: decided records of unknown crawlers beyond the limit of names. There is no question about these crawlers. */
  furtherCrawlers = 0;
  /** Records without a URL: records with the reason `invalid-url`, and rejects other than requests without a URL in a log. */
  noUrl = 0;
  readonly #questions: QuestionTally[] = [];
  /**
   * The counts that are not in `#questions` yet, as steps: a record that is allowed for the questions `[first, end)` adds 1 to the step at
   * `first` and subtracts 1 from the step at `end`. The sum of the steps up to a question is its number of records.
   */
  #allowedSteps: Float64Array = new Float64Array(1);
  #disallowedSteps: Float64Array = new Float64Array(1);
  #hasSteps = false;

  constructor(questions: readonly Question[]) {
    this.ask(questions);
  }

  /** Whether each record was counted exactly once: as decided, rejected, not decided, elsewhere or outside. */
  get isExact(): boolean {
    return this.records === this.decided + this.rejects + this.notDecided + this.elsewhere + this.outside;
  }

  /** Whether there are records and none of them has a URL: the input is then probably not in the assumed format. */
  get hasNoUrls(): boolean {
    return this.noUrl > 0 && this.noUrl === this.records;
  }

  /** Whether `origins` is an upper bound: names of origins were forgotten, and may be counted again. */
  get isUpperBoundOfOrigins(): boolean {
    return this.origins > mostCountedOrigins;
  }

  /** The counts of each question. */
  get questions(): QuestionTally[] {
    if (this.#hasSteps) this.#addSteps();
    return this.#questions;
  }

  /** Counts a decision about a record for the questions `[first, end)`. */
  countEach(first: number, end: number, isAllowed: boolean): void {
    const steps = isAllowed ? this.#allowedSteps : this.#disallowedSteps;
    this.#hasSteps = true;
    steps[first]!++;
    steps[end]!--;
  }

  #addSteps(): void {
    let allowed = 0;
    let disallowed = 0;
    for (const [index, counts] of this.#questions.entries()) {
      counts.allowed += allowed += this.#allowedSteps[index]!;
      counts.disallowed += disallowed += this.#disallowedSteps[index]!;
    }
    this.#allowedSteps.fill(0);
    this.#disallowedSteps.fill(0);
    this.#hasSteps = false;
  }

  /** A copy of the counts. `earlier`: numbers that were counted earlier and that replace the ones of the tally. */
  copied(earlier: Counts["numbers"] = {}): Counts {
    const numbers = Object.fromEntries(Object.entries(this).filter(([, value]) => typeof value === "number"));
    const questions = this.questions.map(({ question: { agent, dialect }, allowed, disallowed, undecided }) => ({
      agent,
      dialect,
      allowed,
      disallowed,
      undecided,
    }));
    return { numbers: { ...numbers, ...earlier }, questions };
  }

  /** Sets the counts to those of an earlier part of the run, which must have had the same questions. */
  take({ numbers, questions }: Counts): void {
    Object.assign(this, numbers);
    for (const [index, { allowed, disallowed, undecided }] of questions.entries()) {
      Object.assign(this.questions[index]!, { allowed, disallowed, undecided });
    }
  }

  /**
   * Whether a value has exactly the numeric counters of a tally, each with an integer. A value of another version may have other counters.
   */
  static hasAllCounters(numbers: unknown): boolean {
    if (typeof numbers !== "object" || numbers === null) return false;
    const names = Object.keys(new Tally([]).copied().numbers);
    const given = new Map(Object.entries(numbers));
    return given.size === names.length && names.every((name) => Number.isSafeInteger(given.get(name)));
  }

  /** Adds counts, all 0, for more questions after the existing ones. */
  ask(questions: readonly Question[]): void {
    const all = this.questions;
    for (const question of questions)
      all.push({ question, allowed: 0, disallowed: 0, undecided: 0, problems: new Map() });
    if (all.length < this.#allowedSteps.length) return;
    // With `agentField`, questions are added crawler by crawler, so the arrays grow by a factor.
    this.#allowedSteps = new Float64Array(all.length * 2 + 1);
    this.#disallowedSteps = new Float64Array(all.length * 2 + 1);
  }
}

/** The names of the numeric counts. */
type Counter = { [Name in keyof Tally]: Tally[Name] extends number ? Name : never }[keyof Tally];

/** The counts of a run up to a certain record. Plain data. */
export interface Counts {
  readonly numbers: Readonly<Partial<Record<Counter, number>>>;
  readonly questions: readonly (Pick<Question, "agent" | "dialect"> &
    Pick<QuestionTally, "allowed" | "disallowed" | "undecided">)[];
}
