// Tests messages and exit codes for sources from a shell: pipes without a writer, folders, compressed files, several sources at once.
// Also folders of rotated logs and patterns, and sources whose records have no URL.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, createWriteStream, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSavedRobots, decideStream } from "../src/index.ts";
import { makeFolder, makeTestFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { appArguments, recordsOf, root, startApp } from "./run.ts";
import { portOf } from "./servers.ts";

describe("sources from a shell", () => {
  const asked = ["--agent", "bingbot", "--robots", "examples/robots"];

  const recordsFrom = (first: number, count: number): string =>
    Array.from({ length: count }, (_, index) => `{"url":"https://shop.example/cart/${first + index}"}\n`).join("");

  const urlsOf = (stdout: string): unknown[] => recordsOf(stdout).map(({ url }) => url);

  const numbersOf = (stdout: string): number[] => urlsOf(stdout).map((url) => Number(/\d+$/.exec(String(url))?.[0]));

  describe.skipIf(process.platform === "win32")("a named pipe", () => {
    test.each([
      ["SIGTERM", 143],
      ["SIGINT", 130],
    ] as const)("without a writer: %s ends the run with %i", async (signal, code) => {
      const folder = makeTestFolder();
      const pipe = join(folder, "pipe");
      execFileSync("mkfifo", [pipe]);
      // Rows of the source before the pipe show that the app is now waiting for the pipe.
      const before = join(folder, "before.ndjson");
      writeFileSync(before, recordsFrom(1, 1));
      const app = startApp([...asked, before, pipe]);
      await once(app.stdout!, "data");
      app.kill(signal);
      const ended = await app.ended;
      expect(ended.code).toBe(code);
      expect(ended.stderr).toContain(`stopped by ${signal}`);
      expect(numbersOf(ended.stdout)).toEqual([1]);
    });

    test("is read to its end, although its writer opens it late and pauses", async () => {
      const pipe = join(makeTestFolder(), "pipe");
      execFileSync("mkfifo", [pipe]);
      const app = startApp([...asked, pipe]);
      const writer = spawn("sh", ["-c", `(echo '{"url":"x:1"}'; sleep 0.2; echo '{"url":"x:2"}') >"$0"`, pipe]);
      onTestFinished(() => void writer.kill());
      expect(urlsOf((await app.ended).stdout)).toEqual(["x:1", "x:2"]);
    });
  });

  test.skipIf(process.platform === "win32").each([
    ["ends", "end", 0, ""],
    ["is reset", "resetAndDestroy", 3, "robots-stream: stdin: read ECONNRESET after 1 record was decided\n"],
  ] as const)("a connection as stdin that %s", async (_how, act, code, said) => {
    const server = createServer({ pauseOnConnect: true });
    onTestFinished(() => void server.close());
    const connected = once(server, "connection");
    const writer = connect(await portOf(server), "127.0.0.1");
    const [accepted] = (await connected) as [Socket];
    onTestFinished(() => void writer.destroy());
    onTestFinished(() => void accepted.destroy());
    const args = [...appArguments, ...asked, "--input", "ndjson"];
    const app = spawn(process.execPath, args, { cwd: root, stdio: [accepted, "pipe", "pipe"] });
    onTestFinished(() => void app.kill("SIGKILL"));
    let stderr = "";
    app.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    const ended = once(app, "close");
    writer.write(recordsFrom(1, 1));
    expect(numbersOf(String((await once(app.stdout, "data"))[0]))).toEqual([1]);
    app.stdout.resume();
    writer[act]();
    expect(await ended).toEqual([code, null]);
    expect(stderr).toContain(said);
  });

  test.skipIf(process.platform === "win32")("a folder as stdin is reported and is not an input", () => {
    const run = `exec "$0" "$@" < .`;
    const shell = ["-c", run, process.execPath, ...appArguments, ...asked];
    const { status, stdout, stderr } = spawnSync("sh", shell, { cwd: root, encoding: "utf8" });
    expect([status, stdout]).toEqual([3, ""]);
    expect(stderr).toContain("stdin: illegal operation on a directory (EISDIR)");
  });

  describe("compressed sources", () => {
    test("gzip, zstd, plain text and stdin, one after another, each detected by its content", async () => {
      const folder = makeTestFolder();
      const paths = [
        ["a.ndjson.gz", gzipSync(recordsFrom(1, 2))],
        ["b", zstdCompressSync("url\nhttps://shop.example/cart/3\n")],
        ["c.csv.zst", zstdCompressSync("Where,url\n1,https://shop.example/cart/4\n")],
        // This file is not compressed, despite its name.
        ["d.gz", Buffer.from(recordsFrom(5, 1))],
      ] as const;
      for (const [name, bytes] of paths) writeFileSync(join(folder, name), bytes);
      const [first, ...others] = paths.map(([name]) => join(folder, name));
      const stdin = Buffer.concat([gzipSync(recordsFrom(6, 1)), gzipSync(recordsFrom(7, 1))]);
      const { code, stdout, stderr } = await runHere([...asked, first!, "-", ...others], stdin);
      expect([code, stderr]).toEqual([0, ""]);
      expect(numbersOf(stdout)).toEqual([1, 2, 6, 7, 3, 4, 5]);
    });

    test("a truncated source: its records and the following sources are decided, and the fault is reported", async () => {
      const folder = makeTestFolder();
      const packed = gzipSync(recordsFrom(1, 20_000));
      const cut = join(folder, "cut.gz");
      const after = join(folder, "after.ndjson");
      writeFileSync(cut, packed.subarray(0, packed.length >> 1));
      writeFileSync(after, recordsFrom(1, 1));
      const { code, stdout, stderr } = await runHere([...asked, cut, after]);
      const numbers = numbersOf(stdout);
      expect(code).toBe(3);
      expect(stderr).toContain(`cut.gz: the gzip data is cut short after ${numbers.length} records were decided`);
      expect(numbers.length).toBeGreaterThan(5_000);
      expect(numbers).toEqual([...Array.from({ length: numbers.length - 1 }, (_, index) => index + 1), 1]);
    });

    test("a source that is not text is reported before any record is read", async () => {
      const path = join(makeTestFolder(), "a.bz2");
      writeFileSync(path, "BZh91AY&SY\0\0");
      const { code, stdout, stderr } = await runHere([...asked, path]);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("is bzip2-compressed");
      expect(stderr).toContain("bzip2 -dc FILE");
    });

    test("UTF-16 is read, as spreadsheets write it", async () => {
      const path = join(makeTestFolder(), "export.csv");
      writeFileSync(
        path,
        Buffer.from("\ufeffTitle\tAddress\r\nGrö\u00dfe\thttps://shop.example/cart/1\r\n", "utf16le"),
      );
      const { code, stdout } = await runHere([...asked, path]);
      expect(code).toBe(0);
      expect(recordsOf(stdout)).toMatchObject([{ Title: "Größe", Address: "https://shop.example/cart/1" }]);
    });
  });

  /** Length of the long line in MiB; 1 GiB in thorough runs. */
  const lineMebibytes = process.env["ROBOTS_STREAM_THOROUGH"] === undefined ? 256 : 1_024;

  test.skipIf(process.platform !== "linux")(
    `one line of ${lineMebibytes} MiB is one reject, and the process needs less than 300 MiB of memory`,
    async () => {
      const folder = makeTestFolder();
      const path = join(folder, "long.gz");
      const megabyte = Buffer.alloc(1_048_576, "x");
      async function* pieces(): AsyncGenerator<Uint8Array> {
        yield Buffer.from(recordsFrom(1, 1));
        yield Buffer.from('{"url":"https://shop.example/');
        for (let count = 0; count < lineMebibytes; count++) yield megabyte;
        yield Buffer.from(`"}\n${recordsFrom(2, 1)}`);
      }
      await pipeline(pieces(), createGzip({ level: 1 }), createWriteStream(path));
      const app = startApp([...asked, path]);
      let mostKiB = 0;
      const watch = setInterval(() => {
        try {
          const [, kiB] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${app.pid}/status`, "utf8")) ?? [];
          mostKiB = Math.max(mostKiB, Number(kiB ?? 0));
        } catch {
          // The process has ended.
        }
      }, 20);
      const { code, stdout, stderr } = await app.ended.finally(() => clearInterval(watch));
      expect(code).toBe(0);
      expect(numbersOf(stdout)).toEqual([1, 2]);
      expect(stderr).toContain("long.gz:2: is longer than 1048576 bytes");
      expect(mostKiB).toBeGreaterThan(0);
      expect(mostKiB).toBeLessThan(300 * 1_024);
    },
  );

  test("an archive with a gzip member for each record", async () => {
    const folder = makeTestFolder();
    const recordOf = (type: string, path: string, block: string): Buffer => {
      const fields = `WARC-Type: ${type}\r\nWARC-Target-URI: https://shop.example${path}\r\nWARC-Date: 2025-01-02T03:04:05Z`;
      return gzipSync(`WARC/1.1\r\n${fields}\r\nContent-Length: ${block.length}\r\n\r\n${block}\r\n\r\n`);
    };
    const members = ["/cart/1", "/2", "/cart/3"].flatMap((path) => [
      recordOf("request", path, `GET ${path} HTTP/1.1\r\nUser-Agent: bingbot/2.0\r\n\r\n`),
      recordOf("response", path, `HTTP/1.1 200 OK\r\n\r\n${"x".repeat(100_000)}`),
    ]);
    const path = join(folder, "crawl.warc.gz");
    writeFileSync(path, Buffer.concat(members));
    const args = [
      ["--agent-field", "user_agent", "--robots", "examples/robots", "--ordered"],
      ["--since", "2025-01-02", "--until", "2025-01-03"],
    ].flat();
    const { code, stdout } = await runHere([...args, path]);
    expect([code, recordsOf(stdout).map(({ url, status, robots }) => [url, status, robots])]).toMatchObject([
      0,
      [
        ["https://shop.example/cart/1", 200, { agent: "bingbot", allowed: false }],
        ["https://shop.example/2", 200, { agent: "bingbot", allowed: true }],
        ["https://shop.example/cart/3", 200, { agent: "bingbot", allowed: false }],
      ],
    ]);
    writeFileSync(path, Buffer.concat(members).subarray(0, -30));
    const cut = await runHere([...asked, path]);
    expect([cut.code, urlsOf(cut.stdout)]).toEqual([3, ["https://shop.example/cart/1", "https://shop.example/2"]]);
    expect(cut.stderr).toMatch(/crawl\.warc\.gz: the gzip data is cut short/);
  });
});

describe("a folder of rotated logs, or a pattern: the order of the files, output files in the folder, and resuming", () => {
  const asked = ["--agent", "bingbot", "--robots", "examples/robots"];

  const lineOf = (number: number): string =>
    `192.0.2.1 - - [02/Jan/2025:10:00:00 +0000] "GET /cart/${number} HTTP/1.1" 200 5 "-" "bingbot/2.0"\n`;

  /**
   * A folder with the rotated logs of a server: /cart/1 is the oldest request, /cart/5 the newest. A hidden file has a request of /cart/9.
   */
  function rotatedLogs(): string {
    const top = makeTestFolder();
    const folder = join(top, "logs");
    mkdirSync(folder);
    const at = (name: string): string => join(folder, name);
    writeFileSync(at("access.log"), lineOf(5));
    writeFileSync(at("access.log.1"), lineOf(3) + lineOf(4));
    writeFileSync(at("access.log.2.gz"), gzipSync(lineOf(2)));
    writeFileSync(at("access.log.10.gz"), gzipSync(lineOf(1)));
    writeFileSync(at(".access.log.swp"), lineOf(9));
    return folder;
  }

  const base = ["--base", "https://shop.example"];

  const numbersOf = (rows: string): number[] => recordsOf(rows).map(({ url }) => Number(/\d+$/.exec(String(url))?.[0]));

  test.each([
    ["a folder", "", [1, 2, 3, 4, 5]],
    ["a pattern", "access.log.*", [1, 2, 3, 4]],
  ])("%s: oldest first, and --verbose names the order", async (_what, name, numbers) => {
    const folder = rotatedLogs();
    const path = join(folder, name);
    const { code, stdout, stderr } = await runHere([...asked, ...base, "--ordered", "-v", path]);
    expect({ code, numbers: numbersOf(stdout) }).toEqual({ code: 0, numbers });
    expect(stderr).toMatch(
      /: [345] files, oldest first\n.*access\.log\.10\.gz\n.*access\.log\.2\.gz\n.*access\.log\.1\n/,
    );
    expect((await runHere([...asked, ...base, path])).stderr).toBe("");
  });

  test("rows, rejects and checkpoint in the folder are not inputs of the next run, and resuming compares the files", async () => {
    const folder = rotatedLogs();
    const at = (name: string): string => join(folder, name);
    const output = ["--output-file", at("rows.ndjson"), "--rejects", at("rejects.ndjson"), "--checkpoint", at("point")];
    const run = [...asked, ...base, "--ordered", ...output, folder];
    for (const more of [[], [], ["--resume"]]) {
      expect(await runHere([...run, "-q", ...more])).toEqual({ code: 0, stdout: "", stderr: "" });
      expect(numbersOf(readFileSync(at("rows.ndjson"), "utf8"))).toEqual([1, 2, 3, 4, 5]);
    }
    writeFileSync(at("access.log.11"), lineOf(0));
    const { code, stderr } = await runHere([...run, "--resume"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/was written by a run with input .*access\.log\.10\.gz .*, and this run has input .*\.11 /);
  });

  test.skipIf(process.platform === "win32")("the file of the folder that stdout goes to is not an input", () => {
    const folder = rotatedLogs();
    const rows = join(folder, "rows.ndjson");
    writeFileSync(rows, "");
    const fd = openSync(rows, "w");
    const { status, stderr } = spawnSync(process.execPath, [...appArguments, ...asked, ...base, "--ordered", folder], {
      cwd: root,
      stdio: ["ignore", fd, "pipe"],
      encoding: "utf8",
    });
    closeSync(fd);
    expect([status, stderr]).toEqual([0, ""]);
    expect(numbersOf(readFileSync(rows, "utf8"))).toEqual([1, 2, 3, 4, 5]);
  });

  test("an empty folder is wrong usage", async () => {
    const folder = makeTestFolder();
    for (const args of [[...asked], ["detect"]]) {
      const { code, stdout, stderr } = await runHere([...args, folder]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/: is a folder without a file to read\n$/);
    }
  });

  test("detect reads every file of a folder", async () => {
    const { code, stdout } = await runHere(["detect", ...base, rotatedLogs()]);
    expect(code).toBe(0);
    expect(stdout.match(/^\S.*access\.log\S*/gm)).toHaveLength(4);
  });

  test.each([
    ["a folder", ""],
    ["a pattern", "*.log*"],
  ])(
    "an audit of %s is the merge of the audits of its files, and does not read its own output",
    async (_what, name) => {
      const folder = rotatedLogs();
      const robots = ["--robots", "examples/robots/shop.example.txt", ...base];
      const parts = ["access.log", "access.log.1", "access.log.2.gz", "access.log.10.gz"].map((file) =>
        join(folder, file),
      );
      const documents = [];
      for (const [at, part] of parts.entries()) {
        const path = join(folder, "..", `part${at}.json`);
        documents.push(path);
        const { code } = await runHere(["audit", part, ...robots, "-o", "json", "--output-file", path]);
        expect(code).toBe(0);
      }
      const merged = await runHere(["merge", ...documents, "-o", "json"]);
      expect(merged.code).toBe(0);
      const output = join(folder, "audit.log.json");
      for (let run = 0; run < 2; run++) {
        const audit = ["audit", join(folder, name), ...robots, "-o", "json", "--output-file", output];
        expect(await runHere(audit)).toEqual({ code: 0, stdout: "", stderr: "" });
        expect(readFileSync(output, "utf8")).toBe(merged.stdout);
      }
    },
  );

  test("a file without requests among the logs of an audit is reported before any log is read", async () => {
    const folder = rotatedLogs();
    writeFileSync(join(folder, "zebra.log"), "no log\n");
    const { code, stdout, stderr } = await runHere([
      "audit",
      folder,
      "--robots",
      "examples/robots/shop.example.txt",
      ...base,
    ]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("zebra.log: ");
    const none = await runHere(["audit", join(folder, "*.zst"), ...base]);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain("no file has this name or matches this pattern");
  });
});

describe("exit codes and messages for sources whose records have no URL", () => {
  const folder = makeFolder();
  const asked = ["--agent", "bingbot", "--robots", "examples/robots"];
  const good = "https://shop.example/cart/1";

  function file(name: string, content: string | Uint8Array): string {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  }

  const words = "hello\nworld\n";
  const access = (target: string): string =>
    `192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] "GET ${target} HTTP/1.1" 200 1 "-" "bingbot/2.0"\n`;

  describe("exit 2 before any output", () => {
    test.each<[what: string, input: string | Uint8Array, message: RegExp, hint: RegExp, args?: readonly string[]]>([
      [
        "words",
        words,
        /none of its 2 records has a URL; it is read as one URL per line; it looks like other text/,
        /--input NAME/,
      ],
      ["one word", "hello\n", /its only record has no URL/, /--input NAME/],
      ["many lines", "hello\n".repeat(5_000), /none of its first 100 records has a URL/, /--input NAME/],
      ["paths", "/a\n/b\n", /they begin with a slash, as paths do/, /--base https:\/\/example\.com/],
      ["hosts", "a.example/x\nb.example/y\n", /look like hosts without a scheme/, /sed 's\|\^\|https:\/\/\|'/],
      ["a log of an unknown kind", "2026-01-01 00:00:00 /x 200\n".repeat(3), /looks like a log/, /detect FILE/],
      [
        "JSON with invalid URLs",
        '{"url":"a b"}\n{"url":"c d"}\n',
        /read as ndjson; the field .* other text/,
        /--url-field NAME/,
      ],
      [
        "a named field",
        '{"url":"x:1","n":"a b"}\n',
        /has no URL in the field of --url-field/,
        /--url-field/,
        ["--url-field", "n"],
      ],
      ["a table", "url,n\nfoo,1\nbar,2\n", /read as csv; the field/, /--url-field NAME/],
      ["rejects", '{"a\n{"a\n', /read as ndjson; the first reject is not JSON/, /--input NAME/],
      [
        "a log with a wrong format",
        access("/x"),
        /read as vhost_combined; the first reject/,
        /--input NAME/,
        ["--input", "vhost_combined"],
      ],
      ["gzip", gzipSync(words), /none of its 2 records/, /--input NAME/],
      ["zstd", zstdCompressSync(Buffer.from(words)), /none of its 2 records/, /--input NAME/],
    ])("%s", async (what, input, message, hint, args = []) => {
      const path = file(`${what.replaceAll(" ", "-")}.in`, input);
      const output = join(folder, "never");
      const runs = [runHere([...asked, ...args, path, "--output-file", output]), runHere([...asked, ...args], input)];
      for (const { code, stdout, stderr } of await Promise.all(runs)) {
        expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(message) as string]);
        expect(stderr.split("\n")[1]).toMatch(hint);
      }
      expect(existsSync(output)).toBe(false);
      const found = await runHere(["detect", ...args, path]);
      expect([found.code, found.stdout]).toEqual([2, expect.stringMatching(message) as string]);
    });
  });

  test.each<[what: string, input: string | Uint8Array, rows: number, args?: readonly string[]]>([
    ["nothing", "", 0],
    ["empty lines", "\n\n", 0],
    ["one odd line first", `oops\n${good}\n`, 2],
    ["99 odd lines first", `${"oops\n".repeat(99)}${good}\n`, 100],
    ["one odd line first, in gzip", gzipSync(`oops\n${good}\n`), 2],
    ["a record before many rejects", `{"url":"${good}"}\n${"oops\n".repeat(5_000)}`, 1],
    ["a reject first", `oops\n{"url":"${good}"}\n`, 1, ["--input", "ndjson"]],
    ["URLs without an origin", "mailto:someone@shop.example\nmailto:x\n", 2],
    ["paths with their host", "/a\n/b\n", 2, ["--base", "https://shop.example"]],
  ])("%s: exit 0", async (_what, input, rows, args = []) => {
    const { code, stdout } = await runHere([...asked, ...args], input);
    expect([code, stdout.split("\n").length - 1]).toEqual([0, rows]);
  });

  test("a log that has only requests without URLs is a log", async () => {
    const { code, stdout } = await runHere([...asked, "--base", "https://shop.example"], access("*").repeat(200));
    expect([code, stdout]).toEqual([0, ""]);
  });

  describe("several sources", () => {
    test("a file without URLs after a good one: exit 2, nothing is decided", async () => {
      const { code, stdout, stderr } = await runHere([...asked, "examples/urls.ndjson", file("words.txt", words)]);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("words.txt: none of its 2 records has a URL");
    });

    test("a pipe without URLs after a good file: exit 3", async () => {
      const { code, stdout, stderr } = await runHere([...asked, "examples/urls.ndjson", "-"], words);
      expect([code, stdout.split("\n").length - 1]).toEqual([3, 17]);
      expect(stderr).toContain("stdin: none of its 2 records has a URL");
    });
  });

  test("rejects between empty lines, too many to hold in memory: exit 3", async () => {
    const { code, stdout } = await runHere([...asked, "--input", "ndjson"], "\noops\n".repeat(100_000));
    expect([code, stdout]).toEqual([3, ""]);
  });

  test("records too large to hold in memory, none with a URL: exit 3", async () => {
    const long = `{"url":"no url","n":"${"x".repeat(900_000)}"}\n`;
    const { code, stdout, stderr } = await runHere(asked, long.repeat(6));
    expect([code, stdout.split("\n").length - 1]).toEqual([3, 6]);
    expect(stderr).toContain("none of the 6 records has a URL");
  });

  test("a resumed run without any URL ends with exit 3 as well", async () => {
    const long = `{"url":"no url","n":"${"x".repeat(900_000)}"}\n`;
    const input = file("long.ndjson", long.repeat(6));
    const [output, checkpoint] = [join(folder, "resumed.ndjson"), join(folder, "run.json")];
    const args = [...asked, input, "--output-file", output, "--checkpoint", checkpoint];
    expect((await runHere(args)).code).toBe(3);
    const whole = readFileSync(output, "utf8");
    const { code } = await runHere([...args, "--resume"]);
    expect([code, readFileSync(output, "utf8") === whole]).toEqual([3, true]);
  });

  test("a pipe that stays open: a good line is answered at once", async () => {
    const app = startApp([...asked, "--input", "lines"]);
    app.stdin?.write(`oops\n${good}\n`);
    let stdout = "";
    while (!stdout.includes(good)) stdout += String((await once(app.stdout!, "data"))[0]);
    expect(stdout).toContain('"url":"oops"');
    app.stdin?.end();
    expect((await app.ended).code).toBe(0);
  });

  test("decideStream: bytes without URLs are wrong usage; a program's records are answered one by one", async () => {
    const robots = createSavedRobots(`${root}examples/robots`);
    const read = async (input: Uint8Array | readonly string[]): Promise<unknown[]> => {
      const because: unknown[] = [];
      for await (const batch of decideStream({ agents: "bingbot", robots, input: input as Uint8Array })) {
        because.push(...batch.map((decision) => decision.because));
      }
      return because;
    };
    await expect(read(Buffer.from(words))).rejects.toMatchObject({ code: "ERR_NO_URLS", name: "UsageError" });
    expect(await read(["hello", "world"])).toEqual(["invalid-url", "invalid-url"]);
  });
});
