// Crawlers' requests for robots.txt itself are allowed in every dialect; the rules or the access result decide all other requests.
import { Writable } from "node:stream";
import { type DialectName, createMatcher, parseRobotsTxt } from "@robots-stream/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Engine, runEngine } from "../stream/engine.ts";
import { outputFormats } from "../formats/registry/registry.ts";
import type { TargetForm } from "../questions/questions.ts";
import { constantOf, robotsOf } from "../robots/in-force.ts";
import { batchOf } from "../../test/reading.ts";

const crawlers = ["bingbot", "GPTBot", "CCBot"];
const file = "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /*.txt$\nDisallow: /b\n";

interface Request {
  readonly origin: number;
  readonly target: string;
  readonly agent: string;
}

interface Way {
  readonly dialects: readonly DialectName[];
  readonly targetForm: TargetForm;
  /** Makes every record take the general path. */
  readonly countsAll: boolean;
  readonly matcherBytes: number;
  readonly isOrdered: boolean;
}

interface Row {
  readonly target: string;
  readonly robots: {
    readonly agent: string;
    readonly allowed: boolean;
    readonly because: string;
    readonly dialect?: DialectName;
  };
}

async function run(requests: readonly Request[], way: Way, isReachable: boolean) {
  const pieces: Buffer[] = [];
  const { dialects, ...others } = way;
  const engine = new Engine({
    settings: {
      questions: [],
      agentField: "agent",
      questionOptions: { dialects, tokenMatch: undefined, hasFallback: true },
      onlyDifferences: false,
      parkBytes: 1_000_000,
      shard: undefined,
      concurrency: 4,
      ...others,
    },
    input: {
      async *batches() {
        yield batchOf(
          requests.map(({ origin, target, agent }) => ({
            head: `{"target":${JSON.stringify(target)}`,
            url: `https://${origin}.example${target}`,
            agent: `Mozilla/5.0 (compatible; ${agent}/1.0)`,
          })),
        );
        await Promise.resolve();
      },
      stop: () => undefined,
    },
    source: {
      isRemote: true,
      load: () => Promise.resolve(isReachable ? robotsOf(Buffer.from(file)) : constantOf("unreachable", "timeout")),
      close: () => undefined,
    },
    writer: outputFormats[0]!.createWriter({ resultKey: "robots", csvSafe: false, hasDialect: true, hasKind: false }),
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
  const lines = Buffer.concat(pieces).toString("latin1").split("\n").slice(0, -1);
  return { decided: lines.map((line) => JSON.parse(line) as Row), tally: engine.tally };
}

const request: fc.Arbitrary<Request> = fc.record({
  origin: fc.integer({ min: 0, max: 5 }),
  target: fc.constantFrom(
    "/robots.txt",
    "/robots.txt",
    "/robots.txt?",
    "/robots.txt?a",
    "/robots.txt/",
    "/Robots.txt",
    "/b",
    "/a",
  ),
  agent: fc.constantFrom(...crawlers),
});
const way: fc.Arbitrary<Way> = fc.record({
  dialects: fc.constantFrom<readonly DialectName[]>(["google"], ["rfc9309"], ["google", "rfc9309"]),
  targetForm: fc.constantFrom("raw", "normalized"),
  countsAll: fc.boolean(),
  matcherBytes: fc.constantFrom(1, 1e9),
  isOrdered: fc.boolean(),
});

test("robots.txt itself is allowed in any dialect, on any path through the code; rules or the access result decide the rest", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 300 }), way, fc.boolean(), async (requests, each, isReachable) => {
      const { decided: rows, tally } = await run(requests, each, isReachable);
      expect(rows).toHaveLength(requests.length * each.dialects.length);
      const disallowed = rows.filter(({ robots }) => !robots.allowed).length;
      expect(tally.questions.reduce((sum, question) => sum + question.disallowed, 0)).toBe(disallowed);
      for (const { target, robots } of rows) {
        const { agent, allowed, because, dialect = each.dialects[0]! } = robots;
        if (target === "/robots.txt") expect([allowed, because]).toEqual([true, "robots-txt"]);
        else if (!isReachable) expect([allowed, because]).toEqual([false, "unreachable"]);
        else {
          const decision = createMatcher(parseRobotsTxt(file, { dialect }), agent).decideTarget(target);
          expect([allowed, because]).toEqual([decision.allowed, decision.because]);
        }
      }
    }),
    { numRuns: process.env["ROBOTS_STREAM_THOROUGH"] !== undefined ? 1_000 : 60 },
  );
});
