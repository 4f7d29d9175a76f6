// `--robots` with every kind of archive: the same entries give the same decisions, whatever the archive's format.
// Also runs whose snapshot or cache has damaged entries.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync, zstdCompressSync } from "node:zlib";
import { createSavedRobots, decideStream } from "@robots-stream/engine";
import type { StoredRobots } from "@robots-stream/fetch";
import { createSqliteStore, type SqliteStore } from "@robots-stream/fetch/sqlite";
import { beforeAll, describe, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { bytesHere, runHere } from "./here.ts";
import { recordsOf, startApp } from "./run.ts";

describe("archives", () => {
  const folder = makeFolder();
  let store: SqliteStore;
  const inFolder = (name: string): string => join(folder, name);

  const at = Date.UTC(2026, 10, 1);
  const day = 86_400_000;

  function entry(host: string, members: Partial<StoredRobots>): StoredRobots {
    const origin = `https://${host}.example`;
    return {
      origin,
      fetchedAt: at,
      freshUntil: at + day,
      access: "successful",
      code: "ok",
      status: 200,
      hops: [{ url: `${origin}/robots.txt`, status: 200 }],
      ...members,
    };
  }

  const rules = Buffer.from("User-agent: *\nDisallow: /x\n");
  const failed = (code: string, members: Partial<StoredRobots> = {}): Partial<StoredRobots> => ({
    access: "unreachable",
    code,
    hops: [],
    unreachableSince: at,
    ...members,
  });
  const { status: _status, ...lost } = entry("timeout", failed("timeout"));
  const copy = { fetchedAt: at - 40 * day, access: "successful", code: "ok", status: 200, body: rules } as const;

  /** An entry with the expected decisions for /x and /y, and the reason of the decision for /x. */
  const cases: readonly (readonly [StoredRobots, x: boolean, y: boolean, because: string, code?: string])[] = [
    [entry("plain", { body: rules }), false, true, "rule"],
    [entry("empty", { body: Buffer.alloc(0) }), true, true, "no-group"],
    [
      entry("bytes", { body: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf, 0x23, 0xff, 0, 0x0a]), rules]) }),
      false,
      true,
      "rule",
    ],
    [entry("cut", { body: rules, truncated: true }), false, true, "rule"],
    [
      entry("moved", {
        body: rules,
        hops: [
          { url: "https://moved.example/robots.txt", status: 301 },
          { url: "https://www.moved.example/robots.txt", status: 200 },
        ],
      }),
      false,
      true,
      "rule",
    ],
    [entry("gone", { access: "unavailable", code: "http-404", status: 404 }), true, true, "unavailable", "http-404"],
    [entry("error", failed("http-503", { status: 503 })), false, false, "unreachable", "http-503"],
    [lost, false, false, "unreachable", "timeout"],
    [entry("loop", { access: "unavailable", code: "redirect-limit" }), true, true, "unavailable", "redirect-limit"],
    // Google's policy: the last copy applies after 12 hours; after 30 days everything is allowed if the server responds.
    [
      entry("outage", failed("http-500", { status: 500, unreachableSince: at - 2 * day, lastCopy: copy })),
      false,
      true,
      "rule",
    ],
    [
      entry("ruin", failed("http-500", { status: 500, unreachableSince: at - 40 * day, lastCopy: copy })),
      true,
      true,
      "unavailable",
      "http-500",
    ],
  ];

  const lines = [
    ...cases.flatMap(([{ origin }]) => [`${origin}/x`, `${origin}/y`]),
    "https://unknown.example/x",
    "https://unknown.example/y",
  ];
  const input = lines.map((url) => `${JSON.stringify({ url })}\n`).join("");

  beforeAll(async () => {
    store = createSqliteStore(inFolder("cache/robots.sqlite"));
    for (const [each] of cases) {
      // An earlier fetch with another result, which must have no effect.
      await store.set({ ...each, fetchedAt: at - 50 * day, access: "unavailable", code: "http-410", status: 410 });
      await store.set(each);
    }
    await store.close();
    const exported = async (...args: string[]): Promise<void> => {
      expect(await runHere(["cache", "export", "--cache", inFolder("cache"), ...args])).toMatchObject({ code: 0 });
    };
    await exported("--output-file", inFolder("all.ndjson"));
    await exported("--output", "warc", "--output-file", inFolder("all.warc.gz"));
    await exported("--snapshot", inFolder("snapshot"));
    await exported("--newest", "--snapshot", inFolder("newest"));
    const text = readFileSync(inFolder("all.ndjson"));
    writeFileSync(inFolder("all.ndjson.gz"), gzipSync(text));
    writeFileSync(inFolder("all.ndjson.zst"), zstdCompressSync(text));
    writeFileSync(inFolder("all.warc"), gunzipSync(readFileSync(inFolder("all.warc.gz"))));
    writeFileSync(inFolder("reversed.txt"), `\n${text.toString("utf8").trim().split("\n").toReversed().join("\r\n")}`);
    const spaced = text
      .toString("utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.stringify(JSON.parse(line), undefined, 1).replaceAll("\n", ""));
    writeFileSync(inFolder("spaced.ndjson"), `${spaced.join("\n")}\n`);
  }, 180_000);

  const archives: readonly (readonly [name: string, about: RegExp])[] = [
    ["cache", /: a cache of 11 origins$/m],
    ["cache/robots.sqlite", /: a cache of 11 origins$/m],
    ["snapshot", /: an indexed snapshot of 11 origins$/m],
    ["newest", /: an indexed snapshot of 11 origins$/m],
    ["all.ndjson", /: an NDJSON export of 11 origins$/m],
    ["all.ndjson.gz", /: an NDJSON export of 11 origins, gzip$/m],
    ["all.ndjson.zst", /: an NDJSON export of 11 origins, zstd$/m],
    ["reversed.txt", /: an NDJSON export of 11 origins$/m],
    ["spaced.ndjson", /: an NDJSON export of 11 origins$/m],
    ["all.warc", /: a WARC file of 11 origins$/m],
    ["all.warc.gz", /: a WARC file of 11 origins, gzip$/m],
  ];

  interface Row {
    readonly url: string;
    readonly robots: { readonly allowed: boolean | null; readonly because: string; readonly code?: string };
  }

  const expected = [
    ...cases.flatMap(([{ origin }, x, y, because, code]) => [
      { url: `${origin}/x`, robots: { allowed: x, because, ...(code === undefined ? {} : { code }) } },
      { url: `${origin}/y`, robots: { allowed: y } },
    ]),
    { url: "https://unknown.example/x", robots: { allowed: false, because: "unreachable", code: "not-saved" } },
    { url: "https://unknown.example/y", robots: { allowed: false } },
  ];

  describe.each(archives)("%s", (name, about) => {
    test("decides by its entries, and --verbose names it", { timeout: 180_000 }, async () => {
      const before = filesIn("cache");
      const args = ["--agent", "bingbot", "--robots", inFolder(name), "--verbose"];
      const { code, stdout, stderr } = await runHere(args, input);
      expect(recordsOf(stdout)).toMatchObject(expected);
      expect(code).toBe(0);
      expect(stderr).toMatch(about);
      expect(filesIn("cache")).toEqual(before);
    });

    test("decideStream: the same decisions", async () => {
      const robots = createSavedRobots(inFolder(name));
      const found: Row[] = [];
      const records = lines.map((url) => ({ url }));
      for await (const batch of decideStream({ input: records, agents: "bingbot", robots, ordered: true })) {
        for (const { record, allowed, because } of [batch].flat()) {
          found.push({ url: record.url, robots: { allowed, because } });
        }
      }
      await robots.close();
      expect(found).toMatchObject(expected.map(({ url, robots: { allowed } }) => ({ url, robots: { allowed } })));
    });

    test("explain quotes the file", { timeout: 180_000 }, async () => {
      const { stdout } = await runHere([
        "explain",
        "https://outage.example/x",
        "-a",
        "bingbot",
        "--robots",
        inFolder(name),
      ]);
      expect(stdout).toMatch(/^> +2 \| Disallow: \/x$/m);
      const args = ["explain", "https://cut.example/x", "-a", "bingbot", "--robots", inFolder(name), "-o", "ndjson"];
      const [json] = recordsOf((await runHere(args)).stdout);
      expect(json).toMatchObject({ robotsTxt: { file: inFolder(name), code: "ok", truncated: true } });
    });
  });

  /** Names, modification times and contents of the files in a folder. */
  function filesIn(name: string): unknown[] {
    return readdirSync(inFolder(name)).map((file) => [
      file,
      statSync(inFolder(`${name}/${file}`)).mtimeMs,
      readFileSync(inFolder(`${name}/${file}`)),
    ]);
  }

  test("a cache that another process writes is read together with its log", async () => {
    mkdirSync(inFolder("live"));
    const live = createSqliteStore(inFolder("live/robots.sqlite"));
    for (const [each] of cases) await live.set(each);
    expect(readdirSync(inFolder("live"))).toContain("robots.sqlite-wal");
    const { stdout, code } = await runHere(["--agent", "bingbot", "--robots", inFolder("live")], input);
    expect(recordsOf(stdout)).toMatchObject(expected);
    expect(code).toBe(0);
    await live.close();
  });

  test.runIf(process.platform !== "win32")("an export can be read from a pipe", async () => {
    const pipe = inFolder("pipe");
    execFileSync("mkfifo", [pipe]);
    const child = startApp(["--agent", "bingbot", "--robots", pipe]);
    child.stdin?.end(input);
    writeFileSync(pipe, readFileSync(inFolder("all.ndjson.gz")));
    const { stdout, code } = await child.ended;
    expect(recordsOf(stdout)).toMatchObject(expected);
    expect(code).toBe(0);
  });

  describe("a crawler's WARC file", () => {
    const record = (url: string, status: number, head: string, body = ""): string => {
      const http = `HTTP/1.1 ${status} X\r\n${head}\r\n${body}`;
      const fields = `WARC-Type: response\r\nWARC-Target-URI: ${url}\r\nWARC-Date: 2026-11-01T00:00:00Z\r\n`;
      const block = `Content-Type: application/http; msgtype=response\r\nContent-Length: ${Buffer.byteLength(http)}\r\n`;
      return `WARC/1.0\r\n${fields}${block}\r\n${http}\r\n\r\n`;
    };
    const to = (location: string): string => `Location: ${location}\r\n`;
    const host = (name: string): string => `https://${name}.example`;
    const records = [
      record("http://a.example/robots.txt", 301, to("https://a.example/robots.txt")),
      record(`${host("a")}/robots.txt`, 302, to("//www.a.example/robots.txt")),
      record(`${host("www.a")}/robots.txt`, 200, "Content-Type: text/plain\r\n", "User-agent: *\nDisallow: /x\n"),
      record(`${host("b")}/robots.txt`, 404, "", "not found"),
      record(`${host("c")}/robots.txt`, 503, ""),
      record(`${host("d")}/robots.txt`, 301, to("/robots.txt")),
      record(`${host("e")}/robots.txt`, 301, to(`${host("lost")}/robots.txt`)),
      record(`${host("f")}/robots.txt`, 301, to("/home")),
      record(`${host("g")}/page`, 200, "", "User-agent: *\nDisallow: /x\n"),
      record(`${host("h")}/robots.txt`, 304, ""),
    ];

    test.each<readonly [origin: string, allowed: boolean, because: string, code?: string]>([
      ["http://a.example", false, "rule"],
      [host("a"), false, "rule"],
      [host("www.a"), false, "rule"],
      [host("b"), true, "unavailable", "http-404"],
      [host("c"), false, "unreachable", "http-503"],
      [host("d"), true, "unavailable", "redirect-limit"],
      [host("e"), false, "unreachable", "not-saved"],
      [host("f"), false, "unreachable", "not-saved"],
      [host("g"), false, "unreachable", "not-saved"],
      [host("h"), false, "unreachable", "not-saved"],
    ])("the robots.txt of %s", async (origin, allowed, because, code) => {
      writeFileSync(inFolder("crawl.warc.gz"), Buffer.concat(records.map((each) => gzipSync(each))));
      const args = ["--agent", "bingbot", "--robots", inFolder("crawl.warc.gz")];
      const { stdout, stderr } = await runHere(args, `${JSON.stringify({ url: `${origin}/x` })}\n`);
      expect(recordsOf(stdout)).toMatchObject([
        { robots: { allowed, because, ...(code === undefined ? {} : { code }) } },
      ]);
      expect(stderr.match(/: (?:a redirect|status 304)$/gm)).toHaveLength(2);
    });
  });

  test("lint takes the robots.txt of a URL from an archive", async () => {
    const linted = (...args: string[]): ReturnType<typeof runHere> =>
      runHere(["lint", ...args, "--robots", inFolder("snapshot")]);
    expect(await linted("https://bytes.example/page")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("bytes.example") as string,
    });
    expect(await linted("https://gone.example/")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("there is no robots.txt (http-404)") as string,
    });
    expect((await linted("https://unknown.example/")).stderr).toContain("unreachable (not-saved)");
    expect(await linted("https://plain.example/", "--timeout", "1")).toMatchObject({ code: 2 });
  });

  describe("files that are not archives", () => {
    const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
    test.each<readonly [what: string, bytes: () => string | Uint8Array, told: RegExp]>([
      ["a PNG", () => png, /is neither text nor an archive/],
      ["a PDF", () => "%PDF-1.7\n", /is neither text nor an archive/],
      ["a ZIP", () => Buffer.from("504b030414000000", "hex"), /is neither text nor an archive/],
      ["text in UTF-16", () => Buffer.from("\ufeffUser-agent: *", "utf16le"), /is neither text nor an archive/],
      ["an empty file", () => "", /is empty.*--robots \/dev\/null/s],
      [
        "NDJSON of URLs",
        () => '{"url":"https://a.example/"}\n',
        /is not an NDJSON export of a cache: line 1 is not an entry/,
      ],
      ["a JSON document", () => '{\n  "a": 1\n}\n', /is not an NDJSON export of a cache/],
      [
        "a damaged export",
        () => readFileSync(inFolder("all.ndjson"), "utf8").slice(0, 60),
        /is not an NDJSON export of a cache/,
      ],
      [
        "a WARC file without a robots.txt",
        () => "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
        /is a WARC file without a robots\.txt/,
      ],
      ["a compressed text", () => gzipSync("User-agent: *\n"), /is compressed, and neither a WARC file nor/],
      ["a compressed empty file", () => gzipSync(""), /is empty/],
      ["gzip data that is cut short", () => gzipSync(Buffer.alloc(100, "{")).subarray(0, 12), /cut short/],
      [
        "a database of something else",
        () => Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(84)]),
        /--robots .*: /,
      ],
      [
        "a manifest without its folder",
        () => readFileSync(inFolder("snapshot/robots-snapshot.json")),
        /is the manifest of an indexed snapshot.*name its folder/s,
      ],
    ])("%s is wrong usage", async (_what, bytes, told) => {
      writeFileSync(inFolder("wrong"), bytes());
      const { code, stdout, stderr } = await runHere(["--agent", "bingbot", "--robots", inFolder("wrong")], input);
      expect(stderr).toMatch(told);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    });

    test("damaged lines are reported, and the other lines decide", async () => {
      const text = readFileSync(inFolder("all.ndjson"), "utf8").trimEnd().split("\n");
      const last = text.length - 1;
      text[last] = text[last]!.replace("http-500", "http-501");
      text[0] = "{}";
      writeFileSync(inFolder("damaged"), `${text.join("\n")}\n`);
      const { code, stdout, stderr } = await runHere(["--agent", "bingbot", "--robots", inFolder("damaged")], input);
      expect(stderr).toMatch(/damaged: line 1: is not an entry of a cache/);
      expect(stderr).toMatch(/its checksum does not match its content; https:\/\/ruin\.example counts as unreachable/);
      const rows = recordsOf(stdout) as unknown as Row[];
      expect(rows.find(({ url }) => url === "https://ruin.example/x")?.robots).toMatchObject({
        because: "unreachable",
        code: "not-readable",
      });
      expect(rows.filter(({ url }) => !url.includes("ruin"))).toMatchObject(
        expected.filter(({ url }) => !url.includes("ruin")),
      );
      // A saved file was lost, so the run must not look like a complete one.
      expect(code).toBe(3);
    });
  });

  describe("cache export --snapshot", () => {
    const run = (...args: string[]): ReturnType<typeof runHere> =>
      runHere(["cache", "export", "--cache", inFolder("cache"), ...args]);

    test("some origins are exported into an existing snapshot, which is replaced", async () => {
      const path = inFolder("some");
      expect((await run("--snapshot", path, "https://gone.example", "https://plain.example")).stderr).toMatch(
        /: 4 fetches of 2 origins$/m,
      );
      expect((await run("--snapshot", path, "--newest", "https://gone.example")).stderr).toMatch(
        /: 1 fetch of 1 origin$/m,
      );
      expect(readdirSync(path)).toHaveLength(2);
      const { stdout } = await runHere(["--agent", "bingbot", "--robots", path], input);
      const rows = recordsOf(stdout) as unknown as Row[];
      expect(rows.filter(({ robots }) => robots.code !== "not-saved")).toMatchObject([
        { url: "https://gone.example/x" },
        { url: "https://gone.example/y" },
      ]);
    });

    test.each<readonly [args: readonly string[], told: RegExp]>([
      [["--snapshot", "X", "--output-file", "y"], /cannot be combined/],
      [["--snapshot", "X", "--output", "warc"], /cannot be combined/],
      [["--snapshot", "cache"], /contains files that do not belong to a snapshot/],
      [["--snapshot", "all.ndjson"], /file already exists/],
    ])("%o is wrong usage", async (args, told) => {
      const { code, stderr } = await run(
        ...args.map((arg) => (arg.startsWith("-") || arg === "warc" ? arg : inFolder(arg))),
      );
      expect(stderr).toMatch(told);
      expect(code).toBe(2);
    });

    test("the output file may not be a file of the snapshot", async () => {
      const part = readdirSync(inFolder("snapshot")).find((name) => name.endsWith(".robots"))!;
      const output = join(inFolder("snapshot"), part);
      const { code, stderr } = await runHere(
        ["--agent", "bingbot", "--robots", inFolder("snapshot"), "--output", "ndjson", "--output-file", output],
        input,
      );
      expect(stderr).toMatch(/is the same file as/);
      expect(code).toBe(2);
    });
  });
});

