// Builds the tail of a row from the reason why no robots.txt applies to its URL. Tails are cached up to a limit.
import { whoOf } from "./answer.ts";
import type { Answer, UndecidedBecause } from "../formats/types.ts";
import type { Question } from "../questions/questions.ts";
import { type Words, wordsOf } from "../records/words.ts";

/** Maximum size of the cache of tails in bytes, and the bytes that a tail costs besides its text. */
const mostBytes = 8 * 1_048_576;
const overheadBytes = 150;

/** The tails of rows without a decision. */
export class ProblemTails {
  readonly #bytesOf: (answers: readonly Answer[]) => Buffer;
  /** The cached tails by reason, and then by the index of the first question. */
  readonly #kept = new Map<string, (Words | undefined)[]>();
  #bytes = 0;

  /** `bytesOf` makes the tail of a row from its answers. */
  constructor(bytesOf: (answers: readonly Answer[]) => Buffer) {
    this.#bytesOf = bytesOf;
  }

  /**
   * The tail of a row without a decision, for the reason `because`. `index` is the index of the first of its `questions`. Empty
   * `questions`: the tail for a record without a question, whose agent is null.
   */
  tailOf(questions: readonly Question[], index: number, because: UndecidedBecause): Words {
    const known = this.#kept.get(because)?.[index];
    if (known !== undefined) return known;
    const asked = questions.length === 0 ? [{ agent: null }] : questions.map(whoOf);
    const bytes = this.#bytesOf(asked.map((who) => ({ ...who, allowed: null, because })));
    const tail = wordsOf(bytes.toString("latin1"));
    this.#bytes += tail.length + overheadBytes;
    if (this.#bytes > mostBytes) {
      this.#kept.clear();
      this.#bytes = 0;
    }
    const tails = this.#kept.get(because) ?? [];
    tails[index] = tail;
    this.#kept.set(because, tails);
    return tail;
  }
}
