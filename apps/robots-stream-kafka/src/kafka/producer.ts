// Writes messages and waits for their acknowledgement, and reads the topics' limits of the size of a batch.
import { setTimeout as delay } from "node:timers/promises";
import { Admin, compatibilityPartitioner, ConfigResourceTypes, type MessageToProduce } from "@platformatic/kafka";
import type { ClientOptions } from "./connection.ts";
import { type BytesProducer, createEncodingProducer } from "./encoding-producer.ts";
import { isApi, isRefusal, sentenceOf } from "./failures.ts";
import type { OutputRecord } from "./types.ts";

const leastPauseMs = 250;
const mostPauseMs = 5_000;

/** Writes messages that all in-sync replicas must acknowledge. */
export class Writer {
  readonly #client: BytesProducer;
  readonly #say: (sentence: string) => void;
  #isClosed = false;

  constructor(options: ClientOptions, say: (sentence: string) => void) {
    this.#client = createEncodingProducer({
      ...options,
      idempotent: true,
      retries: 5,
      retryDelay: leastPauseMs,
      strict: false,
    });
    this.#client.on("error", () => undefined);
    this.#say = say;
  }

  /**
   * Resolves when all messages are acknowledged. Retries while brokers do not respond or respond with a temporary error, so messages may be
   * written twice. Rejects if messages are refused permanently (for their size, or for a missing permission), or if a request fails after
   * `close`. Only one call may be pending at a time.
   */
  async send(records: readonly OutputRecord[]): Promise<void> {
    const messages = records.map(messageOf);
    for (let pause = leastPauseMs; ; pause = Math.min(pause * 2, mostPauseMs)) {
      try {
        await this.#client.send({ messages, partitioner: partitionOf });
        return;
      } catch (error) {
        if (this.#isClosed || isTooLarge(error) || isRefusal(error)) throw error;
        if (pause === leastPauseMs) this.#say(`write: ${sentenceOf(error)}`);
        await delay(pause);
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client.close(true);
  }
}

/** Whether an error means that a request was refused for its size. */
export function isTooLarge(error: unknown): boolean {
  return isApi(error, "MESSAGE_TOO_LARGE") || isApi(error, "RECORD_LIST_TOO_LARGE");
}

type Outgoing = MessageToProduce;

/** The message in the library's form. A value in parts is passed on to the encoder unchanged. */
function messageOf({ topic, key, value, headers, timestamp, partition }: OutputRecord): Outgoing {
  const message = {
    topic,
    key: key ?? undefined,
    value: value ?? undefined,
    timestamp,
    ...(headers.length === 0 ? {} : { headers: mapOf(headers) }),
    ...(key === null ? { partition } : {}),
  };
  return message as unknown as Outgoing;
}

/** Headers as a Map. Each key is a distinct Buffer, so repeated names and the order are kept. */
function mapOf(headers: OutputRecord["headers"]): Map<Buffer, Buffer> {
  const map = new Map<Buffer, Buffer>();
  for (const [name, value] of headers) map.set(Buffer.from(name), value as Buffer);
  return map;
}

/** The partition that Java's clients choose, so that a key stays in the partition that other programs expect. */
function partitionOf(message: Outgoing, key?: Buffer): number {
  return compatibilityPartitioner(message as never, key as never);
}

/**
 * The maximum size of one batch of messages for each topic, in bytes. Topics that do not exist are absent. Rejects if no broker responds.
 */
export async function limitsOf(
  options: ClientOptions,
  topics: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const admin = new Admin({ ...options });
  try {
    const described = await admin.describeConfigs({
      resources: topics.map((resourceName) => ({
        resourceType: ConfigResourceTypes.TOPIC,
        resourceName,
        configurationKeys: ["max.message.bytes"],
      })),
    });
    const limits = new Map<string, number>();
    for (const { resourceName, configs } of described) {
      const value = Number(configs.find(({ name }) => name === "max.message.bytes")?.value);
      if (Number.isSafeInteger(value)) limits.set(resourceName, value);
    }
    return limits;
  } finally {
    await admin.close();
  }
}
