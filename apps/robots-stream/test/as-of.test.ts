// Tests `--robots-history --as-of-record`: each row is decided by the file in force at its time. The decisions are compared with those of
// the audit's reference implementation.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Observation } from "@robots-stream/fetch/history";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { root } from "./run.ts";

/** The part of the audit tests' generator that is used here. */
interface World {
  readonly crawlers: readonly {
    readonly productToken: string;
    readonly bound: string;
    readonly accessPolicy: string;
  }[];
  readonly observations: readonly Observation[];
  readonly bodies: ReadonlyMap<string, string>;
  readonly lines: readonly {
    readonly origin: string | undefined;
    readonly crawler: string | undefined;
    readonly method: string;
    readonly target: string;
    readonly atSeconds: number | undefined;
  }[];
  decide(version: string, crawler: string, target: string): { readonly allowed: boolean };
}

/** The reference implementation's expectation for a line. */
interface Expected {
  readonly state: string;
  readonly proven: boolean;
  /** Start and version of the newest interval. */
  readonly interval: string;
  readonly decision: { readonly allowed: boolean } | undefined;
}

/** Imports a file of the audit's tests, which are not part of its package. */
const auditTest = (name: string): Promise<unknown> => import(join(root, "packages/audit/test", name));
const { createWorld } = (await auditTest("generator.ts")) as {
  createWorld(seed: number, size: { hosts: number; crawlers: number; lines: number; dialects: string[] }): World;
};
const { SlowAudit } = (await auditTest("slow.ts")) as {
  SlowAudit: new (world: World) => { expect(line: World["lines"][number]): Expected };
};

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;

const folder = makeFolder();

const put = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

interface Answer {
  readonly agent: string | null;
  readonly allowed: boolean | null;
  readonly because: string;
  readonly line?: number;
  readonly state?: string;
  readonly versions?: readonly { readonly version: string; readonly from: string | null }[];
  readonly basis?: string;
  readonly usage?: { readonly "train-ai": { readonly value: string } };
}

const rowsOf = (stdout: string): (Record<string, unknown> & { readonly robots: Answer })[] =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** Splits flags whose values have no spaces. */
const flagsOf = (text: string): string[] => text.split(" ");

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The generated world, with real hashes, a date for every observation, one access policy, and all crawlers bound. */
function realWorld(seed: number, policy: "google" | "rfc9309" | "yandex", lines: number): World {
  const world = createWorld(seed, { hosts: 12, crawlers: 6, lines, dialects: ["rfc9309"] });
  const realOf = new Map([...world.bodies].map(([version, body]) => [version, sha256(body)]));
  const madeUpOf = new Map([...realOf].map(([version, real]) => [real, version]));
  return {
    crawlers: world.crawlers.map((crawler) => ({ ...crawler, bound: "yes", accessPolicy: policy })),
    observations: world.observations.map((observation) => ({
      ...observation,
      atSeconds: observation.atSeconds ?? 1_793_491_200,
      ...(observation.sha256 === undefined ? {} : { sha256: realOf.get(observation.sha256)! }),
    })),
    bodies: new Map([...world.bodies].map(([version, body]) => [realOf.get(version)!, body])),
    // `OPTIONS *` has no URL, so it would be a reject in a log.
    lines: world.lines.filter(({ target }) => target !== "*"),
    decide: (version, crawler, target) => world.decide(madeUpOf.get(version) ?? version, crawler, target),
  };
}

