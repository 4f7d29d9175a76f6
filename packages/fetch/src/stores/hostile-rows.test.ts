// Rows that an attacker wrote, with valid checksums and any values in any column. A row with an invalid value is not an entry, and reading
// it does not throw.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import type { StoredRobots } from "../common/types.ts";
import { createSqliteStore } from "./sqlite.ts";
import { openDatabase } from "./sqlite-open.ts";

const folder = mkdtempSync(join(tmpdir(), "robots-stream-hostile-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Value = string | number | null | Uint8Array;
type Columns = Readonly<Record<"fetched_at" | "fresh_for" | "access" | "code" | "status" | "rest", Value>>;

const origin = "https://a.example";
const plain: StoredRobots = {
  origin,
  fetchedAt: 1,
  freshUntil: 9,
  access: "unavailable",
  code: "http-404",
  status: 404,
  hops: [{ url: `${origin}/robots.txt`, status: 404 }],
};

/** A store with one row whose columns are changed and whose checksum is recomputed. */
async function storeWith(change: Partial<Columns>): Promise<string> {
  const path = join(mkdtempSync(join(folder, "x")), "robots.sqlite");
  const store = createSqliteStore(path);
  await store.set(plain);
  await store.close();
  const database = openDatabase(path, 1_048_576);
  const row = { ...(database.prepare("SELECT * FROM fetches").get() as unknown as Columns), ...change };
  const { fetched_at: fetchedAt, fresh_for: freshFor, access, code, status, rest } = row;
  const freshUntil = (fetchedAt as number) + (freshFor as number);
  const columns = [fetchedAt, freshUntil, access, status, origin.length, origin, code].map(String);
  const text = `${columns.join(" ")}\n${String(rest)}\n`;
  database
    .prepare(
      "UPDATE fetches SET fetched_at = ?, fresh_for = ?, access = ?, code = ?, status = ?, rest = ?, checksum = ?",
    )
    .run(fetchedAt, freshFor, access, code, status, rest, crc32(`${text}undefined,undefined`) | 0);
  database.close();
  return path;
}

test.each<[what: string, change: Partial<Columns>, isEntry?: boolean]>([
  ["no change", {}, true],
  ["another rest", { rest: '{"hops":[["https://b.example/robots.txt",200]]}' }, true],
  ["a time that is text", { fresh_for: "never" }],
  ["a time before the epoch", { fetched_at: -5 }],
  ["a time with a fraction", { fetched_at: 1.5 }],
  ["an unknown access result", { access: 3 }],
  ["a code that is bytes", { code: Buffer.from("ok") }],
  ["a status that is text", { status: "OK" }],
  ["a status out of range", { status: 1e15 }],
  ["a rest that is not JSON", { rest: "{" }],
  ["a rest that is null", { rest: "null" }],
  ["a hop that is null", { rest: '{"hops":[null]}' }],
  ["hops that are not a list", { rest: '{"hops":"x"}' }],
  ["a hop's URL that is an object", { rest: '{"hops":[[{},200]]}' }],
  ["a hop's status that is text", { rest: '{"hops":[["https://a.example/","200"]]}' }],
  ["fields that are not a list", { rest: '{"f":{"map":1}}' }],
  ["a field's value that is an object", { rest: '{"f":["etag",{}]}' }],
  ["truncated that is text", { rest: '{"truncated":"yes"}' }],
  ["the beginning of an outage that is text", { rest: '{"since":"x"}' }],
  ["a copy that is a number", { rest: '{"copy":5}' }],
  ["a copy that is unreachable", { rest: '{"copy":{"fetchedAt":1,"access":"unreachable","code":"x"}}' }],
  ["a copy without a time", { rest: '{"copy":{"access":"successful","code":"ok"}}' }],
])("%s", async (_what, change, isEntry = false) => {
  const store = createSqliteStore(await storeWith(change));
  try {
    expect(store.get(origin) !== undefined).toBe(isEntry);
    expect([...store.entries()].flat()).toHaveLength(isEntry ? 1 : 0);
  } finally {
    await store.close();
  }
});

// Numbers beyond 2^53, for which node:sqlite throws, and values that the store writes into no column.
const odd = ["9223372036854775807", "-9223372036854775808", "9007199254740993", "1e999", "'x'", "0.5"];
const columns = [
  ...["fetched_at", "fresh_for", "access", "status", "body", "last_body", "checksum", "origin"].map(
    (name) => `fetches.${name}`,
  ),
  ...["size", "packed"].map((name) => `bodies.${name}`),
];
test.each(columns)("a damaged %s: the other rows can be read, written and removed", async (column) => {
  const [table, name] = column.split(".");
  const body = (text: string): Buffer => Buffer.from(`Disallow: /${text}\n`.repeat(9));
  const entryOf = (host: string, text: string): StoredRobots => ({
    ...plain,
    origin: `https://${host}.example`,
    body: body(text),
    lastCopy: { fetchedAt: 0, access: "successful", code: "ok", body: body(`old-${text}`) },
  });
  for (const value of odd) {
    const path = join(mkdtempSync(join(folder, "x")), "robots.sqlite");
    let store = createSqliteStore(path);
    for (const host of ["a", "b", "c"]) await store.set(entryOf(host, host));
    await store.close();
    const database = openDatabase(path, 1_048_576);
    database.exec(`UPDATE ${table} SET ${name} = ${value} WHERE id = (SELECT id FROM ${table} LIMIT 1 OFFSET 2)`);
    database.close();
    store = createSqliteStore(path);
    const others = ["a", "b", "c"].map((host) => store.get(`https://${host}.example`)?.origin);
    expect([value, others.filter((found) => found !== undefined).length]).toEqual([value, 2]);
    expect([...store.entries()].flat()).toHaveLength(2);
    expect([...store.newest()].flat()).toHaveLength(2);
    // Bodies that the store already has, among them the damaged one.
    for (const host of ["a", "b", "c"]) await store.set(entryOf(`new-${host}`, host));
    expect(store.get("https://new-c.example")).toBeDefined();
    await store.prune({ maxBytes: 0 });
    expect([...store.entries()]).toEqual([]);
    await store.close();
  }
});
