// Two writers of one store are killed at random times: every acknowledged row can be read, complete, and the file is not corrupt.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { afterAll, expect, test } from "vitest";
import type { StoredRobots } from "@robots-stream/fetch";
import { createSqliteStore } from "@robots-stream/fetch/sqlite";
import { writtenEntry } from "./written-entry.ts";

/** Number of kills; more in the thorough form. */
const kills = process.env["ROBOTS_STREAM_THOROUGH"] === undefined ? 20 : 200;
/** After this many kills, the content is compared and a new store is created. */
const killsOfRound = 20;

const folder = mkdtempSync(join(tmpdir(), "robots-stream-kill-"));
const program = fileURLToPath(new URL("sqlite-writer.ts", import.meta.url));
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a writer at row `first` and kills it, usually `afterMs` after its first row. Returns the rows that it acknowledged. */
async function writeUntilKilled(path: string, writer: string, first: number, afterMs: number): Promise<number[]> {
  const child = spawn(
    process.execPath,
    [
      "--conditions=@robots-stream/source",
      "--disable-warning=ExperimentalWarning",
      program,
      path,
      writer,
      String(first),
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  running.add(child);
  const chunks: Buffer[] = [];
  const begun = new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      resolve();
    });
    child.once("close", () => resolve());
  });
  const closed = new Promise<NodeJS.Signals | null>((resolve) => {
    child.once("close", (_code, signal) => resolve(signal));
  });
  // Sometimes the writer is killed while it opens the store.
  if (afterMs < 5) await sleep(60 + 20 * afterMs);
  else await begun.then(async () => sleep(afterMs));
  child.kill("SIGKILL");
  expect(await closed).toBe("SIGKILL");
  running.delete(child);
  return Buffer.concat(chunks)
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "")
    .map(Number);
}

test(`${kills} kills of two writers: nothing acknowledged is lost, nothing is corrupt`, async () => {
  const counts = { kills: 0, rows: 0, lost: 0, corrupt: 0 };
  while (counts.kills < kills) {
    const path = join(folder, `${counts.kills}`, "robots.sqlite");
    const told: Record<string, number[]> = { a: [], b: [] };
    const work = Object.keys(told).map(async (writer) => {
      for (let kill = 0; kill < killsOfRound / 2; kill++) {
        // Each writer starts at a higher number: rows that were written but not acknowledged must not be written again.
        told[writer]?.push(...(await writeUntilKilled(path, writer, kill * 1_000_000, Math.random() * 80)));
      }
    });
    await Promise.all(work);
    counts.kills += killsOfRound;

    const store = createSqliteStore(path);
    for (const [writer, numbers] of Object.entries(told)) {
      counts.rows += numbers.length;
      const histories = new Map<string, Map<number, StoredRobots>>();
      for (const number of numbers) {
        const expected = writtenEntry(writer, number);
        let history = histories.get(expected.origin);
        if (history === undefined) {
          history = new Map(store.history(expected.origin).map((entry) => [entry.fetchedAt, entry]));
          histories.set(expected.origin, history);
        }
        const found = history.get(number);
        if (found === undefined) counts.lost++;
        else if (!sameEntry(found, expected)) counts.corrupt++;
      }
    }
    await store.close();
    const database = new DatabaseSync(path);
    expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    database.close();
    rmSync(join(path, ".."), { recursive: true });
  }
  expect(counts).toEqual({ kills, rows: counts.rows, lost: 0, corrupt: 0 });
  // The test is meaningful only if the writers wrote rows.
  expect(counts.rows).toBeGreaterThan(kills * 10);
}, 600_000);

function sameEntry(found: StoredRobots, expected: StoredRobots): boolean {
  const plain = ({ body, ...rest }: StoredRobots): object => ({
    ...rest,
    body: Buffer.from(body ?? "").toString("latin1"),
  });
  return isDeepStrictEqual(plain(found), plain(expected));
}
