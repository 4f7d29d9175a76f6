// Holds records while the engine decides them: replaces each record by a short head, its number, and adds the engine's answers to it.
import { randomUUID } from "node:crypto";
import { ndjson } from "../formats/ndjson/write.ts";
import type { RecordWriter } from "../formats/types.ts";
import type { HeadAnswer } from "../records/rows.ts";
import type { RecordAnswers, RecordDecision } from "./types.ts";

/** Bytes of memory that a held record is assumed to take in addition to the size that `hold` receives. */
const recordOverhead = 200;

interface Held {
  readonly record: unknown;
  readonly url: string;
  readonly bytes: number;
  /** Number of answers about this record that `decisionsOf` has received. */
  answers: number;
}

export interface HeldRecordsOptions {
  readonly maxBytes: number;
  /** Number of answers about one record; a record that no crawler made has one. */
  readonly answersEach: number;
}

export class HeldRecords {
  /**
   * For a reader of bytes: writes a record as JSON without the last "}". Its result key is random, because a record that already had this
   * key would be a reject.
   */
  readonly writer: RecordWriter = ndjson.createWriter({
    resultKey: randomUUID(),
    hasDialect: false,
    hasKind: false,
    csvSafe: false,
  });
  readonly #options: HeldRecordsOptions;
  readonly #held = new Map<number, Held>();
  #next = 0;
  #bytes = 0;
  #isGivenUp = false;
  #onRoom: (() => void) | undefined;

  constructor(options: HeldRecordsOptions) {
    this.#options = options;
  }

  /** Holds a record that takes `size` bytes with its URL. Returns its head: the record's number, as a byte string of four bytes. */
  hold(record: unknown, url: string, size: number): string {
    const id = this.#next;
    this.#next = (id + 1) >>> 0;
    const bytes = size + recordOverhead;
    this.#held.set(id, { record, url, bytes, answers: 0 });
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

  /** The decisions of the engine's answers. Releases each record with its last answer. */
  decisionsOf(answers: readonly HeadAnswer[]): (RecordDecision | RecordAnswers)[] {
    const decisions: (RecordDecision | RecordAnswers)[] = [];
    for (const { head, answer, isOnly } of answers) {
      const held = this.#held.get(head)!;
      const { record, url } = held;
      if (answer !== undefined) decisions.push({ record, url, ...answer } as RecordDecision | RecordAnswers);
      if (++held.answers < this.#options.answersEach && !isOnly) continue;
      this.#held.delete(head);
      this.#bytes -= held.bytes;
    }
    if (this.#bytes <= this.#options.maxBytes) this.#onRoom?.();
    return decisions;
  }
}
