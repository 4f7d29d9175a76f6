// Tests many origins and many crawlers, one crawler per record, with memory for the rules of few origins: each origin is loaded once over
// the network, counts are exact, and decisions are the same as with ample memory.
import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { Engine, runEngine } from "../stream/engine.ts";
import { outputFormats } from "../formats/registry/registry.ts";
import { robotsOf, type RobotsSource, type SourcedRobots } from "../robots/in-force.ts";
import { batchOf } from "../../test/reading.ts";

const crawlers = ["Googlebot", "bingbot", "GPTBot", "CCBot", "AhrefsBot", "YandexBot"];
const headers = [
  ...crawlers.map((name) => `Mozilla/5.0 (compatible; ${name}/2.1)`),
  "curl/8",
  "Mozilla/5.0 Firefox/128.0",
];
const originCount = 60;
const rounds = 4;

/** Rules that differ by origin, for crawlers that differ by origin. */
function textOf(origin: string): string {
  const number = Number(/\d+/.exec(origin)![0]);
  const own = crawlers[number % crawlers.length]!;
  return `User-agent: ${own}\nDisallow: /${number % 3}\n\nUser-agent: *\nDisallow: /${number % 4}\nAllow: /0/${number}\n`;
}

/** The URLs of each round: one URL of every origin, so that consecutive URLs never have the same origin. */
const urls = Array.from({ length: rounds }, (_, round) =>
  Array.from(
    { length: originCount },
    (_origin, number) => `https://${number}.example/${(number + round) % 4}/${number}`,
  ),
);

interface Outcome {
  readonly rows: readonly string[];
  readonly loads: ReadonlyMap<string, number>;
  readonly builds: number;
  readonly engine: Engine;
}

async function run(matcherBytes: number, isRemote: boolean, isOrdered: boolean): Promise<Outcome> {
  const loads = new Map<string, number>();
  let builds = 0;
  const pieces: Buffer[] = [];
  let record = 0;
  const source: RobotsSource = {
    isRemote,
    load(origin): SourcedRobots | Promise<SourcedRobots> {
      loads.set(origin, (loads.get(origin) ?? 0) + 1);
      const robots = robotsOf(Buffer.from(textOf(origin)));
      const matcherOf: SourcedRobots["matcherOf"] = (...args) => {
        builds++;
        return robots.matcherOf(...args);
      };
      return isRemote ? Promise.resolve({ ...robots, matcherOf }) : { ...robots, matcherOf };
    },
    close: () => undefined,
  };
  const writer = outputFormats[0]!.createWriter({
    resultKey: "robots",
    csvSafe: false,
    hasDialect: false,
    hasKind: true,
  });
  const engine = new Engine({
    settings: {
      questions: [],
      agentField: "agent",
      questionOptions: { dialects: ["google"], tokenMatch: undefined, hasFallback: true },
      onlyDifferences: false,
      targetForm: "raw",
      isOrdered,
      parkBytes: 1_000_000,
      matcherBytes,
      shard: undefined,
      concurrency: 4,
      countsAll: false,
    },
    input: {
      async *batches() {
        for (const batch of urls) {
          const all = batch.flatMap((url) => headers.map((agent) => ({ url, agent })));
          yield batchOf(all.map((each) => ({ ...each, head: `{"n":${String(record++).padStart(6, "0")}` })));
          await Promise.resolve();
        }
      },
      stop: () => undefined,
    },
    source,
    writer,
    onRejects: () => undefined,
  });
  const output = new Writable({
    objectMode: true,
    write(piece: Buffer, _encoding, callback) {
      pieces.push(Buffer.from(piece));
      callback();
    },
  });
  await runEngine(engine, output);
  const rows = Buffer.concat(pieces).toString("latin1").split("\n").slice(0, -1);
  return { rows: isOrdered ? rows : rows.toSorted(), loads, builds, engine };
}

test.each([
  ["over the network", true, false],
  ["over the network, in order", true, true],
  ["saved files", false, false],
])("little memory changes neither rows nor counts: %s", async (_what, isRemote, isOrdered) => {
  const roomy = await run(1e9, isRemote, isOrdered);
  const crowded = await run(1, isRemote, isOrdered);
  expect(crowded.rows).toEqual(roomy.rows);
  const records = rounds * originCount * headers.length;
  const notCrawlers = rounds * originCount * (headers.length - crawlers.length);
  for (const { engine, rows } of [roomy, crowded]) {
    const { tally } = engine;
    expect([rows.length, tally.records, tally.decided, tally.noCrawler, tally.isExact]).toEqual([
      records,
      records,
      records,
      notCrawlers,
      true,
    ]);
    expect(tally.origins).toBe(originCount);
  }
  expect([...roomy.loads.values()].every((count) => count === 1)).toBe(true);
  // A saved file is read again when its origin's matchers are rebuilt; locating a record does not rebuild them.
  const most = isRemote ? 1 : rounds + 1;
  expect(Math.max(...crowded.loads.values())).toBeLessThanOrEqual(most);
});
