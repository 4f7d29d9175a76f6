// Messages of assigned partitions in; their rows, dead letters and messages for later out, and each completed once all is acknowledged.
import { decideMessages, type DecideMessagesOptions, type MessageDecider, type MessagePart } from "@robots-stream/engine";
import type { InputRecord, OutputRecord } from "../kafka/types.ts";
import type { Counts, Fate } from "./counts.ts";
import { type BadLine, Letters, linesAt, type Source } from "./letters.ts";
import { Outbox, type Outgoing, sizeOf, type Writing } from "./outbox.ts";
import type { Progress, Step } from "./progress.ts";

/** Where messages go. */
export interface Routes {
  /** All rows; undefined with a topic for one answer. */
  readonly to: string | undefined;
  readonly allowed: string | undefined;
  readonly disallowed: string | undefined;
  /** Undefined: dead letters are counted and told, but not written. */
  readonly dead: string | undefined;
  /** Undefined: what waited too long is a dead letter. */
  readonly later: string | undefined;
}

/** The settings of the pipeline. */
export interface PipelineOptions {
  readonly topic: string;
  readonly routes: Routes;
  readonly decide: Omit<DecideMessagesOptions<Work>, "onPart" | "byAnswer">;
  readonly urlFrom: "value" | "key";
  readonly ordered: boolean;
  readonly maxWaitMs: number;
  readonly sourceHeaders: boolean;
  /** Bytes of messages under way, from which on nothing more is read. */
  readonly mostBytes: number;
  readonly counts: Counts;
  readonly writing: Writing;
  limitOf(topic: string): number;
  /** Called when room was made. */
  onRoom(): void;
  onDead(code: string, count: number): void;
  onFailure(error: unknown): void;
}

/** A message under way. */
export interface Work extends Source {
  record: InputRecord;
  readonly progress: Progress;
  readonly step: Step;
  readonly bytes: number;
  readonly arrivedAt: number;
  /** The bytes that are decided. */
  value: Buffer;
  /** Rows that are not passed on. */
  rows: Buffer[];
  allowed: Buffer[];
  disallowed: Buffer[];
  rowCount: number;
  readonly bad: BadLine[];
  /** When the first of the rows that are not passed on came; 0 without such rows. */
  rowsSince: number;
  isDecided: boolean;
  /** Whether all its output was passed on. */
  isPassed: boolean;
  isCopied: boolean;
  /** Output messages that are not acknowledged. */
  unsent: number;
  readonly fates: Set<Fate>;
}

/** How long rows of an incomplete message wait for its other rows. */
const lingerMs = 100;
/** Messages older than this are copied: the answer of a broker that they are a part of can then be freed. */
const copiedAfterMs = 1_000;
const sweepMs = 100;
/** Bytes of one request: the default limit of a batch is 1,048,588. */
const requestBytes = 900_000;

/** The messages under way. */
export class Pipeline {
  readonly decider: MessageDecider<Work>;
  readonly #options: PipelineOptions;
  readonly #letters: Letters;
  readonly #outbox: Outbox;
  readonly #works = new Set<Work>();
  /** Messages with rows or complete ones, in the order in which they are passed on. */
  #ready: Work[] = [];
  readonly #isReady = new Set<Work>();
  /** With `ordered`: the messages of each partition that were not passed on. */
  readonly #orders = new Map<Progress, Work[]>();
  readonly #sweep: NodeJS.Timeout;
  #bytes = 0;
  #linger: NodeJS.Timeout | undefined;