/** The observations as an NDJSON export of a cache. */
function exportOf({ observations, bodies }: World): string {
  const lines = observations.map(({ origin, atSeconds = 0, access, sha256: version }) => {
    const fetchedAt = atSeconds * 1_000;
    const common = { origin, fetchedAt, freshUntil: fetchedAt + 1 };
    const url = `${origin}/robots.txt`;
    if (access === "successful") {
      return { ...common, access, code: "ok", status: 200, hops: [{ url, status: 200 }], body: bodies.get(version!)! };
    }
    if (access === "unreachable") {
      return { ...common, access, code: "timeout", hops: [{ url, status: 0 }], unreachableSince: fetchedAt };
    }
    const status =
      access === "unavailable" ? 404 : access !== "unknown" && access.rfc9309 === "unavailable" ? 429 : 503;
    const kind = access === "unavailable" ? access : "unreachable";
    const outage = kind === "unreachable" ? { unreachableSince: fetchedAt } : {};
    return { ...common, access: kind, code: `http-${status}`, status, hops: [{ url, status }], ...outage };
  });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** A time in one of the forms that occur in inputs. */
function timeText(atSeconds: number, form: number): string {
  const iso = new Date(atSeconds * 1_000).toISOString();
  if (form % 3 === 0) return iso.replace(".000", "");
  if (form % 3 === 1) return String(atSeconds);
  return new Date((atSeconds + 5_400) * 1_000).toISOString().replace(".000Z", "+01:30");
}

describe.each(["google", "rfc9309", "yandex"] as const)("access policy %s", (policy) => {
  test("rows have the states of the reference implementation", { timeout: 120_000 }, async () => {
    for (const seed of isThorough ? [1, 2, 3] : [policy.length]) {
      const world = realWorld(seed, policy, isThorough ? 2_500 : 700);
      const history = put(`${policy}-${seed}.ndjson`, exportOf(world));
      const own = world.crawlers.map(({ productToken }) => JSON.stringify({ productToken, names: [productToken] }));
      const crawlers = put(`${policy}-${seed}-crawlers.ndjson`, own.join("\n"));
      const input = world.lines
        .map(({ origin = "", crawler, method, target, atSeconds }, n) => {
          const agent = crawler === undefined ? "Mozilla/5.0 Firefox/1" : `Mozilla/5.0 (compatible; ${crawler}/1.0)`;
          const time = atSeconds === undefined ? "-" : timeText(atSeconds, n);
          return `${JSON.stringify({ url: origin + target, agent, time, n, method })}\n`;
        })
        .join("");
      const { code, stdout, stderr } = await runHere(
        [
          ...flagsOf("--agent-field agent --as-of-record --dialect rfc9309 --quiet --input ndjson"),
          ...flagsOf(`--access-policy ${policy} --crawlers ${crawlers} --robots-history ${history}`),
          // With little memory, matchers are evicted and built again.
          ...(isThorough ? ["--matcher-bytes", "20K"] : []),
        ],
        input,
      );
      expect([code, stderr]).toEqual([0, ""]);
      const slow = new SlowAudit(world);
      const rows = rowsOf(stdout);
      expect(rows.length).toBe(world.lines.length);
      const states = new Set<string>();
      for (const { n, robots } of rows) {
        const line = world.lines[n as number]!;
        const expected = slow.expect(line);
        const state = line.crawler === undefined ? "not-a-crawler" : robots.state;
        // A path without an origin is not a URL of a robots.txt.
        const isPath = line.origin === undefined && expected.state === "robots-txt";
        const pathState = line.method === "CONNECT" ? "undecidable:connect" : "undecidable:no-url";
        const shown = isPath ? pathState : expected.state;
        expect([n, state]).toEqual([n, shown]);
        states.add(shown);
        if (shown === "robots-txt" || shown === "not-a-crawler") continue;
        const isDecided = !shown.startsWith("undecidable:");
        expect(robots.allowed).toBe(isDecided ? expected.decision!.allowed : null);
        expect(robots.basis).toBe(isDecided ? (expected.proven ? "proven" : "assumed") : undefined);
        if (isDecided) expect(robots.versions!.at(-1)!.version).toBe(expected.interval.split(" ")[1]);
      }
      expect([...states]).toEqual(expect.arrayContaining(["allowed", "violation", "grace", "undecidable:no-file"]));
    }
  });
});

const first = "User-agent: *\nDisallow: /x\n";
const second = "User-agent: *\nContent-Usage: train-ai=n\nDisallow: /y\n";

/** A dated folder: `first` on 1, 9 and 30 November and `second` on 11 and 20 November. */
function putDated(): string {
  const path = join(folder, "dated");
  mkdirSync(path, { recursive: true });
  for (const [day, body] of [
    ["01", first],
    ["09", first],
    ["11", second],
    ["20", second],
    ["30", first],
  ] as const) {
    writeFileSync(join(path, `a.example@2026-11-${day}T000000Z.txt`), body);
  }
  return path;
}

const version = (body: string, day: string): object => ({ version: sha256(body), from: `2026-11-${day}T00:00:00Z` });

/** The expected answer of a row; undefined for a member that the row lacks. */
type ExpectedAnswer = { readonly [Name in keyof Answer]?: unknown };

test.each<[what: string, record: object, expected: ExpectedAnswer]>([
  [
    "between two sightings of one version",
    { time: "2026-11-05T10:00:00Z" },
    { allowed: false, state: "violation", basis: "proven", versions: [version(first, "01")] },
  ],
  [
    "while either version may have been in force",
    { time: "2026-11-10T10:00:00Z" },
    {
      allowed: true,
      state: "grace",
      basis: "proven",
      versions: [version(first, "01"), version(second, "11")],
    },
  ],
  [
    "in the last second of the grace period of 24 h and 5 min",
    { time: "2026-11-12T00:04:59Z" },
    { allowed: true, state: "grace" },
  ],
  ["after the grace period", { time: "2026-11-12T00:05:00Z" }, { allowed: true, state: "allowed", basis: "proven" }],
  ["before all sightings", { time: "2026-10-01T10:00:00Z" }, { allowed: false, state: "violation", basis: "assumed" }],
  ["after all sightings", { time: "2027-01-01T10:00:00Z" }, { allowed: false, state: "violation", basis: "assumed" }],
  ["a version that returns", { time: "2026-12-01T00:10:00Z" }, { versions: [version(first, "30")] }],
  [
    "without a time, if versions disagree",
    { time: "" },
    { allowed: null, because: "no-time", state: "undecidable:no-time", basis: undefined },
  ],
  ["a time that cannot be read", { time: "soon" }, { allowed: null, because: "no-time" }],
  [
    "without a time, if all versions agree",
    { time: "", url: "https://a.example/z" },
    { allowed: true, state: "allowed", basis: "assumed" },
  ],
  [
    "a host without a file",
    { time: "2026-11-05", url: "https://b.example/x" },
    { allowed: null, because: "no-file", state: "undecidable:no-file", versions: undefined, basis: undefined },
  ],
  ["no URL", { time: "2026-11-05", url: "mailto:x" }, { allowed: null, state: "undecidable:no-url" }],
  [
    "a crawler that is not bound",
    { time: "2026-11-05T10:00:00Z", agent: "Mozilla/5.0 (compatible; ChatGPT-User/1.0)" },
    { allowed: false, state: "not-bound:violation" },
  ],
  [
    "robots.txt itself",
    { time: "2026-11-05T10:00:00Z", url: "https://a.example/robots.txt" },
    { allowed: true, because: "robots-txt", state: "robots-txt" },
  ],
  [
    "robots.txt itself, on a host without a file",
    { time: "2026-11-05T10:00:00Z", url: "https://b.example/robots.txt" },
    { allowed: true, because: "robots-txt", state: "robots-txt" },
  ],
  [
    "an unknown crawler",
    { time: "2026-11-05T10:00:00Z", agent: "SomethingBot/1.0" },
    { because: "unknown-crawler", state: "not-a-crawler" },
  ],
])("the answer to a record: %s", async (_what, record, expected) => {
  const given = { time: "", url: "https://a.example/x", agent: "Mozilla/5.0 (compatible; GPTBot/1.1)", ...record };
  const { code, stdout } = await runHere(
    ["--agent-field", "agent", "--robots-history", putDated(), "--as-of-record", "-q"],
    `${JSON.stringify(given)}\n`,
  );
  expect(code).toBe(0);
  expect(rowsOf(stdout)[0]!.robots).toMatchObject(
    Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== undefined)),
  );
  for (const [name, value] of Object.entries(expected)) {
    if (value === undefined) expect(rowsOf(stdout)[0]!.robots).not.toHaveProperty(name);
  }
});

