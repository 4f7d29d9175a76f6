// Runs a worker that reads, decides, writes and commits until it is stopped; or a dry run. Returns the exit code.
import type { AddressInfo } from "node:net";
import { decideMessages, type OriginLoader } from "@robots-stream/engine";
import { Counts } from "./flow/counts.ts";
import { Pipeline } from "./flow/pipeline.ts";
import { Worker } from "./flow/worker.ts";
import { isApi, limitsOf, sentenceOf } from "./kafka/client.ts";
import { Group } from "./kafka/group.ts";
import { Reader } from "./kafka/reader.ts";
import { Writer } from "./kafka/writer.ts";
import { openRobots } from "./robots.ts";
import { serve } from "./metrics.ts";
import type { Settings } from "./settings.ts";

export const exitCodes = { done: 0, usage: 2, failed: 3, incomplete: 4 } as const;

/** What a run uses of its process: stderr, stdout, the environment, and the signal that ends the run. */
export interface Surroundings {
  readonly say: (sentence: string) => void;
  readonly print: (text: string) => void;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/**
 * Runs until the signal is aborted, or deciding or writing fails for good; resolves to the exit code. Rejects with a `UsageError`
 * before the group is joined.
 */
export async function run(settings: Settings, surroundings: Surroundings): Promise<number> {
  const { client, isDryRun, topic, flow } = settings;
  const { env, say } = surroundings;
  const robots = await openRobots(settings, env, say);
  const outputs = isDryRun ? [] : [...new Set(Object.values(flow.routes).filter((name) => name !== undefined))];
  try {
    const limits = await limitsOf(client, topic, outputs);
    if (isDryRun) return await dryRun(settings, robots.loader, surroundings);
    return await work(settings, robots.loader, limits, surroundings);
  } finally {
    await robots.close();
  }
}

const requestTimeout = 30_000;
const defaultLimit = 1_048_588;

async function work(
  settings: Settings,
  loader: OriginLoader,
  limits: ReadonlyMap<string, number>,
  { say, print, signal }: Surroundings,
): Promise<number> {
  const { topic, flow, drainMs, http, client } = settings;
  const counts = new Counts();
  let end: (failure?: { readonly error: unknown }) => void = () => undefined;
  const ended = new Promise<{ readonly error: unknown } | undefined>((resolve) => (end = resolve));
  const writer = new Writer({ ...client, requestTimeout }, say);
  const reader = new Reader({ ...client, requestTimeout }, settings.group.groupId, topic);
  const pipeline: Pipeline = new Pipeline({
    ...flow,
    decide: { ...settings.deciding, robots: loader },
    counts,
    send: (records) => writer.send(records),
    isTooLarge: (error) => isApi(error, "MESSAGE_TOO_LARGE", "RECORD_LIST_TOO_LARGE"),
    limitOf: (name) => limits.get(name) ?? defaultLimit,
    onRoom: () => worker.kick(),
    onDead(code, count) {
      if (!counts.deadLetters.has(code) && flow.routes.dead === undefined)
        say(`${code}: there are dead letters, but no --dead-letter topic to write them to`);
      counts.deadLetters.set(code, (counts.deadLetters.get(code) ?? 0) + count);
    },
    onFailure: (error) => end({ error }),
  });
  const worker: Worker = new Worker({ ...flow, reader, pipeline, counts, say });
  const group = new Group(client, settings.group, worker);
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
  if (signal.aborted) end();
  else signal.addEventListener("abort", () => end(), { once: true });
  let code: number = exitCodes.done;
  try {
    const failure = await Promise.race([ended, group.join().then(() => ended)]);
    if (failure !== undefined) {
      say(`ended: ${sentenceOf(failure.error)}`);
      code = exitCodes.failed;
    }
    const isSettled = await worker.stop(failure === undefined ? drainMs : 0);
    if (failure === undefined && !isSettled) code = exitCodes.incomplete;
  } finally {
    await group.close();
    await pipeline.close();
    await Promise.all([writer.close().catch(() => undefined), reader.close().catch(() => undefined)]);
    server?.close();
    server?.closeAllConnections();
  }
  const { origins, fetches } = pipeline.decider.summary;
  const messages = { ...counts.messages, abandoned: counts.abandoned, underWay: pipeline.messages };
  const summary = Object.assign({}, counts, { messages, origins, fetches, isExact: counts.isExact(pipeline.messages) });
  print(
    `${JSON.stringify(summary, (_name, each: unknown) => (each instanceof Map ? Object.fromEntries(each) : each))}\n`,
  );
  return code;
}

/** Maximum number of messages that a dry run reads from one partition. */
const mostEach = 100;

/** Decides and prints the first messages of each partition, without joining the group, writing or committing. */
async function dryRun(
  { topic, flow, deciding, client }: Settings,
  loader: OriginLoader,
  { say, print, signal }: Surroundings,
): Promise<number> {
  const reader = new Reader(client, "dry-run", topic);
  let [messages, lines, rejected] = [0, 0, 0];
  const decider = decideMessages<string>({
    ...deciding,
    robots: loader,
    onPart({ message, rows, records, rejects }) {
      lines += records;
      rejected += rejects.length;
      if (rows.length > 0) print(rows.toString());
      for (const { line, code, reason } of rejects) say(`${message}, line ${line}: ${code}: ${reason}`);
    },
  });
  try {
    const leaders = await reader.leaders();
    for (const [partition, offset] of await reader.edges([...leaders.keys()], "earliest")) {
      if (signal.aborted) break;
      const [fetched] = await reader.fetch(leaders[partition]!, new Map([[partition, offset]]), () => undefined);
      for (const { offset: at, key, value } of fetched?.records.slice(0, mostEach) ?? []) {
        messages++;
        const name = `${topic}/${partition}/${at}`;
        const bytes = flow.urlFrom === "key" ? key && Buffer.from(JSON.stringify({ url: key.toString() })) : value;
        if (bytes === null) say(`${name}: has no ${flow.urlFrom}`);
        else decider.add(name, bytes);
      }
    }
    decider.end();
    signal.addEventListener("abort", () => void decider.stop(), { once: true });
    await decider.done;
    const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
    say(
      `${countText(messages, "message")} of ${countText(leaders.length, "partition")}: ` +
        `${countText(lines, "record")} decided, ${countText(rejected, "line")} rejected; nothing was written or committed`,
    );
    return exitCodes.done;
  } finally {
    await decider.stop();
    await reader.close();
  }
}