  constructor(options: PipelineOptions) {
    this.#options = options;
    const { routes, writing, onFailure, limitOf, sourceHeaders } = options;
    this.#letters = new Letters({ limitOf, sourceHeaders });
    const byAnswer = routes.to === undefined;
    this.decider = decideMessages<Work>({ ...options.decide, onPart: (part) => this.#take(part), ...(byAnswer ? { byAnswer } : {}) });
    this.decider.done.catch(onFailure);
    const topics = Object.values(routes).filter((topic) => topic !== undefined);
    const mostBytes = Math.min(requestBytes, ...topics.map((topic) => limitOf(topic) - 200));
    this.#outbox = new Outbox({ writing, mostBytes, mostRecords: 10_000, onFailure });
    this.#sweep = setInterval(() => this.#sweepWorks(), sweepMs);
  }

  /** Bytes of messages under way. */
  get bytes(): number {
    return this.#bytes;
  }

  get messages(): number {
    return this.#works.size;
  }

  /** The time of arrival of the oldest message under way; undefined without one. */
  get oldest(): number | undefined {
    return this.#works.values().next().value?.arrivedAt;
  }

  get hasRoom(): boolean {
    return this.#bytes < this.#options.mostBytes;
  }

  /** Takes a message. */
  add(progress: Progress, record: InputRecord): void {
    const { counts, topic, urlFrom } = this.#options;
    const step = progress.begin(record.offset);
    const bytes = sizeOf(record);
    const work: Work = {
      ...{ topic, partition: progress.partition, record, progress, step, bytes, arrivedAt: Date.now() },
      ...{ value: record.value ?? none, rows: [], allowed: [], disallowed: [], rowCount: 0, bad: [], rowsSince: 0 },
      ...{ isDecided: false, isPassed: false, isCopied: false, unsent: 0, fates: new Set<Fate>() },
    };
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
    else if (isFramed(record.value)) this.#refuse(work, "framed", "begins with a schema's number, not with text");
    else this.#decide(work, record.value);
  }

  /** Ends the messages of an assignment that has ended: what waits is given up, and nothing more is written for them. */
  abandon(progress: Progress): void {
    progress.isOver = true;
    for (const work of this.#works) {
      if (work.progress !== progress) continue;
      if (!work.isDecided) this.decider.withdraw(work, work.value);
    }
  }

  /** Resolves when no message of these assignments is under way, or after the limit; returns whether none is. */
  async settled(all: readonly Progress[], limitMs: number): Promise<boolean> {
    const until = Date.now() + limitMs;
    while (!all.every(({ isIdle }) => isIdle)) {
      if (Date.now() >= until) return false;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return true;
  }

  /** Ends the pipeline; messages that are under way stay incomplete. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    clearTimeout(this.#linger);
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
      // Undecided rows are neither: they are dead letters.
      for (const row of answers.undecided) this.#addUndecided(work, row);
    } else if (rows.length > 0) work.rows.push(rows);
    if (records > 0 && work.rowsSince === 0) work.rowsSince = Date.now();
    if (isLast) work.isDecided = true;
    if (isLast || work.rowsSince > 0) this.#enlist(work);
  }

  #addUndecided(work: Work, row: Buffer): void {
    work.fates.add("dead");
    this.#options.counts.lines.dead++;
    this.#options.onDead("undecided", 1);
    work.rowCount--;
    const topic = this.#options.routes.dead;
    if (topic === undefined || work.progress.isOver) return;
    const bad = [{ line: 0, code: "undecided", reason: "no robots.txt applies to its URL" }];
    this.#push(work, this.#letters.deadOf(work, topic, Buffer.from(row.subarray(0, -1)), bad));
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
    this.#pump();
  }

  /** Passes on messages in their order: a complete one at once, rows of an incomplete one after a while. */
  #pump(): void {
    let at = 0;
    for (; at < this.#ready.length; at++) {
      const work = this.#ready[at]!;
      if (!work.isDecided) {
        const left = work.rowsSince + lingerMs - Date.now();
        if (left > 0) {
          this.#linger ??= setTimeout(() => {
            this.#linger = undefined;
            this.#pump();
          }, left);
          break;
        }
      }
      this.#isReady.delete(work);
      this.#pass(work);
    }
    if (at > 0) this.#ready = this.#ready.slice(at);
  }

