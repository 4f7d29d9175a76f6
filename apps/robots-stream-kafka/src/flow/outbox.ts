// Output messages with the input message that they belong to in, in their order; requests to the brokers out, and acknowledgements back.
import type { OutputRecord } from "../kafka/types.ts";

/** Writes messages; `isTooLarge` returns whether a request was refused for its size. */
export interface Writing {
  send(records: readonly OutputRecord[]): Promise<void>;
  isTooLarge(error: unknown): boolean;
}

/** A message to be written. */
export interface Outgoing {
  readonly record: OutputRecord;
  readonly bytes: number;
  /** Called once it is acknowledged. */
  onSent(): void;
  /** Called when it alone is too large; returns what is written instead, if anything. */
  onTooLarge(): Outgoing | undefined;
}

/** Bytes that a message takes besides key, value and headers, at most. */
const overheadBytes = 64;

/** The size of a message in a request. */
export function sizeOf({ key, value, headers }: Pick<OutputRecord, "key" | "value" | "headers">): number {
  let bytes = overheadBytes + (key?.length ?? 0);
  if (Array.isArray(value)) for (const part of value as readonly Buffer[]) bytes += part.length;
  else bytes += value?.length ?? 0;
  for (const [name, text] of headers) bytes += name.length + (text?.length ?? 0) + 10;
  return bytes;
}

/** The settings of an outbox. */
export interface OutboxOptions {
  readonly writing: Writing;
  /** Bytes of one request; a larger message goes alone. */
  readonly mostBytes: number;
  readonly mostRecords: number;
  /** Called when a request failed for good. */
  onFailure(error: unknown): void;
}

/** Writes one request at a time, so that the order is kept. */
export class Outbox {
  readonly #options: OutboxOptions;
  #queue: Outgoing[] = [];
  #isSending = false;
  #isClosed = false;
  /** Bytes that wait or are under way. */
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

  /** Writes nothing more. */
  close(): void {
    this.#isClosed = true;
    this.#queue = [];
  }

  async #run(): Promise<void> {
    this.#isSending = true;
    // What arrives in the same turn goes together.
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

  #take(): readonly Outgoing[] {
    const { mostBytes, mostRecords } = this.#options;
    let bytes = 0;
    let count = 0;
    for (const outgoing of this.#queue) {
      if (count > 0 && (bytes + outgoing.bytes > mostBytes || count === mostRecords)) break;
      bytes += outgoing.bytes;
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
      // The limit of a topic was lowered. One by one, the message that is too large is found; others may be written twice.
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
