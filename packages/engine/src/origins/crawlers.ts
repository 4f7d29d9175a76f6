// Finds the crawler that each User-Agent header names, and makes the questions about each crawler.
import type { CrawlerList } from "@robots-stream/agents";
import { ByteMemo } from "../records/byte-keys.ts";
import type { PackedRecords } from "../records/packed.ts";
import { type Question, type QuestionOptions, questionsOf } from "../questions/questions.ts";
import type { Tally } from "./tally.ts";
import { crawlerListOf } from "../questions/own-crawlers.ts";
import { utf8TextOf } from "../common/text.ts";

/** A value in place of the index of a record's first question: the record's User-Agent header names no crawler. */
export const noCrawler = 0xffffffff;
/** A value in place of that index: the header names an unknown crawler, and `mostUnknown` other unknown crawlers have questions already. */
const furtherCrawler = 0xfffffffe;

/** A value in place of that index: the record is outside the window of times, and is left out. */
export const outsideWindow = 0xfffffffd;

/** The maximum number of unknown crawlers about which questions are made: an attacker may send any number of names. */
const mostUnknown = 1_000;

/** Whether `first` is `noCrawler` or `furtherCrawler`: nothing is decided about the record, and no robots.txt is loaded for it. */
export function hasNoQuestion(first: number): boolean {
  return first >= furtherCrawler;
}

/** Makes the questions of a run with `agentField`: about the known crawlers in the log, and about at most `mostUnknown` others. */
export class Crawlers {
  /** The questions about all crawlers so far. The questions about one crawler are adjacent. New questions are appended. */
  readonly questions: Question[] = [];
  readonly #options: QuestionOptions;
  readonly #tally: Tally;
  readonly #firstByToken = new Map<string, number>();
  readonly #list: CrawlerList;
  #unknown = 0;
  /** A cache by the bytes of a header: the index of the first question about the crawler that the header names. */
  readonly #firstByHeader = new ByteMemo((header) => this.#firstNamedBy(header));

  constructor(options: QuestionOptions, tally: Tally) {
    this.#options = options;
    this.#tally = tally;
    this.#list = crawlerListOf(options.crawlers);
  }

  /** Number of questions about each crawler. */
  get questionsEach(): number {
    return this.#options.asJudged === true ? 1 : this.#options.dialects.length;
  }

  /** The questions about the crawler whose first question has index `first`. */
  questionsAt(first: number): readonly Question[] {
    return this.questions.slice(first, first + this.questionsEach);
  }

  /** The index of the first question about a crawler. Makes the questions if the crawler is new. */
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

  /** The index of the first question about the crawler that a record's header names, or `noCrawler`, or `furtherCrawler`. */
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
