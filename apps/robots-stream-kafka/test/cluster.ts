// Helpers for tests: topics and messages of a broker, and processes of the app.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  Admin,
  ConfigResourceTypes,
  IncrementalAlterConfigOperationTypes,
  ListOffsetTimestamps,
  Consumer,
  Producer,
} from "@platformatic/kafka";
import type { RedisServer } from "@robots-stream/raw-servers/redis";
import type { Broker } from "./broker.ts";
import type { Origins } from "./origins.ts";
import { Reader } from "../src/kafka/reader.ts";
import type { Header, InputRecord } from "../src/kafka/types.ts";

/** The fixtures that the suites share. */
export interface Shared {
  readonly broker: Broker;
  readonly cluster: Cluster;
  readonly origins: Origins;
  /** The cache that processes share; the suites that use it are skipped without redis-server. */
  readonly redis: RedisServer;
}

const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

/** A message that a test writes. */
export interface TestMessage {
  readonly key?: string | undefined;
  readonly value: string | Buffer | null;
  readonly headers?: readonly (readonly [string, string])[];
  readonly partition?: number;
  readonly timestamp?: bigint;
}

/** A message that was read, with its partition. */
export interface ReadMessage extends InputRecord {
  readonly partition: number;
}

const client = (address: string) => ({
  clientId: "test",
  bootstrapBrokers: [address],
  retries: 20,
  retryDelay: 250,
  requestTimeout: 10_000,
});

/** Access to a broker's topics. */
export class Cluster {
  readonly address: string;
  readonly #admin: Admin;
  readonly #producer: Producer;
  #number = 0;

  constructor(address: string) {
    this.address = address;
    this.#admin = new Admin(client(address));
    this.#producer = new Producer(client(address));
  }

  /** Creates a topic; returns its name. */
  async topic(name: string, partitions: number, configs: Readonly<Record<string, string>> = {}): Promise<string> {
    const topic = `${name}-${++this.#number}`;
    const all = Object.entries(configs).map(([key, value]) => ({ name: key, value }));
    await this.#admin.createTopics({ topics: [topic], partitions, replicas: 1, configs: all });
    const options = { ...client(this.address), retries: 0 };
    const reader = new Reader(options, "test", topic);
    while ((await reader.leaders().catch(() => [])).length < partitions) await delay(50);
    await reader.close();
    return topic;
  }

  async addPartitions(topic: string, count: number): Promise<void> {
    // With null, the broker chooses the replicas; it refuses an empty list.
    await this.#admin.createPartitions({ topics: [{ name: topic, count, assignments: null }] });
  }

