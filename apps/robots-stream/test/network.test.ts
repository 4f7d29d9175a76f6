// Tests the app as a process with real servers for 217 origins, which respond in twelve ways; every decision and request is checked. Without packets, the run ends.
import { type IncomingMessage, type RequestListener, type Server, createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordsOf, runApp, appArguments, root } from "./run.ts";
import { portOf } from "./servers.ts";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { IoError } from "@robots-stream/engine";
import { createNetworkWatch } from "../src/cli/network/network.ts";

/** The expected answer for a record, without its agent and origin. */
interface Expected {
  readonly allowed: boolean;
  readonly because: string;
  readonly group?: string;
  readonly rule?: string;
  readonly line?: number;
  readonly code?: string;
}

/** Paths of an origin with their expected decisions, written by hand. */
type Answers = readonly (readonly [path: string, expected: Expected])[];

interface File {
  readonly body: string;
  readonly answers: Answers;
}

const disallowed = (rule: string, line: number): Expected => ({
  allowed: false,
  because: "rule",
  group: "*",
  rule: `disallow: ${rule}`,
  line,
});
const allowed = (rule: string, line: number): Expected => ({
  allowed: true,
  because: "rule",
  group: "*",
  rule: `allow: ${rule}`,
  line,
});
const noRule: Expected = { allowed: true, because: "no-rule", group: "*" };
/** Expected decisions by a file's group for bingbot. */
const own = ({ group: _group, ...expected }: Expected): Expected => expected;
const noGroup: Expected = { allowed: true, because: "no-group" };
const everywhere = (expected: Expected): Answers =>
  ["/", "/private/x", "/a.pdf?b=c", "/%7Euser"].map((path) => [path, expected]);

const files: readonly File[] = [
  {
    body: "User-agent: *\r\nDisallow: /private/\r\nAllow: /private/open\r\nDisallow: /*.pdf$\r\nDisallow: /*?sort=\r\n",
    answers: [
      ["/", noRule],
      ["/private", noRule],
      ["/private/", disallowed("/private/", 2)],
      ["/private/x?y=z", disallowed("/private/", 2)],
      ["/private/open/1", allowed("/private/open", 3)],
      ["/deep/file.pdf", disallowed("/*.pdf$", 4)],
      ["/deep/file.pdf?x=1", noRule],
      ["/list?sort=up", disallowed("/*?sort=", 5)],
    ],
  },
  {
    body: "# two groups\nUser-agent: GPTBot\nDisallow: /\n\nUser-agent: BingBot\nUser-agent: otherbot\nDisallow: /named\n\nUser-agent: *\nDisallow: /everyone\n",
    answers: [
      ["/named/1", own(disallowed("/named", 7))],
      ["/everyone", own(noRule)],
      ["/", own(noRule)],
    ],
  },
  { body: "User-agent: GPTBot\nDisallow: /\n", answers: everywhere(noGroup) },
  { body: "", answers: everywhere(noGroup) },
  { body: "User-agent: *\nDisallow: /\n", answers: everywhere(disallowed("/", 2)) },
  {
    body: "User-agent: *\nAllow: /ü\nDisallow: /%C3%BC/no\n",
    answers: [
      ["/ü/yes", allowed("/%C3%BC", 2)],
      ["/ü/no", disallowed("/%C3%BC/no", 3)],
      ["/%c3%bc/no", disallowed("/%C3%BC/no", 3)],
      ["/u", noRule],
    ],
  },
];

/** Counts a request for the run that its User-Agent header names, because several runs use the same servers concurrently. */
type CountRequest = (request: IncomingMessage) => void;

/** How an origin responds, and what this changes in the expected decisions by its file. */
interface Kind {
  readonly name: string;
  readonly count: number;
  listener(file: File, countRequest: CountRequest): RequestListener;
  answers(file: File): Answers;
}

const served: Pick<Kind, "answers"> = { answers: ({ answers }) => answers };
const statusKind = (status: number, count: number, expected: Expected): Kind => ({
  name: `status ${status}`,
  count,
  listener: (_file, countRequest) => (request, response) => {
    countRequest(request);
    response.writeHead(status, { "retry-after": "1" }).end("User-agent: *\nDisallow: /\n");
  },
  answers: () => everywhere(expected),
});
/** Redirects on one host, from /robots.txt to /1, /2 and so on, and then to the file. */
const redirectKind = (steps: number, status: number, count: number, answers: Kind["answers"]): Kind => ({
  name: `${steps} redirects`,
  count,
  listener: (file, countRequest) => (request, response) => {
    const step = request.url === "/robots.txt" ? 0 : Number(request.url?.slice(1));
    if (step === 0) countRequest(request);
    if (step < steps) response.writeHead(status, { location: `/${step + 1}` }).end();
    else response.end(file.body);
  },
  answers,
});

