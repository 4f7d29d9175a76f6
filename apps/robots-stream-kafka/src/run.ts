// Runs a worker that reads, decides, writes and commits until it is stopped; returns the exit code.
import type { AddressInfo } from "node:net";
import { UsageError } from "@robots-stream/engine";
import { Counts } from "./flow/counts.ts";
import { Pipeline } from "./flow/pipeline.ts";
import { Worker } from "./flow/worker.ts";
import { type ClientOptions, clientOptionsOf } from "./kafka/connection.ts";
import { isMissingTopic, Reader } from "./kafka/fetch.ts";
import { isRefusal, SetupError, sentenceOf } from "./kafka/failures.ts";
import { Group } from "./kafka/group.ts";
import { isTooLarge, limitsOf, Writer } from "./kafka/producer.ts";
import { type OpenRobots, openRobots } from "./robots.ts";
import { dryRun } from "./dry-run.ts";
import { serve } from "./metrics.ts";
import type { Settings } from "./settings.ts";
import type { Surroundings } from "./surroundings.ts";

export const exitCodes = { done: 0, usage: 2, failed: 3, incomplete: 4 } as const;

/**
 * Runs until the signal is aborted, or deciding or writing fails for good; resolves to the exit code. Rejects with a `UsageError` or a
 * `SetupError` before the group is joined.
 */
export async function run(settings: Settings, surroundings: Surroundings): Promise<number> {
  const { connection } = settings;
  const { env, say } = surroundings;
  const robots = await openRobots(settings, env, say).catch((error: unknown) => {
    throw error instanceof UsageError ? error : new SetupError(`robots.txt files: ${sentenceOf(error)}`);
  });
  // A broker holds each join request until all members have joined, so the timeout of requests must be longer than a rebalance.
  const options = clientOptionsOf(connection, settings.group.rebalanceMs + 10_000);
  try {
    const limits = await checked(settings, options);
    if (settings.isDryRun) return await dryRun(settings, options, robots.loader, surroundings);
    return await work({ settings, options, robots, limits, surroundings });
  } finally {
    await robots.close();
  }
}

/**
 * Checks brokers and topics before the group is joined; resolves to the maximum batch size of each output topic, in bytes. The result is
 * empty for a dry run, and if the client may not read the configuration of topics.
 */
async function checked(
  { topic, routes, isDryRun, connection }: Settings,
  options: ClientOptions,
): Promise<ReadonlyMap<string, number>> {
  const reader = new Reader({ ...options, requestTimeout: 15_000 }, "check", topic);
  const outputs = isDryRun ? [] : [...new Set(Object.values(routes).filter((name) => name !== undefined))];
  try {
    await reader.leaders();
    for (const name of outputs) {
      const other = new Reader({ ...options, requestTimeout: 15_000 }, "check", name);
      try {
        await other.leaders();
      } catch (error) {
        throw isMissingTopic(error) ? new SetupError(`the topic ${name} does not exist`) : error;
      } finally {
        await other.close();
      }
    }
    if (outputs.length === 0) return new Map();
    return await limitsOf({ ...options, requestTimeout: 15_000 }, outputs).catch((error: unknown) => {
      // A client may be permitted to write to a topic, but not to read its configuration.
      if (isRefusal(error)) return new Map<string, number>();
      throw error;
    });
  } catch (error) {
    if (error instanceof SetupError) throw error;
    if (isMissingTopic(error)) throw new SetupError(`the topic ${topic} does not exist`);
    throw new SetupError(`brokers ${connection.brokers.join(",")}: ${sentenceOf(error)}`);
  } finally {
    await reader.close().catch(() => undefined);
  }
}

interface Parts {
  readonly settings: Settings;
  readonly options: ClientOptions;
  readonly robots: OpenRobots;
  readonly limits: ReadonlyMap<string, number>;
  readonly surroundings: Surroundings;
}

const defaultLimit = 1_048_588;

async function work({ settings, options, robots, limits, surroundings }: Parts): Promise<number> {
  const { say, print, signal } = surroundings;
  const { topic, routes, drainMs, http } = settings;
  const counts = new Counts();
  const deads = new Map<string, number>();
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<{ readonly error: unknown }>((resolve) => {
    fail = (error) => resolve({ error });
  });
  const writer = new Writer({ ...options, requestTimeout: 30_000 }, say);
  const reader = new Reader({ ...options, requestTimeout: 30_000 }, settings.group.groupId, topic);
  const pipeline: Pipeline = new Pipeline({
    ...settings,
    decide: { ...settings.deciding, robots: robots.loader },
    counts,
    writing: { send: (records) => writer.send(records), isTooLarge },
    limitOf: (name) => limits.get(name) ?? defaultLimit,
    onRoom: () => worker.kick(),
    onDead(code, count) {
      if (!deads.has(code) && routes.dead === undefined)
        say(`${code}: there are dead letters, but no --dead-letter topic to write them to`);
      deads.set(code, (deads.get(code) ?? 0) + count);
    },
    onFailure: fail,
  });
  const worker: Worker = new Worker({ ...settings, reader, pipeline, counts, say });
  const group = new Group(options, settings.group, worker);
  worker.begin(group);
  const shown = {
    counts,
    pipeline,
    worker,
    isAlive: () => !signal.aborted && (!worker.isAssigned || group.isAlive),
    isReady: () => worker.isAssigned && group.isAlive && !signal.aborted,
  };
  const server = http === undefined ? undefined : await serve(http, shown);
  if (server !== undefined) say(`http://${http!.host}:${(server.address() as AddressInfo).port}/metrics`);
  const stopped = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  let code: number = exitCodes.done;
  try {
    const end = await Promise.race([failed, stopped, group.join().then(() => Promise.race([failed, stopped]))]);
    if (end === undefined) {
      const isSettled = await worker.stop(drainMs);
      if (!isSettled) code = exitCodes.incomplete;
    } else {
      say(`ended: ${sentenceOf(end.error)}`);
      code = exitCodes.failed;
      await worker.stop(0);
    }
  } finally {
    await group.close();
    await pipeline.close();
    await Promise.all([writer.close().catch(() => undefined), reader.close().catch(() => undefined)]);
    server?.close();
    server?.closeAllConnections();
  }
  print(`${JSON.stringify(summaryOf(counts, pipeline, deads))}\n`);
  return code;
}

/** The summary that is printed at the end. */
function summaryOf(counts: Counts, pipeline: Pipeline, deads: ReadonlyMap<string, number>) {
  const { messages, lines, abandoned, written, commits, joins, outOfRange, lost } = counts;
  const { origins, fetches } = pipeline.decider.summary;
  return {
    messages: { ...messages, abandoned, underWay: pipeline.messages },
    lines,
    deadLetters: Object.fromEntries(deads),
    written: Object.fromEntries(written),
    origins,
    fetches,
    commits,
    joins,
    outOfRange,
    offsetsLost: Number(lost),
    isExact: counts.isExact(pipeline.messages),
  };
}
