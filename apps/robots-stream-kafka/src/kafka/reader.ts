// Reads the messages and the offsets of a topic, over connections that the consumer group does not use.
import { Consumer, ListOffsetTimestamps, type RecordsBatch } from "@platformatic/kafka";
import type { ClientOptions } from "./client.ts";
import type { InputRecord, Offsets } from "./types.ts";

/**
 * Maximum number of compressed bytes of one response (`mostBytes`), and of one partition in a response (`mostPartitionBytes`). A larger
 * batch is sent alone.
 */
const mostBytes = 4 * 1_048_576;
const mostPartitionBytes = 1_048_576;
/** How long a broker waits for new messages before it responds. */
const mostWaitMs = 500;

/** The result of a fetch for one partition. */
export interface Fetched {
  readonly partition: number;
  readonly records: readonly InputRecord[];
  /**
   * The offset of the next request. It is after the records, and after offsets that have no record (because of compaction or transactions).
   */
  readonly next: bigint;
  /** The offset after the last readable message. */
  readonly end: bigint;
  /** Whether the requested offset does not exist. */
  readonly isOutOfRange?: boolean;
}

type FetchResponse = Awaited<ReturnType<Consumer["fetch"]>>;

const isControl = 1 << 5;
const outOfRangeCode = 1;

/** Reads messages and offsets without joining the group. */
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
   * Sends one fetch request to a leader. Resolves to the partitions that have messages, or whose offset does not exist. Rejects if the
   * whole request is refused. If the leader refuses single partitions, calls `onRefused` for each of these partitions with Kafka's error
   * code.
   */
  async fetch(
    node: number,
    offsets: Offsets,
    onRefused: (partition: number, code: number) => void,
  ): Promise<readonly Fetched[]> {
    const { id: topicId } = await this.#metadata();
    const partitions = Array.from(offsets, ([partition, fetchOffset]) => ({
      partition,
      fetchOffset,
      currentLeaderEpoch: -1,
      lastFetchedEpoch: -1,
      partitionMaxBytes: mostPartitionBytes,
    }));
    const response = await this.#client.fetch({ node, topics: [{ topicId, partitions }] }).catch((error: unknown) => {
      const partial = (error as { readonly response?: FetchResponse }).response;
      if (partial?.errorCode === 0 && partial.responses.length > 0) return partial;
      throw error;
    });
    const fetched: Fetched[] = [];
    for (const each of response.responses.flatMap(({ partitions: all }) => all)) {
      const { partitionIndex: partition, records, errorCode } = each;
      const offset = offsets.get(partition);
      // A fetch session may still include a partition that is no longer requested.
      if (offset === undefined) continue;
      const end = each.lastStableOffset;
      if (errorCode === outOfRangeCode) fetched.push({ partition, records: [], next: offset, end, isOutOfRange: true });
      else if (errorCode !== 0) onRefused(partition, errorCode);
      else if (records !== null && records !== undefined && records.length > 0)
        fetched.push({ partition, end, ...recordsFrom(offset, records) });
    }
    return fetched;
  }

  /** The first offset of each partition ("earliest"), or the offset after its last message ("latest"). */
  async edges(partitions: readonly number[], edge: "earliest" | "latest"): Promise<Offsets> {
    if (partitions.length === 0) return new Map();
    const topic = this.#topic;
    const timestamp = edge === "earliest" ? ListOffsetTimestamps.EARLIEST : ListOffsetTimestamps.LATEST;
    const offsets = await this.#client.listOffsets({
      topics: [topic],
      partitions: { [topic]: [...partitions] },
      timestamp,
    });
    return new Map(partitions.map((partition) => [partition, offsets.get(topic)?.[partition] ?? 0n]));
  }

  /** The group's committed offsets; partitions without a committed offset are absent. */
  async committed(partitions: readonly number[]): Promise<Offsets> {
    const topic = this.#topic;
    const found = await this.#client.listCommittedOffsets({ topics: [{ topic, partitions: [...partitions] }] });
    const all = partitions.map((partition) => [partition, found.get(topic)?.[partition] ?? -1n] as const);
    return new Map(all.filter(([, offset]) => offset >= 0n));
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  async #metadata(): Promise<{ readonly id: string; readonly partitions: readonly { readonly leader: number }[] }> {
    const { topics } = await this.#client.metadata({ topics: [this.#topic] });
    return topics.get(this.#topic)!;
  }
}

/** The messages of a response from an offset on. Their bytes are copied, so that the response is freed although some of them wait for long. */
function recordsFrom(from: bigint, batches: readonly RecordsBatch[]): Pick<Fetched, "records" | "next"> {
  const records: InputRecord[] = [];
  let next = from;
  for (const batch of batches) {
    const last = batch.firstOffset + BigInt(batch.lastOffsetDelta) + 1n;
    if (last > next) next = last;
    if ((batch.attributes & isControl) !== 0) continue;
    for (const { offsetDelta, timestampDelta, key, value, headers } of batch.records) {
      const offset = batch.firstOffset + BigInt(offsetDelta);
      // Brokers send whole batches, even if the offset is in the middle of a batch.
      if (offset < from) continue;
      records.push({
        offset,
        timestamp: batch.firstTimestamp + timestampDelta,
        key: copyOf(key),
        value: copyOf(value),
        headers: headers.map(([name, text]) => [copyOf(name) ?? none, copyOf(text)]),
      });
    }
  }
  return { records, next };
}

const none = Buffer.alloc(0);

function copyOf(bytes: Buffer | null | undefined): Buffer | null {
  return bytes === null || bytes === undefined ? null : Buffer.from(bytes);
}