const kinds: readonly Kind[] = [
  {
    name: "served",
    count: 110,
    listener:
      ({ body }, countRequest) =>
      (request, response) => {
        if (request.url === "/robots.txt") countRequest(request);
        response.end(body);
      },
    ...served,
  },
  redirectKind(1, 301, 20, ({ answers }) => answers),
  redirectKind(5, 302, 10, ({ answers }) => answers),
  redirectKind(6, 307, 6, () => everywhere({ allowed: true, because: "unavailable" })),
  statusKind(404, 20, { allowed: true, because: "unavailable", code: "http-404" }),
  statusKind(403, 6, { allowed: true, because: "unavailable", code: "http-403" }),
  statusKind(429, 10, { allowed: false, because: "unreachable", code: "http-429" }),
  statusKind(503, 20, { allowed: false, because: "unreachable", code: "http-503" }),
  statusKind(500, 6, { allowed: false, because: "unreachable", code: "http-500" }),
  {
    name: "slow",
    count: 3,
    listener:
      ({ body }, countRequest) =>
      (request, response) => {
        countRequest(request);
        setTimeout(() => response.end(body), 1_500);
      },
    ...served,
  },
  {
    name: "never answering",
    count: 2,
    listener: (_file, countRequest) => (request) => countRequest(request),
    answers: () => everywhere({ allowed: false, because: "unreachable" }),
  },
  {
    name: "reset",
    count: 4,
    listener: (_file, countRequest) => (request) => {
      countRequest(request);
      request.socket.resetAndDestroy();
    },
    answers: () => everywhere({ allowed: false, because: "unreachable" }),
  },
];

interface Place {
  readonly kind: Kind;
  origin: string;
  readonly answers: Answers;
  /** Requests, grouped by the User-Agent header of a run. */
  readonly requests: Map<string, number>;
}

const servers: Server[] = [];
const places: Place[] = [];

beforeAll(async () => {
  for (const kind of kinds) {
    for (let index = 0; index < kind.count; index++) {
      const file = files[index % files.length] as File;
      const place: Place = { kind, origin: "", answers: kind.answers(file), requests: new Map() };
      const server = createServer(
        kind.listener(file, ({ headers: { "user-agent": run = "" } }) => {
          place.requests.set(run, (place.requests.get(run) ?? 0) + 1);
        }),
      );
      servers.push(server);
      place.origin = `http://127.0.0.1:${await portOf(server)}`;
      places.push(place);
    }
  }
});

afterAll(async () => {
  for (const server of servers) server.closeAllConnections();
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
});

/** A reproducible order in which the origins are mixed. */
function shuffled<T>(items: readonly T[]): T[] {
  let state = 12_345;
  const random = (): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  return items
    .map((item) => [random(), item] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item);
}

