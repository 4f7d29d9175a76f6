// Reads the partitions that the group assigns to this process, passes their messages to the pipeline, and commits complete messages.
import type { Group } from "../kafka/group.ts";
import type { Reader } from "../kafka/fetch.ts";
import { sentenceOf } from "../kafka/failures.ts";
import type { Fetched, GroupListener, InputRecord, TopicPartition } from "../kafka/types.ts";
import type { Counts } from "./counts.ts";
import type { Pipeline } from "./pipeline.ts";
import { Progress } from "./progress.ts";

export interface WorkerOptions {
  readonly topic: string;
  readonly reader: Pick<Reader, "leaders" | "fetch" | "edges">;
  readonly pipeline: Pipeline;
  readonly counts: Counts;
  /** Where reading begins in a partition that has no committed offset, or whose committed offset no longer exists. */
  readonly start: "earliest" | "latest";
  readonly commitMs: number;
  /**
   * Maximum number of messages of one partition from the first incomplete one to the last one read. At this limit, the partition is not
   * read further.
   */
  readonly mostSpan: number;
  readonly say: (sentence: string) => void;
}

/** The members of the class `Group` that a worker uses. */
export type Membership = Pick<Group, "committed" | "commit" | "canCommit" | "isAlive">;

const pauseMs = 200;
const mostPauseMs = 5_000;

/** Messages of a partition that were fetched and are not passed on yet, and the offset after them. */
interface Rest {
  readonly progress: Progress;
  readonly records: readonly InputRecord[];
  at: number;
  readonly next: bigint;
}

/** Reads messages, passes them on, and commits offsets. */
export class Worker implements GroupListener {
  readonly progress: Map<number, Progress> = new Map();
  readonly #options: WorkerOptions;
  #group: Membership | undefined;
  /** Brokers with a fetch request in flight. */
  readonly #asking = new Set<number>();
  readonly #refusedUntil = new Map<number, number>();
  /** What there was no room for. The next request waits until all of it is passed on. */
  #rest: Rest[] = [];
  /** The number of the current assignment; 0 before the first one. */
  #assignment = 0;
  #failures = 0;
  #isStopped = false;
  #isKicked = false;
  #timer: NodeJS.Timeout | undefined;
  #commitTimer: NodeJS.Timeout | undefined;
  #isCommitting = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** Whether there has been a first assignment. */
  get isAssigned(): boolean {
    return this.#assignment > 0;
  }

  begin(group: Membership): void {
    this.#group = group;
    this.#commitTimer = setInterval(() => void this.commit(), this.#options.commitMs);
  }

