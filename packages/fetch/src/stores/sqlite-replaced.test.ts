// The files of an open store are removed, replaced, cut or overwritten: this store and the next one return only entries that were set.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { StoredRobots } from "../common/types.ts";
import { type SqliteStore, createSqliteStore } from "./sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "robots-stream-replaced-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;

const origins = Array.from({ length: 40 }, (_, i) => `https://h${i}.example`);
const bodyOf = (origin: string, round: number): string => `# ${origin} ${round}\n`.repeat(60);
const entryOf = (origin: string, round: number): StoredRobots => ({
  origin,
  fetchedAt: round,
  freshUntil: round + 1,
  access: "successful",
  code: "ok",
  status: 200,
  body: Buffer.from(bodyOf(origin, round)),
  hops: [],
});

/** Sets an entry for each origin; a store that cannot write rejects with a `StoreError`. */
async function fill(store: SqliteStore, round: number): Promise<void> {
  const results = await Promise.allSettled(origins.map(async (origin) => store.set(entryOf(origin, round))));
  for (const result of results) {
    if (result.status === "rejected") expect(result.reason).toEqual(expect.objectContaining({ name: "StoreError" }));
  }
}

/** Checks that each origin has an entry that was set, no entry, or a `StoreError`. */
function look(store: SqliteStore): void {
  for (const origin of origins) {
    let got: StoredRobots | undefined;
    try {
      got = store.get(origin);
    } catch (error) {
      expect(error).toEqual(expect.objectContaining({ name: "StoreError" }));
      continue;
    }
    if (got === undefined) continue;
    expect([got.origin, Buffer.from(got.body ?? []).toString()]).toEqual([origin, bodyOf(origin, got.fetchedAt)]);
  }
}

/** Opens the store; undefined when that is refused. */
function opened(path: string): SqliteStore | undefined {
  try {
    return createSqliteStore(path);
  } catch (error) {
    expect(error).toEqual(expect.objectContaining({ name: "StoreError" }));
    return undefined;
  }
}

const every = ["", "-wal", "-shm"] as const;
test.each<[what: string, harm: (path: string, other: string) => void]>([
  ["the file is removed", (path) => rmSync(path)],
  ["the log is removed", (path) => rmSync(`${path}-wal`)],
  ["the log's index is removed", (path) => rmSync(`${path}-shm`)],
  ["log and index are removed", (path) => every.slice(1).forEach((end) => rmSync(path + end))],
  ["file, log and index are removed", (path) => every.forEach((end) => rmSync(path + end))],
  ["the folder is moved away", (path) => renameSync(dirname(path), `${dirname(path)}-moved`)],
  ["the file is another store's", (path, other) => renameSync(other, path)],
  ["the file is overwritten with another store's", (path, other) => copyFileSync(other, path)],
  ["the file is cut to nothing", (path) => truncateSync(path, 0)],
  ["the file is cut in the middle", (path) => truncateSync(path, 40_000)],
  ["the log is cut to nothing", (path) => truncateSync(`${path}-wal`, 0)],
  ["the log is overwritten", (path) => writeFileSync(`${path}-wal`, readFileSync(`${path}-wal`).fill(0x5a))],
  ["the file is overwritten", (path) => writeFileSync(path, Buffer.alloc(80_000, 0x5a))],
])("%s", async (_what, harm) => {
  const other = join(folder, String(count++), "robots.sqlite");
  const beside = createSqliteStore(other);
  await fill(beside, 1);
  await beside.close();
  const path = join(folder, String(count++), "robots.sqlite");
  const first = createSqliteStore(path);
  await fill(first, 2);
  harm(path, other);
  look(first);
  await fill(first, 3);
  look(first);
  // Another process opens the store, and both continue.
  mkdirSync(dirname(path), { recursive: true });
  const second = opened(path);
  if (second !== undefined) {
    await fill(second, 4);
    look(second);
    await fill(first, 5);
    look(second);
  }
  look(first);
  await first.close();
  await second?.close();
  const last = opened(path);
  if (last !== undefined) {
    look(last);
    await fill(last, 6);
    look(last);
    await last.close();
  }
  expect(existsSync(dirname(path))).toBe(true);
});
