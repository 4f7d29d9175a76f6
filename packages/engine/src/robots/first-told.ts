// Passes on the first of many sentences, so that an archive with thousands of damaged entries does not fill the terminal.
import { printableOf } from "../common/text.ts";

/** The number of sentences that are passed on. */
const mostTold = 10;

/** The maximum number of characters of a reason. It may name an origin. */
const longestReason = 400;

/** Passes the first sentences to `say`, and after the last of them `more`, which says that the others are not reported. */
export class FirstTold {
  /** The number of all sentences. */
  count = 0;
  readonly #say: (sentence: string) => void;
  readonly #more: string | undefined;

  constructor(say: (sentence: string) => void, more?: string) {
    this.#say = say;
    this.#more = more;
  }

  /** The number of sentences that were not passed on. */
  get left(): number {
    return Math.max(0, this.count - mostTold);
  }

  tell(sentence: string): void {
    this.count++;
    if (this.count <= mostTold) this.#say(sentence);
    if (this.count === mostTold && this.#more !== undefined) this.#say(this.#more);
  }
}

/** The damaged and unreadable entries of one source, whose name in messages is `shown`. */
export class Faults extends FirstTold {
  /** The first damaged entry, and what is wrong with it. */
  first: string | undefined;
  readonly #shown: string;
  readonly #onAdd: (() => unknown) | undefined;

  /** `onAdd` is called for each of them that is damaged. */
  constructor(
    shown: string,
    say: (sentence: string) => void,
    { more, onAdd }: { readonly more?: string; readonly onAdd?: (() => unknown) | undefined },
  ) {
    super(say, more);
    this.#shown = shown;
    this.#onAdd = onAdd;
  }

  readonly add = (where: string, why: string, isDamaged = true): void => {
    if (isDamaged) this.#onAdd?.();
    this.first ??= `${where} ${why}`;
    this.tell(`${this.#shown}: ${printableOf(where)}: ${printableOf(why, longestReason)}`);
  };
}