// The cases run concurrently, because each waits for the same slow servers.
describe.concurrent.each([
  ["as decided", []],
  ["most of them waiting in a file", ["--park-bytes", "10K"]],
  ["in order, with little room to wait in", ["--ordered", "--park-bytes", "300K", "--output", "ndjson"]],
])("10,000 URLs of 217 origins, %s", (what, flags) => {
  test("every decision is right, and each origin gets as many requests as expected", { timeout: 180_000 }, async () => {
    const grouped = places.flatMap((place) =>
      Array.from({ length: 47 }, (_, index) => {
        const [path, expected] = place.answers[index % place.answers.length] as Answers[number];
        return { place, url: `${place.origin}${path}`, expected };
      }),
    );
    const records = shuffled(grouped);
    expect(places).toHaveLength(217);
    expect(records.length).toBeGreaterThan(10_000);
    const stdin = records.map(({ url }, id) => `${JSON.stringify({ id, url })}\n`).join("");

    const args = ["--agent", "bingbot", "--allow-private", "--timeout", "6", "--summary", "--user-agent", what];
    const { code, stdout, stderr } = await runApp([...args, ...flags], stdin);

    const wrong: unknown[] = [];
    const seen = new Set<number>();
    for (const { id, url, robots } of recordsOf(stdout) as {
      id: number;
      url: string;
      robots: Record<string, unknown>;
    }[]) {
      const { place, expected, ...asked } = records[id] as (typeof records)[number];
      const { agent, origin, code: ground, ...answer } = robots;
      const { code: wanted = ground, ...answerWanted } = expected;
      const isRight =
        !seen.has(id) &&
        url === asked.url &&
        agent === "bingbot" &&
        origin === place.origin &&
        ground === wanted &&
        (ground === undefined) === !["unavailable", "unreachable"].includes(expected.because) &&
        JSON.stringify(answer) === JSON.stringify(answerWanted);
      seen.add(id);
      if (!isRight) wrong.push({ kind: place.kind.name, url, robots, expected });
    }
    expect(wrong).toEqual([]);
    expect(seen.size).toBe(records.length);
    expect(code).toBe(0);
    // Each origin gets one request, or three after a 429 or 503 with Retry-After, which all such responses here have.
    const requestsOf = (name: string): number => (name === "status 429" || name === "status 503" ? 3 : 1);
    const otherwise = places.filter(({ kind, requests }) => requests.get(what) !== requestsOf(kind.name));
    expect(otherwise.map(({ kind, requests }) => [kind.name, requests.get(what)])).toEqual([]);

    const count = (isCounted: (expected: Expected) => boolean): number =>
      records.filter(({ expected }) => isCounted(expected)).length;
    expect(stderr).toMatch(
      new RegExp(`^records +${records.length}\ndecided +${records.length}\nrejects +0\norigins +217\n`),
    );
    expect(stderr).toMatch(/^fetches +217,/m);
    expect(stderr).toContain(
      `agent bingbot: ${count((each) => each.allowed)} allowed, ${count((each) => !each.allowed)} disallowed, 0 undecided\n`,
    );
    expect(stderr).toContain("\ntarget: 0 records are decided differently with --target normalized\n");
    if (flags.includes("--ordered")) expect([...seen]).toEqual(records.map((_record, id) => id));
  });
});

test("private addresses are not requested unless allowed", async () => {
  const place = places[0] as Place;
  const { code, stdout } = await runApp(["--agent", "bingbot", "--user-agent", "refused"], `${place.origin}/\n`);
  expect([code, place.requests.get("refused")]).toEqual([0, undefined]);
  expect(recordsOf(stdout)[0]?.["robots"]).toMatchObject({ allowed: false, because: "unreachable" });
});

test("servers get the --user-agent, and at most --max-bytes are read", async () => {
  let seen: string | undefined;
  const server = createServer((request, response) => {
    seen = request.headers["user-agent"];
    response.end("User-agent: *\nDisallow: /a\nDisallow: /b\n");
  });
  servers.push(server);
  const origin = `http://127.0.0.1:${await portOf(server)}`;
  const args = [
    "--agent",
    "bingbot",
    "--allow-private",
    "--user-agent",
    "my-bot/1.0 (+https://my.example/bot)",
    "--max-bytes",
    "26",
  ];
  const { stdout } = await runApp(args, `${origin}/a\n${origin}/b\n`);
  expect(seen).toBe("my-bot/1.0 (+https://my.example/bot)");
  expect(recordsOf(stdout).map(({ robots }) => (robots as { allowed: boolean }).allowed)).toEqual([false, true]);
});

describe("the watch", () => {
  test("any response shows that the network is up", () => {
    const watch = createNetworkWatch();
    const take = (i: number): void => watch.take(i % 100 === 99 ? "dns-not-found" : "network-unreachable");
    for (let i = 0; i < 5_000; i++) expect(() => take(i)).not.toThrow();
  });

  test("a hundred suspicious codes in a row show that the network is down", () => {
    const watch = createNetworkWatch();
    for (let i = 0; i < 99; i++) watch.take(i % 2 === 0 ? "dns-failed" : "network-unreachable");
    expect(() => watch.take("dns-timeout")).toThrow(IoError);
  });
});

const isolating = ["-rn", "--"];
const canIsolate = spawnSync("unshare", [...isolating, process.execPath, "--version"]).status === 0;

test.skipIf(!canIsolate)("without packets the run ends with exit code 3 instead of disallowing all", async () => {
  const app = [process.execPath, ...appArguments, "--agent", "bingbot", "--allow-private", "--cache", "none"];
  const child = spawn("unshare", [...isolating, ...app], { cwd: root, stdio: "pipe" });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.on("error", () => undefined);
  const origins = Array.from({ length: 2_000 }, (_, i) => `http://127.0.${i >> 8}.${i & 255}:8080/x\n`);
  child.stdin.end(origins.join(""));
  const [code] = (await once(child, "close")) as [number | null];
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining("none of the last 100 origins could be reached") as string,
  ]);
  expect(recordsOf(stdout).length).toBeLessThan(1_000);
});
