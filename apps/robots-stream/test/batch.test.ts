// robots-stream origins and fetch, end to end on loopback: counts add up, each origin is requested once, a killed fetch can continue.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runHere } from "./here.ts";
import { startApp } from "./run.ts";
import { portOf } from "./servers.ts";

const run = (argv: readonly string[], stdin?: string | Uint8Array, signal?: AbortSignal): ReturnType<typeof runHere> =>
  runHere(argv, stdin, { COLUMNS: "100" }, signal === undefined ? {} : { signal });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "robots-stream-batch-"));
  return () => rmSync(folder, { recursive: true, force: true });
});

function put(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe("origins", () => {
  const two = '{"origin":"http://b.example:8080","count":1}\n{"origin":"https://a.example","count":2}\n';
  const hit = (host: string): string =>
    `${host}:443 192.0.2.1 - - [10/Nov/2026:08:00:00 +0000] "GET /x HTTP/1.1" 200 10 "-" "bingbot/2.0"\n`;

  test.each<[what: string, input: string, argv: string[], expected: string]>([
    ["lines", "https://a.example/x\nhttps://A.EXAMPLE:443/y\nhttp://b.example:8080\n", [], two],
    [
      "NDJSON",
      '{"url":"https://a.example"}\n{"n":1,"url":"http://b.example:8080/"}\n{"url":"https://a.example/z"}\n',
      [],
      two,
    ],
    ["CSV", "id,url\n1,https://a.example\n2,http://b.example:8080/\n3,https://a.example/z\n", [], two],
    [
      "a sitemap",
      "<urlset><url><loc>https://a.example/1</loc></url><url><loc>https://a.example/2</loc></url></urlset>",
      [],
      two.split("\n")[1]! + "\n",
    ],
    ["a log with hosts", hit("a.example") + hit("a.example"), [], '{"origin":"https://a.example","count":2}\n'],
    [
      "a log with --base",
      hit("x").slice(6),
      ["--base", "https://a.example"],
      '{"origin":"https://a.example","count":1}\n',
    ],
    ["its own output", two, [], two],
    ["its own output, rewritten", two.replaceAll(":", " : "), [], ""],
    ["nothing", "", [], ""],
  ])("%s", async (what, input, argv, expected) => {
    if (what === "its own output, rewritten") {
      const spaced =
        '{ "origin" : "https://a.example", "count" : 2 }\r\n{"count":1,"origin":"http://b.example:8080"}\r\n';
      expect((await run(["origins", put("x", spaced)])).stdout).toBe(two);
      return;
    }
    const inFile = await run(["origins", ...argv, put("x", input)]);
    expect([inFile.code, inFile.stdout]).toEqual([0, expected]);
    const piped = await run(["origins", ...argv], gzipSync(input));
    expect([piped.code, piped.stdout]).toEqual([0, expected]);
  });

  test("several files are counted together, and so are the counts of several parts", async () => {
    const log = put("a.log.gz", gzipSync(hit("a.example").repeat(3) + hit("b.example")));
    const urls = put("b.txt", "https://b.example/\nftp://c.example/x\n");
    const whole = await run(["origins", log, urls]);
    const parts = await Promise.all([run(["origins", log]), run(["origins", urls])]);
    const merged = await run(["origins", ...parts.map(({ stdout }, at) => put(`${at}.ndjson`, stdout))]);
    expect(merged.stdout).toBe(whole.stdout);
    expect(whole.stdout).toBe(
      '{"origin":"ftp://c.example","count":1}\n{"origin":"https://a.example","count":3}\n{"origin":"https://b.example","count":2}\n',
    );
    expect(merged.stderr).toBe(whole.stderr);
    expect((await run(["origins", "-o", "text", log])).stdout).toBe(
      "           3  https://a.example\n           1  https://b.example\n",
    );
  });

  test("nothing is lost silently: records without an origin and lines that are not records are reported", async () => {
    const { code, stdout, stderr } = await run(
      ["origins"],
      '{"url":"https://a.example"}\n{"url":"mailto:x@a.example"}\n{"url":7}\nno JSON\n',
    );
    expect([code, stdout]).toEqual([0, '{"origin":"https://a.example","count":1}\n']);
    expect(stderr).toMatch(
      /stdin:3: .*\n.*stdin:4: .*\n.*1 origin of 2 records, 1 without an origin, 2 lines that are not records\n$/,
    );
    const counted = await run(
      ["origins"],
      `${two}{"origin":"https://a.example/x","count":1}\n{"origin":"https://a.example","count":-1}\n`,
    );
    expect(counted.stdout).toBe(two);
    expect(counted.stderr).toMatch(
      /stdin:3: is not a line of counted origins\n.*stdin:4: .*\n.*2 origins of 3 records, 2 lines/,
    );
  });

  test.each<[argv: string[], code: number, stderr: string]>([
    [[join(import.meta.dirname, "none")], 2, "no such file"],
    [["--agent", "x"], 2, "origins has no flag --agent"],
    [["--output-file", join(import.meta.dirname, "none/x"), "-"], 2, "no such file"],
  ])("%j is wrong usage", async (argv, code, stderr) => {
    const ran = await run(["origins", ...argv], "https://a.example\n");
    expect([ran.code, ran.stdout]).toEqual([code, ""]);
    expect(ran.stderr).toContain(stderr);
  });
});

describe("fetch", () => {
  /** Number of requests by port and path, such as "8080 /robots.txt". */
  const asked = new Map<string, number>();
  let answer: (port: number, request: IncomingMessage, response: ServerResponse) => void;
  const usual: typeof answer = (port, _request, response) =>
    port === ports[1] ? response.writeHead(404).end() : response.end(`User-agent: *\nDisallow: /${port}\n`);
  const servers = Array.from({ length: 4 }, () =>
    createServer((request, response) => {
      const { port } = request.socket.address() as AddressInfo;
      asked.set(`${port} ${request.url}`, (asked.get(`${port} ${request.url}`) ?? 0) + 1);
      answer(port, request, response);
    }),
  );
  let ports: number[];
  beforeAll(async () => {
    ports = await Promise.all(servers.map((server) => portOf(server)));
  });
  afterAll(() => servers.map((server) => (server.closeAllConnections(), server.close())));
  beforeEach(() => {
    asked.clear();
    answer = usual;
  });
  const originsOf = (): string =>
    ports.map((port, at) => `{"origin":"http://127.0.0.1:${port}","count":${at + 1}}\n`).join("");
  const network = ["--allow-private", "127.0.0.0/8", "--cache", "none"];
  const snapshot = (): string => join(folder, "s");
  const fetch = (stdin: string, ...more: string[]): ReturnType<typeof run> =>
    run(["fetch", "--snapshot", snapshot(), ...network, ...more], stdin);
  const once = (): Map<string, number> => new Map(ports.map((port) => [`${port} /robots.txt`, 1]));
  const sorted = (map: ReadonlyMap<string, number>): unknown => [...map].toSorted();
  const decided = async (): Promise<unknown[]> => {
    const urls = ports.flatMap((port) => [`http://127.0.0.1:${port}/${port}`, `http://127.0.0.1:${port}/x`]).join("\n");
    const { stdout } = await run(["--agent", "bingbot", "--robots", snapshot(), "--ordered", "-o", "ndjson"], urls);
    const rows = stdout.split("\n").filter((line) => line !== "");
    return rows.map((row) => (JSON.parse(row) as { robots: { allowed: unknown } }).robots.allowed);
  };
  const expected = [false, true, true, true, false, true, false, true];

  test.each(["1", "3"])("requests each origin once and writes %s parts that --robots reads", async (parts) => {
    const first = await fetch(originsOf(), "--parts", parts);
    expect([first.code, first.stderr]).toEqual([0, ""]);
    expect(first.stdout).toBe(
      `4 origins: 4 fetched, 0 already there; of 10 records\nfetched: 3 ok, 1 http-404\n${snapshot()}: 4 fetches of 4 origins\n`,
    );
    expect(sorted(asked)).toEqual(sorted(once()));
    expect(readdirSync(snapshot()).filter((name) => name.endsWith(".robots"))).toHaveLength(Number(parts));
    expect(await decided()).toEqual(expected);
    // Origins that are already in the snapshot are not requested again, except with --refresh.
    const second = await fetch(originsOf(), "--parts", parts);
    expect(second.stdout).toContain("4 origins: 0 fetched, 4 already there;");
    expect(sorted(asked)).toEqual(sorted(once()));
    expect((await fetch(originsOf(), "--refresh", "-o", "ndjson")).stdout).toMatch(
      /^{"records":10,"withoutOrigin":0,"rejects":0,"fetched":4,"known":0,"elsewhere":0,"results":{"ok":3,"http-404":1},"snapshot":{"parts":1,"entries":8,"origins":4,/,
    );
    expect(await decided()).toEqual(expected);
  });

  test("a list of URLs gives origins too; the parts of --shard together cover all origins", async () => {
    const urls = ports.flatMap((port) => [`http://127.0.0.1:${port}/a`, `http://127.0.0.1:${port}/b`]).join("\n");
    const told = [await fetch(urls, "--shard", "1/2"), await fetch(urls, "--shard", "2/2")].map((ran) => ran.stdout);
    expect(told[1]).toContain("4 fetches of 4 origins");
    expect(sorted(asked)).toEqual(sorted(once()));
  });

  test("the shards of several machines become one snapshot, and no origin is requested again", async () => {
    const machines = ["1/2", "2/2"].map((shard, at) => ({ shard, part: join(folder, `machine-${at}`) }));
    for (const { shard, part } of machines) {
      await run(["fetch", "--snapshot", part, "--shard", shard, ...network], originsOf());
    }
    const added = machines.flatMap(({ part }) => ["--add", part]);
    const all = await fetch("", ...added, "--parts", "3");
    expect([all.code, all.stderr, all.stdout]).toEqual([0, "", `${snapshot()}: 4 fetches of 4 origins\n`]);
    expect(await decided()).toEqual(expected);
    // Once more in another order and with the origins: added entries are recognized, and equal entries are stored once.
    const list = put("origins.ndjson", originsOf());
    const again = await run([
      "fetch",
      list,
      "--snapshot",
      snapshot(),
      ...network,
      ...added.toReversed().flatMap((word) => (word === "--add" ? [] : ["--add", word])),
    ]);
    expect(again.stdout).toBe(
      `4 origins: 0 fetched, 4 already there; of 10 records\n${snapshot()}: 4 fetches of 4 origins\n`,
    );
    expect(sorted(asked)).toEqual(sorted(once()));
    const other = join(folder, "other");
    const fresh = await run(["fetch", list, "--snapshot", other, ...network, ...added]);
    expect(fresh.stdout).toContain("4 origins: 0 fetched, 4 already there");
    expect(sorted(asked)).toEqual(sorted(once()));
    put("machine-0/robots-fetch.sqlite", "");
    for (const [path, reason] of [
      ["machine-0", "its fetch is not complete"],
      ["none", "no such file"],
    ] as const) {
      const refused = await fetch("", "--add", join(folder, path));
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(reason)]);
    }
  });

  test("an NDJSON export and a WARC file are added: their origins are not requested, except with --refresh", async () => {
    const urls = ports.map((port) => `http://127.0.0.1:${port}`);
    const cache = join(folder, "cache");
    const inCache = ["--allow-private", "127.0.0.0/8", "--cache", cache];
    await run(["fetch", "--snapshot", join(folder, "filled"), ...inCache], originsOf());
    const exported = put("all.ndjson", (await run(["cache", "export", "--cache", cache])).stdout);
    const warc = join(folder, "two.warc");
    await run(["cache", "export", "--cache", cache, "-o", "warc", "--output-file", warc, ...urls.slice(0, 2)]);
    for (const [at, { file, added }] of [
      { file: exported, added: 4 },
      { file: warc, added: 2 },
    ].entries()) {
      asked.clear();
      const other = join(folder, `other-${at}`);
      const argv = ["fetch", "--snapshot", other, ...network, "--add", file];
      const only = await run(argv);
      expect([only.code, only.stdout]).toEqual([0, `${other}: ${added} fetches of ${added} origins\n`]);
      expect(only.stderr).toBe(`robots-stream: --add ${file}: ${added} fetches added, 0 known before\n`);
      const list = put("list.ndjson", originsOf());
      const counts = `4 origins: ${4 - added} fetched, ${added} already there`;
      expect((await run([...argv, list])).stdout).toContain(counts);
      expect(sorted(asked)).toEqual(sorted(new Map([...once()].slice(added))));
      asked.clear();
      expect((await run([...argv, list, "--refresh"])).stdout).toContain("4 origins: 4 fetched, 0 already there");
      expect(sorted(asked)).toEqual(sorted(once()));
    }
    const refused = await fetch("", "--add", put("x.txt", "User-agent: *\n"));
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("has no robots.txt of an origin")]);
  });

  test("origins with private addresses come first among the results", async () => {
    const private_ = ["http://10.0.0.1", "http://10.0.0.2"].map((origin) => `{"origin":"${origin}","count":1}\n`);
    const { code, stdout } = await fetch(originsOf() + private_.join(""));
    expect([code, stdout.split("\n")[1]]).toEqual([
      0,
      "fetched: 2 blocked-address (requested only with --allow-private), 3 ok, 1 http-404",
    ]);
  });

  test("a killed fetch continues: answered origins are not requested again", async () => {
    const silent = ports[3]!;
    let hung = (): void => undefined;
    const hangs = new Promise<void>((resolve) => (hung = resolve));
    answer = (port, request, response) => (port === silent ? hung() : usual(port, request, response));
    const child = startApp(["fetch", "--snapshot", snapshot(), "--concurrency", "1", ...network]);
    child.stdin?.end(originsOf());
    await hangs;
    child.kill("SIGKILL");
    await child.ended;
    const journal = join(snapshot(), "robots-fetch.sqlite");
    const done = [...asked.values()].reduce((sum, times) => sum + times, 0) - 1;
    answer = usual;
    const { code, stdout, stderr } = await fetch(originsOf());
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`4 origins: ${4 - done} fetched, ${done} already there`);
    expect(sorted(asked)).toEqual(sorted(once().set(`${silent} /robots.txt`, 2)));
    expect(existsSync(journal)).toBe(false);
    expect(await decided()).toEqual(expected);
  });

  test("stopped by a signal: exit code 130, the journal stays, and other commands refuse the folder", async () => {
    const stopping = new AbortController();
    answer = () => stopping.abort("SIGINT");
    const { code } = await run(["fetch", "--snapshot", snapshot(), ...network], originsOf(), stopping.signal);
    expect(code).toBe(130);
    expect(readdirSync(snapshot())).toEqual(["robots-fetch.sqlite"]);
    const cache = join(folder, "cache");
    await run(["cache", "import", "--cache", cache], JSON.stringify(entry));
    const exported = await run(["cache", "export", "--cache", cache, "--snapshot", snapshot()]);
    expect([exported.code, exported.stderr]).toEqual([2, expect.stringContaining("contains an unfinished fetch")]);
  });
  const entry = {
    origin: "https://a.example",
    fetchedAt: 1,
    freshUntil: 2,
    access: "unavailable",
    code: "http-404",
    status: 404,
    hops: [],
  };

  test.each<[what: string, prepare: () => void, argv: () => string[], stderr: string]>([
    ["no folder", () => undefined, () => [], "--snapshot is missing"],
    [
      "a folder of other files",
      () => (mkdirSync(snapshot()), put("s/x", "")),
      () => ["--snapshot", snapshot()],
      "contains files that do not belong to a snapshot",
    ],
    [
      "saved files instead of the network",
      () => undefined,
      () => ["--snapshot", snapshot(), "--robots", folder],
      "fetch has no flag --robots",
    ],
    ["a number of 0 parts", () => undefined, () => ["--snapshot", snapshot(), "--parts", "0"], "--parts 0: must be"],
  ])("wrong usage: %s", async (_what, prepare, argv, stderr) => {
    prepare();
    const ran = await run(["fetch", ...argv()], originsOf());
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(stderr)]);
    expect(asked.size).toBe(0);
  });
});
