// The cache in real runs: consecutive runs, concurrent processes, the cache flags, and unusable caches.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { type Server, createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { type Ended, appArguments, recordsOf, root, runApp } from "./run.ts";
import { portOf } from "./servers.ts";

const folder = makeFolder();
let server: Server;
let port: number;
/** The response to a request: a body, a status, or the target of a redirect. */
let answer: (host: string, path: string) => string | number | URL = () => "";
/** The Cache-Control header of responses. */
let cacheControl = "";
const asked: string[] = [];
let count = 0;
const freshPlace = (): string => join(folder, String(count++));

beforeAll(async () => {
  server = createServer(({ headers: { host = "" }, url = "" }, response) => {
    asked.push(`${host.split(":")[0]}${url}`);
    if (cacheControl !== "") response.setHeader("cache-control", cacheControl);
    const what = answer(host.split(":")[0]!, url);
    if (typeof what === "number") response.writeHead(what).end();
    else if (what instanceof URL) response.writeHead(302, { location: what.href }).end();
    else response.end(what);
  });
  port = await portOf(server);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked.length = 0;
  cacheControl = "";
  answer = () => "User-agent: *\nDisallow: /private\n";
});

const origin = (host: string): string => `http://${host}:${port}`;
const stdinOf = (...hosts: string[]): string => hosts.map((host) => `{"url":"${origin(host)}/private"}\n`).join("");
const run = (place: string, hosts: string[], ...flags: string[]): Promise<Ended> =>
  runHere(["--agent", "bingbot", "--allow-private", "--cache", place, ...flags], stdinOf(...hosts));
const runApart = (place: string, hosts: string[]): Promise<Ended> =>
  runApp(["--agent", "bingbot", "--allow-private", "--cache", place], stdinOf(...hosts));
const answersOf = ({ stdout }: Ended): string[] =>
  recordsOf(stdout).map(({ robots }) => {
    const { because, code, allowed } = robots as { because: string; code?: string; allowed: boolean };
    return `${allowed} ${because}${code === undefined ? "" : ` ${code}`}`;
  });

describe("consecutive runs", () => {
  test("the second run uses every result that the first run fetched", async () => {
    const place = freshPlace();
    const hosts = ["h1.localhost", "h2.localhost", "h3.localhost"];
    answer = (host) =>
      host === "h2.localhost" ? 404 : host === "h3.localhost" ? 503 : "User-agent: *\nDisallow: /private\n";
    const first = await run(place, hosts);
    expect(asked.toSorted()).toEqual(hosts.map((host) => `${host}/robots.txt`));
    asked.length = 0;
    const second = await run(place, hosts);
    expect([asked, answersOf(second).toSorted(), second.stderr]).toEqual([[], answersOf(first).toSorted(), ""]);
    expect(answersOf(second).toSorted()).toEqual([
      "false rule",
      "false unreachable http-503",
      "true unavailable http-404",
    ]);
  });

  test("a result caused by the flags of one run is not used by another run", async () => {
    const to = (path: string): string | URL =>
      path === "/robots.txt" ? new URL(`http://h1.localhost:${port}/rules`) : "User-agent: *\nDisallow: /\n";
    answer = (_host, path) => to(path);
    const place = freshPlace();
    const gaveUp = "true unavailable redirect-limit";
    for (const [flags, expected] of [
      [["--max-redirects", "0"], gaveUp],
      [[], "false rule"],
      [["--max-redirects", "0"], gaveUp],
      [["--offline"], "false rule"],
      [["--max-header-bytes", "256"], "false rule"],
    ] as const) {
      expect([flags, answersOf(await run(place, ["h1.localhost"], ...flags))]).toEqual([flags, [expected]]);
    }
  });

  test("--refresh and --max-age 0 fetch again, --max-age 1h does not", async () => {
    const place = freshPlace();
    await run(place, ["h1.localhost"]);
    answer = () => "User-agent: *\nAllow: /\n";
    for (const [flags, requests, expected] of [
      [["--max-age", "1h"], 1, "false rule"],
      [["--refresh"], 2, "true rule"],
      [["--max-age", "0"], 3, "true rule"],
    ] as const) {
      const ended = await run(place, ["h1.localhost"], ...flags);
      expect([flags, answersOf(ended), asked.length]).toEqual([flags, [expected], requests]);
    }
  });

  test.each<[flags: string[], freshMs: number]>([
    [[], 86_400_000],
    [["--max-fresh", "7d"], 604_800_000],
    [["--max-fresh", "30d"], 864_000_000],
    [["--max-fresh", "1m"], 60_000],
    [["--max-fresh", "24h", "--access-policy", "rfc9309"], 86_400_000],
  ])("with %j, a max-age of ten days keeps the entry fresh for %d ms", async (flags, freshMs) => {
    const place = freshPlace();
    cacheControl = "max-age=864000";
    await run(place, ["h1.localhost"], ...flags);
    const { stdout } = await runHere(["cache", "show", origin("h1.localhost"), "--cache", place, "-o", "ndjson"], "");
    const [{ fetchedAt, freshUntil } = { fetchedAt: 0, freshUntil: 0 }] = recordsOf(stdout) as unknown as {
      fetchedAt: number;
      freshUntil: number;
    }[];
    expect(freshUntil - fetchedAt).toBe(freshMs);
  });

  test("--max-fresh 0 fetches again", async () => {
    const place = freshPlace();
    await run(place, ["h1.localhost"]);
    await run(place, ["h1.localhost"], "--max-fresh", "0");
    expect(asked.length).toBe(2);
  });

  test("--offline sends no requests: a stale entry is used, and a missing one is reported", async () => {
    const place = freshPlace();
    await run(place, ["h1.localhost"]);
    asked.length = 0;
    const ended = await run(place, ["h1.localhost", "h9.localhost"], "--offline");
    expect([ended.code, ended.stderr, asked]).toEqual([0, "", []]);
    expect(answersOf(ended).toSorted()).toEqual(["false rule", "false unreachable not-cached"]);
    // The result not-cached must not have been stored as if it came from a fetch.
    expect((await run(place, ["h9.localhost"])).code).toBe(0);
    expect(asked).toEqual(["h9.localhost/robots.txt"]);
  });

  test("--cache none stores nothing", async () => {
    await run("none", ["h1.localhost"]);
    await run("none", ["h1.localhost"]);
    expect(asked.length).toBe(2);
  });

  test("--allow-private does not use the stored result blocked-address of a run without the flag", async () => {
    const place = freshPlace();
    const refused = await runHere(["--agent", "bingbot", "--cache", place], stdinOf("h1.localhost"));
    expect(answersOf(refused)).toEqual(["false unreachable blocked-address"]);
    expect(answersOf(await run(place, ["h1.localhost"]))).toEqual(["false rule"]);
  });

  test("the result of a redirect is stored for the requested origin only", async () => {
    const place = freshPlace();
    answer = (host, path) => {
      if (host === "h1.localhost") return new URL(`${origin("h2.localhost")}/elsewhere`);
      return path === "/elsewhere" ? "User-agent: *\nDisallow: /\n" : "User-agent: *\nAllow: /\n";
    };
    expect(answersOf(await run(place, ["h1.localhost"]))).toEqual(["false rule"]);
    expect(answersOf(await run(place, ["h2.localhost"]))).toEqual(["true rule"]);
    expect(answersOf(await run(place, ["h1.localhost", "h2.localhost"], "--offline")).toSorted()).toEqual([
      "false rule",
      "true rule",
    ]);
    // A response over http does not apply to the https origin.
    const https = await runHere(
      ["--agent", "bingbot", "--cache", place, "--offline"],
      `{"url":"https://h1.localhost:${port}/private"}\n`,
    );
    expect(answersOf(https)).toEqual(["false unreachable not-cached"]);
  });
});