test.each([
  ["one crawler", ["--agent", "GPTBot"]],
  ["two crawlers", ["--agent", "GPTBot,bingbot"]],
  ["one row for two crawlers", ["--agent", "GPTBot,bingbot", "--rows", "record"]],
])("robots.txt itself for %s: allowed, with and without a known file", async (_what, flags) => {
  const records = ["a", "b"]
    .map((host) => `{"url":"https://${host}.example/robots.txt","time":"2026-11-05"}\n`)
    .join("");
  const { stdout } = await runHere([...flags, "--robots-history", putDated(), "--as-of-record", "-q"], records);
  const answers = rowsOf(stdout).flatMap(({ robots }) => {
    const { agents } = robots as { readonly agents?: Record<string, Answer> };
    return agents === undefined ? [robots] : Object.values(agents);
  });
  expect(answers).toHaveLength(flags[1] === "GPTBot" ? 2 : 4);
  for (const answer of answers)
    expect(answer).toMatchObject({ allowed: true, because: "robots-txt", state: "robots-txt" });
});

const times = ["05/Nov/2026", "10/Nov/2026", "19/Nov/2026", "30/Nov/2026"];
const expectedStates = ["violation", "grace", "allowed", "grace"];
const log = times
  .map((day) => `192.0.2.1 - - [${day}:10:00:00 +0000] "GET /x HTTP/1.1" 200 5 "-" "GPTBot/1.1"\n`)
  .join("");
