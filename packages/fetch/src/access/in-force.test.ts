// Outages as a state machine: every step of every policy, with and without a copy from before the outage; the end of an outage, the
// replacement of a copy, and jumps of the clock.
import { describe, expect, test } from "vitest";
import { createRobotsClient } from "../client/client.ts";
import { inForceAt, outageOf } from "./in-force.ts";
import { type AccessPolicyName, accessPolicies } from "./policy.ts";
import { createMemoryStore } from "../stores/memory.ts";
import type { Exchange, LoadedRobots, StoredRobots, Transport } from "../common/types.ts";

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;
const since = Date.UTC(2026, 0, 1);
const body = new TextEncoder().encode("User-agent: *\nDisallow: /x\n");
const good = { fetchedAt: since - hour, access: "successful", code: "ok", status: 200, body } as const;
const gone = { fetchedAt: since - hour, access: "unavailable", code: "http-404", status: 404 } as const;

/** The phases of an outage by their start. In "answering", the result depends on whether the origin answers with a status. */
type Phase = "stop" | "copy" | "answering";
const phases: Readonly<Record<AccessPolicyName, readonly (readonly [fromMs: number, phase: Phase])[]>> = {
  google: [
    [0, "stop"],
    [12 * hour, "copy"],
    [30 * day, "answering"],
  ],
  "google-2024": [
    [0, "stop"],
    [30 * day, "copy"],
  ],
  rfc9309: [
    [0, "stop"],
    [30 * day, "copy"],
  ],
  yandex: [[0, "stop"]],
};

function expectedOf(phase: Phase, copy: StoredRobots["lastCopy"], status: number | undefined): string {
  if (phase === "stop") return "unreachable";
  if (phase === "answering") return status === undefined ? "unreachable" : "unavailable";
  return copy === undefined ? "unavailable" : `${copy.access} stale`;
}

const edges = [0, 12 * hour, day, 30 * day].flatMap((at) => [at - second, at - 1, at, at + 1, at + second]);
const names = Object.keys(phases) as AccessPolicyName[];

describe.each(names)("%s", (name) => {
  test.each(edges.filter((at) => at >= 0))("%d ms into an outage", (at) => {
    for (const lastCopy of [undefined, good, gone]) {
      for (const status of [undefined, 503]) {
        const code = status === undefined ? "timeout" : "http-503";
        const stored: StoredRobots = {
          origin: "https://a.example",
          fetchedAt: since,
          freshUntil: since,
          access: "unreachable",
          code,
          unreachableSince: since,
          hops: [],
          ...(status === undefined ? {} : { status }),
          ...(lastCopy === undefined ? {} : { lastCopy }),
        };
        const phase = phases[name].findLast(([from]) => at >= from)?.[1] ?? "stop";
        const { access, stale, body: inForce } = inForceAt(stored, accessPolicies[name], since + at);
        const expected = expectedOf(phase, lastCopy, status);
        expect([at, code, lastCopy?.code, access + (stale ? " stale" : "")]).toEqual([
          at,
          code,
          lastCopy?.code,
          expected,
        ]);
        expect(inForce).toBe(expected === "successful stale" ? body : undefined);
      }
    }
  });
});

/** Loads one origin repeatedly, with a given result each time and a clock that is set by hand. */
class Story implements Transport {
  time = since;
  status: number | undefined = 200;
  private readonly store = createMemoryStore();
  private readonly policy: AccessPolicyName;

  constructor(policy: AccessPolicyName = "google") {
    this.policy = policy;
  }

  exchange(url: string): Promise<Exchange> {
    const frame = { hops: [], startedAt: this.time, endedAt: this.time };
    if (this.status === undefined) {
      return Promise.resolve({ ...frame, failure: { code: "timeout", message: "", url } });
    }
    const response = { status: this.status, headers: {}, body, truncated: false };
    return Promise.resolve({ ...frame, hops: [{ url, status: this.status }], response });
  }

  /** Makes a new client for each load, as another run of a program would. */
  async load(afterMs: number, status: number | undefined): Promise<LoadedRobots> {
    this.time += afterMs;
    this.status = status;
    const client = createRobotsClient({
      transport: this,
      store: this.store,
      now: () => this.time,
      policy: this.policy,
    });
    const loaded = await client.load("https://a.example");
    await client.close();
    return loaded;
  }
}

