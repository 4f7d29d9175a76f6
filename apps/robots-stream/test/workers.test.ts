// Tests that a run with --workers gives the same rows, counts, rejects and exit code as one thread, and requests each robots.txt once.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type Server, createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runHere } from "./here.ts";
import { appArguments, root, runApp, startApp } from "./run.ts";
import { portOf } from "./servers.ts";

const saved = ["--agent", "bingbot", "--robots", "examples/robots"];
const origins = ["https://shop.example", "https://news.example", "https://docs.example:8443", "https://down.example"];
const paths = ["/cart/1", "/shoes?sort=price", "/archive/1999/", "/draft/plan", "/größe"];

function urlAt(at: number): string {
  return `${origins[at % origins.length]}${paths[at % paths.length]}?n=${at}`;
}

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;
/** Enough lines for several work units of a mebibyte each. */
const most = isThorough ? 40_000 : 24_000;
const half = most / 2;

function many(lineOf: (at: number) => string, count = most): string {
  return Array.from({ length: count }, (_, at) => lineOf(at)).join("");
}

const filler = "x".repeat(60);
const record = (at: number): string => `{"id":${at},"filler":"${filler}","url":"${urlAt(at)}"}\n`;
const row = (at: number): string => `${at},"${filler} ""quoted"", ${at}",${urlAt(at)}\n`;
const header = "id,text,url\n";
const logLine = (at: number): string =>
  `192.0.2.7 - - [21/Nov/2026:06:55:09 +0000] "GET ${paths[at % paths.length]}?n=${at} HTTP/1.1" 200 12 "-" "${filler}"`;
const cri = (at: number, tag: "P" | "F"): string => `2026-11-21T06:55:09.391287654Z stdout ${tag} ${logLine(at)}\n`;
/** A record of Docker's json-file: a whole line or a part of one. */
const docker = (at: number, isPart: boolean): string => {
  const log = logLine(at).padEnd(16_384) + (isPart ? "" : "\n");
  return `${JSON.stringify({ log, stream: "stdout" })}\n`;
};

let folder = "";
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "robots-stream-workers-"))));
afterAll(() => rmSync(folder, { recursive: true }));

/** A run's messages on stderr, except times and notes about how the input is read. */
function toldBy({ stderr }: { readonly stderr: string }): readonly string[] {
  return stderr
    .split("\n")
    .filter((line) => !/from here on one worker|^took | \d[\d.]* m?s\b/.test(line))
    .toSorted();
}

interface Case {
  readonly inputs: readonly (string | Uint8Array)[];
  readonly args?: readonly string[];
  /** A message that only a run with workers writes. */
  readonly told?: RegExp;
}