  /** Continues reading if there is room. */
  kick(): void {
    if (this.#isKicked || this.#isStopped) return;
    this.#isKicked = true;
    setImmediate(() => {
      this.#isKicked = false;
      void this.#ask();
    });
  }

  /**
   * Stops reading, waits for messages under way for at most `limitMs`, and commits. Resolves to whether all messages were complete in time.
   */
  async stop(limitMs: number): Promise<boolean> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    const isSettled = await this.#options.pipeline.settled([...this.progress.values()], limitMs);
    clearInterval(this.#commitTimer);
    await this.#commitNow([...this.progress.values()]);
    return isSettled;
  }

  async onJoining(revoked: readonly TopicPartition[], limitMs: number): Promise<void> {
    const { pipeline } = this.#options;
    const ending: Progress[] = [];
    for (const { partition } of revoked) {
      const progress = this.progress.get(partition);
      if (progress === undefined) continue;
      this.progress.delete(partition);
      ending.push(progress);
    }
    if (limitMs > 0) {
      if (ending.length > 0) await pipeline.settled(ending, limitMs);
      await this.#commitNow([...ending, ...this.progress.values()]);
    }
    for (const progress of ending) pipeline.abandon(progress);
  }

  async onAssigned(partitions: readonly TopicPartition[]): Promise<void> {
    const assignment = ++this.#assignment;
    this.#options.counts.joins++;
    const assigned = new Set(partitions.map(({ partition }) => partition));
    for (const [partition, progress] of this.progress) {
      if (assigned.has(partition)) continue;
      this.progress.delete(partition);
      this.#options.pipeline.abandon(progress);
    }
    const added = partitions.filter(({ partition }) => !this.progress.has(partition));
    for (let pause = pauseMs; added.length > 0 && !this.#isStopped; pause = Math.min(pause * 2, mostPauseMs)) {
      try {
        const started = await this.#startsOf(added);
        if (assignment !== this.#assignment) return;
        for (const progress of started) this.progress.set(progress.partition, progress);
        break;
      } catch (error) {
        if (assignment !== this.#assignment) return;
        this.onTrouble(`offsets: ${sentenceOf(error)}`);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
    this.kick();
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
    const { topic, counts } = this.#options;
    const due = all.flatMap((progress) => {
      const offset = progress.committable;
      return offset === undefined || progress.isOver ? [] : [{ progress, offset }];
    });
    if (due.length === 0 || this.#group === undefined) return;
    this.#isCommitting = true;
    try {
      await this.#group.commit(due.map(({ progress: { partition }, offset }) => ({ topic, partition, offset })));
      counts.commits++;
      for (const { progress, offset } of due) progress.committed = offset;
    } catch (error) {
      counts.failedCommits++;
      this.onTrouble(`commit: ${sentenceOf(error)}`);
    } finally {
      this.#isCommitting = false;
    }
  }

  async #startsOf(added: readonly TopicPartition[]): Promise<readonly Progress[]> {
    const { reader, start } = this.#options;
    const committed = await this.#group!.committed(added);
    const without = added.filter(({ partition }) => !committed.has(partition));
    const edges = without.length === 0 ? new Map<number, bigint>() : await reader.edges(without, start);
    return added.map(({ partition }) => {
      const offset = committed.get(partition);
      return new Progress(partition, offset ?? edges.get(partition) ?? 0n, offset);
    });
  }

  /** Sends a fetch request for the readable partitions to each leader that has no request in flight. */
  async #ask(): Promise<void> {
    const { reader, pipeline } = this.#options;
    this.#passOn();
    if (this.#isStopped || this.#rest.length > 0 || !pipeline.hasRoom || this.progress.size === 0) return;
    let leaders: readonly number[];
    try {
      leaders = await reader.leaders();
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (this.#isStopped) return;
    const now = Date.now();
    const byLeader = new Map<number, Progress[]>();
    for (const progress of this.progress.values()) {
      const leader = leaders[progress.partition] ?? -1;
      const isRefused = (this.#refusedUntil.get(progress.partition) ?? 0) > now;
      if (leader < 0 || isRefused || this.#asking.has(leader) || progress.span >= this.#options.mostSpan) continue;
      const all = byLeader.get(leader);
      if (all === undefined) byLeader.set(leader, [progress]);
      else all.push(progress);
    }
    for (const [leader, all] of byLeader) void this.#askLeader(leader, all);
    // All partitions are without a leader, were refused, or have a full span.
    if (byLeader.size === 0 && this.#asking.size === 0) this.#later(pauseMs);
  }

  async #askLeader(leader: number, all: readonly Progress[]): Promise<void> {
    const { reader, topic } = this.#options;
    this.#asking.add(leader);
    try {
      const positions = all.map(({ partition, next }) => ({ topic, partition, offset: next }));
      const fetched = await reader.fetch(leader, positions, (partition, code) => {
        this.#refusedUntil.set(partition, Date.now() + 1_000);
        this.onTrouble(`fetch: partition ${partition} was refused with code ${code}`);
      });
      this.#failures = 0;
      const byPartition = new Map(all.map((progress) => [progress.partition, progress]));
      for (const each of fetched) this.#take(byPartition.get(each.partition)!, each);
      this.#passOn();
    } catch (error) {
      this.#asking.delete(leader);
      this.#fail(error);
      return;
    }
    this.#asking.delete(leader);
    this.kick();
  }

  #take(progress: Progress, { records, next, end, outOfRange }: Fetched): void {
    // The response belongs to an earlier assignment of this partition.
    if (this.progress.get(progress.partition) !== progress || this.#isStopped) return;
    if (outOfRange !== undefined) {
      void this.#restart(progress, outOfRange);
      return;
    }
    progress.end = end;
    this.#rest.push({ progress, records, at: 0, next });
  }

  /** Passes on what was fetched, as far as there is room. */
  #passOn(): void {
    const { pipeline } = this.#options;
    if (this.#rest.length > 0 && this.#group?.isAlive !== true) {
      // While this process was suspended, another member may have replaced it: take no messages until a heartbeat was acknowledged.
      this.#rest = [];
      this.#later(pauseMs);
      return;
    }
    for (let rest = this.#rest[0]; rest !== undefined; rest = this.#rest[0]) {
      const { progress, records, next } = rest;
      // The assignment of the partition may have ended meanwhile.
      if (this.progress.get(progress.partition) === progress && !this.#isStopped) {
        for (; rest.at < records.length && pipeline.hasRoom; rest.at++) {
          const record = records[rest.at]!;
          // When the leader of a partition changes, the earlier and the new leader may have been asked for the same messages.
          if (record.offset >= progress.next) pipeline.add(progress, record);
        }
        if (rest.at < records.length) return;
        if (next > progress.next) progress.next = next;
      }
      this.#rest.shift();
    }
  }

  /** Restarts a partition whose position no longer exists. */
  async #restart(progress: Progress, first: bigint): Promise<void> {
    const { counts, topic, start, reader } = this.#options;
    const { partition, next } = progress;
    this.#refusedUntil.set(partition, Date.now() + 1_000);
    let from = first;
    if (start === "latest") {
      const edges = await reader.edges([{ topic, partition }], "latest").catch(() => undefined);
      from = edges?.get(partition) ?? first;
    }
    if (this.progress.get(partition) !== progress) return;
    const missed = from > next ? from - next : 0n;
    counts.outOfRange++;
    counts.lost += missed;
    this.onTrouble(
      `partition ${partition}: offset ${next} no longer exists; continuing from ${from}${missed > 0n ? `: ${missed} offsets were deleted before they were read` : ""}`,
    );
    // Messages under way were read before the restart, and their output is still written. The next commit includes the new start.
    this.progress.set(partition, new Progress(partition, from, undefined));
    this.#refusedUntil.delete(partition);
    this.kick();
  }

  #fail(error: unknown): void {
    if (this.#isStopped) return;
    this.#options.counts.fetchFailures++;
    if (this.#failures === 0) this.onTrouble(`fetch: ${sentenceOf(error)}`);
    this.#later(Math.min(pauseMs * 2 ** Math.min(this.#failures++, 10), mostPauseMs));
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.kick(), ms);
  }
}
