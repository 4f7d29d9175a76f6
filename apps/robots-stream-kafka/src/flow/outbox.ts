// Queues output messages in order, writes them to the brokers in requests, and reports each acknowledgement.
import type { OutputRecord } from "../kafka/types.ts";

/** Writes messages; `isTooLarge` returns whether an error means that the brokers refused a request for its size. */
export interface Writing {
  send(records: readonly OutputRecord[]): Promise<void>;
  isTooLarge(error: unknown): boolean;
}

/** A message to be written. */
export interface Outgoing {
  readonly record: OutputRecord;
  readonly bytes: number;
  /** Called once the message is acknowledged. */
  onSent(): void;
  /** Called if this message alone is too large; returns the message to write instead, or undefined for none. */
  onTooLarge(): Outgoing | undefined;
}

/** Upper bound of a message's bytes besides key, value and headers. */
const overheadBytes = 64;

/** Upper bound of the size of a message in a request, in bytes. */
export function sizeOf({ key, value, headers }: Pick<OutputRecord, "key" | "value" | "headers">): number {
  let bytes = overheadBytes + (key?.length ?? 0) + (value?.length ?? 0);
  for (const [name, text] of headers) bytes += name.length + (text?.length ?? 0) + 10;
  return bytes;
}

export interface OutboxOptions {
  readonly writing: Writing;
  /** Maximum number of bytes in one request; a larger message is sent alone. */
  readonly mostBytes: number;
  readonly mostRecords: number;
  /** Maximum difference between the times of two messages of a request, in milliseconds. */
  readonly mostSpanMs: bigint;
  /** Called when a request has failed and is not retried. */
  onFailure(error: unknown): void;
}

/** Sends one request at a time, so that the messages keep their order. */
export class Outbox {
  readonly #options: OutboxOptions;
  #queue: Outgoing[] = [];
  #isSending = false;
  #isClosed = false;
  /** Bytes that are queued or being sent. */
  bytes = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#queue.length === 0 && !this.#isSending;
  }

  push(outgoing: Outgoing): void {
    this.#queue.push(outgoing);
    this.bytes += outgoing.bytes;
    if (!this.#isSending) void this.#run();
  }

  /** Stops writing; queued messages are dropped. */
  close(): void {
    this.#isClosed = true;
    this.#queue = [];
  }

  async #run(): Promise<void> {
    this.#isSending = true;
    // Collect the messages of one event loop turn in one request.
    await new Promise<void>((resolve) => setImmediate(resolve));
    try {
      while (this.#queue.length > 0 && !this.#isClosed) {
        const batch = this.#take();
        await this.#send(batch);
      }
    } catch (error) {
      if (!this.#isClosed) this.#options.onFailure(error);
      this.close();
    } finally {
      this.#isSending = false;
    }
  }

  /** Takes the messages of the next request: one at least. */
  #take(): readonly Outgoing[] {
    const { mostBytes, mostRecords, mostSpanMs } = this.#options;
    let [bytes, count] = [0, 0];
    let [least, most] = [0n, 0n];
    for (const { bytes: each, record } of this.#queue) {
      const { timestamp } = record;
      if (count === 0 || timestamp < least) least = timestamp;
      if (count === 0 || timestamp > most) most = timestamp;
      const isFull = bytes + each > mostBytes || count === mostRecords || most - least > mostSpanMs;
      if (count > 0 && isFull) break;
      bytes += each;
      count++;
    }
    return this.#queue.splice(0, count);
  }

  async #send(batch: readonly Outgoing[]): Promise<void> {
    const { writing } = this.#options;
    try {
      await writing.send(batch.map(({ record }) => record));
    } catch (error) {
      if (!writing.isTooLarge(error)) throw error;
      // A topic's limit was lowered. Sending the messages one by one finds the message that is too large; the other messages may be written
      // twice.
      if (batch.length > 1) {
        for (const outgoing of batch) await this.#send([outgoing]);
        return;
      }
      const instead = batch[0]!.onTooLarge();
      this.bytes -= batch[0]!.bytes;
      if (instead === undefined) return;
      this.bytes += instead.bytes;
      await this.#send([instead]);
      return;
    }
    for (const { bytes, onSent } of batch) {
      this.bytes -= bytes;
      onSent();
    }
  }
}
