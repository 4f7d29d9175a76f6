// Joins a consumer group, commits offsets with one commit at a time, and leaves the group. This class retries failed joins; the library's
// retries are turned off.
import { setTimeout as delay } from "node:timers/promises";
import { Consumer } from "@platformatic/kafka";
import type { ClientOptions } from "./connection.ts";
import { isRefusal, needsRejoin, SetupError, sentenceOf } from "./failures.ts";
import type { GroupListener, Position, TopicPartition } from "./types.ts";

export interface GroupSettings {
  readonly groupId: string;
  readonly topic: string;
  readonly instanceId?: string | undefined;
  readonly sessionMs: number;
  readonly rebalanceMs: number;
  readonly heartbeatMs: number;
  /** Interval at which the group's leader looks for new partitions. */
  readonly metadataMs: number;
}

const mostBackoffMs = 5_000;

/** A group member with the assignor cooperative-sticky of the classic protocol. */
export class Group {
  readonly #settings: GroupSettings;
  readonly #listener: GroupListener;
  readonly #client: Consumer;
  /** The partitions of the last call of `onAssigned`, without the partitions that `onJoining` has revoked since. */
  #held: readonly number[] = [];
  /** Number of the topic's partitions at the last join. */
  #partitions = 0;
  #isLeader = false;
  #isJoining = false;
  #joinedAt = 0;
  #isClosed = false;
  #commit: Promise<unknown> = Promise.resolve();
  #poll: NodeJS.Timeout | undefined;
  /** Number of completed joins. */
  joins = 0;

