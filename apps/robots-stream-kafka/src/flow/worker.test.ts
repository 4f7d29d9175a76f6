// Tests a worker with a fake reader and group: which responses count, what is committed and when, and when reading pauses.
import { describe, expect, onTestFinished, test } from "vitest";
import type { Fetched } from "../kafka/reader.ts";
import type { InputRecord, Offsets } from "../kafka/types.ts";
import { Counts } from "./counts.ts";
import type { Progress } from "./progress.ts";
import { Worker } from "./worker.ts";

const recordOf = (offset: number): InputRecord => ({
  offset: BigInt(offset),
  timestamp: 0n,
  key: null,
  value: Buffer.from("x"),
  headers: [],
});

interface Asked {
  readonly offsets: readonly (readonly [partition: number, offset: number])[];
  /** Answers with the messages with these offsets, for each partition. */
  answer(records: Readonly<Record<number, readonly number[]>>, more?: Partial<Fetched>): Promise<void>;
  refuse(error: Error): Promise<void>;
}

const turn = (ms = 5): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const pairsOf = (offsets: Offsets) =>
  Array.from(offsets, ([partition, offset]) => [partition, Number(offset)] as const);

/** A worker with two brokers: the first one leads the partitions 0 and 1, the second one leads 2. */
function setUp(more: { readonly committed?: Offsets; readonly mostSpan?: number } = {}) {
  const asked: Asked[] = [];
  const commits: (readonly (readonly [number, number])[])[] = [];
  const taken: { readonly progress: Progress; readonly offset: number; complete(): void }[] = [];
  const abandoned: Progress[] = [];
  const said: string[] = [];
  const state = { hasRoom: true, room: Infinity, canCommit: true, isAlive: true, failsToCommit: false, edge: 7n };
  const pipeline = {
    get hasRoom() {
      return state.hasRoom;
    },
    add(progress: Progress, { offset }: InputRecord) {
      progress.begin(offset);
      taken.push({ progress, offset: Number(offset), complete: () => progress.complete(offset) });
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
    edges: async (partitions: readonly number[]) => new Map(partitions.map((partition) => [partition, state.edge])),
    committed: async () => more.committed ?? new Map<number, bigint>(),
    fetch: (_node: number, offsets: Offsets) =>
      new Promise<readonly Fetched[]>((resolve, reject) =>
        asked.push({
          offsets: pairsOf(offsets),
          async answer(records, fetched) {
            const all = Object.entries(records).map(([partition, each]) => {
              const next = BigInt((each.at(-1) ?? -1) + 1);
              return { partition: Number(partition), records: each.map(recordOf), next, end: next, ...fetched };
            });
            resolve(all);
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
  const say = (text: string): void => void said.push(text);
  const worker = new Worker({
    reader,
    pipeline,
    counts,
    start: "earliest",
    commitMs: 1e6,
    mostSpan: 100,
    say,
    ...more,
  });
  onTestFinished(() => void worker.stop(0));
  worker.begin({
    async commit(offsets) {
      await turn();
      if (state.failsToCommit) throw new Error("REBALANCE_IN_PROGRESS");
      commits.push(pairsOf(offsets));
    },
    get canCommit() {
      return state.canCommit;
    },
    get isAlive() {
      return state.isAlive;
    },
  });
  const assign = async (...partitions: readonly number[]): Promise<void> => {
    await worker.onAssigned(partitions);
    await turn();
  };
  const offsets = (): number[] => taken.map(({ offset }) => offset);
  return { asked, commits, taken, offsets, abandoned, said, state, counts, worker, assign };
}

describe("a worker", () => {
  test("begins at the committed offset; without one, begins at the first message, and the next commit has that offset", async () => {
    const { worker, assign, asked, commits } = setUp({ committed: new Map([[0, 40n]]) });
    await assign(0, 1);
    expect(asked[0]!.offsets).toEqual([
      [0, 40],
      [1, 7],
    ]);
    await worker.commit();
    expect(commits).toEqual([[[1, 7]]]);
  });

  test("sends each leader one request at a time, and continues after gaps", async () => {
    const { assign, asked, offsets } = setUp();
    await assign(0, 2);
    expect(asked.map((each) => each.offsets)).toEqual([[[0, 7]], [[2, 7]]]);
    await asked[0]!.answer({ 0: [7, 9] }, { next: 15n, end: 20n });
    expect(offsets()).toEqual([7, 9]);
    expect(asked.slice(2).map((each) => each.offsets)).toEqual([[[0, 15]]]);
  });

  test("drops the response to a request of an earlier assignment, even if the partition is assigned again", async () => {
    const { worker, assign, asked, offsets, abandoned } = setUp();
    await assign(0);
    await worker.onJoining([0], 100);
    expect(abandoned.length).toBe(1);
    // Longer than the pause after which a worker looks for partitions to begin with.
    await turn(250);
    expect(worker.progress.size).toBe(0);
    await assign(0);
    await asked[0]!.answer({ 0: [7] });
    expect([offsets(), worker.progress.get(0)!.next]).toEqual([[], 7n]);
  });

  test("a kept partition continues at its position", async () => {
    const { worker, assign, asked } = setUp();
    await assign(0);
    const progress = worker.progress.get(0);
    await asked[0]!.answer({ 0: [7] });
    await worker.onJoining([], 100);
    await assign(0, 1);
    expect(worker.progress.get(0)).toBe(progress);
    expect(progress!.next).toBe(8n);
  });

  test("takes no messages while the membership may have expired", async () => {
    const { worker, assign, asked, offsets, state } = setUp();
    await assign(0);
    state.isAlive = false;
    await asked[0]!.answer({ 0: [7] });
    expect([offsets(), worker.progress.get(0)!.next]).toEqual([[], 7n]);
  });

  test("completes and commits revoked partitions within the limit; commits none if the membership is lost", async () => {
    const { worker, assign, asked, taken, commits, abandoned } = setUp();
    await assign(0, 1);
    await asked[0]!.answer({ 0: [7, 8] });
    setTimeout(() => taken.forEach((each) => each.complete()), 20);
    await worker.onJoining([0], 5_000);
    expect(commits).toEqual([
      [
        [0, 9],
        [1, 7],
      ],
    ]);
    await worker.onJoining([1], 0);
    expect([commits.length, abandoned.length]).toEqual([1, 2]);
  });

  test("sends one commit at a time, none while joining, and retries failed commits", async () => {
    const { worker, assign, asked, taken, commits, state, counts } = setUp();
    await assign(0);
    await asked[0]!.answer({ 0: [7, 8] });
    await Promise.all([worker.commit(), worker.commit()]);
    expect(commits).toEqual([[[0, 7]]]);
    taken[1]!.complete();
    await worker.commit();
    expect(commits.length).toBe(1);
    taken[0]!.complete();
    state.canCommit = false;
    await worker.commit();
    Object.assign(state, { canCommit: true, failsToCommit: true });
    await worker.commit();
    expect([commits.length, counts.failedCommits]).toEqual([1, 1]);
    state.failsToCommit = false;
    await worker.commit();
    expect(commits).toEqual([[[0, 7]], [[0, 9]]]);
  });

  test("pauses reading while there is no room, and skips a partition whose span is full", async () => {
    const { worker, assign, asked, taken, state } = setUp({ mostSpan: 2 });
    await assign(0, 1);
    await asked[0]!.answer({ 0: [7, 8] });
    expect(asked[1]!.offsets).toEqual([[1, 7]]);
    state.hasRoom = false;
    for (const each of taken) each.complete();
    await asked[1]!.answer({});
    expect(asked.length).toBe(2);
    state.hasRoom = true;
    worker.kick();
    await turn();
    expect(asked[2]!.offsets).toEqual([
      [0, 9],
      [1, 7],
    ]);
  });

  test("a response is taken in pieces that fit; the rest is dropped when the partition goes", async () => {
    const { worker, assign, asked, offsets, state } = setUp();
    const kick = async (room: number): Promise<void> => {
      Object.assign(state, { hasRoom: true, room });
      worker.kick();
      await turn();
    };
    await assign(0, 1);
    state.room = 2;
    await asked[0]!.answer({ 0: [7, 8, 9, 10], 1: [7, 8, 9, 10] });
    expect([offsets(), asked.length, worker.progress.get(0)!.next]).toEqual([[7, 8], 1, 9n]);
    await kick(3);
    expect([offsets(), asked.length]).toEqual([[7, 8, 9, 10, 7], 1]);
    expect([0, 1].map((partition) => worker.progress.get(partition)!.next)).toEqual([11n, 8n]);
    await worker.onJoining([1], 0);
    await kick(10);
    expect([offsets().length, asked.length]).toEqual([5, 2]);
  });

  test("reports a failed fetch and repeats it; reports, counts and skips a position that no longer exists", async () => {
    const { assign, asked, said, counts, state } = setUp();
    await assign(0);
    await asked[0]!.refuse(new Error("connection closed"));
    expect(said).toEqual(["fetch: connection closed"]);
    while (asked.length < 2) await turn(50);
    state.edge = 30n;
    await asked[1]!.answer({ 0: [] }, { isOutOfRange: true });
    expect([counts.outOfRange, counts.offsetsLost]).toEqual([1, 23]);
    expect(said[1]).toContain("offset 7 no longer exists; continuing from 30: 23 offsets");
    expect(asked.at(-1)!.offsets).toEqual([[0, 30]]);
  });
});