const isoOf = (day: string): string => `2026-11-${day.slice(0, 2)}T10:00:00Z`;

describe("every form of input and output", () => {
  const inputs: Record<string, string | Uint8Array> = {
    "x.log": log,
    "x.log.gz": gzipSync(log),
    "x.ndjson": times.map((day) => `{"url":"https://a.example/x","time":"${isoOf(day)}"}\n`).join(""),
    "x.csv": `url,time\n${times.map((day) => `https://a.example/x,${isoOf(day)}\n`).join("")}`,
    "x.tsv": `url\ttime\n${times.map((day) => `https://a.example/x\t${isoOf(day)}\n`).join("")}`,
  };

  test.each(Object.keys(inputs))("%s", async (name) => {
    const path = put(name, inputs[name]!);
    const flags = ["--robots-history", putDated(), "--as-of-record", "--base", "https://a.example", "-q", path];
    const one = await runHere(["--agent", "GPTBot", ...flags]);
    expect(rowsOf(one.stdout).map(({ robots }) => robots.state)).toEqual(expectedStates);
    const ordered = await runHere(["--agent", "GPTBot", "--ordered", ...flags]);
    expect(ordered.stdout).toBe(one.stdout);
    for (const output of ["csv", "tsv"]) {
      const { stdout } = await runHere(["--agent", "GPTBot", "-o", output, ...flags]);
      const [heading, ...rows] = stdout.trimEnd().split("\n");
      expect(heading).toMatch(/robots_state.robots_disputed.robots_versions.robots_basis$/);
      for (const [index, state] of expectedStates.entries()) expect(rows[index]).toContain(state);
    }
    const { stdout } = await runHere(["--agent", "GPTBot,bingbot", "--rows", "record", ...flags]);
    const joined = rowsOf(stdout).map(({ robots }) => robots as unknown as { agents: Record<string, Answer> });
    expect(joined.map(({ agents }) => agents["bingbot"]!.state)).toEqual(expectedStates);
    expect(joined.map(({ agents }) => agents["GPTBot"]!.state)).toEqual(expectedStates);
  });

  test("a table shows the state and short names of the versions", async () => {
    const path = put("table.log", log);
    const flags = ["--robots-history", putDated(), "--as-of-record", "--base", "https://a.example", "-q", path];
    const { stdout } = await runHere(["--agent", "GPTBot", "-o", "table", ...flags]);
    expect(stdout).toContain("state: violation");
    expect(stdout).toContain(`versions: ${sha256(first).slice(0, 12)} of 2026-11-01`);
    expect(stdout).not.toContain(sha256(first));
  });

  test("several crawlers, one of them without an answer", async () => {
    const path = join(folder, "mixed");
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "a.example@2026-11-01.txt"), "User-agent: GPTBot\nDisallow: /x\n");
    writeFileSync(join(path, "a.example@2026-11-05.txt"), "User-agent: GPTBot\nDisallow: /y\n");
    const flags = ["--robots-history", path, "--as-of-record", "--stats-json"];
    const record = '{"url":"https://a.example/x","time":""}\n';
    for (const rows of ["agent", "record"]) {
      const { stdout, stderr } = await runHere(["--agent", "GPTBot,bingbot", "--rows", rows, ...flags], record);
      const found = rowsOf(stdout).map(({ robots }) => robots);
      const of = (agent: string): Answer =>
        rows === "agent"
          ? found.find((robots) => robots.agent === agent)!
          : (found[0] as unknown as { agents: Record<string, Answer> }).agents[agent]!;
      expect(of("GPTBot")).toMatchObject({ allowed: null, because: "no-time", state: "undecidable:no-time" });
      expect(of("bingbot")).toMatchObject({ allowed: true, state: "allowed", basis: "assumed" });
      const { agents } = JSON.parse(stderr.trimEnd().split("\n").at(-1)!) as { agents: readonly object[] };
      expect(agents).toMatchObject([
        { agent: "GPTBot", allowed: 0, disallowed: 0, undecided: 1 },
        { agent: "bingbot", allowed: 1, disallowed: 0, undecided: 0 },
      ]);
    }
    const only = await runHere(["--agent", "GPTBot,bingbot", "--only", "undecided", ...flags, "-q"], record);
    expect(rowsOf(only.stdout).map(({ robots }) => robots.agent)).toEqual(["GPTBot"]);
  });
});

