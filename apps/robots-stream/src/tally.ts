// What happened to the records of one run, counted.
import type { Question } from "./questions.ts";

/** The counts of one question. */
export interface QuestionTally {
  readonly question: Question;
  allowed: number;
  disallowed: number;
  /** Records whose URL no robots.txt speaks about. */
  undecided: number;
}

/** The counts of one run. Always: records = decided + rejects + dropped + elsewhere. */
export class Tally {
  /** Records read, rejects included. */
  records = 0;
  /** Records that got their answers. */
  decided = 0;
  rejects = 0;
  /** Records that an interrupted run did not decide. */
  dropped = 0;
  /** Records of another part of a divided run. */
  elsewhere = 0;
  /** Origins asked about, and what came. */
  origins = 0;
  fetches = 0;
  unavailable = 0;
  unreachable = 0;
  /** Origins whose redirects led from https to http. */
  downgraded = 0;
  /** Decided records that `--only-differences` left out. */
  alike = 0;
  /** Decided records that the other form of their target would decide otherwise, for an agent; counted for the summary. */
  otherForm = 0;
  /** Decided records that no known crawler made, where each record says who made it. */
  strangers = 0;
  readonly questions: QuestionTally[] = [];

  constructor(questions: readonly Question[]) {
    this.ask(questions);
  }

  /** Counts for more questions, after those there are. */
  ask(questions: readonly Question[]): void {
    for (const question of questions) this.questions.push({ question, allowed: 0, disallowed: 0, undecided: 0 });
  }
}

/** A condition of `--fail-on`. */
export interface FailCondition {
  readonly name: string;
  readonly about: string;
  isMet(tally: Tally): boolean;
}

/** The conditions of `--fail-on`, in the order of the help. */
export const failConditions: readonly FailCondition[] = [
  {
    name: "disallowed",
    about: "a record was disallowed for an agent",
    isMet: ({ questions }) => questions.some(({ disallowed }) => disallowed > 0),
  },
  {
    name: "unreachable",
    about: "a robots.txt was unreachable",
    isMet: ({ unreachable }) => unreachable > 0,
  },
  {
    name: "undecided",
    about: "a record's URL was none to decide about",
    isMet: ({ questions }) => questions.some(({ undecided }) => undecided > 0),
  },
  {
    name: "reject",
    about: "a line was no record",
    isMet: ({ rejects }) => rejects > 0,
  },
];
