// Decides the messages of assigned partitions, delivers their output, and completes each message once all of its output is acknowledged.
import {
  decideMessages,
  type DecideMessagesOptions,
  type MessageDecider,
  type MessagePart,
} from "@robots-stream/engine";
import type { InputRecord } from "../kafka/types.ts";
import { mostSpanMs } from "../kafka/producer.ts";
import type { Counts } from "./counts.ts";
import { Delivery, type Routes } from "./delivery.ts";
import { Letters } from "./letters.ts";
import { Outbox, sizeOf, type Writing } from "./outbox.ts";
import type { Progress } from "./progress.ts";
import { copyBytes, freeMemory, type Work, workOf } from "./work.ts";

export interface PipelineOptions {
  readonly topic: string;
  readonly routes: Routes;
  readonly decide: Omit<DecideMessagesOptions<Work>, "onPart" | "byAnswer">;
  readonly urlFrom: "value" | "key";
  readonly ordered: boolean;
  readonly maxWaitMs: number;
  readonly sourceHeaders: boolean;
  /** Memory for messages under way, in bytes. At this limit, there is no room. */
  readonly parkBytes: number;
  readonly counts: Counts;
  readonly writing: Writing;
  limitOf(topic: string): number;
  /** Called when there may be room for further messages. */
  onRoom(): void;
  onDead(code: string, count: number): void;
  onFailure(error: unknown): void;
}

/** Time for which the pipeline collects rows before it passes them on together. */
const pumpMs = 5;
/**
 * Rows of an incomplete message are first passed on when the message is `firstPartMs` old, and then each time its age has grown by the
 * factor `nextPartTimes`. So rows of a message are passed on at most six times in two minutes, however many origins the message's lines
 * have.
 */
const firstPartMs = 100;
const nextPartTimes = 4;
/** The bytes of a message are copied at this age. Before, they are a part of the broker's response, which cannot be freed. */
const copiedAfterMs = 1_000;
const sweepMs = 100;
/** Maximum number of bytes and of messages in one request. The brokers' default limit of a batch is 1,048,588 bytes. */
const requestBytes = 900_000;
const requestRecords = 10_000;
/** Limit of the bytes that wait to be written. At this limit, there is no room: more waiting bytes would not make writing faster. */
const mostUnwrittenBytes = 4 * requestBytes;
/**
 * Memory of a message under way: its key, value and headers twice, as they were read and as copies or output, and the objects of this app,
 * the engine and the client library.
 */
const memoryOf = (record: InputRecord): number => 2 * sizeOf(record) + 2_048;

/** Holds all messages under way. */
export class Pipeline {
  readonly decider: MessageDecider<Work>;
  readonly #options: PipelineOptions;
  readonly #delivery: Delivery;
  readonly #outbox: Outbox;
  readonly #works = new Set<Work>();
  /** Messages that have rows or are complete, in the order in which they are passed on. */
  #ready = new Set<Work>();
  /** With `ordered`: each partition's messages that have not been passed on. */
  readonly #orders = new Map<Progress, Set<Work>>();
  readonly #sweep: NodeJS.Timeout;
  #bytes = 0;
  #pumping: NodeJS.Timeout | undefined;

