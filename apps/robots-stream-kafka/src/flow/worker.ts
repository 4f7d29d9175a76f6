// Reads the partitions that the group assigns to this process, passes their messages to the pipeline, and commits complete messages.
import { setTimeout as delay } from "node:timers/promises";
import { sentenceOf } from "../kafka/client.ts";
import type { Group, GroupListener } from "../kafka/group.ts";
import type { Reader } from "../kafka/reader.ts";
import type { Flow } from "../settings.ts";
import type { Counts } from "./counts.ts";
import type { Pipeline } from "./pipeline.ts";
import { Progress } from "./progress.ts";

export interface WorkerOptions extends Pick<Flow, "start" | "commitMs" | "mostSpan"> {
  readonly reader: Pick<Reader, "leaders" | "fetch" | "edges" | "committed">;
  readonly pipeline: Pick<Pipeline, "hasRoom" | "add" | "settled" | "abandon">;
  readonly counts: Counts;
  readonly say: (sentence: string) => void;
}

const pauseMs = 200;
const mostPauseMs = 5_000;
/** How long a partition that its leader refused is not requested. */
const refusedMs = 1_000;

const pause = (ms: number): Promise<void> => delay(ms, undefined, { ref: false });

/** Reads messages, passes them on, and commits offsets. */
export class Worker implements GroupListener {
  readonly progress: Map<number, Progress> = new Map();
  readonly #options: WorkerOptions;
  #group: Pick<Group, "commit" | "canCommit" | "isAlive"> | undefined;
  /** The brokers that are read from. */
  readonly #brokers = new Set<number>();
  /** The partitions of the current assignment; undefined before the first one. */
  #assigned: readonly number[] | undefined;
  /** Whether the last attempt to begin to read has failed. */
  #hasFailed = false;
  #isStopped = false;
  /** Wake the loops that wait for room. */
  #wake: (() => void)[] = [];
  #timers: readonly NodeJS.Timeout[] = [];
  #isCommitting = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** Whether there has been a first assignment. */
  get isAssigned(): boolean {
    return this.#assigned !== undefined;
  }

