// Fetches the messages at given positions of partitions, over connections that the consumer group does not use.
import { Consumer, ListOffsetTimestamps, type RecordsBatch } from "@platformatic/kafka";
import { type ClientOptions } from "./connection.ts";
import { isApi } from "./failures.ts";
import type { Fetched, InputRecord, Position, TopicPartition } from "./types.ts";

/**
 * Maximum number of compressed bytes of one response (`mostBytes`), and of one partition in a response (`mostPartitionBytes`). A larger
 * batch is sent alone.
 */
const mostBytes = 4 * 1_048_576;
const mostPartitionBytes = 1_048_576;
/** How long a broker waits for new messages before it responds. */
const mostWaitMs = 500;

type FetchResponse = Awaited<ReturnType<Consumer["fetch"]>>;

const isControl = 1 << 5;
const outOfRangeCode = 1;

/** Reads messages and offsets without joining a group. */
export class Reader {
  readonly #client: Consumer;
  readonly #topic: string;

  constructor(options: ClientOptions, groupId: string, topic: string) {
    this.#client = new Consumer({ ...options, groupId, maxBytes: mostBytes, maxWaitTime: mostWaitMs, minBytes: 1 });
    this.#client.on("error", () => undefined);
    this.#client.topics.track(topic);
    this.#topic = topic;
  }

  /** The leader of each partition. Rejects if no broker responds or the topic does not exist. */
  async leaders(): Promise<readonly number[]> {
    return (await this.#metadata()).partitions.map(({ leader }) => leader);
  }

  /**
   * Sends one fetch request to a leader. Resolves to the partitions that have messages, or whose position does not exist. Rejects if the
   * whole request is refused. If the leader refuses single partitions, calls `onRefused` for each of these partitions with Kafka's error
   * code.
   */
  async fetch(
    node: number,
    positions: readonly Position[],
    onRefused: (partition: number, code: number) => void,
  ): Promise<readonly Fetched[]> {
    const { id } = await this.#metadata();
    const partitions = positions.map(({ partition, offset }) => ({
      partition,
      fetchOffset: offset,
      currentLeaderEpoch: -1,
      lastFetchedEpoch: -1,
      partitionMaxBytes: mostPartitionBytes,
    }));
    let response: FetchResponse;
    try {
      response = await this.#client.fetch({ node, topics: [{ topicId: id, partitions }] });
    } catch (error) {
      const partial = (error as { readonly response?: FetchResponse }).response;
      if (partial?.errorCode !== 0 || partial.responses.length === 0) throw error;
      response = partial;
    }
    const asked = new Map(positions.map((position) => [position.partition, position]));
    const fetched: Fetched[] = [];
    for (const each of response.responses.flatMap(({ partitions: all }) => all)) {
      const position = asked.get(each.partitionIndex);
      // A fetch session may still include a partition that is no longer requested.
      if (position === undefined) continue;
      if (each.errorCode === outOfRangeCode) {
        const first =
          each.logStartOffset >= 0n ? each.logStartOffset : await this.#edge(position, ListOffsetTimestamps.EARLIEST);
        fetched.push({ ...position, records: [], next: position.offset, end: each.highWatermark, outOfRange: first });
      } else if (each.errorCode !== 0) onRefused(each.partitionIndex, each.errorCode);
      else if (each.records !== null && each.records !== undefined && each.records.length > 0)
        fetched.push(fetchedOf(position, each.records, each.lastStableOffset));
    }
    return fetched;
  }

  /** The first offset of each partition ("earliest"), or the offset after its last message ("latest"). */
  async edges(
    partitions: readonly TopicPartition[],
    edge: "earliest" | "latest",
  ): Promise<ReadonlyMap<number, bigint>> {
    const timestamp = edge === "earliest" ? ListOffsetTimestamps.EARLIEST : ListOffsetTimestamps.LATEST;
    const numbers = partitions.map(({ partition }) => partition);
    const offsets = await this.#client.listOffsets({
      topics: [this.#topic],
      partitions: { [this.#topic]: numbers },
      timestamp,
    });
    const found = offsets.get(this.#topic) ?? [];
    return new Map(numbers.map((partition) => [partition, found[partition] ?? 0n]));
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  async #edge({ topic, partition }: TopicPartition, timestamp: bigint): Promise<bigint> {
    const offsets = await this.#client.listOffsets({
      topics: [topic],
      partitions: { [topic]: [partition] },
      timestamp,
    });
    return offsets.get(topic)?.[partition] ?? 0n;
  }

  async #metadata(): Promise<{ readonly id: string; readonly partitions: readonly { readonly leader: number }[] }> {
    const { topics } = await this.#client.metadata({ topics: [this.#topic] });
    return topics.get(this.#topic)!;
  }
}

/** Whether the error means that the topic does not exist, temporarily or permanently. */
export function isMissingTopic(error: unknown): boolean {
  return (
    isApi(error, "UNKNOWN_TOPIC_OR_PARTITION") || (error instanceof Error && error.message.startsWith("Unknown topic "))
  );
}

function fetchedOf(position: Position, batches: readonly RecordsBatch[], end: bigint): Fetched {
  const records: InputRecord[] = [];
  let next = position.offset;
  for (const batch of batches) {
    const last = batch.firstOffset + BigInt(batch.lastOffsetDelta) + 1n;
    if (last > next) next = last;
    if ((batch.attributes & isControl) !== 0) continue;
    for (const { offsetDelta, timestampDelta, key, value, headers } of batch.records) {
      const offset = batch.firstOffset + BigInt(offsetDelta);
      // Brokers send whole batches, even if the position is in the middle of a batch.
      if (offset < position.offset) continue;
      records.push({
        offset,
        timestamp: batch.firstTimestamp + timestampDelta,
        key: key ?? null,
        value: value ?? null,
        headers: headers as unknown as InputRecord["headers"],
      });
    }
  }
  return { topic: position.topic, partition: position.partition, records, next, end };
}