test("two concurrent runs both decide, and the cache has all their entries", async () => {
  const place = freshPlace();
  const hosts = Array.from({ length: 200 }, (_, i) => `h${i}.localhost`);
  answer = (host) => `User-agent: *\nDisallow: /private\n# ${host}\n`;
  const runs = await Promise.all([runApart(place, hosts), runApart(place, hosts.toReversed())]);
  for (const ended of runs) {
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    expect(answersOf(ended)).toEqual(hosts.map(() => "false rule"));
  }
  asked.length = 0;
  expect(answersOf(await run(place, hosts, "--offline"))).toEqual(hosts.map(() => "false rule"));
});

describe("an unusable cache causes a warning; a run that may fetch decides as usual", () => {
  test.each<[what: string, make: (place: string) => void, why: string]>([
    ["a file where the folder should be", (place) => writeFileSync(place, ""), "file already exists"],
    [
      "text",
      (place) => writeFileSync(join(mkdir(place), "robots.sqlite"), "x".repeat(5_000)),
      "file is not a database",
    ],
    [
      "a folder where the file should be",
      (place) => mkdirSync(join(place, "robots.sqlite"), { recursive: true }),
      "not a regular file",
    ],
    ["a link", (place) => symlinkSync(import.meta.filename, join(mkdir(place), "robots.sqlite")), "not a regular file"],
    ["a newer schema", (place) => setVersion(place, 99), "a newer version wrote it"],
    ["an older schema", (place) => setVersion(place, 0), "an older version wrote it"],
  ])("%s", async (_what, make, why) => {
    const place = freshPlace();
    make(place);
    const ended = await run(place, ["h1.localhost"]);
    expect([ended.code, answersOf(ended), asked.length]).toEqual([0, ["false rule"], 1]);
    expect(ended.stderr).toMatch(/^robots-stream: cache [^\n]*; continuing without it\n$/);
    expect(ended.stderr).toContain(why);
    // Without another source, every row says that its origin is unreachable.
    const offline = await run(place, ["h1.localhost", "h2.localhost"], "--offline");
    expect([offline.code, answersOf(offline)]).toEqual([
      0,
      ["false unreachable not-cached", "false unreachable not-cached"],
    ]);
    expect(offline.stderr).toMatch(
      /^robots-stream: cache [^\n]*; continuing without it and without requests: every origin is unreachable\n/,
    );
    expect(offline.stderr).toContain(why);
    expect(asked).toHaveLength(1);
  });

  function mkdir(place: string): string {
    mkdirSync(place);
    return place;
  }

  function setVersion(place: string, version: number): void {
    const sqlite = process.getBuiltinModule("node:sqlite");
    const database = new sqlite.DatabaseSync(join(mkdir(place), "robots.sqlite"));
    database.exec(`CREATE TABLE t (x); PRAGMA application_id = 1383031407; PRAGMA user_version = ${version}`);
    database.close();
  }

  test("a disk that becomes full during the run", async () => {
    const place = freshPlace();
    const hosts = Array.from({ length: 300 }, (_, i) => `h${i}.localhost`);
    answer = (host) => `User-agent: *\nDisallow: /private\n# ${host} ${randomBytes(36_000).toString("base64")}\n`;
    const input = `${place}.ndjson`;
    writeFileSync(input, stdinOf(...hosts));
    // A file size limit of 1 MB simulates the full disk; the decisions go to a pipe, which it does not affect.
    const child = spawn(
      "sh",
      [
        "-c",
        'ulimit -f 2000; exec "$0" "$@"',
        process.execPath,
        ...appArguments,
        "--agent",
        "bingbot",
        "--allow-private",
        "--cache",
        place,
        input,
      ],
      { cwd: root, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" } },
    );
    const ended = await endOf(child);
    expect([ended.code, answersOf(ended)]).toEqual([0, hosts.map(() => "false rule")]);
    expect(ended.stderr.trim().split("\n")).toEqual([
      expect.stringMatching(/^robots-stream: cache .*; continuing with its entries; no entry is added$/),
    ]);
  });

  function endOf(child: ChildProcess): Promise<Ended> {
    const texts = { stdout: "", stderr: "" };
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (texts.stdout += text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (texts.stderr += text));
    return new Promise((resolve) => {
      child.once("close", (code) => resolve({ code, ...texts }));
    });
  }

  test("with --cache-required, an absent server ends the run before a request", async () => {
    asked.length = 0;
    const ended = await run("redis://user:secret@127.0.0.1:1/0", ["h1.localhost"], "--cache-required");
    expect([ended.code, ended.stdout, asked.length]).toEqual([3, "", 0]);
    expect(ended.stderr).toMatch(/cache redis:\/\/127\.0\.0\.1:1\/0: .*ECONNREFUSED; --cache-required ends the run/);
  });

  test("the message about an absent server omits its password", async () => {
    const ended = await run("redis://user:secret@127.0.0.1:1/0", ["h1.localhost"]);
    expect([ended.code, answersOf(ended)]).toEqual([0, ["false rule"]]);
    expect(ended.stderr).toBe(
      "robots-stream: cache redis://127.0.0.1:1/0: the connection ended with: ECONNREFUSED; continuing without it\n",
    );
  });
});

test("a cache of an earlier version is refused offline, and otherwise emptied with a note", async () => {
  const place = freshPlace();
  await run(place, ["h1.localhost"]);
  const sqlite = process.getBuiltinModule("node:sqlite");
  const database = new sqlite.DatabaseSync(join(place, "robots.sqlite"));
  database.exec("PRAGMA user_version = 2");
  database.close();
  asked.length = 0;
  const offline = await run(place, ["h1.localhost"], "--offline");
  expect([answersOf(offline), asked.length]).toEqual([["false unreachable not-cached"], 0]);
  expect(offline.stderr).toContain("an older version wrote it");
  const renewed = await run(place, ["h1.localhost"]);
  expect([renewed.code, answersOf(renewed), asked.length]).toEqual([0, ["false rule"], 1]);
  expect(renewed.stderr).toMatch(
    /^robots-stream: cache [^\n]*: an earlier version wrote it; the cache starts empty\n$/,
  );
  const again = await run(place, ["h1.localhost"]);
  expect([again.stderr, answersOf(again), asked.length]).toEqual(["", ["false rule"], 1]);
});

test("the default is the user's cache folder, which a run over saved files does not create", async () => {
  const home = freshPlace();
  mkdirSync(home);
  chmodSync(home, 0o755);
  const env = { ...process.env, XDG_CACHE_HOME: home, ROBOTS_STREAM_CACHE: "" };
  const start = (...args: string[]): string =>
    spawnSync(process.execPath, [...appArguments, ...args], { cwd: root, env, input: "", encoding: "utf8" }).stdout;
  expect(start("cache", "path")).toBe(`${home}/robots-stream/robots.sqlite\n`);
  start("--agent", "bingbot", "--robots", "examples/robots", "examples/urls.ndjson");
  expect(() => readFileSync(join(home, "robots-stream", "robots.sqlite"))).toThrow("ENOENT");
});
