// Turns a message's rows, bad lines and lines that waited too long into output messages, writes them, and counts the fate of each line.
import { createHash } from "node:crypto";
import { mostSpanMs } from "../kafka/writer.ts";
import type { Header, OutputRecord } from "../kafka/types.ts";
import type { Counts, Fate } from "./counts.ts";
import type { Flow } from "../settings.ts";
import { Outbox, type Outgoing, type OutboxOptions, sizeOf } from "./outbox.ts";
import type { BadLine, Work, WorkRows } from "./work.ts";

export interface DeliveryOptions extends Flow, Pick<OutboxOptions<Sent>, "send" | "isTooLarge" | "onFailure"> {
  readonly counts: Counts;
  /** Returns the maximum size, in bytes, of a topic's batch that contains one message. */
  limitOf(topic: string): number;
  onDead(code: string, count: number): void;
  /** Called when an output message is acknowledged or cannot be written anywhere. */
  onSettled(work: Work): void;
}

/** An output message of a message, and the fate of its lines, which are counted when it is acknowledged, or as dead if it is too large. */
interface Sent extends Outgoing {
  readonly work: Work;
  readonly fate: "out" | "later" | "dead";
  readonly lines: number;
}

/** Maximum number of bytes and of messages in one request. The brokers' default limit of a batch is 1,048,588 bytes. */
const requestBytes = 900_000;
const requestRecords = 10_000;
/** Limit of the bytes that wait to be written. At this limit, there is no room: more waiting bytes would not make writing faster. */
const mostUnwrittenBytes = 4 * requestBytes;
/** Maximum number of bytes that are kept of a value that is cut. */
const mostKept = 65_536;
/** Upper bound of the bytes of a batch without its messages. */
const batchBytes = 100;

