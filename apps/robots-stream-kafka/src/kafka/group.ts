// Joins a consumer group, commits offsets with one commit at a time, and leaves the group. This class retries failed joins; the library's
// retries are turned off.
import { setTimeout as delay } from "node:timers/promises";
import { Consumer } from "@platformatic/kafka";
import { type ClientOptions, has, isRefusal, sentenceOf, unusable } from "./client.ts";
import type { GroupSettings } from "../settings.ts";
import type { Offsets } from "./types.ts";

/** Callbacks of a group. The group awaits the returned promises before it continues. */
export interface GroupListener {
  /**
   * Called before each join request. The partitions in `revoked` will belong to another member: complete and commit their messages within
   * `limitMs`. A limit of 0 means that the membership is lost and that nothing can be committed.
   */
  onJoining(revoked: readonly number[], limitMs: number): Promise<void>;
  /** Called with all partitions that this member owns from now on. */
  onAssigned(partitions: readonly number[]): Promise<void>;
  /** Reports a failure that the group recovers from by itself. */
  onTrouble(sentence: string): void;
}

const leastPauseMs = 100;
const mostPauseMs = 5_000;

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
  /** Whether a request to join is under way. No commit is possible then. */
  #isJoining = false;
  #joinedAt = 0;
  #isClosed = false;
  #attempts: Promise<void> | undefined;
  #commit: Promise<unknown> = Promise.resolve();
  #poll: NodeJS.Timeout | undefined;

  constructor(options: ClientOptions, settings: GroupSettings, listener: GroupListener) {
    this.#settings = settings;
    this.#listener = listener;
    const { groupId, instanceId, sessionMs, rebalanceMs, topic } = settings;
    this.#client = new Consumer({
      ...options,
      groupId,
      ...(instanceId === undefined ? {} : { groupInstanceId: instanceId }),
      sessionTimeout: sessionMs,
      rebalanceTimeout: rebalanceMs,
      heartbeatInterval: Math.min(3_000, Math.floor(sessionMs / 3)),
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
      const own = (assignments ?? []).filter((each) => each.topic === topic);
      this.#afterJoin(own.flatMap(({ partitions }) => partitions));
    });
    // After a heartbeat that the group rejected, the library tries once to join again. If this attempt fails, the library emits this error.
    this.#client.on("error", (error) => void this.#rejoin(error));
    this.#client.on("consumer:heartbeat:error", ({ error }) => {
      if (!this.#isClosed) this.#listener.onTrouble(`heartbeat: ${sentenceOf(error)}`);
    });
    this.#client.on("consumer:heartbeat:stalled", () => void this.#rejoin(new Error("no heartbeat was answered")));
  }

  /** Joins the group; resolves after the first assignment. Rejects with a `UsageError` if the group refuses this client. */
  async join(): Promise<void> {
    await this.#joinUntilDone();
    this.#poll = setInterval(() => void this.#lookForPartitions(), this.#settings.metadataMs);
  }

  /** Whether the membership is known to be valid: within the session timeout, a join has completed or a heartbeat was acknowledged. */
  get isAlive(): boolean {
    const last = Math.max(this.#client.lastHeartbeat?.getTime() ?? 0, this.#joinedAt);
    return this.#client.isActive() && Date.now() - last < this.#settings.sessionMs;
  }

  get canCommit(): boolean {
    return !this.#isJoining && !this.#isClosed && this.isAlive;
  }

  /** Commits the offsets of the next messages to read. Sends one commit at a time; rejects if the commit fails. */
  commit(offsets: Offsets): Promise<void> {
    const { topic } = this.#settings;
    const all = Array.from(offsets, ([partition, offset]) => ({ topic, partition, offset, leaderEpoch: -1 }));
    const commit = this.#commit.catch(() => undefined).then(() => this.#client.commit({ offsets: all }));
    this.#commit = commit;
    return commit;
  }

  /** Leaves the group. A static member does not leave, so that its partitions stay assigned to it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#poll);
    await this.#commit.catch(() => undefined);
    const closed =
      this.#settings.instanceId === undefined ? this.#client.close(true) : this.#client.connections.close();
    await closed.catch(() => undefined);
  }

  /** The library awaits this function before each join request, and sends no heartbeat while it waits. */
  async #beforeJoin(): Promise<void> {
    this.#isJoining = true;
    const { topic, sessionMs, rebalanceMs } = this.#settings;
    // A member whose membership has expired owns no partitions, whatever its last assignment was.
    const isLost = this.#client.memberId === null || !this.isAlive;
    const kept = new Set(isLost ? [] : this.#client.assignments?.find((each) => each.topic === topic)?.partitions);
    const revoked = this.#held.filter((partition) => !kept.has(partition));
    await this.#commit.catch(() => undefined);
    await this.#listener.onJoining(revoked, isLost ? 0 : Math.min(sessionMs, rebalanceMs) / 2);
    this.#held = this.#held.filter((partition) => kept.has(partition));
    this.#partitions = await this.#countPartitions(false);
  }

  #afterJoin(partitions: readonly number[]): void {
    this.#joinedAt = Date.now();
    this.#held = partitions;
    this.#isJoining = false;
    void this.#listener.onAssigned(partitions);
  }

  async #rejoin(error: unknown): Promise<void> {
    if (this.#isClosed || this.#attempts !== undefined) return;
    this.#listener.onTrouble(`group: ${sentenceOf(error)}`);
    try {
      await this.#joinUntilDone();
    } catch (failure) {
      this.#listener.onTrouble(`group: ${sentenceOf(failure)}`);
    }
  }

  /** Tries to join until it succeeds; rejects with a `UsageError` if the group refuses this client. Calls at the same time share the attempts. */
  #joinUntilDone(): Promise<void> {
    this.#attempts ??= this.#tryToJoin().finally(() => (this.#attempts = undefined));
    return this.#attempts;
  }

  async #tryToJoin(): Promise<void> {
    for (let pause = leastPauseMs; !this.#isClosed; pause = Math.min(pause * 2, mostPauseMs)) {
      try {
        await this.#client.joinGroup({});
        return;
      } catch (error) {
        if (isRefusal(error)) throw unusable(`the group refused this member: ${sentenceOf(error)}`);
        if (this.#isClosed) return;
        if (!has(error, "needsRejoin", true)) this.#listener.onTrouble(`join: ${sentenceOf(error)}`);
        await delay(pause);
      }
    }
  }

  async #countPartitions(forceUpdate: boolean): Promise<number> {
    const { topic } = this.#settings;
    const { topics } = await this.#client.metadata({ topics: [topic], forceUpdate });
    return topics.get(topic)!.partitionsCount;
  }

  /** Looks for new partitions: in the classic protocol, brokers do not notify the members when a topic gets more partitions. */
  async #lookForPartitions(): Promise<void> {
    const isBusy = (): boolean => this.#isJoining || this.#isClosed || this.#attempts !== undefined;
    if (!this.#isLeader || isBusy()) return;
    try {
      const count = await this.#countPartitions(true);
      if (count === this.#partitions || isBusy()) return;
      this.#listener.onTrouble(
        `the topic ${this.#settings.topic} has ${count} partitions instead of ${this.#partitions}: joining again`,
      );
      this.#partitions = count;
      await this.#joinUntilDone();
    } catch (error) {
      this.#listener.onTrouble(`metadata: ${sentenceOf(error)}`);
    }
  }
}