  /** Passes on the complete messages of a partition that no incomplete one precedes. */
  #pumpInOrder(progress: Progress): void {
    const order = this.#orders.get(progress)!;
    let at = 0;
    while (at < order.length && order[at]!.isDecided) this.#pass(order[at++]!);
    if (at === order.length) this.#orders.delete(progress);
    else if (at > 0) this.#orders.set(progress, order.slice(at));
  }

  /** Passes on the rows so far, and, of a decided message, all the rest. */
  #pass(work: Work): void {
    work.rowsSince = 0;
    if (!work.progress.isOver) {
      const { routes } = this.#options;
      if (routes.to !== undefined) this.#passRows(work, routes.to, work.rows, work.rowCount);
      else {
        this.#passRows(work, routes.allowed, work.allowed, work.allowed.length);
        this.#passRows(work, routes.disallowed, work.disallowed, work.disallowed.length);
      }
      if (work.isDecided) this.#passBad(work);
    }
    work.rows = [];
    work.allowed = [];
    work.disallowed = [];
    work.rowCount = 0;
    work.isPassed = work.isDecided;
    this.#finishWhenDone(work);
  }

  #passRows(work: Work, topic: string | undefined, rows: readonly Buffer[], count: number): void {
    if (rows.length === 0) return;
    const { counts, urlFrom } = this.#options;
    if (topic === undefined) {
      counts.lines.leftOut += count;
      work.fates.add("leftOut");
      return;
    }
    if (urlFrom === "key") {
      const answer = answerOf(rows[0]!);
      const record = this.#letters.withAnswer(work, topic, answer);
      counts.lines.out += count;
      work.fates.add("out");
      this.#push(work, record);
      return;
    }
    const { records, tooLarge } = this.#letters.rowsOf(work, topic, rows);
    for (const record of records) this.#push(work, record);
    for (const row of tooLarge) this.#passDead(work, row, [{ line: 0, code: "too-large", reason: `is larger than ${topic} takes` }], 1);
    counts.lines.out += count - tooLarge.length;
    if (records.length > 0) work.fates.add("out");
  }

  #passBad(work: Work): void {
    const { bad, record } = work;
    if (bad.length === 0) {
      // Blank lines alone.
      if (work.fates.size > 0 || work.unsent > 0) return;
      this.#options.counts.lines.in++;
      this.#passDead(work, record.value, [{ line: 0, code: "no-record", reason: "has no record" }], 1);
      return;
    }
    const numbers = bad.map(({ line }) => line).filter((line) => line > 0);
    const value = numbers.length === 0 || this.#options.urlFrom === "key" ? record.value : linesAt(work.value, numbers);
    this.#passDead(work, value, bad, bad.length);
  }

  #passDead(work: Work, value: Buffer | null, bad: readonly BadLine[], lines: number): void {
    const { counts, routes, onDead } = this.#options;
    counts.lines.dead += lines;
    work.fates.add("dead");
    for (const code of new Set(bad.map((each) => each.code))) onDead(code, bad.filter((each) => each.code === code).length);
    if (routes.dead !== undefined) this.#push(work, this.#letters.deadOf(work, routes.dead, value, bad));
  }

  #push(work: Work, record: OutputRecord): void {
    work.unsent++;
    this.#outbox.push(this.#outgoingOf(work, record));
  }

  #outgoingOf(work: Work, record: OutputRecord): Outgoing {
    const { counts, routes } = this.#options;
    return {
      record,
      bytes: sizeOf(record),
      onSent: () => {
        counts.written.set(record.topic, (counts.written.get(record.topic) ?? 0) + 1);
        work.unsent--;
        this.#finishWhenDone(work);
      },
      onTooLarge: () => {
        this.#options.onDead("too-large", 1);
        if (routes.dead === undefined || record.topic === routes.dead) {
          work.unsent--;
          this.#finishWhenDone(work);
          return undefined;
        }
        const bad = [{ line: 0, code: "too-large", reason: `was refused by ${record.topic} for its size` }];
        const value = record.value === null ? null : record.value.subarray(0, 65_536);
        return this.#outgoingOf(work, this.#letters.deadOf(work, routes.dead, value, bad));
      },
    };
  }

  #finishWhenDone(work: Work): void {
    if (!work.isPassed || work.unsent > 0 || !this.#works.delete(work)) return;
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

  /** Copies what has been here for long, and gives up what waited too long. */
  #sweepWorks(): void {
    const now = Date.now();
    const { maxWaitMs } = this.#options;
    for (const work of this.#works) {
      const age = now - work.arrivedAt;
      if (age < copiedAfterMs && age < maxWaitMs) break;
      if (!work.isCopied) copy(work);
      if (age >= maxWaitMs && !work.isDecided) this.#giveUp(work);
    }
    if (!this.#options.ordered) this.#pump();
  }

  #giveUp(work: Work): void {
    // Its last part, which comes now, must not complete it before the rest is passed on.
    work.unsent++;
    const withdrawn = this.decider.withdraw(work, work.value);
    if (withdrawn !== undefined && withdrawn.lines.length > 0) this.#passLater(work, withdrawn);
    work.unsent--;
    this.#finishWhenDone(work);
  }

  #passLater(work: Work, { lines, bytes }: { readonly lines: readonly number[]; readonly bytes: Buffer }): void {
    const { routes, counts, urlFrom } = this.#options;
    counts.lines.in += lines.length;
    const value = urlFrom === "key" ? work.record.value : bytes;
    if (work.progress.isOver) return;
    if (routes.later === undefined) {
      const bad = lines.map((line) => ({ line, code: "waited", reason: "its robots.txt did not come in time (--max-wait)" }));
      this.#passDead(work, urlFrom === "key" ? value : bytes.subarray(0, -1), bad, lines.length);
      return;
    }
    counts.lines.later += lines.length;
    work.fates.add("later");
    if (urlFrom === "key" || value === null) {
      const { key, headers, timestamp } = work.record;
      this.#push(work, { topic: routes.later, key, value, headers, timestamp, partition: work.partition });
      return;
    }
    const { records, tooLarge } = this.#letters.laterOf(work, routes.later, value);
    for (const record of records) this.#push(work, record);
    for (const line of tooLarge) {
      counts.lines.later--;
      this.#passDead(work, line, [{ line: 0, code: "too-large", reason: `is larger than ${routes.later} takes` }], 1);
    }
  }
}

const none = Buffer.alloc(0);

/** A value in the framing of schema registries: a zero byte, then the number of a schema. */
function isFramed(value: Buffer): boolean {
  return value.length >= 5 && value[0] === 0;
}

function copy(work: Work): void {
  const { key, value, headers, offset, timestamp } = work.record;
  const isOwn = work.value !== value;
  const copied = value === null ? null : Buffer.from(value);
  const names = headers.map(([name, text]) => [Buffer.from(name), text === null ? null : Buffer.from(text)] as const);
  work.record = { offset, timestamp, key: key === null ? null : Buffer.from(key), value: copied, headers: names };
  if (!isOwn && copied !== null) work.value = copied;
  work.isCopied = true;
}

/** The answer in the row of a record that has only a URL. */
function answerOf(row: Buffer): Buffer {
  const { robots } = JSON.parse(row.toString()) as { readonly robots: unknown };
  return Buffer.from(JSON.stringify(robots));
}