const cases: Record<string, Case> = {
  "NDJSON with lines that are not records": {
    inputs: [many((at) => (at % 7_001 === 5 ? `not JSON ${at}\n` : at % 9_001 === 7 ? '{"a":1}\n' : record(at)))],
  },
  "a line that is too long, and a last line without a line end": {
    inputs: [`${many(record, half)}{"url":"${"y".repeat(3_000_000)}"}\n${many(record, half).slice(0, -1)}`],
    args: ["--max-line-bytes", "2000"],
    told: /from here on one worker reads the rest of the file/,
  },
  "rows with quotes": { inputs: [header + many(row)] },
  "CSV to CSV, with a byte order mark and another line end": {
    inputs: [`\uFEFF${header}${many(row)}`.replaceAll("\n", "\r\n")],
    args: ["--output", "csv"],
  },
  "rows whose columns make the URL, by a template": {
    inputs: [`host,path,text\n${many((at) => `shop.example,${paths[at % paths.length]},${filler}\n`)}`],
    args: ["--url-template", "https://{host}{path}"],
  },
  "objects whose members make the URL": {
    inputs: [many((at) => `{"h":"shop.example","p":"${paths[at % paths.length]}","q":"n=${at}","f":"${filler}"}\n`)],
    args: ["--path-field", "p", "--host-field", "h", "--query-field", "q"],
  },
  "rows that continue in the next line": {
    inputs: [`${header}${many(row, half)}1,"two\nlines",${urlAt(1)}\n${many(row, half)}`],
    told: /stdin:\d{4,5}: from here on one worker reads the rest of the file/,
  },
  "rows with stray quotes": {
    inputs: [header + many((at) => (at % 5_003 === 5_000 ? `${at},"open,${urlAt(at)}\n` : row(at)))],
    told: /from here on one worker reads the rest of the file/,
  },
  // A work unit would end between the two parts of a line.
  "lines that a CRI runtime divided": {
    inputs: [many((at) => cri(at, at > 9_000 && at % 2 === 0 ? "P" : "F"))],
    args: ["--input", "combined", "--base", origins[0]!],
    told: /stdin:\d{4,5}: from here on one worker reads the rest of the file/,
  },
  "lines that Docker divided": {
    inputs: [many((at) => docker(at, at > 5 && at % 2 === 0), 250)],
    args: ["--input", "combined", "--base", origins[0]!],
    told: /stdin:1: from here on one worker reads the rest of the file/,
  },
  "lines of a CRI runtime, none of them divided": {
    inputs: [many((at) => cri(at, "F"))],
    args: ["--input", "combined", "--base", origins[0]!],
  },
  "several sources, of several kinds": {
    inputs: [many(record, half), header + many(row, half), gzipSync(many((at) => `${urlAt(at)}\n`, half))],
  },
  "a damaged source, and one after it": {
    inputs: [gzipSync(many(record)).subarray(0, -30), many(record, 5_000)],
  },
  "NDJSON to CSV, with fields that are left out": {
    inputs: [many((at) => (at % 3 === 2 ? record(at).replace("}", ',"more":1}') : record(at)))],
    args: ["--output", "csv"],
  },
  "a log with lines that define how other lines are read": {
    inputs: [` CDX N b a\n${many((at) => `com,example)/ 20200101000000 ${urlAt(at)}\n`)}`],
    args: ["--input", "cdx"],
    told: /stdin:1: from here on one worker reads the rest of the file/,
  },
  "records about their own crawlers": {
    inputs: [
      many(
        (at) => `{"ua":"${["bingbot/2.0", "GPTBot/1.2", "Firefox"][at % 3]}","url":"${urlAt(at)}","f":"${filler}"}\n`,
      ),
    ],
    args: ["--agent-field", "ua"],
  },
  "some of the rows": { inputs: [many(record)], args: ["--only", "disallowed"] },
  "one shard of a run, several dialects": {
    inputs: [many(record)],
    args: ["--shard", "1/2", "--dialect", "google,rfc9309"],
  },
  "only lines that are not records": { inputs: [many((at) => `${at}\n`)], args: ["--input", "ndjson"] },
  "an empty input": { inputs: [""] },
  "a first record without a URL": { inputs: ['{"a":1}\n'] },
};

test.each(Object.entries(cases))("the same as one thread: %s", async (_name, { inputs, args = [], told }) => {
  const files = inputs.map((input, at) => {
    const path = join(folder, `input-${at}`);
    writeFileSync(path, input);
    return path;
  });
  const agents = args.includes("--agent-field") ? saved.slice(2) : saved;
  const all = [...agents, "--summary", ...args];
  const isOne = files.length === 1;
  const sources = isOne ? [] : files;
  const stdin = isOne ? inputs[0] : undefined;
  const alone = await runHere([...all, ...sources], stdin);
  const together = await runApp([...all, "--workers", "3", ...sources], stdin);
  expect(together.stdout === alone.stdout).toBe(true);
  expect(toldBy(together)).toEqual(toldBy(alone));
  expect(together.code).toBe(alone.code);
  if (told === undefined) expect(together.stderr).not.toContain("from here on one worker");
  else expect(together.stderr).toMatch(told);
});

