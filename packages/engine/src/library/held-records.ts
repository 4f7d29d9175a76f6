// Holds records while the engine decides them: replaces each record by a short head, and converts the rows with these heads to decisions.
//
// The engine processes only bytes. When a program requests its own objects back, this module holds the objects: the head of a record is
// then only the number of the record, and a row is this number and the answer.
import { randomUUID } from "node:crypto";
import { factsOf, jsonMembersOf, membersOf, ndjson } from "../formats/ndjson/write.ts";
import { type ChosenRows, type RowChoice, chosenRowsOf } from "../decide/row-choice.ts";
import type { RecordWriter } from "../formats/types.ts";
import { byteStringOf, utf8TextOf } from "../common/text.ts";
import type { RecordAnswers, RecordDecision } from "./types.ts";

const newline = 0x0a;
/** Limits of the cache of parsed answers: the number of answers and their bytes. */
const mostAnswers = 50_000;
const mostAnswerBytes = 8 * 1_048_576;
/** Number of answers that skip the cache after it was emptied with fewer hits than entries. */
const unkeptAnswers = 1_000_000;
/** Bytes of memory that a held record is assumed to take in addition to the size that `hold` receives. */
const recordOverhead = 200;
/** The result key of the writer. It is random, because a record that already had this key would be a reject. */
const noKey = randomUUID();

/** A decision without the members `record` and `url`, which rows do not contain. */
type Answer = Omit<RecordDecision, "record" | "url">;
/** A decision about all agents without the members `record` and `url`. */
type Answers = Omit<RecordAnswers, "record" | "url">;

interface Held {
  readonly record: unknown;
  readonly url: string;
  readonly bytes: number;
  /** Number of rows of this record that `decisionsOf` has read. */
  rows: number;
}

export interface HeldRecordsOptions {
  readonly maxBytes: number;
  /** Number of rows of one record; a record that no crawler made has one. */
  readonly rowsEach: number;
  readonly hasDialect: boolean;
  /**
   * The kinds of decisions that `decisionsOf` returns; undefined: all. The engine itself must not leave out rows, because a record is
   * released with its last row.
   */
  readonly only?: readonly RowChoice[] | undefined;
}

export class HeldRecords {
  /**
   * The writer of the run. For a reader of bytes, it writes a record as JSON without the last "}". For the engine, it writes tails of rows:
   * the answer as JSON, which `decisionsOf` reads.
   */
  readonly writer: RecordWriter;
  /** Number of decisions that `decisionsOf` left out. */
  leftOut = 0;
  readonly #options: HeldRecordsOptions;
  readonly #chosen: ChosenRows | undefined;
  readonly #held = new Map<number, Held>();
  readonly #answers = new Map<string, Answer | Answers>();
  #answerBytes = 0;
  /** Hits of the cache of answers since it was last emptied. */
  #timesKnown = 0;
  /** Number of answers to come that are not added to this cache. */
  #unkept = 0;
  #next = 0;
  #bytes = 0;
  #isGivenUp = false;
  #onRoom: (() => void) | undefined;

  constructor(options: HeldRecordsOptions) {
    this.#options = options;
    const { hasDialect, only } = options;
    this.#chosen = only === undefined ? undefined : chosenRowsOf(only);
    const shared = { resultKey: noKey, hasDialect, hasKind: false, csvSafe: false };
    this.writer = {
      ...ndjson.createWriter(shared),
      tailOf: ({ dialect, ...answer }) =>
        `${byteStringOf(JSON.stringify(hasDialect ? { dialect, ...answer } : answer))}\n`,
      members: { tailEnd: "}\n".length, partEnd: "}".length, lastPartEnd: "}}}\n".length, bytesOf: jsonMembersOf },
      partOf: (answers, isFirst, isLast) =>
        `${isFirst ? `{${factsOf(answers[0]!, hasDialect)}"agents":{` : ","}${membersOf(answers)}${isLast ? "}}\n" : ""}`,
    };
  }

  /** Holds a record that takes `size` bytes with its URL. Returns its head: the record's number, as a byte string of four bytes. */
  hold(record: unknown, url: string, size: number): string {
    const id = this.#next;
    this.#next = (id + 1) >>> 0;
    const bytes = size + recordOverhead;
    this.#held.set(id, { record, url, bytes, rows: 0 });
    this.#bytes += bytes;
    return String.fromCharCode(id & 0xff, (id >>> 8) & 0xff, (id >>> 16) & 0xff, id >>> 24);
  }

  /** Resolves when the held records take no more than `maxBytes`, or after `giveUp`. */
  async room(): Promise<void> {
    while (this.#bytes > this.#options.maxBytes && !this.#isGivenUp) {
      await new Promise<void>((resolve) => (this.#onRoom = resolve));
    }
  }

  /** From now on, `room` resolves at once: no further decision will make room. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.#onRoom?.();
  }

  /** The decisions in whole rows of the engine. Releases each record with its last row. */
  decisionsOf(rows: Buffer): (RecordDecision | RecordAnswers)[] {
    const decisions: (RecordDecision | RecordAnswers)[] = [];
    for (let at = 0; at < rows.length;) {
      const end = rows.indexOf(newline, at + 4);
      const id = rows.readUInt32LE(at);
      const answer = this.#answerOf(rows.toString("latin1", at + 4, end));
      const held = this.#held.get(id)!;
      if (this.#isChosen(answer)) decisions.push({ record: held.record, url: held.url, ...answer });
      else this.leftOut++;
      held.rows++;
      if (held.rows === this.#options.rowsEach || ("agent" in answer && answer.agent === null)) {
        this.#held.delete(id);
        this.#bytes -= held.bytes;
      }
      at = end + 1;
    }
    if (this.#bytes <= this.#options.maxBytes) this.#onRoom?.();
    return decisions;
  }

  /** Whether `only` selects a decision; a record with the answers for all agents is always selected. */
  #isChosen(answer: Answer | Answers): boolean {
    const chosen = this.#chosen;
    if (chosen === undefined || !("because" in answer)) return true;
    if (answer.allowed === null) return answer.because !== "not-a-crawler" && chosen.undecided;
    return answer.allowed ? chosen.allowed : chosen.disallowed;
  }

  #answerOf(tail: string): Answer | Answers {
    const known = this.#answers.get(tail);
    if (known !== undefined) {
      this.#timesKnown++;
      return known;
    }
    const answer = JSON.parse(utf8TextOf(tail)) as Answer | Answers;
    if ("agents" in answer) {
      for (const each of Object.values(answer.agents)) Object.freeze(each);
      Object.freeze(answer.agents);
    }
    if (this.#unkept > 0) this.#unkept--;
    else this.#keep(tail, answer);
    return answer;
  }

  /**
   * Adds an answer to the cache. A full cache is emptied first. If it had few hits, it then stays empty for a while, because filling and
   * emptying it costs time.
   */
  #keep(tail: string, answer: Answer | Answers): void {
    this.#answerBytes += tail.length;
    if (this.#answers.size === mostAnswers || this.#answerBytes > mostAnswerBytes) {
      if (this.#timesKnown < this.#answers.size) this.#unkept = unkeptAnswers;
      this.#answers.clear();
      this.#answerBytes = tail.length;
      this.#timesKnown = 0;
    }
    this.#answers.set(tail, answer);
  }
}
