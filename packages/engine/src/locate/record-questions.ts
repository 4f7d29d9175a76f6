// The crawlers that records name in, the questions about each out: made when the first record of a crawler comes.
import { type Question, type QuestionOptions, questionsOf } from "../questions.ts";
import type { Tally } from "../tally.ts";

/** The questions about one crawler, and where they stand among all. */
interface Asked {
  readonly first: number;
  readonly questions: readonly Question[];
}

/** The questions of a run in which each record says whom it is about. They are as many as there are known crawlers, at most. */
export class AgentQuestions {
  /** All questions so far; grows. */
  readonly all: Question[] = [];
  readonly #options: QuestionOptions;
  readonly #tally: Tally;
  readonly #byToken = new Map<string, Asked>();

  constructor(options: QuestionOptions, tally: Tally) {
    this.#options = options;
    this.#tally = tally;
  }

  /** The questions about the crawler with a token. */
  about(token: string): Asked {
    const known = this.#byToken.get(token);
    if (known !== undefined) return known;
    const questions = questionsOf([token], this.#options);
    const asked: Asked = { first: this.all.length, questions };
    this.all.push(...questions);
    this.#tally.ask(questions);
    this.#byToken.set(token, asked);
    return asked;
  }
}
