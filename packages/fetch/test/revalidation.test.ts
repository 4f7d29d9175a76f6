// When a stored file is requested again: the decisions of successive runs with one store, a real server and a clock that is set by hand.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { type RobotsStore, createMemoryStore, createRobotsClient } from "@robots-stream/fetch";
import { createSqliteStore } from "@robots-stream/fetch/sqlite";
import { type RawServer, responseOf, startRawServer } from "@robots-stream/raw-servers";

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

/** Makes a run at `atMs` after the start. Returns "asked" or "kept" (request or stored entry), the code and the allowed paths. */
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
    ["no headers", {}, day],
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
    [
      "no-store, no-cache: stored nevertheless, as RFC 9309 §2.4 allows",
      { "cache-control": "no-store, no-cache" },
      day,
    ],
    ["s-maxage", { "cache-control": "s-maxage=1" }, day],
    ["stale-while-revalidate", { "cache-control": "max-age=600, stale-while-revalidate=99999999" }, 10 * minute],
    ["Date in 2099", { date: "Thu, 15 Jan 2099 11:00:00 GMT", "cache-control": "max-age=3600" }, hour],
    ["Date in 1970", { date: "Thu, 01 Jan 1970 00:00:00 GMT", "cache-control": "max-age=3600" }, hour],
    ["Date is garbage", { date: "yesterday \u00ff", "cache-control": "max-age=3600" }, hour],
    ["Age of years", { age: "999999999", "cache-control": "max-age=3600" }, hour],
    ["a negative Age", { age: "-1e9", "cache-control": "max-age=3600" }, hour],
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
    // A time before the fetch: a clock is wrong, so the entry is not used.
    expect(await run(freshMs - 1)).toBe("asked ok /one");
  });

  test("an unchanged ETag is ignored: the new body is used", async () => {
    const tagged = { etag: '"same"', "last-modified": httpDate(-day) };
    answer = [200, tagged, rule("/one")];
    expect(await run(0)).toBe("asked ok /two");
    answer = [200, tagged, rule("/two")];
    expect(await run(day)).toBe("asked ok /one");
    answer = [404, tagged];
    expect(await run(2 * day)).toBe("asked http-404 /one /two");
    // No request is conditional.
    for (const { head } of server.requests) expect(head).not.toMatch(/^if-/im);
  });

  test.each<[what: string, headers: Record<string, string>]>([
    ["bare", {}],
    ["with the stored ETag", { etag: '"kept"' }],
    ["with another ETag and another max-age", { etag: '"other"', "cache-control": "max-age=31536000" }],
    ["with a length", { "content-length": "30" }],
    ["with a type", { "content-type": "text/plain", date: "Thu, 01 Jan 1970 00:00:00 GMT" }],
  ])(
    "an unrequested 304, %s, means that there is no file, like any other 3xx that is not a redirect",
    async (_what, headers) => {
      answer = [304, headers];
      expect(await run(0)).toBe("asked http-304 /one /two");
      answer = [200, { etag: '"kept"' }, rule("/one")];
      expect(await run(day)).toBe("asked ok /two");
      answer = [304, headers];
      expect(await run(2 * day)).toBe("asked http-304 /one /two");
      expect(await run(2 * day + 1)).toBe("kept http-304 /one /two");
      answer = [200, {}, rule("/one")];
      expect(await run(3 * day)).toBe("asked ok /two");
    },
  );

  test("after a 503 with a Retry-After of years, the next request is made after an hour", async () => {
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
    ["until the largest safe integer", Number.MAX_SAFE_INTEGER],
    ["for ten years", start + 3_650 * day],
  ])("an entry with a freshUntil that lasts %s is used for a day", async (_what, freshUntil) => {
    answer = [200, {}, rule("/one")];
    const entry = { origin: server.origin, fetchedAt: start, freshUntil, hops: [] };
    await store.set({ ...entry, access: "successful", code: "ok", body: Buffer.from(rule("/two")) });
    expect(await run(day - 1)).toBe("kept ok /one");
    expect(await run(day)).toBe("asked ok /two");
    await store.set({ ...entry, access: "unreachable", code: "http-503", status: 503, unreachableSince: start });
    expect(await run(hour - 1)).toBe("kept http-503");
    expect(await run(hour)).toBe("asked ok /two");
  });

  test("between runs the clock is set back by years, and then corrected", async () => {
    const year = 365 * day;
    answer = [200, { "cache-control": "max-age=31536000" }, rule("/one")];
    expect(await run(0)).toBe("asked ok /two");
    answer = [200, {}, rule("/two")];
    // An entry from the future is not used, and the new result replaces it.
    expect(await run(-10 * year)).toBe("asked ok /one");
    expect(await run(-10 * year + hour)).toBe("kept ok /one");
    answer = [200, {}, rule("/one")];
    expect(await run(0)).toBe("asked ok /two");
    // The clock is five years ahead for one run: that run's entry is not used before that time.
    answer = [200, {}, rule("/two")];
    expect(await run(5 * year)).toBe("asked ok /one");
    answer = [200, {}, rule("/one")];
    expect(await run(hour)).toBe("asked ok /two");
    expect(await run(2 * hour)).toBe("kept ok /two");
  });

  test("an outage that began in the future counts as beginning now; an earlier outage has no effect", async () => {
    answer = [200, {}, rule("/one")];
    await run(0);
    answer = [503];
    expect(await run(400 * day)).toBe("asked http-503");
    // The clock is right again: the 12 hours of the outage's first step begin now.
    expect(await run(day)).toBe("asked http-503");
    expect(await run(day + 12 * hour - 1)).toBe("asked http-503");
    expect(await run(day + 12 * hour)).toBe("kept http-503 /two");
    answer = [200, {}, rule("/two")];
    expect(await run(2 * day)).toBe("asked ok /one");
    answer = [503];
    expect(await run(3 * day)).toBe("asked http-503");
  });

  test("the clock is set back while the server answers", async () => {
    let time = start;
    answer = [200, {}, rule("/one")];
    const client = createRobotsClient({
      store,
      allowPrivate: true,
      // Each reading of the clock is a day earlier than the one before.
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