const held = ({ access, stale }: LoadedRobots): string => access + (stale ? " stale" : "");

describe("stories", () => {
  test("a 404 replaces an earlier good copy: an outage falls back to the 404", async () => {
    const story = new Story();
    expect(held(await story.load(0, 200))).toBe("successful");
    expect(held(await story.load(day, 404))).toBe("unavailable");
    expect(held(await story.load(day, 503))).toBe("unreachable");
    expect(held(await story.load(12 * hour - second, 503))).toBe("unreachable");
    const late = await story.load(second, 503);
    expect([held(late), late.stored.lastCopy?.code]).toEqual(["unavailable stale", "http-404"]);
  });

  test("a good copy replaces an earlier 404", async () => {
    const story = new Story();
    await story.load(0, 404);
    await story.load(day, 200);
    await story.load(day, undefined);
    expect(held(await story.load(12 * hour, undefined))).toBe("successful stale");
  });

  test("an answer ends an outage, and the next outage has a new start", async () => {
    const story = new Story();
    await story.load(0, 200);
    await story.load(day, 503);
    expect(held(await story.load(13 * hour, 503))).toBe("successful stale");
    const back = await story.load(hour, 200);
    expect([held(back), back.stored.unreachableSince, back.stored.lastCopy]).toEqual([
      "successful",
      undefined,
      undefined,
    ]);
    const again = await story.load(day, 503);
    expect([held(again), again.stored.unreachableSince]).toEqual(["unreachable", story.time]);
  });

  test("consecutive failures of different kinds are one outage", async () => {
    const story = new Story("google-2024");
    await story.load(0, 200);
    await story.load(day, 503);
    await story.load(10 * day, undefined);
    await story.load(10 * day, 429);
    expect(held(await story.load(10 * day - second, 500))).toBe("unreachable");
    expect(held(await story.load(hour, 500))).toBe("successful stale");
  });

  test("a clock that is set back lengthens no outage and makes no entry from the future fresh", async () => {
    const story = new Story();
    await story.load(0, 200);
    await story.load(day, 503);
    const back = await story.load(-400 * day, 503);
    expect([held(back), back.fetched, back.stored.unreachableSince]).toEqual(["unreachable", true, story.time]);
    expect(held(await story.load(11 * hour, 503))).toBe("unreachable");
    expect(held(await story.load(hour, 503))).toBe("successful stale");
    // The clock is right again, and the time in between has passed.
    expect(held(await story.load(400 * day, 200))).toBe("successful");
    expect((await story.load(-1, 200)).fetched).toBe(true);
  });

  test("a clock that is set forward does not turn a good answer into an outage", async () => {
    const story = new Story();
    await story.load(0, 200);
    const later = await story.load(400 * day, 503);
    expect([held(later), later.stored.unreachableSince]).toEqual(["unreachable", story.time]);
  });
});

test("a continued outage keeps its start and its copy", () => {
  const first = outageOf("unreachable", { ...good, origin: "o", freshUntil: since, hops: [] }, since);
  expect(first).toEqual({ unreachableSince: since, lastCopy: good });
  const entry: StoredRobots = {
    origin: "o",
    fetchedAt: since,
    freshUntil: since,
    access: "unreachable",
    code: "x",
    hops: [],
  };
  expect(outageOf("unreachable", { ...entry, ...first }, since + day)).toEqual(first);
  expect(outageOf("unreachable", entry, since + day)).toEqual({ unreachableSince: since });
  expect(outageOf("unreachable", undefined, since)).toEqual({ unreachableSince: since });
  expect(outageOf("successful", { ...entry, ...first }, since + day)).toEqual({});
});

test("the copy of a file that was cut within a line has its whole lines", () => {
  const cut = { ...good, body: body.subarray(0, -3), truncated: true, origin: "o", freshUntil: since, hops: [] };
  expect(Buffer.from(outageOf("unreachable", cut, since).lastCopy!.body!).toString()).toBe("User-agent: *\n");
});