  async configure(topic: string, name: string, value: string): Promise<void> {
    const configs = [{ name, value, configOperation: IncrementalAlterConfigOperationTypes.SET }];
    await this.#admin.incrementalAlterConfigs({
      resources: [{ resourceType: ConfigResourceTypes.TOPIC, resourceName: topic, configs }],
    });
  }

  /** Deletes the messages of a partition before an offset. */
  async deleteBefore(topic: string, partition: number, offset: bigint): Promise<void> {
    await this.#admin.deleteRecords({ topics: [{ name: topic, partitions: [{ partition, offset }] }] });
  }

  async write(topic: string, messages: readonly TestMessage[], compression?: "gzip"): Promise<void> {
    for (let start = 0; start < messages.length;) {
      // By default, brokers accept batches of up to 1 MB.
      let end = start;
      for (let bytes = 0; end < messages.length && end - start < 5_000 && (end === start || bytes < 800_000); end++)
        bytes += (messages[end]!.value?.length ?? 0) + 100;
      await this.#producer.send({
        acks: -1,
        ...(compression === undefined ? {} : { compression }),
        messages: messages.slice(start, end).map(({ key, value, headers = [], partition, timestamp }, at) => ({
          topic,
          value: (typeof value === "string" ? Buffer.from(value) : (value ?? undefined)) as Buffer,
          ...(key === undefined ? {} : { key: Buffer.from(key) }),
          ...(timestamp === undefined ? {} : { timestamp }),
          headers: new Map(headers.map(([name, text]) => [Buffer.from(name), Buffer.from(text)])),
          partition: partition ?? start + at,
        })),
      });
      start = end;
    }
  }

  /** Reads all messages of a topic. */
  async read(topic: string): Promise<ReadMessage[]> {
    const messages: ReadMessage[] = [];
    await this.each(topic, (message) => messages.push(message));
    return messages;
  }

  /** Calls `take` for each message of a topic. */
  async each(topic: string, take: (message: ReadMessage) => void): Promise<void> {
    const reader = new Reader({ ...client(this.address), retries: 0 }, "test", topic);
    const leaders = await reader.leaders();
    const partitions = [...leaders.keys()];
    const [starts, ends] = [await reader.edges(partitions, "earliest"), await reader.edges(partitions, "latest")];
    for (const [partition, start] of starts) {
      let offset = start;
      while (offset < ends.get(partition)!) {
        const [fetched] = await reader.fetch(leaders[partition]!, new Map([[partition, offset]]), () => undefined);
        if (fetched === undefined) continue;
        for (const record of fetched.records) take({ ...record, partition });
        offset = fetched.next;
      }
    }
    await reader.close();
  }

  async ends(topic: string): Promise<bigint[]> {
    const offsets = await this.#admin.listOffsets({
      topics: [
        {
          name: topic,
          partitions: (await this.#partitions(topic)).map((partitionIndex) => ({
            partitionIndex,
            timestamp: ListOffsetTimestamps.LATEST,
          })),
        },
      ],
    });
    return offsets[0]!.partitions.toSorted((a, b) => a.partitionIndex - b.partitionIndex).map(({ offset }) => offset);
  }

  async #partitions(topic: string): Promise<number[]> {
    const { topics } = await this.#admin.metadata({ topics: [topic], forceUpdate: true });
    return [...topics.get(topic)!.partitions.keys()];
  }

  /** A group's committed offset for each partition; -1 if there is none. */
  async committed(group: string, topic: string): Promise<bigint[]> {
    const consumer = new Consumer({ ...client(this.address), groupId: group });
    try {
      const partitions = await this.#partitions(topic);
      const found = await consumer.listCommittedOffsets({ topics: [{ topic, partitions }] });
      return partitions.map((partition) => found.get(topic)?.[partition] ?? -1n);
    } finally {
      await consumer.close();
    }
  }

  /** Number of members of a group, whatever its state. */
  async membersLeft(group: string): Promise<number> {
    return (await this.#admin.describeGroups({ groups: [group] })).get(group)?.members.size ?? 0;
  }

  /** Number of members of a group whose state is stable; 0 in any other state, such as during a rebalance. */
  async members(group: string): Promise<number> {
    const found = (await this.#admin.describeGroups({ groups: [group] })).get(group);
    return found?.state === "Stable" ? found.members.size : 0;
  }

  async close(): Promise<void> {
    await this.#producer.close(true).catch(() => undefined);
    await this.#admin.close().catch(() => undefined);
  }
}

/** The summary that a worker prints when it ends. */
export interface Summary {
  readonly messages: Readonly<Record<"in" | "out" | "dead" | "later" | "leftOut" | "abandoned" | "underWay", number>>;
  readonly lines: Readonly<Record<"in" | "out" | "dead" | "later" | "leftOut", number>>;
  readonly deadLetters: Readonly<Record<string, number>>;
  readonly written: Readonly<Record<string, number>>;
  readonly fetches: number;
  readonly outOfRange: number;
  readonly offsetsLost: number;
  readonly joins: number;
  readonly isExact: boolean;
}

/** The flags of a process by name, with their values; true: a flag without a value. */
export type Flags = Readonly<Record<string, string | true>>;

/** A process of the app. */
export class WorkerProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<number>;
  stderr = "";
  stdout = "";

  constructor(flags: Flags, env: NodeJS.ProcessEnv = {}) {
    const words = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, ...(value === true ? [] : [value])]);
    this.child = spawn(process.execPath, [cli, ...words], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child.stdout!.on("data", (text: Buffer) => (this.stdout += text.toString()));
    this.child.stderr!.on("data", (text: Buffer) => (this.stderr += text.toString()));
    this.ended = new Promise((resolve) =>
      this.child.once("close", (code, signal) => resolve(code ?? (signal === "SIGKILL" ? 137 : 128))),
    );
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** The peak memory of the process so far; undefined without /proc. */
  get peakMib(): number | undefined {
    try {
      const [, peak] = /^VmHWM:\s*(\d+)/mu.exec(readFileSync(`/proc/${this.child.pid}/status`, "utf8")) ?? [];
      return peak === undefined ? undefined : Math.round(Number(peak) / 1_024);
    } catch {
      return undefined;
    }
  }

  /** Stops the process gracefully. */
  async stop(): Promise<{ readonly code: number; readonly summary: Summary }> {
    this.kill("SIGTERM");
    const code = await this.ended;
    return { code, summary: this.summary };
  }

  get summary(): Summary {
    try {
      return JSON.parse(this.stdout.trim().split("\n").at(-1)!) as Summary;
    } catch {
      throw new Error(`no summary: ${this.stdout}\n${this.stderr}`);
    }
  }

  /** The values on the process's page `/metrics`, by name without the prefix, with labels. */
  async metrics(): Promise<ReadonlyMap<string, number>> {
    return metricsIn((await this.page("/metrics")).text);
  }

  /** Requests one of the process's pages. The process needs the flag `--http`. */
  async page(path: string): Promise<{ readonly status: number; readonly text: string }> {
    const base = await until(() => /(http:\/\/\S+)\/metrics/.exec(this.stderr)?.[1]);
    const response = await fetch(`${base}${path}`);
    return { status: response.status, text: await response.text() };
  }
}

/** The values of a page in Prometheus' text format, by name without the app's prefix, with labels. */
function metricsIn(text: string): ReadonlyMap<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const [, name = line, value] = /^robots_stream_kafka_(\S+) (\S+)$/.exec(line) ?? [];
      return [name, Number(value)];
    }),
  );
}

/** Polls `find`; resolves to its first value that is neither undefined nor false. */
export async function until<T>(
  find: () => T | undefined | false | Promise<T | undefined | false>,
  what = "an event",
  limitMs = 120_000,
): Promise<T> {
  for (const end = Date.now() + limitMs; Date.now() < end;) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    await delay(100);
  }
  throw new Error(`waited in vain for ${what}`);
}

/** The value of a header as text. */
export function headerOf(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([each]) => each.toString() === name)?.[1]?.toString();
}