/** Writes the output of messages. */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #outbox: Outbox<Sent>;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    const topics = Object.values(options.routes).filter((topic) => topic !== undefined);
    this.#outbox = new Outbox<Sent>({
      ...options,
      mostBytes: Math.min(requestBytes, ...topics.map((topic) => options.limitOf(topic) - 2 * batchBytes)),
      mostRecords: requestRecords,
      mostSpanMs,
      onSent: (sent) => this.#onSent(sent),
      onTooLarge: (sent) => this.#onTooLarge(sent),
    });
  }

  get hasRoom(): boolean {
    return this.#outbox.bytes < mostUnwrittenBytes;
  }

  /** Stops writing; what waits is dropped. */
  close(): void {
    this.#outbox.close();
  }

  /** Rows of one topic. */
  rows(work: Work, { topic, bytes, count }: WorkRows): void {
    if (topic === undefined) this.#count(work, "leftOut", count);
    else if (this.#options.urlFrom === "value") this.#pushAll(work, topic, bytes, "out", count);
    else {
      const { robots } = JSON.parse(bytes.toString()) as { readonly robots: unknown };
      const header = ["robots-stream.answer", Buffer.from(JSON.stringify(robots))] as const;
      const record = this.#recordOf(work, topic, work.record.value, this.#headersOf(work, [header]));
      this.#push({ work, record, fate: "out", lines: count });
    }
  }

  /** A row without an answer. */
  undecided(work: Work, row: Buffer): void {
    const bad = { line: 0, code: "undecided", reason: "no robots.txt applies to its URL" };
    this.#dead(work, row.subarray(0, -1), [bad]);
  }

  /** The dead letters of a decided message. */
  bad(work: Work): void {
    const { bad, record } = work;
    if (bad.length === 0) {
      if (work.fate !== undefined || work.unsent > 0) return;
      // Every line of the message is blank or, for example, the heading of a log: neither a record nor a bad line.
      this.#options.counts.lines.in++;
      this.#dead(work, record.value, [{ line: 0, code: "no-record", reason: "has no record" }]);
      return;
    }
    const numbers = bad.map(({ line }) => line).filter((line) => line > 0);
    const isWhole = numbers.length === 0 || this.#options.urlFrom === "key";
    this.#dead(work, isWhole ? record.value : linesAt(work.value, numbers), bad);
  }

  /** Lines that were withdrawn because they waited too long. */
  later(work: Work, { lines: numbers, bytes }: { readonly lines: readonly number[]; readonly bytes: Buffer }): void {
    const { routes, counts, urlFrom } = this.#options;
    const { value, headers } = work.record;
    counts.lines.in += numbers.length;
    if (work.progress.isOver) return;
    if (routes.later === undefined) {
      const reason = "its robots.txt did not arrive in time (--max-wait)";
      const bad = numbers.map((line) => ({ line, code: "waited", reason }));
      this.#dead(work, urlFrom === "key" ? value : bytes.subarray(0, -1), bad);
      return;
    }
    const lines = numbers.length;
    if (urlFrom === "value") this.#pushAll(work, routes.later, bytes, "later", lines);
    else this.#push({ work, record: this.#recordOf(work, routes.later, value, headers), fate: "later", lines });
  }

  #count(work: Work, fate: Fate, lines: number): void {
    this.#options.counts.lines[fate] += lines;
    work.addFate(fate);
  }

  /** A dead letter about the lines in `bad`. */
  #dead(work: Work, value: Buffer | null, bad: readonly BadLine[]): void {
    const { routes, onDead } = this.#options;
    for (const { code } of bad) onDead(code, 1);
    if (routes.dead === undefined || work.progress.isOver) this.#count(work, "dead", bad.length);
    else this.#push({ work, record: this.#letterOf(work, routes.dead, value, bad), fate: "dead", lines: bad.length });
  }

  /**
   * One message with these rows, or several if the topic's limit requires it. Each row ends with a line end; a message's last line end is
   * cut. Rows that are too large for the topic become dead letters.
   */
  #pushAll(work: Work, topic: string, rows: Buffer, fate: Sent["fate"], all: number): void {
    const headers = this.#headersOf(work, []);
    const most = this.#mostValue(work, topic, headers);
    const values: Buffer[] = [];
    const tooLarge: Buffer[] = [];
    for (let start = 0; start < rows.length;) {
      let end = rows.length;
      const isLarge = end - start - 1 > most;
      const rowEnd = isLarge ? rows.indexOf(newline, start) + 1 : end;
      const isTooLarge = rowEnd - 1 - start > most;
      if (isLarge) end = isTooLarge ? rowEnd : Math.max(rowEnd, rows.lastIndexOf(newline, start + most) + 1);
      (isTooLarge ? tooLarge : values).push(rows.subarray(start, end - 1));
      start = end;
    }
    for (const value of values) {
      const lines = values.length === 1 ? all - tooLarge.length : value.toString("latin1").split("\n").length;
      this.#push({ work, record: this.#recordOf(work, topic, value, headers), fate, lines });
    }
    const reason = `exceeds the maximum message size of topic ${topic}`;
    for (const row of tooLarge) this.#dead(work, row, [{ line: 0, code: "too-large", reason }]);
  }

  #push(sent: Sent): void {
    sent.work.unsent++;
    this.#outbox.push(sent);
  }

  #onSent({ work, record: { topic }, fate, lines }: Sent): void {
    const { written } = this.#options.counts;
    written.set(topic, (written.get(topic) ?? 0) + 1);
    this.#count(work, fate, lines);
    this.#settle(work);
  }

  #onTooLarge({ work, record: { topic, value }, fate, lines }: Sent): Sent | undefined {
    const { routes, onDead } = this.#options;
    onDead("too-large", fate === "dead" ? 1 : lines);
    if (routes.dead === undefined || topic === routes.dead) {
      this.#count(work, "dead", lines);
      this.#settle(work);
      return undefined;
    }
    const bad = [{ line: 0, code: "too-large", reason: `is too large for topic ${topic}: the broker refused it` }];
    // The limit of the dead-letter topic may be lower than is known, too: the letter has only the beginning of a large value.
    return { work, record: this.#letterOf(work, routes.dead, value, bad, mostKept), fate: "dead", lines };
  }

  #settle(work: Work): void {
    work.unsent--;
    this.#options.onSettled(work);
  }

  /**
   * A dead letter: `value`, with the codes and the first reason of `bad` in headers. A value above the topic's limit, or of more than
   * `mostWhole` bytes, is cut; headers then contain the length and the SHA-256 of the whole value.
   */
  #letterOf(
    work: Work,
    topic: string,
    value: Buffer | null,
    bad: readonly BadLine[],
    mostWhole: number = Infinity,
  ): OutputRecord {
    const own = work.record.headers;
    const numbers = bad.map(({ line }) => line).filter((line) => line > 0);
    const more = named([
      ["robots-stream.code", [...new Set(bad.map(({ code }) => code))].join(",")],
      ["robots-stream.reason", (bad[0]?.reason ?? "").slice(0, 500)],
      ...this.#placeOf(work),
      ...(numbers.length === 0 ? [] : [["robots-stream.lines", rangesOf(numbers, 2_000)] as const]),
    ]);
    const most = this.#mostValue(work, topic, [...own, ...more]);
    if (value === null || value.length <= Math.min(most, mostWhole))
      return this.#recordOf(work, topic, value, [...own, ...more]);
    const digest = createHash("sha256").update(value).digest("hex");
    more.push(
      ...named([
        ["robots-stream.bytes", String(value.length)],
        ["robots-stream.sha256", digest],
      ]),
    );
    const kept = value.subarray(0, Math.max(0, Math.min(most - 200, mostKept)));
    // If the key and the headers leave fewer than 400 bytes for the value, the key and the input message's headers are left out too.
    if (most >= 400) return this.#recordOf(work, topic, kept, [...own, ...more]);
    return { ...this.#recordOf(work, topic, kept, more), key: null };
  }

  #recordOf(work: Work, topic: string, value: Buffer | null, headers: readonly Header[]): OutputRecord {
    const { key, timestamp } = work.record;
    return { topic, key, value, headers, timestamp, partition: work.progress.partition };
  }

  #headersOf(work: Work, more: Parameters<typeof named>[0]): readonly Header[] {
    const { headers } = work.record;
    const all = this.#options.sourceHeaders ? [...this.#placeOf(work), ...more] : more;
    return all.length === 0 ? headers : [...headers, ...named(all)];
  }

  #placeOf({ progress, record }: Work) {
    return [
      ["robots-stream.topic", this.#options.topic],
      ["robots-stream.partition", String(progress.partition)],
      ["robots-stream.offset", String(record.offset)],
    ] as const;
  }

  #mostValue({ record: { key } }: Work, topic: string, headers: readonly Header[]): number {
    return this.#options.limitOf(topic) - batchBytes - sizeOf({ key, value: null, headers });
  }
}

function named(headers: readonly (readonly [name: string, value: string | Buffer])[]): Header[] {
  return headers.map(([name, value]) => [Buffer.from(name), Buffer.from(value as string)]);
}

const newline = 0x0a;

/** The numbers in ascending order as ranges, such as "1-3,7", cut at `most` characters. */
function rangesOf(numbers: readonly number[], most: number): string {
  const parts: string[] = [];
  const sorted = numbers.toSorted((a, b) => a - b);
  for (let at = 0; at < sorted.length;) {
    let end = at;
    while (sorted[end + 1] === sorted[end]! + 1) end++;
    parts.push(end === at ? `${sorted[at]}` : `${sorted[at]}-${sorted[end]}`);
    at = end + 1;
  }
  const text = parts.join(",");
  return text.length <= most ? text : `${text.slice(0, text.lastIndexOf(",", most))},…`;
}

/** The lines with these numbers, joined by line ends. */
export function linesAt(value: Buffer, numbers: readonly number[]): Buffer {
  const wanted = new Set(numbers);
  const lines = value.toString("latin1").split("\n");
  return Buffer.from(lines.filter((_line, at) => wanted.has(at + 1)).join("\n"), "latin1");
}
