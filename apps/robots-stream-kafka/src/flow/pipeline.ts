// Decides the messages of assigned partitions, delivers their output, and completes each message once all of its output is acknowledged.
import {
  decideMessages,
  type DecideMessagesOptions,
  type MessageDecider,
  type MessagePart,
} from "@robots-stream/engine";
import type { InputRecord } from "../kafka/types.ts";
import type { Counts } from "./counts.ts";
import { Delivery, type Routes } from "./delivery.ts";
import { Letters } from "./letters.ts";
import { Outbox, sizeOf, type Writing } from "./outbox.ts";
import type { Progress } from "./progress.ts";
import { copyBytes, freeValue, type Work, workOf } from "./work.ts";

export interface PipelineOptions {
  readonly topic: string;
  readonly routes: Routes;
  readonly decide: Omit<DecideMessagesOptions<Work>, "onPart" | "byAnswer">;
  readonly urlFrom: "value" | "key";
  readonly ordered: boolean;
  readonly maxWaitMs: number;
  readonly sourceHeaders: boolean;
  /** Maximum number of bytes of messages under way. At this limit, reading pauses. */
  readonly mostBytes: number;
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
/**
 * The bytes of a message are copied at this age. Before the copy, these bytes are a part of the broker's response, which cannot be freed.
 */
const copiedAfterMs = 1_000;
const sweepMs = 100;
/** Maximum number of bytes in one request, below the brokers' default batch limit of 1,048,588. */
const requestBytes = 900_000;
/**
 * Limit of the bytes that wait to be written. At this limit, reading pauses. More waiting bytes would not speed up writing, and long-lived
 * objects cost garbage collection time.
 */
const mostUnwrittenBytes = 4 * requestBytes;
/** Approximate memory, in bytes, of a message under way besides its key, value and headers. */
const messageOverhead = 1_024;

/** Holds all messages under way. */
export class Pipeline {
  readonly decider: MessageDecider<Work>;
  readonly #options: PipelineOptions;
  readonly #delivery: Delivery;
  readonly #outbox: Outbox;
  readonly #works = new Set<Work>();
  /** Messages that have rows or are complete, in the order in which they are passed on. */
  #ready: Work[] = [];
  readonly #isReady = new Set<Work>();
  /** With `ordered`: each partition's messages that have not been passed on. */
  readonly #orders = new Map<Progress, Work[]>();
  readonly #sweep: NodeJS.Timeout;
  #bytes = 0;
  #pumping: NodeJS.Timeout | undefined;

  constructor(options: PipelineOptions) {
    this.#options = options;
    const { routes, writing, onFailure, limitOf, sourceHeaders } = options;
    const byAnswer = routes.to === undefined;
    this.decider = decideMessages<Work>({
      ...options.decide,
      onPart: (part) => this.#take(part),
      ...(byAnswer ? { byAnswer } : {}),
    });
    this.decider.done.catch(onFailure);
    const topics = Object.values(routes).filter((topic) => topic !== undefined);
    const mostBytes = Math.min(requestBytes, ...topics.map((topic) => limitOf(topic) - 200));
    const outbox = (this.#outbox = new Outbox({ writing, mostBytes, mostRecords: 10_000, onFailure }));
    const letters = new Letters({ limitOf, sourceHeaders });
    this.#delivery = new Delivery({
      ...options,
      letters,
      outbox,
      giveBack: (rows) => this.decider.giveBack(rows),
      onSettled: (work) => this.#onSettled(work),
    });
    this.#sweep = setInterval(() => this.#sweepWorks(), sweepMs);
  }

  /** Bytes of messages under way. */
  get bytes(): number {
    return this.#bytes;
  }

  get messages(): number {
    return this.#works.size;
  }

  /** The arrival time of the oldest message under way; undefined if there is none. */
  get oldest(): number | undefined {
    return this.#works.values().next().value?.arrivedAt;
  }

