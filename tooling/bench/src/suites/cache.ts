// Compares the CPU time of storing and reading a file of 2 KB in the SQLite store with the CPU time of fetching the file, and measures
// bytes on disk.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type StoredRobots, createRobotsClient } from "@robots-stream/fetch";
import { type SqliteStore, createSqliteStore } from "@robots-stream/fetch/sqlite";
import { createFilesOf } from "../data/robots-files.ts";
import { collect, medianOf } from "../measure.ts";
import { type Report, type Row, type SuiteOptions, showNumber, showTime, verdictAtMost } from "../report.ts";

const bytes = 2_048;
/** The app's default concurrency. */
const atOnce = 256;
const mostMegabytes = 80;

const server = fileURLToPath(new URL("../programs/robots-server.ts", import.meta.url));
// Like this program, the server program uses the packages' dist, or their sources if Node's conditions select them.
const serverArguments = process.execArgv.filter((argument) => argument.includes("@robots-stream/source"));

export async function runCache(options: SuiteOptions): Promise<Report> {
  const rows: Row[] = [];
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-bench-"));
  try {
    if (options.wants("put and get")) rows.push(await measureTimes(folder, options));
    if (options.wants("on disk")) rows.push(await measureSize(folder, options));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    suite: "cache",
    title: "CPU time and disk space for a robots.txt of 2 KB in the SQLite store",
    columns: [
      { key: "work", heading: "work" },
      { key: "putNs", heading: "put", show: (value) => (value === null ? "" : showTime(value)) },
      { key: "getNs", heading: "get", show: (value) => (value === null ? "" : showTime(value)) },
      { key: "fetchNs", heading: "fetch", show: (value) => (value === null ? "" : showTime(value)) },
      { key: "ofFetch", heading: "put and get / fetch", show: (value) => (value === null ? "" : showNumber(value)) },
      { key: "megabytes", heading: "MB per 100,000", show: (value) => (value === null ? "" : showNumber(value)) },
      { key: "packed", heading: "bytes per byte of file", show: (value) => (value === null ? "" : showNumber(value)) },
      { key: "wanted", heading: "wanted ≤" },
      { key: "verdict", heading: "" },
    ],
    rows,
    notes: [
      `CPU time of all threads of the process, ${atOnce} operations at once. fetch: client.load over http from a loopback server in another process, without a cache.`,
      "put: until the row is committed. get: lookup by origin, body decompressed and verified. No two files are alike.",
      "MB: size of the closed file, with origins, times, header fields and indexes.",
    ],
  };
}

async function measureTimes(folder: string, { rounds, quick, seed, progress }: SuiteOptions): Promise<Row> {
  const count = quick ? 50 : 3_000;
  progress("put and get: making files");
  const entries = createFilesOf(bytes, count, seed).map(entryOf);
  const child = spawn(process.execPath, [...serverArguments, server], { stdio: ["pipe", "pipe", "inherit"] });
  try {
    const port = await new Promise<string>((resolve, reject) => {
      child.once("error", reject);
      child.stdout.once("data", (text: Buffer) => resolve(text.toString().trim()));
    });
    const cpu = { put: [] as number[], get: [] as number[], fetch: [] as number[] };
    // The first round warms everything up.
    for (let round = 0; round <= rounds; round++) {
      progress(`put and get: round ${round}`);
      const store = createSqliteStore(join(folder, `times-${round}`, "robots.sqlite"));
      const turns: [keyof typeof cpu, () => Promise<void>][] = [
        ["fetch", () => fetchAll(port, count)],
        ["put", () => putAll(store, entries)],
        ["get", () => getAll(store, entries)],
      ];
      for (const [name, work] of turns) {
        collect();
        const start = process.cpuUsage();
        await work();
        const { user, system } = process.cpuUsage(start);
        if (round > 0) cpu[name].push(((user + system) * 1_000) / count);
      }
      await store.close();
    }
    const [putNs, getNs, fetchNs] = [medianOf(cpu.put), medianOf(cpu.get), medianOf(cpu.fetch)];
    const ofFetch = (putNs + getNs) / fetchNs;
    return { work: "put and get", putNs, getNs, fetchNs, ofFetch };
  } finally {
    child.kill();
  }
}

async function fetchAll(port: string, count: number): Promise<void> {
  const client = createRobotsClient({
    lookup: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
    allowPrivate: ["127.0.0.0/8"],
    concurrency: atOnce,
    store: { get: () => undefined, set: () => undefined },
  });
  await together(count, async (at) => {
    const { stored } = await client.load(`http://h${at}.test:${port}`);
    if (stored.code !== "ok") throw new Error(`a fetch ended with ${stored.code}`);
  });
  await client.close();
}

async function putAll(store: SqliteStore, entries: readonly StoredRobots[]): Promise<void> {
  await together(entries.length, async (at) => store.set(entries[at]!));
}

async function getAll(store: SqliteStore, entries: readonly StoredRobots[]): Promise<void> {
  for (const { origin, body } of entries) {
    if (store.get(origin)?.body?.byteLength !== body?.byteLength)
      throw new Error(`${origin} differs from the stored entry`);
  }
  return Promise.resolve();
}

async function together(count: number, work: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) await work(next++);
    }),
  );
}

async function measureSize(folder: string, { quick, seed, progress }: SuiteOptions): Promise<Row> {
  const count = quick ? 500 : 100_000;
  const path = join(folder, "size", "robots.sqlite");
  const store = createSqliteStore(path);
  const step = 10_000;
  let fileBytes = 0;
  for (let from = 0; from < count; from += step) {
    progress(`on disk: ${from.toLocaleString("en")} of ${count.toLocaleString("en")}`);
    const files = createFilesOf(bytes, Math.min(step, count - from), seed + from);
    fileBytes += files.reduce((sum, file) => sum + Buffer.byteLength(file), 0);
    await putAll(
      store,
      files.map((file, at) => entryOf(file, from + at)),
    );
  }
  const { origins, bodies } = store.size();
  if (origins !== count || bodies !== count) throw new Error(`${count} entries were stored, ${origins} found`);
  await store.close();
  const whole = readdirSync(join(path, "..")).reduce((sum, name) => sum + statSync(join(path, "..", name)).size, 0);
  const megabytes = (whole / count / 1_000_000) * 100_000;
  const verdict = verdictAtMost(megabytes, mostMegabytes);
  return { work: "on disk", megabytes, packed: whole / fileBytes, wanted: mostMegabytes, verdict };
}

/** The entry that a fetch of an ordinary origin would store. */
function entryOf(file: string, at: number): StoredRobots {
  const origin = `https://www.example-${at}.com`;
  const fetchedAt = 1_795_000_000_000 + at;
  return {
    origin,
    fetchedAt,
    freshUntil: fetchedAt + 86_400_000,
    access: "successful",
    code: "ok",
    status: 200,
    body: Buffer.from(file),
    headers: { "content-type": "text/plain; charset=utf-8" },
    hops: [{ url: `${origin}/robots.txt`, status: 200 }],
  };
}
