// User-Agent headers in, the crawler that each header names and the questions about this crawler out.
import type { CrawlerList } from "@robots-stream/agents";
import { ByteMemo } from "../records/byte-memo.ts";
import type { PackedRecords } from "../records/packed.ts";
import { type Question, type QuestionOptions, questionsOf } from "../questions.ts";
import type { Tally } from "../tally.ts";
import { crawlerListOf } from "./own-crawlers.ts";
import { utf8TextOf } from "../text.ts";

/** In place of the index of a record's first question: no crawler made the record. */
export const noCrawler = 0xffffffff;
/** In place of this index: an unknown crawler made the record, and appeared after `mostUnknown` others. */
const furtherCrawler = 0xfffffffe;

/** In place of this index: the record is outside the window of times, and is left out. */
export const outsideWindow = 0xfffffffd;

/** Limit of names of unknown crawlers that have questions: an attacker may send any number of names. */
const mostUnknown = 1_000;

/** Whether `first` is `noCrawler` or `furtherCrawler`: nothing is decided about the record, and no robots.txt is loaded for it. */
export function hasNoQuestion(first: number): boolean {
  return first >= furtherCrawler;
}

/** The questions of a run with `--agent-field`: at most those about every known crawler, and about `mostUnknown` others. */
export class Crawlers {
  /** The questions for all crawlers so far; questions for one crawler are adjacent. Grows. */
  readonly questions: Question[] = [];
  readonly #options: QuestionOptions;
  readonly #tally: Tally;
  readonly #firstByToken = new Map<string, number>();
  readonly #list: CrawlerList;
  #unknown = 0;
  /** The index of the first question about the crawler that a header names, by the header's bytes. */
  readonly #firstByHeader = new ByteMemo((header) => this.#firstNamedBy(header));

  constructor(options: QuestionOptions, tally: Tally) {
    this.#options = options;
    this.#tally = tally;
    this.#list = crawlerListOf(options.crawlers);
  }

  /** Number of questions about each crawler. */
  get questionsEach(): number {
    return this.#options.dialects.length;
  }

  /** The questions for the crawler whose first question has index `first`. */
  questionsAt(first: number): readonly Question[] {
    return this.questions.slice(first, first + this.questionsEach);
  }

  /** The index of a crawler's first question. */
  firstAbout(token: string): number {
    const known = this.#firstByToken.get(token);
    if (known !== undefined) return known;
    const first = this.questions.length;
    const questions = questionsOf([token], this.#options);
    this.questions.push(...questions);
    if (questions[0]?.isUnknown === true) this.#unknown++;
    this.#tally.ask(questions);
    this.#firstByToken.set(token, first);
    return first;
  }

  /** The index of the first question for a record's crawler; `noCrawler` when its header names none, or `furtherCrawler`. */
  firstOf({ fields: { agent }, bytes }: PackedRecords, record: number): number {
    return agent === undefined ? noCrawler : this.#firstByHeader.resultOfField(agent, bytes, record);
  }

  #firstNamedBy(header: string): number {
    const text = utf8TextOf(header);
    const token = this.#list.productTokenOf(text);
    if (token !== undefined) return this.firstAbout(token);
    const unknown = this.#list.unknownProductTokenOf(text);
    if (unknown === undefined) return noCrawler;
    return this.#unknown < mostUnknown || this.#firstByToken.has(unknown) ? this.firstAbout(unknown) : furtherCrawler;
  }
}
