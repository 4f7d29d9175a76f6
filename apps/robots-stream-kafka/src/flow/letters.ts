// Makes output messages from an input message and its result: messages with rows (split at the topic's limit), the input message with its
// answer in a header, and dead letters.
import { createHash } from "node:crypto";
import type { Header, InputRecord, OutputRecord, TopicPartition } from "../kafka/types.ts";
import { sizeOf } from "./outbox.ts";

const newline = 0x0a;

/** An input message with its topic and partition. */
export interface Source extends TopicPartition {
  readonly record: InputRecord;
}

export interface LetterOptions {
  /** Returns the maximum size, in bytes, of a topic's batch that contains one message. */
  limitOf(topic: string): number;
  readonly sourceHeaders: boolean;
}

/** A line of a message that is not a record, or that has no answer. */
export interface BadLine {
  readonly line: number;
  readonly code: string;
  readonly reason: string;
}

/** Output messages with rows, and the rows that are too large for the topic. */
export interface RowMessages {
  readonly records: readonly OutputRecord[];
  readonly tooLarge: readonly Buffer[];
}

export class Letters {
  readonly #options: LetterOptions;

  constructor(options: LetterOptions) {
    this.#options = options;
  }

  /**
   * One message with these rows, or several if the topic's limit requires it. Each row ends with a line end; a message's last line end is
   * cut.
   */
  rowsOf(source: Source, topic: string, rows: readonly Buffer[]): RowMessages {
    const most = this.#mostValue(source, topic, this.#headersOf(source));
    const all = joined(rows);
    const records: OutputRecord[] = [];
    const tooLarge: Buffer[] = [];
    for (let start = 0; start < all.length;) {
      let end = all.length;
      if (end - start - 1 > most) {
        const rowEnd = all.indexOf(newline, start) + 1;
        end = Math.max(rowEnd, all.lastIndexOf(newline, start + most) + 1);
        if (rowEnd - 1 - start > most) {
          tooLarge.push(all.subarray(start, rowEnd - 1));
          start = rowEnd;
          continue;
        }
      }
      records.push(this.#record(source, topic, all.subarray(start, end - 1), []));
      start = end;
    }
    return { records, tooLarge };
  }

  /** The input message with its answer as an additional header. */
  withAnswer(source: Source, topic: string, answer: Buffer): OutputRecord {
    return this.#record(source, topic, source.record.value, [["robots-stream.answer", answer]]);
  }

  /**
   * A dead letter: `value`, with the codes and the first reason of `bad` in headers. A value above the topic's limit, or of more than
   * `mostWhole` bytes, is cut; headers then contain the length and the SHA-256 of the whole value.
   */
  deadOf(
    source: Source,
    topic: string,
    value: Buffer | null,
    bad: readonly BadLine[],
    mostWhole: number = Infinity,
  ): OutputRecord {
    const codes = [...new Set(bad.map(({ code }) => code))].join(",");
    const numbers = bad.map(({ line }) => line).filter((line) => line > 0);
    const more: [string, Buffer][] = [
      ["robots-stream.code", Buffer.from(codes)],
      ["robots-stream.reason", Buffer.from((bad[0]?.reason ?? "").slice(0, 500))],
      ...this.#placeOf(source),
    ];
    if (numbers.length > 0) more.push(["robots-stream.lines", Buffer.from(rangesOf(numbers, 2_000))]);
    const most = this.#mostValue(source, topic, [...source.record.headers, ...named(more)]);
    if (value === null || value.length <= Math.min(most, mostWhole))
      return this.#record(source, topic, value, more, false);
    more.push(["robots-stream.bytes", Buffer.from(String(value.length))]);
    more.push(["robots-stream.sha256", Buffer.from(createHash("sha256").update(value).digest("hex"))]);
    const kept = Math.max(0, Math.min(most - 200, mostKept));
    // If the key and the headers leave fewer than 400 bytes for the value, the key and the input message's headers are left out too.
    const isFitting = most >= 400;
    const record = this.#record(source, topic, value.subarray(0, kept), more, false);
    return isFitting ? record : { ...record, key: null, headers: named(more) };
  }

  #record(
    source: Source,
    topic: string,
    value: OutputRecord["value"],
    more: readonly [string, Buffer][],
    mayName = true,
  ): OutputRecord {
    const { key, timestamp } = source.record;
    const own = mayName ? this.#headersOf(source) : source.record.headers;
    const headers = more.length === 0 ? own : [...own, ...named(more)];
    return { topic, key, value, headers, timestamp, partition: source.partition };
  }

  #headersOf(source: Source): readonly Header[] {
    const { headers } = source.record;
    return this.#options.sourceHeaders ? [...headers, ...named(this.#placeOf(source))] : headers;
  }

  #placeOf({ topic, partition, record }: Source): [string, Buffer][] {
    return [
      ["robots-stream.topic", Buffer.from(topic)],
      ["robots-stream.partition", Buffer.from(String(partition))],
      ["robots-stream.offset", Buffer.from(String(record.offset))],
    ];
  }

  #mostValue({ record }: Source, topic: string, headers: readonly Header[]): number {
    return this.#options.limitOf(topic) - batchBytes - sizeOf({ key: record.key, value: null, headers });
  }
}

/** Maximum number of bytes that are kept of a value that is cut. */
export const mostKept = 65_536;

/** Upper bound of the bytes of a batch without its messages. */
const batchBytes = 100;

function joined(parts: readonly Buffer[]): Buffer {
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

function named(headers: readonly (readonly [string, Buffer])[]): Header[] {
  return headers.map(([name, value]) => [Buffer.from(name), value]);
}

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
  const parts: Buffer[] = [];
  for (let start = 0, line = 1; start < value.length && parts.length < wanted.size; line++) {
    const found = value.indexOf(newline, start);
    const end = found < 0 ? value.length : found;
    if (wanted.has(line)) parts.push(value.subarray(start, end));
    start = end + 1;
  }
  return joined(parts.flatMap((part, at) => (at === 0 ? [part] : [lineEnd, part])));
}

const lineEnd = Buffer.from("\n");
