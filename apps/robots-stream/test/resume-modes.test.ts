// Tests many ways to read, decide and write: a run that is stopped repeatedly and resumed from its newest or an older checkpoint must give
// the output of an uninterrupted run.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type Server, createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { after, beginPieces, endPieces, runPieces, totalsOf } from "./pieces.ts";
import { root } from "./run.ts";
import { portOf } from "./servers.ts";

const folder = mkdtempSync(join(tmpdir(), "robots-stream-modes-"));

let server: Server;
let port = 0;
beforeAll(async () => {
  await beginPieces();
  server = createServer(({ headers }, response) => {
    const host = headers.host ?? "";
    // The origins respond after different times, so that the order of the responses differs from the order of the input.
    setTimeout(() => response.end(`User-agent: *\nDisallow: /${host.slice(0, 2)}\n`), (host.charCodeAt(1) * 7) % 10);
  });
  port = await portOf(server);
});
afterAll(async () => {
  endPieces();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

/** The messages about records. Messages about origins are left out, because a resumed run counts an origin again. */
function toldOf(stderr: string): string {
  return stderr
    .split("\n")
    .filter(
      (line) =>
        !/^(?:origins|fetches|  unavailable|  unreachable) |rejects written to|: continuing after \d+ records$/.test(
          line,
        ),
    )
    .join("\n");
}

const saved = ["--robots", join(root, "examples/robots")];
const bingbot = ["--agent", "bingbot", ...saved];
const hosts = ["shop", "news", "wiki", "down", "nobody"];
const urls = Array.from({ length: 900 }, (_, i) => `https://${hosts[i % 5]}.example/cart/${i}`);
const linesOf = (lineOf: (url: string, i: number) => string, lineEnd = "\n"): string =>
  urls.map((url, i) => (i % 100 === 37 ? `oops${lineEnd}` : "") + lineOf(url, i) + lineEnd).join("");
const ndjson = linesOf((url, i) => `{"url":"${url}","n${i % 90 === 50 ? i : ""}":"ü"}`);
const crawlers = ["Mozilla/5.0 (compatible; bingbot/2.0)", "GPTBot/1.2", "curl/8.0", "Googlebot/2.1"];

/** Options for gzip without compression, so that the file is about as large as its content. */
const stored = { level: 0 };

/** The sources by name, the arguments, and the content of stdin. */
const modes: readonly (readonly [
  what: string,
  sources: Record<string, string | Buffer>,
  args: readonly string[],
  stdin?: string,
])[] = [
  ["NDJSON", { "a.ndjson": ndjson }, bingbot],
  [
    "several sources, of several kinds",
    { "a.ndjson": ndjson, "b.csv": `url,n\n${linesOf((url, i) => `${url},"x\n${i}"`)}`, "c.txt": urls.join("\r\n") },
    bingbot,
  ],
  ["NDJSON to CSV, with members that are left out", { "a.ndjson": ndjson }, [...bingbot, "--output", "csv"]],
  [
    "CSV to CSV, over several lines",
    { "a.csv": linesOf((url, i) => (i === 0 ? "url;text" : `${url};"a ""b""\n${i}"`)) },
    [...bingbot, "--output", "csv"],
  ],
  [
    "NDJSON and CSV, the URL in several fields",
    {
      "a.ndjson": linesOf((url) => `{"request":{"host":"${new URL(url).host}"},"path":"${new URL(url).pathname}"}`),
      "b.csv": `path,request.host\n${linesOf((url) => `${new URL(url).pathname},${new URL(url).host}`)}`,
    },
    [...bingbot, "--path-field", "path", "--host-field", "request.host"],
  ],
  ["TSV without a header", { "a.tsv": linesOf((url, i) => `${i}\t${url}`) }, [...bingbot, "--output", "tsv"]],
  [
    "gzip of several members",
    // Larger than the amount that is read ahead of the decoder.
    { "a.ndjson.gz": Buffer.concat(Array.from({ length: 6 }, () => gzipSync(ndjson, stored))) },
    bingbot,
  ],
  ["UTF-16", { "a.csv": Buffer.from(`\ufeffurl,n\r\n${linesOf((url) => `${url},ü`, "\r\n")}`, "utf16le") }, bingbot],
  ["stdin", {}, [...bingbot, "--input", "ndjson", "-"], ndjson],
  [
    "a file and stdin",
    { "a.ndjson": ndjson },
    [...bingbot, "-"],
    linesOf((url, i) => `{"at":{"url":"${url}"},"url":"${url}?${i}"}`),
  ],
  [
    "a nested field",
    { "a.ndjson": linesOf((url) => `{"request":{"url":"${url}"},"url":1}`) },
    [...bingbot, "--url-field", "request.url"],
  ],
  [
    "several agents and dialects",
    { "a.txt": urls.join("\n") },
    [...bingbot, "--agent", "GPTBot", "--dialect", "google,rfc9309"],
  ],
  [
    "one row for each record, for several agents",
    { "a.ndjson": ndjson },
    [...bingbot, "--agent", "GPTBot,Googlebot,ClaudeBot", "--rows", "record"],
  ],
  [
    "only differences",
    { "a.ndjson": ndjson },
    ["--agent", "bingbot", "--robots", "TYPO", "--dialect", "google,rfc9309", "--only-differences"],
  ],
  ["a shard", { "a.ndjson": ndjson }, [...bingbot, "--shard", "1/2"]],
  [
    "a log, for the crawlers of its requests",
    {
      "a.log": linesOf(
        (_url, i) =>
          `192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /cart/${i} HTTP/1.1" 200 1 "-" "${crawlers[i % 4]}"`,
      ),
    },
    [...saved, "--base", "https://shop.example", "--agent-field", "user_agent"],
  ],
  [
    "a log with a pattern of the user",
    { "a.log": linesOf((url, i) => `${new URL(url).host} "GET /cart/${i} HTTP/1.1" 200`) },
    [...bingbot, "--log-format", '$host "$request" $status'],
  ],
  [
    "a log whose fields change",
    {
      "a.log": linesOf((_url, i) =>
        i % 200 === 0
          ? `#Fields: x-host-header cs-uri-stem${i % 400 === 0 ? " sc-status" : ""}`
          : `shop.example\t/cart/${i}/${"x".repeat(40)}${i % 400 < 200 ? "\t200" : ""}`,
      ),
    },
    bingbot,
  ],
  [
    "JSON logs",
    { "a.log": linesOf((url, i) => `{"ClientRequestHost":"${new URL(url).host}","ClientRequestURI":"/${i}"}`) },
    bingbot,
  ],
  [
    "the network",
    { "a.txt": Array.from({ length: 6_000 }, (_, i) => `http://a${i % 20}.localhost:PORT/a${i % 7}\n`).join("") },
    ["--agent", "bingbot", "--allow-private", "--concurrency", "64"],
  ],
];

/** Pseudorandom numbers, the same in every run of the tests. */
function createChance(): (most: number) => number {
  let state = 1;
  return (most) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % most;
  };
}

test.each(modes.map(([what, sources, args, stdin = ""]) => [what, sources, args, stdin] as const))(
  "the resumed run equals an uninterrupted run: %s",
  async (what, sources, given, stdin) => {
    const own = join(folder, what.replaceAll(" ", "-"));
    mkdirSync(own);
    const paths = Object.entries(sources).map(([name, content]) => {
      const path = join(own, name);
      writeFileSync(path, typeof content === "string" ? content.replaceAll("PORT", String(port)) : content);
      return path;
    });
    // The rfc9309 dialect does not accept such misspellings.
    const typo = join(own, "typo.txt");
    writeFileSync(typo, "User-agent: *\nDisalow: /cart/1\n");
    const args = [...given.map((each) => (each === "TYPO" ? typo : each)), "--summary"];
    const filesOf = (name: string): [string, string] => [join(own, `${name}-output`), join(own, `${name}-rejects`)];
    const writing = ([output, rejects]: readonly string[]): string[] => [
      "--output-file",
      output!,
      "--rejects",
      rejects!,
    ];
    const whole = filesOf("whole");
    const unbroken = await runPieces([...paths, ...args, ...writing(whole), "--ordered"], stdin);
    expect(unbroken.code).toBe(0);
    expect(statSync(whole[0]).size).toBeGreaterThan(0);

    const parts = filesOf("parts");
    const checkpoint = join(own, "checkpoint");
    const chance = createChance();
    const older: string[] = [];
    const offsets = new Set<string>();
    let stops = 0;
    // A source that can only be read from its beginning needs more pieces after each resumption. With few pieces, a run of the log of
    // crawlers would mostly end at the checkpoint at which it began.
    const growth = what.startsWith("gzip") ? 16 : /UTF-16|stdin|network|crawlers/.test(what) ? 4 : 0.3;
    let last: Awaited<ReturnType<typeof runPieces>>;
    for (;;) {
      const keeping = [...paths, ...args, ...writing(parts), "--checkpoint", checkpoint, "--resume"];
      last = await runPieces(keeping, stdin, after(2 + chance(5) + Math.floor(stops * growth)));
      if (last.code !== 130) break;
      stops++;
      if (!existsSync(checkpoint)) continue;
      older.push(readFileSync(checkpoint, "utf8"));
      offsets.add(/"offset":\d+/.exec(older.at(-1)!)?.[0] ?? "none");
      // Restoring an older checkpoint is like a kill: the files are longer than the checkpoint says.
      if (chance(3) === 0) {
        older.length = 1 + chance(older.length);
        writeFileSync(checkpoint, older.at(-1)!);
      }
    }
    expect([last.code, toldOf(totalsOf(last.stderr))]).toEqual([0, toldOf(totalsOf(unbroken.stderr))]);
    expect(stops).toBeGreaterThan(2);
    expect(offsets.size).toBeGreaterThan(1);
    for (const [index, path] of parts.entries())
      expect(readFileSync(path, "utf8")).toBe(readFileSync(whole[index]!, "utf8"));
  },
);
