// Why no robots.txt speaks about a URL in, the end of a row that says so about a question out: made once, as far as they are few.
import type { TargetProblem } from "../locate/target.ts";
import { whoOf } from "./answer.ts";
import type { Answer } from "../formats/types.ts";
import type { Question } from "../questions.ts";

/** Memory for the tails that are kept, and what each takes besides its bytes. */
const mostBytes = 8 * 1_048_576;
const overheadBytes = 150;

/** The ends of rows without a decision. */
export class ProblemTails {
  readonly #bytesOf: (answer: Answer) => Buffer;
  /** By problem, and by the place of the question among all. */
  readonly #kept = new Map<string, (Buffer | undefined)[]>();
  #bytes = 0;

  constructor(bytesOf: (answer: Answer) => Buffer) {
    this.#bytesOf = bytesOf;
  }

  /** The end for a question, which stands at `index` among all; without one the record names no known crawler. */
  tailOf(question: Question | undefined, index: number, because: TargetProblem | "not-a-crawler"): Buffer {
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