  get hasRoom(): boolean {
    if (this.#bytes >= this.#options.mostBytes) return false;
    return this.decider.hasRoom && this.#outbox.bytes < mostUnwrittenBytes;
  }

  /** Takes a message and decides or refuses it. */
  add(progress: Progress, record: InputRecord): void {
    const { counts, topic, urlFrom } = this.#options;
    const step = progress.begin(record.offset);
    const bytes = sizeOf(record) + messageOverhead;
    const work = workOf(topic, progress, step, record, bytes);
    counts.messages.in++;
    this.#bytes += bytes;
    this.#works.add(work);
    if (this.#options.ordered) {
      const order = this.#orders.get(progress);
      if (order === undefined) this.#orders.set(progress, [work]);
      else order.push(work);
    }
    if (urlFrom === "key") {
      if (record.key === null) this.#refuse(work, "no-key", "has no key, which --url-from key reads");
      else this.#decide(work, Buffer.from(JSON.stringify({ url: record.key.toString() })));
    } else if (record.value === null) this.#refuse(work, "tombstone", "has no value");
    else if (isFramed(record.value)) this.#refuse(work, "framed", "begins with a schema ID, not with text");
    else this.#decide(work, record.value);
  }

  /** Gives up the messages of an ended assignment: undecided lines are withdrawn, and nothing more is written for these messages. */
  abandon(progress: Progress): void {
    progress.isOver = true;
    for (const work of this.#works) {
      if (work.progress !== progress) continue;
      if (!work.isDecided) this.decider.withdraw(work, work.value);
    }
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
    work.bad.push(...rejects);
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
    work.bad.push({ line: 0, code, reason });
    work.isDecided = true;
    this.#enlist(work);
  }

  #enlist(work: Work): void {
    if (this.#options.ordered) {
      if (work.isDecided) this.#pumpInOrder(work.progress);
      return;
    }
    if (!this.#isReady.has(work)) {
      this.#isReady.add(work);
      this.#ready.push(work);
    }
    // Wait briefly, so that rows that arrive at about the same time are passed on together.
    if (work.isDecided)
      this.#pumping ??= setTimeout(() => {
        this.#pumping = undefined;
        this.#pump();
      }, pumpMs);
  }

  /**
   * Passes on messages in the order in which their first rows came, up to the last message that is complete or due. Rows of an incomplete
   * message are therefore passed on before the rows of a later message, and the records of an origin keep their order.
   */
  #pump(): void {
    const now = Date.now();
    let end = this.#ready.length;
    while (end > 0 && !isDue(this.#ready[end - 1]!, now)) end--;
    if (end === 0) return;
    const passed = this.#ready.slice(0, end);
    this.#ready = this.#ready.slice(end);
    for (const work of passed) {
      this.#isReady.delete(work);
      this.#pass(work);
    }
  }

  /** Passes on a partition's decided messages up to the first message that is not decided. */
  #pumpInOrder(progress: Progress): void {
    const order = this.#orders.get(progress)!;
    let at = 0;
    while (at < order.length && order[at]!.isDecided) this.#pass(order[at++]!);
    if (at === order.length) this.#orders.delete(progress);
    else if (at > 0) this.#orders.set(progress, order.slice(at));
  }

  /** Passes on the rows so far; for a decided message also its bad lines. */
  #pass(work: Work): void {
    work.hasRows = false;
    if (!work.isDecided) work.partAtMs = Math.max(firstPartMs, Date.now() - work.arrivedAt) * nextPartTimes;
    if (!work.progress.isOver) {
      const { routes } = this.#options;
      if (routes.to !== undefined) this.#delivery.rows(work, routes.to, work.rows, work.rowCount);
      else {
        this.#delivery.rows(work, routes.allowed, work.allowed, work.allowed.length);
        this.#delivery.rows(work, routes.disallowed, work.disallowed, work.disallowed.length);
      }
      if (work.isDecided) this.#delivery.bad(work);
    } else this.#delivery.drop(work.rows);
    work.rows = [];
    work.allowed = [];
    work.disallowed = [];
    work.rowCount = 0;
    work.isPassed = work.isDecided;
    this.#finishWhenDone(work);
  }

  #onSettled(work: Work): void {
    this.#finishWhenDone(work);
    // There may be room for output although no message is complete.
    this.#options.onRoom();
  }

  #finishWhenDone(work: Work): void {
    if (!work.isPassed || work.unsent > 0 || !this.#works.delete(work)) return;
    freeValue(work);
    const { counts, onRoom } = this.#options;
    this.#bytes -= work.bytes;
    if (work.progress.isOver) counts.abandoned++;
    else {
      const fate = (["out", "later", "dead", "leftOut"] as const).find((each) => work.fates.has(each)) ?? "leftOut";
      counts.messages[fate]++;
      work.progress.complete(work.step);
    }
    onRoom();
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
    if (!this.#options.ordered) this.#pump();
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
