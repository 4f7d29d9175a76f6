// The reason why no robots.txt applies to a URL in, the tail of a row with that reason for one question out. Tails are cached up
// to a limit.
import type { TargetProblem } from "../locate/target.ts";
import { whoOf } from "./answer.ts";
import type { Answer } from "../formats/types.ts";
import type { Question } from "../questions.ts";

/** The reasons why a row has no decision. */
export type UndecidedBecause = TargetProblem | "not-a-crawler" | "unknown-crawler";

/** Largest size of the cache of tails, and the memory of a tail besides its bytes. */
const mostBytes = 8 * 1_048_576;
const overheadBytes = 150;

/** The tails of rows without a decision. */
export class ProblemTails {
  readonly #bytesOf: (answer: Answer) => Buffer;
  /** By problem, and by the index of the question. */
  readonly #kept = new Map<string, (Buffer | undefined)[]>();
  #bytes = 0;

  constructor(bytesOf: (answer: Answer) => Buffer) {
    this.#bytesOf = bytesOf;
  }

  /** The tail for the question at `index`; without a question, the tail for a record that none is asked about. */
  tailOf(question: Question | undefined, index: number, because: UndecidedBecause): Buffer {
    const known = this.#kept.get(because)?.[index];
    if (known !== undefined) return known;
    const who = question === undefined ? { agent: null } : whoOf(question);
    const tail = this.#bytesOf({ ...who, allowed: null, because });
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
