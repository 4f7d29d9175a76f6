// Writes messages and waits for their acknowledgement.
import { compatibilityPartitioner, type MessageToProduce, Producer } from "@platformatic/kafka";
import { type ClientOptions, sentenceOf } from "./client.ts";
import type { OutputRecord } from "./types.ts";

const leastPauseMs = 250;
const mostPauseMs = 5_000;

/**
 * The client writes wrong timestamps if a message of a batch is 2^31 ms (24 days) or more from the first one: its encoder of variable-sized
 * integers shifts the sign of a 64-bit integer by 31 bits.
 */
export const mostSpanMs: bigint = 2n ** 31n - 1n;

/** Writes messages that all in-sync replicas must acknowledge. */
export class Writer {
  readonly #client: Producer;

  /** `say` receives the first failure of a request that is repeated. */
  constructor(options: ClientOptions, say: (sentence: string) => void) {
    this.#client = new Producer({
      ...options,
      idempotent: true,
      // While brokers restart, requests are repeated for as long as it takes, and written once.
      retries: true,
      retryDelay(_client, _operation, attempt, _retries, error) {
        if (attempt === 1) say(`write: ${sentenceOf(error)}; it is repeated until it succeeds`);
        return Math.min(leastPauseMs * 2 ** Math.min(attempt - 1, 10), mostPauseMs);
      },
      strict: false,
      // The partition that Java's clients choose, so that a key stays in the partition that other programs expect.
      partitioner: (message, key) => compatibilityPartitioner(message, key),
    });
    this.#client.on("error", () => undefined);
  }

  /**
   * Resolves when all messages are acknowledged. Rejects if messages are refused for good (for their size, or for a missing permission),
   * and after `close`. The times of the messages must lie within `mostSpanMs`.
   */
  async send(records: readonly OutputRecord[]): Promise<void> {
    await this.#client.send({ messages: records.map(messageOf) });
  }

  async close(): Promise<void> {
    await this.#client.close(true);
  }
}

function messageOf({ topic, key, value, headers, timestamp, partition }: OutputRecord) {
  // A key of the map is an object, so repeated names and the order are kept. A header without a value has none.
  return {
    topic,
    timestamp,
    ...(key === null ? { partition } : { key }),
    // The client writes null for undefined: a message without a value.
    value: (value ?? undefined) as Buffer,
    ...(headers.length === 0 ? {} : { headers: new Map(headers as readonly [Buffer, Buffer][]) }),
  } satisfies MessageToProduce;
}