  constructor(options: PipelineOptions) {
    this.#options = options;
    const { routes, limitOf } = options;
    this.decider = decideMessages<Work>({
      ...options.decide,
      parkBytes: options.parkBytes,
      byAnswer: routes.to === undefined,
      onPart: (part) => this.#take(part),
    });
    this.decider.done.catch(options.onFailure);
    const topics = Object.values(routes).filter((topic) => topic !== undefined);
    const mostBytes = Math.min(requestBytes, ...topics.map((topic) => limitOf(topic) - 200));
    this.#outbox = new Outbox({ ...options, mostBytes, mostRecords: requestRecords, mostSpanMs });
    this.#delivery = new Delivery({
      ...options,
      letters: new Letters(options),
      outbox: this.#outbox,
      onSettled: (work) => this.#finishWhenDone(work),
    });
    this.#sweep = setInterval(() => this.#sweepWorks(), sweepMs);
  }

  /** Memory of the messages under way, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get messages(): number {
    return this.#works.size;
  }

  /** The arrival time of the oldest message under way; undefined if there is none. */
  get oldest(): number | undefined {
    for (const { arrivedAt } of this.#works) return arrivedAt;
    return undefined;
  }

  /** Whether another message may be added. Ask before each `add`. */
  get hasRoom(): boolean {
    const { parkBytes } = this.#options;
    return this.#bytes < parkBytes && this.#outbox.bytes < mostUnwrittenBytes && this.decider.hasRoom;
  }

  /** Takes a message and decides or refuses it. */
  add(progress: Progress, record: InputRecord): void {
    const { counts, topic, urlFrom } = this.#options;
    progress.begin(record.offset);
    const work = workOf(topic, progress, record, memoryOf(record));
    counts.messages.in++;
    this.#bytes += work.bytes;
    this.#works.add(work);
    if (this.#options.ordered) {
      const order = this.#orders.get(progress);
      if (order === undefined) this.#orders.set(progress, new Set([work]));
      else order.add(work);
    }
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
    this.#outbox.close();
    await this.decider.stop();
  }

  #decide(work: Work, value: Buffer): void {
    work.value = value;
    this.decider.add(work, value);
  }

  #take({ message: work, rows, answers, records, rejects, isLast }: MessagePart<Work>): void {
    const { counts } = this.#options;
    counts.lines.in += records + rejects.length;
    if (rejects.length > 0) work.bad = [...work.bad, ...rejects];
    work.rowCount += records;
    if (answers !== undefined) {
      work.allowed.push(...answers.allowed);
      work.disallowed.push(...answers.disallowed);
      // An undecided row is for neither topic; it becomes a dead letter.
      for (const row of answers.undecided) if (!work.progress.isOver) this.#delivery.undecided(work, row);
    } else if (rows.length > 0) work.rows.push(rows);
    if (records > 0) work.hasRows = true;
    if (isLast) work.isDecided = true;
    if (isLast || work.hasRows) this.#enlist(work);
  }

  #refuse(work: Work, code: string, reason: string): void {
    this.#options.counts.lines.in++;
    work.bad = [{ line: 0, code, reason }];
    work.isDecided = true;
    this.#enlist(work);
  }

  #enlist(work: Work): void {
    if (!this.#options.ordered) this.#ready.add(work);
    // Wait briefly, so that rows that arrive at about the same time are passed on together.
    if (work.isDecided)
      this.#pumping ??= setTimeout(() => {
        this.#pumping = undefined;
        this.#pump();
      }, pumpMs);
  }

  /**
   * Passes on messages in the order in which their first rows came, up to the last message that is complete or due. Rows of an incomplete
   * message are therefore passed on before the rows of a later message, and the records of an origin keep their order. With `ordered`,
   * passes on each partition's decided messages up to the first message that is not decided.
   */
  #pump(): void {
    for (const [progress, order] of this.#orders) {
      for (const work of order) {
        if (!work.isDecided) break;
        order.delete(work);
        this.#pass(work);
      }
      if (order.size === 0) this.#orders.delete(progress);
    }
    const now = Date.now();
    const ready = [...this.#ready];
    const end = ready.findLastIndex((work) => isDue(work, now)) + 1;
    for (const work of ready.slice(0, end)) {
      this.#ready.delete(work);
      this.#pass(work);
    }
  }

  /** Passes on the rows so far; for a decided message also its bad lines. */
  #pass(work: Work): void {
    const { routes } = this.#options;
    const { allowed, disallowed, rowCount } = work;
    const rows = this.#joined(work);
    work.hasRows = false;
    work.rows = [];
    work.allowed = [];
    work.disallowed = [];
    work.rowCount = 0;
    if (!work.isDecided) work.partAtMs = Math.max(firstPartMs, Date.now() - work.arrivedAt) * nextPartTimes;
    if (!work.progress.isOver) {
      if (routes.to !== undefined) this.#delivery.rows(work, routes.to, rows, rowCount);
      else {
        this.#delivery.rows(work, routes.allowed, allowed, allowed.length);
        this.#delivery.rows(work, routes.disallowed, disallowed, disallowed.length);
      }
      if (work.isDecided) this.#delivery.bad(work);
    }
    work.isPassed = work.isDecided;
    this.#finishWhenDone(work);
  }

  /** The rows of a message in one piece, whose memory is used again or freed once it is written. */
  #joined({ rows, giveBacks }: Work): readonly Buffer[] {
    const [first] = rows;
    if (first === undefined) return [];
    if (rows.length === 1) {
      giveBacks.push(() => this.decider.giveBack(first));
      return rows;
    }
    const all = Buffer.concat(rows);
    for (const each of rows) this.decider.giveBack(each);
    giveBacks.push(() => freeMemory(all));
    return [all];
  }

  #finishWhenDone(work: Work): void {
    // The rows that were passed on are written, or left out.
    if (work.unsent === 0) for (const give of work.giveBacks.splice(0)) give();
    if (work.isPassed && work.unsent === 0 && this.#works.delete(work)) {
      const { counts } = this.#options;
      this.#bytes -= work.bytes;
      freeMemory(work.record.value);
      if (work.progress.isOver) counts.abandoned++;
      else {
        counts.messages[work.fate ?? "leftOut"]++;
        work.progress.complete(work.record.offset);
      }
    }
    // There may be room for output although no message is complete.
    this.#options.onRoom();
  }

  /** Copies messages that have been under way for long, and gives up lines that have waited too long. */
  #sweepWorks(): void {
    const now = Date.now();
    const { maxWaitMs } = this.#options;
    for (const work of this.#works) {
      const age = now - work.arrivedAt;
      if (age < copiedAfterMs && age < maxWaitMs) break;
      if (!work.isCopied) copyBytes(work);
      if (age >= maxWaitMs && !work.isDecided) this.#giveUp(work);
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

function isDue(work: Work, now: number): boolean {
  return work.isDecided || now - work.arrivedAt >= Math.max(firstPartMs, work.partAtMs);
}
