// Three runs, one store, a clock that is set by hand, a real server: the decisions of each run, for any earlier headers.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { type RobotsStore, createMemoryStore, createRobotsClient } from "@robots-stream/fetch";
import { createSqliteStore } from "@robots-stream/fetch/sqlite";
import { type RawServer, responseOf, startRawServer } from "@robots-stream/fetch/testing";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const start = Date.UTC(2026, 0, 15, 12);
const folder = mkdtempSync(join(tmpdir(), "robots-stream-runs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Answer = readonly [status: number, headers?: Record<string, string>, body?: string];
let answer: Answer;
let server: RawServer;
let store: RobotsStore;
let count = 0;
beforeEach(async () => {
  server = await startRawServer((socket) => socket.end(responseOf(answer[0], answer[1] ?? {}, answer[2] ?? "")));
});
afterEach(async () => {
  await store.close?.();
  await server.close();
});

const rule = (path: string): string => `User-agent: *\nDisallow: ${path}\n`;

/** A run at a time: whether it asked, and what is allowed. */
async function run(atMs: number): Promise<string> {
  const client = createRobotsClient({ store, allowPrivate: true, now: () => start + atMs });
  const loaded = await client.load(server.origin);
  await client.close();
  const matcher = loaded.matcherOf("otherbot");
  const open = ["/one", "/two"].filter((path) => matcher.decideTarget(path).allowed);
  return `${loaded.fetched ? "asked" : "kept"} ${loaded.stored.code} ${open.join(" ")}`.trim();
}

describe.each<[name: string, open: () => RobotsStore]>([
  ["memory", () => createMemoryStore()],
  ["SQLite", () => createSqliteStore(join(folder, String(count++), "robots.sqlite"))],
])("%s", (_name, open) => {
  beforeEach(() => {
    store = open();
  });

  const oneYear = "public, max-age=31536000, immutable";
  const httpDate = (atMs: number): string => new Date(start + atMs).toUTCString();
  test.each<[what: string, headers: Record<string, string>, freshMs: number]>([
    ["nothing said", {}, day],
    ["a year, immutable", { "cache-control": oneYear }, day],
    ["max-age=1e30", { "cache-control": "max-age=1e30" }, 5 * minute],
    [`max-age of 400 digits`, { "cache-control": `max-age=${"9".repeat(400)}` }, day],
    ["max-age=-5", { "cache-control": "max-age=-5" }, 5 * minute],
    ["max-age=0", { "cache-control": "max-age=0" }, 5 * minute],
    ["NaN", { "cache-control": "max-age=NaN" }, 5 * minute],
    ["Infinity", { "cache-control": "max-age=Infinity" }, 5 * minute],
    ["0x7fffffff", { "cache-control": "max-age=0x7fffffff" }, 5 * minute],
    ["quoted", { "cache-control": 'max-age="3600"' }, hour],
    ["in other quotes", { "cache-control": "max-age='3600'" }, 5 * minute],
    ["twice, the first counts", { "cache-control": "max-age=3600, max-age=7200" }, hour],
    ["no-store, no-cache: kept all the same, as RFC 9309 has it", { "cache-control": "no-store, no-cache" }, day],
    ["s-maxage", { "cache-control": "s-maxage=1" }, day],
    ["stale-while-revalidate", { "cache-control": "max-age=600, stale-while-revalidate=99999999" }, 10 * minute],
    ["Date in 2099", { date: "Thu, 15 Jan 2099 11:00:00 GMT", "cache-control": "max-age=3600" }, hour],
    ["Date in 1970", { date: "Thu, 01 Jan 1970 00:00:00 GMT", "cache-control": "max-age=3600" }, hour],
    ["Date is garbage", { date: "yesterday \u00ff", "cache-control": "max-age=3600" }, hour],
    ["Age of years", { age: "999999999", "cache-control": "max-age=3600" }, hour],
    ["Age below nothing", { age: "-1e9", "cache-control": "max-age=3600" }, hour],
    ["Last-Modified in the future", { "last-modified": httpDate(900 * day) }, day],
    ["Last-Modified is garbage", { "last-modified": "soon" }, day],
    ["Expires in 2099", { expires: "Thu, 15 Jan 2099 11:00:00 GMT" }, day],
    ["Expires is 0", { expires: "0" }, day],
    ["Expires is garbage", { expires: "-1; \u00ff" }, day],
    ["Retry-After on a good answer", { "retry-after": "999999999" }, day],
  ])("%s", async (_what, headers, freshMs) => {
    answer = [200, headers, rule("/one")];
    expect(await run(0)).toBe("asked ok /two");
    answer = [200, {}, rule("/two")];
    expect(await run(freshMs - 1)).toBe("kept ok /two");
    expect(await run(freshMs)).toBe("asked ok /one");
    // Before it was fetched: some clock is wrong, so it is not from the past.
    expect(await run(freshMs - 1)).toBe("asked ok /one");
  });

  test("an ETag that stays the same says nothing: the body counts", async () => {
    const tagged = { etag: '"same"', "last-modified": httpDate(-day) };
    answer = [200, tagged, rule("/one")];
    expect(await run(0)).toBe("asked ok /two");
    answer = [200, tagged, rule("/two")];
    expect(await run(day)).toBe("asked ok /one");
    answer = [404, tagged];
    expect(await run(2 * day)).toBe("asked http-404 /one /two");
    // Nothing is ever asked on a condition, so that nothing is answered by one.
    for (const { head } of server.requests) expect(head).not.toMatch(/^if-/im);
  });

  test.each<[what: string, headers: Record<string, string>]>([
    ["bare", {}],
    ["with the ETag that was kept", { etag: '"kept"' }],
    ["with another ETag, and another life", { etag: '"other"', "cache-control": "max-age=31536000" }],
    ["with a length", { "content-length": "30" }],
    ["with a type", { "content-type": "text/plain", date: "Thu, 01 Jan 1970 00:00:00 GMT" }],
  ])("an unrequested 304, %s: no file, as any 3xx that is no redirect", async (_what, headers) => {
    answer = [304, headers];
    expect(await run(0)).toBe("asked http-304 /one /two");
    answer = [200, { etag: '"kept"' }, rule("/one")];
    expect(await run(day)).toBe("asked ok /two");
    answer = [304, headers];
    expect(await run(2 * day)).toBe("asked http-304 /one /two");
    expect(await run(2 * day + 1)).toBe("kept http-304 /one /two");
    answer = [200, {}, rule("/one")];
    expect(await run(3 * day)).toBe("asked ok /two");
  });

  test("a failure that asks for years is asked again after an hour", async () => {
    for (const value of ["999999999999", "Thu, 15 Jan 2099 11:00:00 GMT"]) {
      answer = [503, { "retry-after": value, "cache-control": "max-age=31536000" }];
      expect(await run(0)).toMatch(/^(?:asked|kept) http-503$/);
      expect(await run(hour - 1)).toBe("kept http-503");
      expect(await run(hour)).toBe("asked http-503");
      await store.close?.();
      store = open();
    }
  });

  test.each<[what: string, freshUntil: number]>([
    ["until the end of numbers", Number.MAX_SAFE_INTEGER],
    ["for ten years", start + 3_650 * day],
  ])("an entry that says of itself that it is fresh %s is asked for after a day", async (_what, freshUntil) => {
    answer = [200, {}, rule("/one")];
    const entry = { origin: server.origin, fetchedAt: start, freshUntil, hops: [] };
    await store.set({ ...entry, access: "successful", code: "ok", body: Buffer.from(rule("/two")) });
    expect(await run(day - 1)).toBe("kept ok /one");
    expect(await run(day)).toBe("asked ok /two");
    await store.set({ ...entry, access: "unreachable", code: "http-503", status: 503, unreachableSince: start });
    expect(await run(hour - 1)).toBe("kept http-503");
    expect(await run(hour)).toBe("asked ok /two");
  });

  test("a clock that goes back by years, and comes right again, between runs", async () => {
    const year = 365 * day;
    answer = [200, { "cache-control": "max-age=31536000" }, rule("/one")];
    expect(await run(0)).toBe("asked ok /two");
    answer = [200, {}, rule("/two")];
    // What is from the future answers nothing, and is replaced by what came now.
    expect(await run(-10 * year)).toBe("asked ok /one");
    expect(await run(-10 * year + hour)).toBe("kept ok /one");
    answer = [200, {}, rule("/one")];
    expect(await run(0)).toBe("asked ok /two");
    // A clock that is ahead for one run: the entry of that time is not used until then.
    answer = [200, {}, rule("/two")];
    expect(await run(5 * year)).toBe("asked ok /one");
    answer = [200, {}, rule("/one")];
    expect(await run(hour)).toBe("asked ok /two");
    expect(await run(2 * hour)).toBe("kept ok /two");
  });

  test("an outage that began in the future began now; one that is over says nothing", async () => {
    answer = [200, {}, rule("/one")];
    await run(0);
    answer = [503];
    expect(await run(400 * day)).toBe("asked http-503");
    // The clock is right again: 12 hours of the outage have not passed before they have.
    expect(await run(day)).toBe("asked http-503");
    expect(await run(day + 12 * hour - 1)).toBe("asked http-503");
    expect(await run(day + 12 * hour)).toBe("kept http-503 /two");
    answer = [200, {}, rule("/two")];
    expect(await run(2 * day)).toBe("asked ok /one");
    answer = [503];
    expect(await run(3 * day)).toBe("asked http-503");
  });

  test("a clock that goes back while the server answers", async () => {
    let time = start;
    answer = [200, {}, rule("/one")];
    const client = createRobotsClient({
      store,
      allowPrivate: true,
      // Each look at it is a day earlier.
      now: () => (time -= day),
    });
    const loaded = await client.load(server.origin);
    await client.close();
    expect([loaded.stored.code, loaded.exchangeMs]).toEqual(["ok", 0]);
    expect(loaded.stored.freshUntil - loaded.stored.fetchedAt).toBe(day);
    const again = await run(0);
    expect(again).toBe("asked ok /two");
  });
});
