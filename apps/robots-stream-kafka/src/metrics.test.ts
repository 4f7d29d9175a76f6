// Serves pages for known counts over HTTP and checks each value in Prometheus' text format.
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { Counts } from "./flow/counts.ts";
import { Progress } from "./flow/progress.ts";
import { type Shown, serve } from "./metrics.ts";

const summary = { origins: 7, fetches: 5, unavailable: 2, unreachable: 1 };

async function open(state = { isAlive: true, isReady: true }) {
  const counts = new Counts();
  Object.assign(counts.messages, { in: 20, out: 9, dead: 3, later: 2, leftOut: 1 });
  Object.assign(counts.lines, { in: 60, out: 40, dead: 11, later: 5, leftOut: 4 });
  Object.assign(counts, { abandoned: 1, offsetsLost: 12, outOfRange: 1, commits: 6, failedCommits: 2, joins: 3 });
  counts.written.set('a"b\\c', 9);
  const progress = new Progress(4, 100n, 100n);
  progress.begin(100n);
  progress.complete(100n);
  progress.begin(101n);
  progress.end = 110n;
  const shown = {
    counts,
    pipeline: { messages: 4, bytes: 1_234, oldestMs: 0, decider: { summary } },
    worker: { progress: new Map([[4, progress]]) },
    isAlive: () => state.isAlive,
    isReady: () => state.isReady,
  };
  const server = await serve({ host: "127.0.0.1", port: 0 }, shown as unknown as Shown);
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const page = async (path: string, method = "GET") => {
    const response = await fetch(`${base}${path}`, { method });
    return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
  };
  return { page, close: () => (server.close(), server.closeAllConnections()) };
}

describe("pages", () => {
  test("/metrics has each count, each name and type exactly once, and fates that add up", async () => {
    const { page, close } = await open();
    const { status, type, text } = await page("/metrics");
    close();
    expect([status, type]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    const lines = text.trim().split("\n");
    const values = new Map(
      lines
        .filter((line) => !line.startsWith("#"))
        .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
    );
    const found = Object.fromEntries(
      [...values].map(([name, value]) => [name.replace("robots_stream_kafka_", ""), value]),
    );
    expect(found).toEqual({
      messages_read_total: 20,
      'messages_total{fate="out"}': 9,
      'messages_total{fate="dead"}': 3,
      'messages_total{fate="later"}': 2,
      'messages_total{fate="left_out"}': 1,
      'messages_total{fate="abandoned"}': 1,
      'lines_total{fate="out"}': 40,
      'lines_total{fate="dead"}': 11,
      'lines_total{fate="later"}': 5,
      'lines_total{fate="left_out"}': 4,
      messages_under_way: 4,
      bytes_under_way: 1_234,
      oldest_seconds: 0,
      'messages_written_total{topic="a_b_c"}': 9,
      'watermark{partition="4"}': 101,
      'committed{partition="4"}': 100,
      'lag{partition="4"}': 9,
      origins_total: 7,
      robots_fetched_total: 5,
      'robots_failed_total{result="unavailable"}': 2,
      'robots_failed_total{result="unreachable"}': 1,
      'commits_total{result="done"}': 6,
      'commits_total{result="failed"}': 2,
      joins_total: 3,
      fetch_failures_total: 0,
      out_of_range_total: 1,
      offsets_lost_total: 12,
    });
    const typed = lines.filter((line) => line.startsWith("# TYPE ")).map((line) => line.split(" ")[2]);
    expect(new Set(typed).size).toBe(typed.length);
    for (const name of values.keys()) expect(typed).toContain(name.replace(/\{.*/, ""));
    const of = (name: string): number[] =>
      [...values].filter(([each]) => each.startsWith(`robots_stream_kafka_${name}{`)).map(([, value]) => value);
    const sum = (all: readonly number[]): number => all.reduce((total, value) => total + value, 0);
    expect(sum(of("messages_total")) + found["messages_under_way"]!).toBe(found["messages_read_total"]);
    expect(sum(of("lines_total"))).toBe(60);
  });

  test("the statuses of /livez and /readyz, of another path and of another method", async () => {
    const state = { isAlive: true, isReady: false };
    const { page, close } = await open(state);
    const statuses = async (): Promise<number[]> => [(await page("/livez")).status, (await page("/readyz")).status];
    expect(await statuses()).toEqual([200, 503]);
    Object.assign(state, { isAlive: false, isReady: true });
    expect(await statuses()).toEqual([503, 200]);
    expect([(await page("/")).status, (await page("/metrics", "POST")).status]).toEqual([404, 405]);
    expect((await page("/livez?x", "HEAD")).text).toBe("");
    close();
  });
});
