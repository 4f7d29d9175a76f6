// Decides the messages of assigned partitions, delivers their output, and completes each message once all of its output is acknowledged.
import {
  decideMessages,
  type DecideMessagesOptions,
  type MessageDecider,
  type MessagePart,
} from "@robots-stream/engine";
import type { InputRecord } from "../kafka/types.ts";
import { Delivery, type DeliveryOptions } from "./delivery.ts";
import type { Progress } from "./progress.ts";
import { Work } from "./work.ts";

export interface PipelineOptions extends Omit<DeliveryOptions, "onSettled"> {
  readonly decide: Omit<DecideMessagesOptions<Work>, "onPart" | "byAnswer" | "parkBytes">;
  /** Called when there may be room for further messages. */
  onRoom(): void;
}

/** Time for which the pipeline collects rows before it passes them on together. */
const pumpMs = 5;
const sweepMs = 100;

/** Holds all messages under way. */
export class Pipeline {
  readonly decider: MessageDecider<Work>;
  readonly #options: PipelineOptions;
  readonly #delivery: Delivery;
  readonly #works = new Set<Work>();
  /** Messages to pass on: in the order of their first rows; with `ordered`, in the order of their arrival. */
  readonly #queue = new Set<Work>();
  readonly #sweep: NodeJS.Timeout;
  #bytes = 0;
  #pumping: NodeJS.Timeout | undefined;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.decider = decideMessages<Work>({
      ...options.decide,
      parkBytes: options.parkBytes,
      byAnswer: options.routes.to === undefined,
      onPart: (part) => this.#take(part),
    });
    this.decider.done.catch(options.onFailure);
    this.#delivery = new Delivery({ ...options, onSettled: (work) => this.#finishWhenDone(work) });
    this.#sweep = setInterval(() => this.#sweepWorks(), sweepMs);
  }

  /** Memory of the messages under way, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get messages(): number {
    return this.#works.size;
  }

  /** The age of the oldest message under way in milliseconds; 0 if there is none. */
  get oldestMs(): number {
    for (const { age } of this.#works) return age;
    return 0;
  }

  /** Whether another message may be added. Ask before each `add`. */
  get hasRoom(): boolean {
    return this.#bytes < this.#options.parkBytes && this.#delivery.hasRoom && this.decider.hasRoom;
  }

  /** Takes a message and decides or refuses it. */
  add(progress: Progress, record: InputRecord): void {
    const { counts, ordered, urlFrom } = this.#options;
    progress.begin(record.offset);
    const work = new Work(progress, record);
    counts.messages.in++;
    this.#bytes += work.bytes;
    this.#works.add(work);
    if (ordered) this.#queue.add(work);
    const { key, value } = record;
    if (urlFrom === "key") {
      if (key === null) this.#refuse(work, "no-key", "has no key, which --url-from key reads");
      else this.#decide(work, Buffer.from(JSON.stringify({ url: key.toString() })));
    } else if (value === null) this.#refuse(work, "tombstone", "has no value");
    else if (isFramed(value)) this.#refuse(work, "framed", "begins with a schema ID, not with text");
    else this.#decide(work, value);
  }

  /** Gives up the messages of an ended assignment: undecided lines are withdrawn, and nothing more is written for these messages. */
  abandon(progress: Progress): void {
    progress.isOver = true;
    for (const work of this.#works)
      if (work.progress === progress && !work.isDecided) this.decider.withdraw(work, work.value);
  }

  /** Resolves to true once no message of these assignments is under way, or to false after `limitMs`. */
  async settled(all: readonly Progress[], limitMs: number): Promise<boolean> {
    const until = Date.now() + limitMs;
    while (!all.every(({ isIdle }) => isIdle)) {
      if (Date.now() >= until) return false;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return true;
  }

  /** Ends the pipeline; messages under way stay incomplete. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    clearTimeout(this.#pumping);
    this.#delivery.close();
    await this.decider.stop();
  }

  #decide(work: Work, value: Buffer): void {
    work.value = value;
    this.decider.add(work, value);
  }

  #refuse(work: Work, code: string, reason: string): void {
    this.#options.counts.lines.in++;
    work.bad = [{ line: 0, code, reason }];
    this.#enlist(work, true);
  }

  #take({ message: work, rows, answers, records, rejects, isLast }: MessagePart<Work>): void {
    const { counts, routes } = this.#options;
    counts.lines.in += records + rejects.length;
    if (rejects.length > 0) work.bad = [...work.bad, ...rejects];
    if (answers === undefined) work.addRows(routes.to, rows, records);
    else {
      for (const bytes of answers.allowed) work.addRows(routes.allowed, bytes, 1);
      for (const bytes of answers.disallowed) work.addRows(routes.disallowed, bytes, 1);
      // An undecided row is for neither topic; it becomes a dead letter.
      for (const row of answers.undecided) if (!work.progress.isOver) this.#delivery.undecided(work, row);
    }
    if (isLast || work.rows.size > 0) this.#enlist(work, isLast);
  }

  #enlist(work: Work, isDecided: boolean): void {
    this.#queue.add(work);
    if (!isDecided) return;
    work.isDecided = true;
    // Wait briefly, so that rows that arrive at about the same time are passed on together.
    this.#pumping ??= setTimeout(() => {
      this.#pumping = undefined;
      this.#pump();
    }, pumpMs);
  }

  /**
   * Passes on messages in the order of the queue, up to the last message that is complete or due. Rows of an incomplete message are
   * therefore passed on before the rows of a later message, and the records of an origin keep their order. With `ordered`, passes on each
   * partition's decided messages up to the first message that is not decided.
   */
  #pump(): void {
    const queue = [...this.#queue];
    const held = new Set<Progress>();
    const passing = this.#options.ordered
      ? queue.filter(({ progress, isDecided }) => {
          if (!isDecided) held.add(progress);
          return !held.has(progress);
        })
      : queue.slice(0, queue.findLastIndex((work) => work.isDue) + 1);
    for (const work of passing) {
      this.#queue.delete(work);
      this.#pass(work);
    }
  }

  /** Passes on the rows so far; for a decided message also its bad lines. */
  #pass(work: Work): void {
    const rows = work.takeRows();
    if (!work.progress.isOver) {
      for (const each of rows) this.#delivery.rows(work, each);
      if (work.isDecided) this.#delivery.bad(work);
    }
    work.isPassed = work.isDecided;
    this.#finishWhenDone(work);
  }

  #finishWhenDone(work: Work): void {
    if (work.isPassed && work.unsent === 0 && this.#works.delete(work)) {
      const { counts } = this.#options;
      this.#bytes -= work.bytes;
      if (work.progress.isOver) counts.abandoned++;
      else {
        counts.messages[work.fate ?? "leftOut"]++;
        work.progress.complete(work.record.offset);
      }
    }
    // There may be room for output although no message is complete.
    this.#options.onRoom();
  }

  /** Gives up lines that have waited too long. */
  #sweepWorks(): void {
    for (const work of this.#works) {
      if (work.age < this.#options.maxWaitMs) break;
      if (!work.isDecided) this.#giveUp(work);
    }
    this.#pump();
    // The engine may have room although no message is complete.
    if (this.hasRoom) this.#options.onRoom();
  }

  #giveUp(work: Work): void {
    // `withdraw` delivers the last part at once. The increment of `unsent` prevents that part from completing the message before `later`
    // has passed on the withdrawn lines.
    work.unsent++;
    const withdrawn = this.decider.withdraw(work, work.value);
    if (withdrawn !== undefined && withdrawn.lines.length > 0) this.#delivery.later(work, withdrawn);
    work.unsent--;
    this.#finishWhenDone(work);
  }
}

/** Whether a value has a schema registry's framing: a zero byte, then the schema's number. */
function isFramed(value: Buffer): boolean {
  return value.length >= 5 && value[0] === 0;
}