describe("damaged entries: exit code 3 and a sentence", () => {
  const folder = makeFolder();

  const snapshot = join(folder, "snapshot");
  const originOf = (number: number): string => `https://host-${number}.example`;
  const body = "User-agent: *\nDisallow: /private\n";
  const fetchedAt = Date.UTC(2026, 10, 1);
  /** Numbers of an origin whose entry is damaged, and of one whose entry is whole. */
  let [lost, kept] = [-1, -1];

  beforeAll(async () => {
    const origins = Array.from({ length: 300 }, (_, number) => originOf(number));
    const entry = {
      fetchedAt,
      freshUntil: fetchedAt + 1,
      access: "successful",
      code: "ok",
      status: 200,
      body,
      hops: [],
    };
    const lines = origins.map((origin) => `${JSON.stringify({ origin, ...entry })}\n`).join("");
    const cache = join(folder, "cache");
    await runHere(["cache", "import", "--cache", cache], lines);
    await runHere(["cache", "export", "--cache", cache, "--snapshot", snapshot]);
    const part = readdirSync(snapshot).find((name) => name.endsWith(".robots"));
    const bytes = readFileSync(join(snapshot, part!));
    // A bit of the texts behind some names, which are in rows and in indexes.
    for (let number = 100; number < 130; number++) {
      for (let at = bytes.indexOf(originOf(number)); at >= 0; at = bytes.indexOf(originOf(number), at + 1)) {
        bytes[at + originOf(number).length + 15]! ^= 4;
      }
    }
    writeFileSync(join(snapshot, part!), bytes);
    const urls = origins.map((origin) => `${origin}/private\n`).join("");
    const { stdout } = await runHere(["--agent", "bingbot", "--robots", snapshot, "-o", "ndjson"], urls);
    const codes = stdout.split("\n").map((line) => /not-readable/.test(line));
    [lost, kept] = [codes.indexOf(true), codes.indexOf(false)];
  });

  const sentence = "the saved robots.txt of 1 origin could not be read, because entries are damaged";
  const log = (number: number): string =>
    `${JSON.stringify({ httpRequest: { requestUrl: `${originOf(number)}/private`, userAgent: "bingbot/2.0" }, timestamp: "2026-11-01T00:00:00Z" })}\n`;

  test("decide: the rows are written, and the run fails", async () => {
    expect(Math.min(lost, kept)).toBeGreaterThanOrEqual(0);
    const given = ["--agent", "bingbot", "--robots", snapshot];
    const whole = await runHere(given, `${originOf(kept)}/private\n`);
    expect([whole.code, whole.stderr]).toEqual([0, ""]);
    const ran = await runHere(given, `${originOf(lost)}/private\n${originOf(kept)}/\n${originOf(lost)}/\n`);
    expect([ran.code, ran.stdout.trimEnd().split("\n")]).toEqual([3, expect.objectContaining({ length: 3 })]);
    expect(ran.stderr.split("\n").at(-2)).toBe(
      `robots-stream: ${sentence}; records of such origins were decided as unreachable`,
    );
  });

  test("a checkpoint keeps the origins whose entries are damaged: a resumed run fails as the uninterrupted one", async () => {
    const names = ["urls.txt", "more.txt.gz", "rows.ndjson", "run.json"] as const;
    const [urls, more, output, checkpoint] = names.map((name) => join(folder, name)) as [
      string,
      string,
      string,
      string,
    ];
    writeFileSync(urls, `${originOf(lost)}/private\n${originOf(kept)}/\n`);
    const packed = gzipSync(`${originOf(kept)}/\n`.repeat(5_000), { level: 0 });
    const keeping = ["--output-file", output, "--checkpoint", checkpoint, "--resume", urls, more];
    const given = ["--agent", "bingbot", "--robots", snapshot, ...keeping];
    const told = `robots-stream: ${sentence}; records of such origins were decided as unreachable\n`;
    const shown = `robots-stream: ${checkpoint}:`;
    const write = (content: Uint8Array): void => {
      writeFileSync(more, content);
      utimesSync(more, 1, 1);
    };
    // The checksum of the second file is wrong, so the run does not finish.
    write(packed.with(packed.length - 5, packed.at(-5)! ^ 1));
    expect((await runHere(given)).code).toBe(3);
    write(packed);
    const resumed = await runHere(given);
    expect(resumed.code).toBe(3);
    expect(resumed.stderr.replace(/\d+ records/, "N records")).toBe(`${shown} continuing after N records\n${told}`);
    const again = await runHere(given);
    expect([again.code, again.stderr]).toEqual([
      3,
      `${shown} the run is finished, 5002 records; nothing is left to do\n${told}`,
    ]);
  });

  test("audit, and decide by a history: the report is written, and the run fails", async () => {
    const given = ["audit", "-", "--robots", snapshot, "-o", "json"];
    const whole = await runHere(given, log(kept));
    expect([whole.code, whole.stderr]).toEqual([0, ""]);
    const ran = await runHere(given, log(lost));
    expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining(sentence)]);
    expect(JSON.parse(ran.stdout)).toMatchObject({ totals: { requests: 1 } });
    const asOf = ["--agent-field", "user_agent", "--as-of-record", "--robots-history", snapshot];
    const decided = await runHere(asOf, log(lost));
    expect([decided.code, decided.stderr]).toEqual([3, expect.stringContaining(sentence)]);
  });

  test("answer: the run ends before the answer to the frame", async () => {
    const frameOf = (url: string): Buffer => {
      const frame = Buffer.alloc(24 + url.length);
      [20 + url.length, 1, 1, 0, 0, url.length].forEach((value, at) => frame.writeUInt32LE(value, at * 4));
      frame.write(url, 24);
      return frame;
    };
    const given = ["answer", "--stdio", "--agent", "bingbot", "--robots", snapshot];
    const [whole, damaged] = [frameOf(`${originOf(kept)}/`), frameOf(`${originOf(lost)}/`)];
    const [one, ran] = [await bytesHere(given, whole), await bytesHere(given, damaged)];
    expect([one.code, one.stdout.length > 0]).toEqual([0, true]);
    expect([ran.code, ran.stdout.length, ran.stderr]).toEqual([3, 0, expect.stringMatching(/--robots \S+: .*damaged/)]);
  });

  test("a cache with damaged rows: an audit by it and an export of it name the origin, and fail", async () => {
    const cache = join(folder, "cache");
    const database = new DatabaseSync(join(cache, "robots.sqlite"));
    database.exec(
      "UPDATE fetches SET code = 'ok2' WHERE id IN (SELECT latest FROM origins WHERE origin LIKE '%host-7.%')",
    );
    database.close();
    const audited = await runHere(["audit", "-", "--robots-history", cache, "-o", "json"], log(kept));
    expect([audited.code, audited.stderr]).toEqual([3, expect.stringMatching(/host-7\.example: is damaged\n/)]);
    expect(audited.stderr).toContain(sentence);
    expect(JSON.parse(audited.stdout)).toMatchObject({ totals: { requests: 1 } });
    for (const flags of [[], ["--newest"], ["--snapshot", join(folder, "exported")]]) {
      const { code, stdout, stderr } = await runHere(["cache", "export", "--cache", cache, ...flags]);
      expect([code, stderr]).toEqual([3, expect.stringContaining(`${originOf(7)}: left out: its row is damaged\n`)]);
      expect(stderr).toContain("1 damaged row is left out\n");
      if (!flags.includes("--snapshot")) expect(stdout.trimEnd().split("\n")).toHaveLength(299);
    }
    const one = await runHere(["cache", "export", "--cache", cache, originOf(7)]);
    expect([one.code, one.stdout]).toEqual([3, ""]);
    const other = await runHere(["cache", "export", "--cache", cache, originOf(8)]);
    expect([other.code, other.stderr]).toEqual([0, ""]);
  });
});