  constructor(options: ClientOptions, settings: GroupSettings, listener: GroupListener) {
    this.#settings = settings;
    this.#listener = listener;
    const { groupId, instanceId, sessionMs, rebalanceMs, heartbeatMs, topic } = settings;
    this.#client = new Consumer({
      ...options,
      groupId,
      ...(instanceId === undefined ? {} : { groupInstanceId: instanceId }),
      sessionTimeout: sessionMs,
      rebalanceTimeout: rebalanceMs,
      heartbeatInterval: heartbeatMs,
      protocols: [{ name: "cooperative-sticky", version: 3 }],
      protocolsMetadata: async () => {
        await this.#beforeJoin();
        return Buffer.alloc(0);
      },
      autocommit: false,
    });
    this.#client.topics.track(topic);
    this.#client.on("consumer:group:join", ({ assignments, isLeader }) => {
      this.#isLeader = isLeader === true;
      void this.#afterJoin(assignments ?? []);
    });
    // After a heartbeat that the group rejected, the library tries once to join again. If this attempt fails, the library emits this error.
    this.#client.on("error", (error) => void this.#rejoin(error));
    this.#client.on("consumer:heartbeat:error", ({ error }) => {
      if (!this.#isClosed) this.#listener.onTrouble(`heartbeat: ${sentenceOf(error)}`);
    });
    this.#client.on("consumer:heartbeat:stalled", () => void this.#rejoin(new Error("no heartbeat was answered")));
  }

  /** Joins the group; resolves after the first assignment. Rejects with a `SetupError` if the group refuses this client. */
  async join(): Promise<void> {
    await this.#joinUntilDone();
    this.#poll = setInterval(() => void this.#lookForPartitions(), this.#settings.metadataMs);
  }

  /** Whether the membership is known to be valid: within the session timeout, a join has completed or a heartbeat was acknowledged. */
  get isAlive(): boolean {
    const last = Math.max(this.#client.lastHeartbeat?.getTime() ?? 0, this.#joinedAt);
    return this.#client.isActive() && Date.now() - last < this.#settings.sessionMs;
  }

  /** Whether a commit is possible now. No commit is possible while the group is being joined. */
  get canCommit(): boolean {
    return !this.#isJoining && !this.#isClosed && this.isAlive;
  }

  /** The committed offsets by partition; partitions without a committed offset are absent. */
  async committed(partitions: readonly TopicPartition[]): Promise<ReadonlyMap<number, bigint>> {
    const { topic } = this.#settings;
    const numbers = partitions.map(({ partition }) => partition);
    const found = await this.#client.listCommittedOffsets({ topics: [{ topic, partitions: numbers }] });
    const offsets = found.get(topic) ?? [];
    const committed = new Map<number, bigint>();
    for (const partition of numbers) {
      const offset = offsets[partition];
      if (offset !== undefined && offset >= 0n) committed.set(partition, offset);
    }
    return committed;
  }

  /**
   * Commits positions; the offset of a position is the offset of the next message to read. Sends one commit at a time; rejects if the
   * commit fails.
   */
  commit(positions: readonly Position[]): Promise<void> {
    const commit = this.#commit
      .catch(() => undefined)
      .then(() => this.#client.commit({ offsets: positions.map((position) => ({ ...position, leaderEpoch: -1 })) }));
    this.#commit = commit;
    return commit;
  }

  /** Leaves the group. A static member does not leave, so that its partitions stay assigned to it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#poll);
    await this.#commit.catch(() => undefined);
    if (this.#settings.instanceId === undefined) await this.#client.close(true).catch(() => undefined);
    else await this.#client.connections.close().catch(() => undefined);
  }

  /** The library awaits this function before each join request, and sends no heartbeat while it waits. */
  async #beforeJoin(): Promise<void> {
    this.#isJoining = true;
    const { topic, sessionMs, rebalanceMs } = this.#settings;
    // A member whose membership has expired owns no partitions, whatever its last assignment was.
    const isLost = this.#client.memberId === null || !this.isAlive;
    const kept = new Set(isLost ? [] : this.#client.assignments?.find((each) => each.topic === topic)?.partitions);
    const revoked = this.#held.filter((partition) => !kept.has(partition)).map((partition) => ({ topic, partition }));
    await this.#commit.catch(() => undefined);
    await this.#listener.onJoining(revoked, isLost ? 0 : Math.min(sessionMs, rebalanceMs) / 2);
    this.#held = this.#held.filter((partition) => kept.has(partition));
    const { topics } = await this.#client.metadata({ topics: [topic] });
    this.#partitions = topics.get(topic)!.partitionsCount;
  }

  async #afterJoin(
    assignments: readonly { readonly topic: string; readonly partitions: readonly number[] }[],
  ): Promise<void> {
    const { topic } = this.#settings;
    this.#joinedAt = Date.now();
    this.#held = assignments.filter((each) => each.topic === topic).flatMap(({ partitions }) => partitions);
    this.#isJoining = false;
    this.joins++;
    try {
      await this.#listener.onAssigned(this.#held.map((partition) => ({ topic, partition })));
    } catch (error) {
      this.#listener.onTrouble(`assignment: ${sentenceOf(error)}`);
    }
  }

  async #rejoin(error: unknown): Promise<void> {
    if (this.#isClosed || this.#isRejoining) return;
    this.#listener.onTrouble(`group: ${sentenceOf(error)}`);
    this.#isRejoining = true;
    try {
      await this.#joinUntilDone();
    } catch (failure) {
      this.#listener.onTrouble(`group: ${sentenceOf(failure)}`);
    } finally {
      this.#isRejoining = false;
    }
  }
  #isRejoining = false;

  async #joinUntilDone(): Promise<void> {
    for (let attempt = 0; !this.#isClosed; attempt++) {
      try {
        await this.#client.joinGroup({});
        return;
      } catch (error) {
        if (isRefusal(error)) throw new SetupError(`the group refused this member: ${sentenceOf(error)}`);
        if (this.#isClosed) return;
        if (!needsRejoin(error)) this.#listener.onTrouble(`join: ${sentenceOf(error)}`);
        await delay(Math.min(100 * 2 ** Math.min(attempt, 10), mostBackoffMs));
      }
    }
  }

  /** Looks for new partitions: in the classic protocol, brokers do not notify the members when a topic gets more partitions. */
  async #lookForPartitions(): Promise<void> {
    if (!this.#isLeader || this.#isJoining || this.#isClosed || this.#isRejoining) return;
    try {
      const { topic } = this.#settings;
      const { topics } = await this.#client.metadata({ topics: [topic], forceUpdate: true });
      const count = topics.get(topic)!.partitionsCount;
      if (count === this.#partitions || this.#isJoining || this.#isClosed) return;
      this.#listener.onTrouble(
        `the topic ${topic} has ${count} partitions instead of ${this.#partitions}: joining again`,
      );
      this.#partitions = count;
      await this.#joinUntilDone();
    } catch (error) {
      this.#listener.onTrouble(`metadata: ${sentenceOf(error)}`);
    }
  }
}
