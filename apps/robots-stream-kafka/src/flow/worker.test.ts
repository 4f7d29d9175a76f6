// Tests a worker with a fake reader and group: which responses count, what is committed and when, and when reading pauses.
import { describe, expect, test } from "vitest";
import type { Fetched, InputRecord, Position, TopicPartition } from "../kafka/types.ts";
import { Counts } from "./counts.ts";
import type { Pipeline } from "./pipeline.ts";
import type { Progress } from "./progress.ts";
import { Worker } from "./worker.ts";

const topic = "urls";
const record = (offset: number): InputRecord => ({
  offset: BigInt(offset),
  timestamp: 0n,
  key: null,
  value: Buffer.from("x"),
  headers: [],
});

interface Taken {
  readonly progress: Progress;
  readonly offset: bigint;
}

interface Asked {
  readonly positions: readonly Position[];
  answer(fetched: readonly Partial<Fetched>[]): Promise<void>;
  refuse(error: Error): Promise<void>;
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

function setUp(more: { readonly committed?: ReadonlyMap<number, bigint>; readonly mostSpan?: number } = {}) {
  const asked: Asked[] = [];
  const commits: (readonly Position[])[] = [];
  const taken: Taken[] = [];
  const abandoned: Progress[] = [];
  const said: string[] = [];
  const state = { hasRoom: true, room: Infinity, canCommit: true, isAlive: true, failsToCommit: false };
  const pipeline = {
    get hasRoom() {
      return state.hasRoom;
    },
    add(progress: Progress, { offset }: InputRecord) {
      progress.begin(offset);
      taken.push({ progress, offset });
      if (--state.room === 0) state.hasRoom = false;
    },
    abandon(progress: Progress) {
      progress.isOver = true;
      abandoned.push(progress);
    },
    async settled(all: readonly Progress[], limitMs: number) {
      for (const end = Date.now() + limitMs; Date.now() < end; await turn())
        if (all.every(({ isIdle }) => isIdle)) return true;
      return false;
    },
  };
  const reader = {
    leaders: async () => [1, 1, 2],
    edges: async (partitions: readonly TopicPartition[]) => new Map(partitions.map(({ partition }) => [partition, 7n])),
    fetch: (_node: number, positions: readonly Position[]) =>
      new Promise<readonly Fetched[]>((resolve, reject) =>
        asked.push({
          positions,
          async answer(fetched) {
            resolve(fetched.map((each) => ({ topic, partition: 0, records: [], next: 0n, end: 0n, ...each })));
            await turn();
          },
          async refuse(error) {
            reject(error);
            await turn();
          },
        }),
      ),
  };
  const counts = new Counts();
  const worker = new Worker({
    topic,
    reader,
    counts,
    start: "earliest",
    commitMs: 1e6,
    mostSpan: 100,
    say: (text) => said.push(text),
    ...more,
    pipeline: pipeline as unknown as Pipeline,
  });
  worker.begin({
    committed: async () => more.committed ?? new Map(),
    async commit(positions) {
      await turn();
      if (state.failsToCommit) throw new Error("REBALANCE_IN_PROGRESS");
      commits.push(positions);
    },
    get canCommit() {
      return state.canCommit;
    },
    get isAlive() {
      return state.isAlive;
    },
  });
  const assign = async (...partitions: readonly number[]): Promise<void> => {
    await worker.onAssigned(partitions.map((partition) => ({ topic, partition })));
    await turn();
  };
  const offsetsOf = (positions: readonly Position[]) =>
    positions.map(({ partition, offset }) => [partition, Number(offset)]);
  return { asked, commits, taken, abandoned, said, state, counts, worker, assign, offsetsOf };
}

describe("a worker", () => {
  test("begins at the committed offset; without one, begins at the first message, and the next commit has that offset", async () => {
    const { worker, assign, asked, commits, offsetsOf } = setUp({ committed: new Map([[0, 40n]]) });
    await assign(0, 1);
    expect(offsetsOf(asked[0]!.positions)).toEqual([
      [0, 40],
      [1, 7],
    ]);
    await worker.commit();
    expect(commits.map(offsetsOf)).toEqual([[[1, 7]]]);
    await worker.stop(0);
  });

  test("sends each leader one request at a time, and continues after gaps", async () => {
    const { worker, assign, asked, taken, offsetsOf } = setUp();
    await assign(0, 2);
    expect(asked.map(({ positions }) => offsetsOf(positions))).toEqual([[[0, 7]], [[2, 7]]]);
    await asked[0]!.answer([{ partition: 0, records: [record(7), record(9)], next: 15n, end: 20n }]);
    expect(taken.map(({ offset }) => Number(offset))).toEqual([7, 9]);
    expect(asked.length).toBe(3);
    expect(offsetsOf(asked[2]!.positions)).toEqual([[0, 15]]);
    await worker.stop(0);
  });

  test("drops the response to a request of an earlier assignment, even if the partition is assigned again", async () => {
    const { worker, assign, asked, taken, abandoned } = setUp();
    await assign(0);
    await worker.onJoining([{ topic, partition: 0 }], 100);
    expect(abandoned.length).toBe(1);
    await assign(0);
    await asked[0]!.answer([{ partition: 0, records: [record(7)], next: 8n }]);
    expect(taken).toEqual([]);
    expect(worker.progress.get(0)!.next).toBe(7n);
    await worker.stop(0);
  });

  test("a kept partition continues at its position", async () => {
    const { worker, assign, asked } = setUp();
    await assign(0);
    const progress = worker.progress.get(0);
    await asked[0]!.answer([{ partition: 0, records: [record(7)], next: 8n }]);
    await worker.onJoining([], 100);
    await assign(0, 1);
    expect(worker.progress.get(0)).toBe(progress);
    expect(progress!.next).toBe(8n);
    await worker.stop(0);
  });

  test("takes no messages while the membership may have expired", async () => {
    const { worker, assign, asked, taken, state } = setUp();
    await assign(0);
    state.isAlive = false;
    await asked[0]!.answer([{ partition: 0, records: [record(7)], next: 8n }]);
    expect([taken, worker.progress.get(0)!.next]).toEqual([[], 7n]);
    await worker.stop(0);
  });

  test("completes and commits revoked partitions within the limit; commits none if the membership is lost", async () => {
    const { worker, assign, asked, taken, commits, abandoned, offsetsOf } = setUp();
    await assign(0, 1);
    await asked[0]!.answer([{ partition: 0, records: [record(7), record(8)], next: 9n }]);
    setTimeout(() => taken.forEach(({ progress, offset }) => progress.complete(offset)), 20);
    await worker.onJoining([{ topic, partition: 0 }], 5_000);
    expect(commits.map(offsetsOf)).toEqual([
      [
        [0, 9],
        [1, 7],
      ],
    ]);
    await worker.onJoining([{ topic, partition: 1 }], 0);
    expect([commits.length, abandoned.length]).toEqual([1, 2]);
    await worker.stop(0);
  });

  test("sends one commit at a time, none while joining, and retries failed commits", async () => {
    const { worker, assign, asked, taken, commits, state, counts, offsetsOf } = setUp();
    await assign(0);
    await asked[0]!.answer([{ partition: 0, records: [record(7), record(8)], next: 9n }]);
    await Promise.all([worker.commit(), worker.commit()]);
    expect(commits.map(offsetsOf)).toEqual([[[0, 7]]]);
    taken[1]!.progress.complete(taken[1]!.offset);
    await worker.commit();
    expect(commits.length).toBe(1);
    taken[0]!.progress.complete(taken[0]!.offset);
    state.canCommit = false;
    await worker.commit();
    state.canCommit = true;
    state.failsToCommit = true;
    await worker.commit();
    expect([commits.length, counts.failedCommits]).toEqual([1, 1]);
    state.failsToCommit = false;
    await worker.commit();
    expect(commits.map(offsetsOf)).toEqual([[[0, 7]], [[0, 9]]]);
    await worker.stop(0);
  });

  test("pauses reading while there is no room, and skips a partition whose span is full", async () => {
    const { worker, assign, asked, taken, state, offsetsOf } = setUp({ mostSpan: 2 });
    await assign(0, 1);
    await asked[0]!.answer([{ partition: 0, records: [record(7), record(8)], next: 9n }]);
    expect(offsetsOf(asked[1]!.positions)).toEqual([[1, 7]]);
    state.hasRoom = false;
    for (const { progress, offset } of taken) progress.complete(offset);
    await asked[1]!.answer([]);
    expect(asked.length).toBe(2);
    state.hasRoom = true;
    worker.kick();
    await turn();
    expect(offsetsOf(asked[2]!.positions)).toEqual([
      [0, 9],
      [1, 7],
    ]);
    await worker.stop(0);
  });

  test("a response is taken in pieces that fit; the rest is dropped when the partition goes", async () => {
    const { worker, assign, asked, taken, state } = setUp();
    const offsets = (): number[] => taken.map(({ offset }) => Number(offset));
    const kick = async (room: number): Promise<void> => {
      Object.assign(state, { hasRoom: true, room });
      worker.kick();
      await turn();
    };
    await assign(0, 1);
    state.room = 2;
    const records = [7, 8, 9, 10].map(record);
    await asked[0]!.answer([
      { partition: 0, records, next: 11n },
      { partition: 1, records, next: 11n },
    ]);
    expect([offsets(), asked.length, worker.progress.get(0)!.next]).toEqual([[7, 8], 1, 9n]);
    await kick(3);
    expect([offsets(), asked.length]).toEqual([[7, 8, 9, 10, 7], 1]);
    expect([0, 1].map((partition) => worker.progress.get(partition)!.next)).toEqual([11n, 8n]);
    await worker.onJoining([{ topic, partition: 1 }], 0);
    await kick(10);
    expect([offsets().length, asked.length]).toEqual([5, 2]);
    await worker.stop(0);
  });

  test("a failed fetch is reported and retried; a position that no longer exists is reported, counted and skipped", async () => {
    const { worker, assign, asked, said, counts, offsetsOf } = setUp();
    await assign(0);
    await asked[0]!.refuse(new Error("connection closed"));
    expect(said).toEqual(["fetch: connection closed"]);
    worker.kick();
    await turn();
    await asked[1]!.answer([{ partition: 0, outOfRange: 30n }]);
    expect([counts.outOfRange, counts.lost]).toEqual([1, 23n]);
    expect(said[1]).toContain("offset 7 no longer exists; continuing from 30: 23 offsets");
    await turn();
    expect(offsetsOf(asked.at(-1)!.positions)).toEqual([[0, 30]]);
    await worker.stop(0);
  });
});
