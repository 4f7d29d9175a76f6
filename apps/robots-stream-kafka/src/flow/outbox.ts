// Queues output messages in order, writes them to the brokers in requests, and reports each acknowledgement.
import type { OutputRecord } from "../kafka/types.ts";

/** A message to be written. */
export interface Outgoing {
  readonly record: OutputRecord;
}

export interface OutboxOptions<Out extends Outgoing> {
  send(records: readonly OutputRecord[]): Promise<void>;
  /** Whether an error of `send` means that the brokers refused a request for its size. */
  isTooLarge(error: unknown): boolean;
  /** Maximum number of bytes in one request; a larger message is sent alone. */
  readonly mostBytes: number;
  readonly mostRecords: number;
  /** Maximum difference between the times of two messages of a request, in milliseconds. */
  readonly mostSpanMs: bigint;
  /** Called once a message is acknowledged. */
  onSent(outgoing: Out): void;
  /** Called if a message alone is too large; returns the message to write instead, or undefined for none. */
  onTooLarge(outgoing: Out): Out | undefined;
  /** Called when a request has failed and is not retried. */
  onFailure(error: unknown): void;
}

/** Upper bound of a message's bytes besides key, value and headers. */
const overheadBytes = 64;

/** Upper bound of the size of a message in a request, in bytes. */
export function sizeOf({ key, value, headers }: Pick<OutputRecord, "key" | "value" | "headers">): number {
  let bytes = overheadBytes + (key?.length ?? 0) + (value?.length ?? 0);
  for (const [name, text] of headers) bytes += name.length + (text?.length ?? 0) + 10;
  return bytes;
}

/** Sends one request at a time, so that the messages keep their order. */
export class Outbox<Out extends Outgoing> {
  readonly #options: OutboxOptions<Out>;
  #queue: Out[] = [];
  #isSending = false;
  #isClosed = false;
  /** Bytes that are queued or being sent. */
  bytes = 0;

  constructor(options: OutboxOptions<Out>) {
    this.#options = options;
  }

  push(outgoing: Out): void {
    this.#queue.push(outgoing);
    this.bytes += sizeOf(outgoing.record);
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
      while (this.#queue.length > 0 && !this.#isClosed) await this.#send(this.#take());
    } catch (error) {
      if (!this.#isClosed) this.#options.onFailure(error);
      this.close();
    } finally {
      this.#isSending = false;
    }
  }

  /** Takes the messages of the next request: one at least. */
  #take(): readonly Out[] {
    const { mostBytes, mostRecords, mostSpanMs } = this.#options;
    let [bytes, count] = [0, 0];
    let [least, most] = [0n, 0n];
    for (const { record } of this.#queue) {
      const { timestamp } = record;
      if (count === 0 || timestamp < least) least = timestamp;
      if (count === 0 || timestamp > most) most = timestamp;
      bytes += sizeOf(record);
      if (count > 0 && (bytes > mostBytes || count === mostRecords || most - least > mostSpanMs)) break;
      count++;
    }
    return this.#queue.splice(0, count);
  }

  async #send(batch: readonly Out[]): Promise<void> {
    const { onSent, onTooLarge, send, isTooLarge } = this.#options;
    try {
      await send(batch.map(({ record }) => record));
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      // A topic's limit was lowered. Sending the messages one by one finds the message that is too large; the other messages may be written
      // twice.
      if (batch.length > 1) {
        for (const outgoing of batch) await this.#send([outgoing]);
        return;
      }
      const instead = onTooLarge(batch[0]!);
      this.bytes -= sizeOf(batch[0]!.record);
      if (instead === undefined) return;
      this.bytes += sizeOf(instead.record);
      await this.#send([instead]);
      return;
    }
    for (const outgoing of batch) {
      this.bytes -= sizeOf(outgoing.record);
      onSent(outgoing);
    }
  }
}