test("preferences are those of the version in force", async () => {
  const { stdout } = await runHere(
    ["--agent", "GPTBot", "--robots-history", putDated(), "--as-of-record", "--preferences", "-q"],
    times.map((day) => `{"url":"https://a.example/z","time":"${isoOf(day)}"}\n`).join(""),
  );
  const values = rowsOf(stdout).map(({ robots }) => robots.usage!["train-ai"].value);
  expect(values).toEqual(["unknown", "disallow", "disallow", "unknown"]);
});

test("the answers of one file without a date are assumed", async () => {
  const path = put("undated.txt", first);
  const { stdout } = await runHere(
    ["--agent", "GPTBot", "--robots-history", path, "--as-of-record", "--base", "https://a.example", "-q"],
    log,
  );
  for (const { robots } of rowsOf(stdout)) {
    expect(robots).toMatchObject({
      allowed: false,
      state: "violation",
      basis: "assumed",
      versions: [{ version: sha256(first), from: null }],
    });
  }
});

test.each([
  [["--robots-history", "x"], /--robots-history needs --as-of-record/],
  [["--as-of-record"], /--as-of-record needs --robots-history/],
  [["--as-of-record", "--robots-history", "x", "--robots", "y"], /--robots-history and --robots cannot be combined/],
  [["--as-of-record", "--robots-history", "x", "--cache", "none"], /--robots-history and --cache cannot be combined/],
  [
    ["--as-of-record", "--robots-history", "x", "--dialect", "google,rfc9309", "--only-differences"],
    /--as-of-record and --only-differences cannot be combined/,
  ],
  [["--as-of-record", "--robots-history", "missing"], /--robots-history missing: /],
])("refuses %j", async (flags, message) => {
  const { code, stdout, stderr } = await runHere(["--agent", "GPTBot", ...flags], '{"url":"https://a.example/"}\n');
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(message);
});

test("a source without times is refused, and the message names the flag --time-field", async () => {
  const flags = ["--agent", "GPTBot", "--as-of-record", "--robots-history", putDated()];
  const { code, stderr } = await runHere(flags, '{"url":"https://a.example/"}\n');
  expect(code).toBe(2);
  expect(stderr).toMatch(/no field that usually holds a time \(--as-of-record\).*\n.*--time-field NAME/);
});

const namedTimes: Record<string, string> = {
  objects: times.map((day) => `{"url":"https://a.example/x","served_at":"${isoOf(day)}"}\n`).join(""),
  rows: `url,served_at\n${times.map((day) => `https://a.example/x,${isoOf(day)}\n`).join("")}`,
};

test.each(Object.keys(namedTimes))("--time-field names the field by which %s are decided", async (name) => {
  const flags = ["--agent", "GPTBot", "--as-of-record", "--robots-history", putDated(), "-q"];
  const { code, stdout } = await runHere([...flags, "-o", "ndjson", "--time-field", "served_at"], namedTimes[name]);
  expect([code, ...rowsOf(stdout).map(({ robots }) => robots.state)]).toEqual([0, ...expectedStates]);
  const other = await runHere([...flags, "--time-field", "served-at"], namedTimes[name]);
  expect([other.code, other.stdout]).toEqual([2, ""]);
  expect(other.stderr).toMatch(/the first record has no field "served-at"/);
});

test("a run resumes only with the same history", async () => {
  const path = put("resumed.log", log);
  const history = join(folder, "resumed");
  mkdirSync(history);
  writeFileSync(join(history, "a.example@2026-11-01.txt"), first);
  const [output, checkpoint] = [join(folder, "resumed.ndjson"), join(folder, "resumed.json")];
  const args = [
    ...flagsOf(`--agent GPTBot --base https://a.example --robots-history ${history} --as-of-record`),
    ...flagsOf(`--output-file ${output} --checkpoint ${checkpoint} --resume ${path}`),
  ];
  expect((await runHere(args)).code).toBe(0);
  const before = readFileSync(output, "utf8");
  expect((await runHere(args)).code).toBe(0);
  expect(readFileSync(output, "utf8")).toBe(before);
  writeFileSync(join(history, "a.example@2026-11-02.txt"), second);
  const { code, stderr } = await runHere(args);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /was written by a run with robots\.txt files [0-9a-f]{32}, and this run has robots\.txt files [0-9a-f]{32}/,
  );
});