  begin(group: Pick<Group, "commit" | "canCommit" | "isAlive">): void {
    this.#group = group;
    this.#timers = [
      setInterval(() => void this.commit(), this.#options.commitMs),
      setInterval(() => void this.#begin(), pauseMs),
    ];
  }

  /** Continues reading: there may be room. */
  kick(): void {
    if (this.#wake.length > 0 && this.#options.pipeline.hasRoom) for (const wake of this.#wake.splice(0)) wake();
  }

  /**
   * Stops reading, waits for messages under way for at most `limitMs`, and commits. Resolves to whether all messages were complete in time.
   */
  async stop(limitMs: number): Promise<boolean> {
    this.#isStopped = true;
    for (const wake of this.#wake.splice(0)) wake();
    const isSettled = await this.#options.pipeline.settled([...this.progress.values()], limitMs);
    for (const timer of this.#timers) clearInterval(timer);
    await this.#commitNow([...this.progress.values()]);
    return isSettled;
  }

  async onJoining(revoked: readonly number[], limitMs: number): Promise<void> {
    const { pipeline } = this.#options;
    const ending = revoked.flatMap((partition) => this.progress.get(partition) ?? []);
    for (const { partition } of ending) this.progress.delete(partition);
    this.#assigned = this.#assigned?.filter((partition) => !revoked.includes(partition));
    if (limitMs > 0) {
      await pipeline.settled(ending, limitMs);
      await this.#commitNow([...ending, ...this.progress.values()]);
    }
    for (const progress of ending) pipeline.abandon(progress);
  }

  async onAssigned(partitions: readonly number[]): Promise<void> {
    this.#assigned = partitions;
    this.#options.counts.joins++;
    for (const [partition, progress] of this.progress) {
      if (partitions.includes(partition)) continue;
      this.progress.delete(partition);
      this.#options.pipeline.abandon(progress);
    }
    await this.#begin();
  }

  onTrouble(sentence: string): void {
    this.#options.say(sentence);
  }

  /** Commits complete messages, if a commit is possible now. */
  async commit(): Promise<void> {
    if (this.#isCommitting || this.#group?.canCommit !== true) return;
    await this.#commitNow([...this.progress.values()]);
  }

  async #commitNow(all: readonly Progress[]): Promise<void> {
    const { counts } = this.#options;
    const due = new Map<Progress, bigint>();
    for (const progress of all)
      if (progress.committable !== undefined && !progress.isOver) due.set(progress, progress.committable);
    if (due.size === 0 || this.#group === undefined) return;
    this.#isCommitting = true;
    try {
      await this.#group.commit(new Map(Array.from(due, ([{ partition }, offset]) => [partition, offset])));
      counts.commits++;
      for (const [progress, offset] of due) progress.committed = offset;
    } catch (error) {
      counts.failedCommits++;
      this.onTrouble(`commit: ${sentenceOf(error)}`);
    } finally {
      this.#isCommitting = false;
    }
  }

  /** Finds where to begin in new partitions, and begins to read from leaders that are not read from. */
  async #begin(): Promise<void> {
    const assigned = this.#assigned ?? [];
    const added = assigned.filter((partition) => !this.progress.has(partition));
    try {
      const started = added.length === 0 ? [] : await this.#startsOf(added);
      if (assigned !== this.#assigned) return;
      for (const each of started) if (!this.progress.has(each.partition)) this.progress.set(each.partition, each);
      const leaders = assigned.length === 0 ? [] : await this.#options.reader.leaders();
      for (const leader of new Set(assigned.map((partition) => leaders[partition] ?? -1))) {
        if (leader < 0 || this.#brokers.has(leader) || this.#isStopped) continue;
        this.#brokers.add(leader);
        void this.#readFrom(leader).finally(() => this.#brokers.delete(leader));
      }
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed && !this.#isStopped) this.onTrouble(`offsets: ${sentenceOf(error)}`);
      this.#hasFailed = true;
    }
  }

  async #startsOf(added: readonly number[]): Promise<readonly Progress[]> {
    const { reader, start } = this.#options;
    const committed = await reader.committed(added);
    const without = added.filter((partition) => !committed.has(partition));
    const edges = await reader.edges(without, start);
    return added.map((partition) => {
      const offset = committed.get(partition);
      return new Progress(partition, offset ?? edges.get(partition) ?? 0n, offset);
    });
  }

  /** Reads from a broker until it leads no partition of this process. */
  async #readFrom(broker: number): Promise<void> {
    const { reader, mostSpan, counts } = this.#options;
    for (let failures = 0; ;) {
      await this.#room();
      if (this.#isStopped) return;
      try {
        const leaders = await reader.leaders();
        const all = [...this.progress.values()].filter(({ partition }) => leaders[partition] === broker);
        if (all.length === 0) return;
        const readable = all.filter(({ span, refusedUntil }) => span < mostSpan && refusedUntil <= Date.now());
        if (readable.length === 0) await pause(pauseMs);
        else await this.#readOnce(broker, readable);
        failures = 0;
      } catch (error) {
        if (this.#isStopped) return;
        counts.fetchFailures++;
        if (failures === 0) this.onTrouble(`fetch: ${sentenceOf(error)}`);
        await pause(Math.min(pauseMs * 2 ** Math.min(failures++, 10), mostPauseMs));
      }
    }
  }

  /** Sends one fetch request, and passes on its messages as there is room for them. */
  async #readOnce(broker: number, readable: readonly Progress[]): Promise<void> {
    const { reader, pipeline } = this.#options;
    const byPartition = new Map(readable.map((progress) => [progress.partition, progress]));
    const offsets = new Map(readable.map(({ partition, next }) => [partition, next]));
    const fetched = await reader.fetch(broker, offsets, (partition, code) => {
      byPartition.get(partition)!.refusedUntil = Date.now() + refusedMs;
      this.onTrouble(`fetch: partition ${partition} was refused with code ${code}`);
    });
    for (const { partition, records, next, end, isOutOfRange } of fetched) {
      const progress = byPartition.get(partition)!;
      if (isOutOfRange === true) await this.#restart(progress);
      else if (this.#isCurrent(progress)) progress.end = end;
      for (const [at, record] of records.entries()) {
        const isWaiting = !pipeline.hasRoom;
        if (isWaiting) await this.#room();
        // While this process was suspended, another member may have replaced it: take no messages until a heartbeat was acknowledged.
        if ((isWaiting || at === 0) && this.#group?.isAlive !== true) return await pause(pauseMs);
        if (!this.#isCurrent(progress)) break;
        // When the leader of a partition changes, the earlier and the new leader may have been asked for the same messages.
        if (record.offset >= progress.next) pipeline.add(progress, record);
      }
      if (this.#isCurrent(progress) && next > progress.next) progress.next = next;
    }
  }

  /** Whether the assignment of the partition that `progress` belongs to is still the current one. */
  #isCurrent(progress: Progress): boolean {
    return this.progress.get(progress.partition) === progress && !this.#isStopped;
  }

  /** Resolves when there is room for a message, or at the end. */
  async #room(): Promise<void> {
    while (!this.#options.pipeline.hasRoom && !this.#isStopped)
      await new Promise<void>((resolve) => this.#wake.push(resolve));
  }

  /** Restarts a partition whose position no longer exists. */
  async #restart(progress: Progress): Promise<void> {
    const { counts, start, reader } = this.#options;
    const { partition, next } = progress;
    const from = (await reader.edges([partition], start)).get(partition)!;
    if (!this.#isCurrent(progress)) return;
    const missed = from > next ? from - next : 0n;
    counts.outOfRange++;
    counts.offsetsLost += Number(missed);
    const lost = missed > 0n ? `: ${missed} offsets were deleted before they were read` : "";
    this.onTrouble(`partition ${partition}: offset ${next} no longer exists; continuing from ${from}${lost}`);
    // Messages under way were read before the restart, and their output is still written. The next commit includes the new start.
    this.progress.set(partition, new Progress(partition, from, undefined));
  }
}
