// Makes a test of each row: the client loads the origins of each case, and its outcomes must be the expected ones.
import { readFileSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { type LoadedRobots, type RobotsStore, createRobotsClient } from "@robots-stream/fetch";
import { limitsOf } from "@robots-stream/fetch/transports";
import { describe, expect, test } from "vitest";
import { foreignAttempts } from "./loopback-watch.ts";
import type { Expectation, Expected, FaultCase, FaultRow, Outcome, Scene } from "./row.ts";

/** Timeouts long enough that a busy machine changes no outcome; a case about time sets its own. */
const labLimits = { deadlineMs: 15_000, connectTimeoutMs: 10_000, headersTimeoutMs: 10_000 };

/** Tolerance after an exchange's deadline. */
const graceMs = 500;

/** A store that stores nothing: a scene loads no origin twice, and no entry may outlive a scene. */
const noStore: RobotsStore = { get: () => undefined, set: () => undefined };

const page = new URL("../../../docs/FAULTS.md", import.meta.url);

/** Tests each row, and that docs/FAULTS.md has it; at the end no socket, server or name lookup is left open. */
export function testRows(rows: readonly FaultRow[]): void {
  const before = networkHandles();
  describe.concurrent("rows", { timeout: 240_000 }, () => {
    for (const { id, title, cases, missing } of rows) {
      const reason = missing?.();
      test.skipIf(reason !== undefined)(`${id}: ${title}${reason === undefined ? "" : ` (${reason})`}`, async () => {
        const problems = await Promise.all(
          cases.map(async (each) => (await runCase(each)).map((problem) => `${each.what}: ${problem}`)),
        );
        expect(problems.flat()).toEqual([]);
      });
    }
  });
  test.each(rows)("docs/FAULTS.md has row $id", ({ id, title }) => {
    expect(readFileSync(page, "utf8")).toContain(`\n| ${id} | ${title} | `);
  });
  test("no handle is left open", async () => {
    await expect.poll(networkHandles).toEqual(before);
  });
}

/** The kinds of open handles that would keep a process alive because of the network. */
function networkHandles(): readonly string[] {
  return process.getActiveResourcesInfo().filter((kind) => /^(?:TCP|UDP|TLS|GETADDRINFO|QUERY)/u.test(kind));
}

/** Opens the scene, loads its origins, compares the outcomes, and closes the scene. Returns one sentence per problem. */
async function runCase(faultCase: FaultCase): Promise<readonly string[]> {
  const scene = await faultCase.open();
  try {
    return await loadScene(scene, faultCase.expected);
  } finally {
    await scene.close();
  }
}

async function loadScene(scene: Scene, expected: FaultCase["expected"]): Promise<readonly string[]> {
  const limits = limitsOf({ ...labLimits, ...scene.client?.limits });
  const client = createRobotsClient({ allowPrivate: true, store: noStore, ...scene.client, limits });
  const before = foreignAttempts().length;
  const outcomes: Outcome[] = [];
  const problems: string[] = [];
  const load = async (origin: string, index: number): Promise<void> => {
    try {
      const loaded = await client.load(origin);
      const outcome = outcomeOf(origin, loaded);
      outcomes[index] = outcome;
      const wanted = typeof expected === "function" ? expected(index) : expected;
      const name = scene.labels?.[index] ?? origin;
      if (!meets(outcome, wanted)) problems.push(`${name}: ${shownOutcome(outcome)}, not ${shownExpected(wanted)}`);
    } catch (error) {
      problems.push(`${origin}: the load was rejected: ${String(error)}`);
    }
  };
  try {
    // The deadline of a queued load does not run yet, so each round of concurrent loads gets its own deadline.
    const rounds = Math.ceil(scene.origins.length / (scene.client?.concurrency ?? 256));
    const settled = Promise.all(scene.origins.map(load));
    if (!(await within(settled, limits.deadlineMs * rounds + graceMs))) problems.push("hangs past its deadline");
    else problems.push(...((await scene.check?.(outcomes)) ?? []));
  } finally {
    await client.close();
  }
  problems.push(
    ...foreignAttempts()
      .slice(before)
      .map((where) => `a connection left loopback: ${where}`),
  );
  return problems;
}

/** Whether the promise settles in time. Time in which this process was not scheduled does not count. */
async function within(settled: Promise<unknown>, ms: number): Promise<boolean> {
  let over = false;
  void settled.finally(() => (over = true));
  const tickMs = 50;
  for (let waited = 0; waited < ms && !over; waited += tickMs) {
    await new Promise((resolve) => setTimeout(resolve, tickMs));
    await turn();
  }
  return over;
}

function outcomeOf(origin: string, loaded: LoadedRobots): Outcome {
  const decision = loaded.matcherOf("labbot").decideTarget("/private");
  return {
    origin,
    decision: decision.allowed ? "allow" : "disallow",
    because: decision.because,
    code: loaded.stored.code,
    line: decision.because === "rule" ? decision.rule.line : undefined,
    loaded,
  };
}

function meets(outcome: Outcome, expected: Expected): boolean {
  return listOf(expected).some(
    ({ decision, because, code, line }) =>
      decision === outcome.decision &&
      because === outcome.because &&
      (typeof code === "string" ? code === outcome.code : code.includes(outcome.code)) &&
      line === outcome.line,
  );
}

function listOf(expected: Expected): readonly Expectation[] {
  return Array.isArray(expected) ? (expected as readonly Expectation[]) : [expected as Expectation];
}

/** An expectation as text: `disallow, unreachable (protocol)`. */
function shownExpected(expected: Expected): string {
  return listOf(expected)
    .map(({ decision, because, code, line }) =>
      shown(decision, because, typeof code === "string" ? code : code.join(" or "), line),
    )
    .join("; or ");
}

/** An outcome as text in the same form. */
function shownOutcome({ decision, because, code, line }: Outcome): string {
  return shown(decision, because, code, line);
}

function shown(decision: string, because: string, code: string, line: number | undefined): string {
  return `${decision}, ${because}${line === undefined ? "" : ` on line ${line}`} (${code})`;
}