describe("over the network", () => {
  let server: Server;
  let port = 0;
  let asked: string[] = [];
  let slow: Promise<unknown> = Promise.resolve();
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.headers.host!);
      if (request.headers.host?.startsWith("localhost") !== true) response.end("user-agent: *\ndisallow: /cart\n");
      else void slow.then(() => response.writeHead(404).end());
    });
    port = await portOf(server);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const args = ["--agent", "bingbot", "--allow-private", "--summary"];
  const input = (): string => {
    const hosts = ["127.0.0.1", "localhost"].map((host) => `http://${host}:${port}`);
    return many(
      (at) => `{"url":"${hosts[at % hosts.length]}/${at % 2 === 0 ? "cart" : "x"}","f":"${filler}","at":${at}}\n`,
    );
  };

  test("the same rows, with --ordered in the order of the input; each origin is requested once", async () => {
    const alone = await runApp([...args, "--ordered", "--workers", "1"], input());
    asked = [];
    slow = new Promise((resolve) => setTimeout(resolve, 500));
    const ordered = await runApp([...args, "--ordered", "--workers", "2"], input());
    expect(ordered.stdout === alone.stdout).toBe(true);
    expect(toldBy(ordered)).toEqual(toldBy(alone));
    expect(asked.toSorted()).toEqual([`127.0.0.1:${port}`, `localhost:${port}`]);
    const asReady = await runApp([...args, "--workers", "2"], input());
    expect(asReady.stdout.split("\n").toSorted()).toEqual(alone.stdout.split("\n").toSorted());
    expect(toldBy(asReady)).toEqual(toldBy(alone));
  });

  test("a signal ends a waiting run, and decided records are written", async () => {
    slow = new Promise(() => undefined);
    const child = startApp([...args, "--workers", "2"]);
    child.stdin?.write(`http://127.0.0.1:${port}/cart\nhttp://localhost:${port}/\n`);
    await once(child.stdout!, "data");
    child.kill("SIGINT");
    const { code, stdout, stderr } = await child.ended;
    expect([code, stdout.split("\n").length]).toEqual([130, 2]);
    expect(stderr).toContain("stopped by SIGINT after 1 record was decided; 1 record that was read is not decided");
  });
});

test("lines are decided as they arrive", async () => {
  const child = startApp([...saved, "--workers", "2"]);
  for (const path of ["cart", "shoes", "cart/help"]) {
    child.stdin?.write(`{"url":"https://shop.example/${path}"}\n`);
    const [written] = (await once(child.stdout!, "data")) as [Buffer];
    expect(String(written)).toContain(`/${path}"`);
  }
  child.stdin?.end();
  expect((await child.ended).code).toBe(0);
});

test("when the reader closes the output, the run ends without a message", async () => {
  const child = spawn(process.execPath, [...appArguments, ...saved, "--workers", "2"], { cwd: root });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.on("error", () => undefined);
  child.stdin.end(many(record, 60_000));
  await once(child.stdout, "readable");
  child.stdout.destroy();
  const [code] = (await once(child, "exit")) as [number];
  expect([code, stderr]).toEqual([0, ""]);
});

test("a worker that runs out of memory ends the run with a message", async () => {
  // With --agent-field a worker needs several objects for each origin, and so runs out of memory before the main thread does.
  const line = (at: number): string => `{"url":"https://x${at}.example/","user_agent":"bingbot"}\n`;
  const input = many(line, isThorough ? 200_000 : 100_000);
  const args = ["--agent-field", "user_agent", "--robots", "examples/robots/shop.example.txt", "--workers", "2"];
  const { code, stderr } = await runApp(args, input, { NODE_OPTIONS: "--max-old-space-size=20" });
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/worker [12] ended unexpectedly: .* out of memory/) as string,
  ]);
});

test("a wrong number of workers, and --workers with --checkpoint, are refused", async () => {
  for (const wrong of [
    ["--workers", "0"],
    ["--workers", "x"],
    ["--workers", "65"],
  ]) {
    expect((await runApp([...saved, ...wrong])).stderr).toMatch(/--workers \S+: must be a whole number from 1 to 64/);
  }
  const checkpoint = ["--checkpoint", join(folder, "c"), "--output-file", join(folder, "o")];
  const { code, stderr } = await runApp([...saved, "--workers", "2", ...checkpoint, "examples/urls.csv"]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("--workers and --checkpoint cannot be combined") as string,
  ]);
});

test("a warning about saved files is given once", async () => {
  const page = join(folder, "page.html");
  const file = join(folder, "few.ndjson");
  writeFileSync(page, "<!doctype html>\n");
  writeFileSync(file, many(record, 100));
  const ran = await runApp(["--agent", "bingbot", "--robots", page, "--workers", "2", file]);
  expect([ran.code, ran.stderr.match(/has no user-agent line/g)?.length]).toEqual([0, 1]);
});
