// Defines the test cases of the contracts of RobotsStore and RobotsHistory.
import assert from "node:assert/strict";
import type { RobotsHistory, RobotsStore, StoredRobots } from "../../src/common/types.ts";

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

const simple: StoredRobots = {
  origin: "https://example.com",
  fetchedAt: 1_700_000_000_000,
  freshUntil: 1_700_086_400_000,
  access: "successful",
  code: "ok",
  status: 200,
  body: text("User-agent: *\nDisallow: /private\n"),
  hops: [{ url: "https://example.com/robots.txt", status: 200 }],
};

const copy = { fetchedAt: 1, access: "successful", code: "ok", status: 200 } as const;

const full: StoredRobots = {
  ...simple,
  origin: "http://xn--bcher-kva.example:8080",
  access: "unreachable",
  code: "http-503",
  status: 503,
  truncated: true,
  headers: { "retry-after": "120", "content-type": "text/plain; charset=utf-8" },
  unreachableSince: 1_700_000_000_001,
  lastCopy: { ...copy, body: text("\u0000\u00ff raw") },
  hops: [
    { url: "http://xn--bcher-kva.example:8080/robots.txt", status: 301 },
    { url: "https://xn--bcher-kva.example/robots.txt", status: 503 },
  ],
};

/** Name and test of each case. */
export const storeCases: readonly (readonly [what: string, run: (store: RobotsStore) => Promise<void>])[] = [
  [
    "is empty at first",
    async (store) => {
      assert.equal(await store.get(simple.origin), undefined);
    },
  ],
  [
    "returns the entry that was set",
    async (store) => {
      await store.set(simple);
      assert.deepEqual(plain(await store.get(simple.origin)), plain(simple));
    },
  ],
  [
    "keeps every field of an entry",
    async (store) => {
      await store.set(full);
      assert.deepEqual(plain(await store.get(full.origin)), plain(full));
    },
  ],
  [
    "distinguishes an empty body from no body",
    async (store) => {
      const { body: _body, ...bodiless } = simple;
      for (const body of [new Uint8Array(0), Buffer.alloc(0)]) {
        await store.set({ ...simple, body });
        assert.equal((await store.get(simple.origin))?.body?.byteLength, 0);
      }
      await store.set({ ...bodiless, access: "unavailable", code: "http-404", status: 404 });
      assert.equal((await store.get(simple.origin))?.body, undefined);
    },
  ],
  [
    "keeps a body of 512,000 bytes byte by byte",
    async (store) => {
      const body = Uint8Array.from({ length: 512_000 }, (_, i) => (i * 31) & 0xff);
      await store.set({ ...simple, body });
      const got = (await store.get(simple.origin))?.body;
      assert.ok(got !== undefined && Buffer.compare(got, body) === 0);
    },
  ],
  [
    "replaces an entry",
    async (store) => {
      await store.set(simple);
      await store.set({ ...simple, code: "http-404", access: "unavailable" });
      assert.equal((await store.get(simple.origin))?.code, "http-404");
    },
  ],
  [
    "keeps origins apart: scheme, port, trailing dot, letter case",
    async (store) => {
      const origins = [
        "http://a.example",
        "https://a.example",
        "http://a.example:81",
        "http://a.example.",
        "ftp://a.example",
      ];
      for (const origin of origins) await store.set({ ...simple, origin, code: `http-${origin}` });
      for (const origin of origins) assert.equal((await store.get(origin))?.code, `http-${origin}`);
      assert.equal(await store.get("http://A.example"), undefined);
    },
  ],
  [
    "returns stale entries too",
    async (store) => {
      await store.set({ ...simple, fetchedAt: 1, freshUntil: 2 });
      assert.equal((await store.get(simple.origin))?.freshUntil, 2);
    },
  ],
  [
    "accepts names of Object.prototype as origins",
    async (store) => {
      for (const origin of ["__proto__", "constructor", "toString"]) {
        assert.equal(await store.get(origin), undefined);
        await store.set({ ...simple, origin });
        assert.equal((await store.get(origin))?.origin, origin);
      }
    },
  ],
  [
    "handles many simultaneous calls",
    async (store) => {
      const origins = Array.from({ length: 200 }, (_, i) => `https://h${i}.example`);
      await Promise.all(origins.map(async (origin) => store.set({ ...simple, origin })));
      const got = await Promise.all(origins.map(async (origin) => (await store.get(origin))?.origin));
      assert.deepEqual(got, origins);
    },
  ],
  [
    "keeps the entry of the last of several simultaneous sets for one origin",
    async (store) => {
      const sets = Array.from({ length: 20 }, (_, i) => ({ ...simple, fetchedAt: i, body: text(`# ${i}`) }));
      await Promise.all(sets.map(async (entry) => store.set(entry)));
      assert.deepEqual(plain(await store.get(simple.origin)), plain(sets.at(-1)));
    },
  ],
  [
    "keeps the entry that was set last, even if its fetch is earlier",
    async (store) => {
      await store.set({ ...simple, fetchedAt: 2_000_000 });
      await store.set({ ...simple, fetchedAt: 1_000_000 });
      assert.equal((await store.get(simple.origin))?.fetchedAt, 1_000_000);
    },
  ],
  [
    "keeps every byte: 0 to 255, and bodies that compress to almost nothing",
    async (store) => {
      const bodies = [
        Uint8Array.from({ length: 256 }, (_, i) => i),
        new Uint8Array(300_000),
        text("\ufeffUser-agent: *\r\nDisallow: /\u{1f916}\r"),
        Uint8Array.of(0xff),
        Uint8Array.of(0x80, 0x00, 0x0a, 0x0d),
      ];
      for (const [at, body] of bodies.entries()) {
        const origin = `https://bytes-${at}.example`;
        await store.set({ ...simple, origin, body, lastCopy: { ...copy, body: bodies.at(-1 - at)! } });
      }
      for (const [at, body] of bodies.entries()) {
        const got = await store.get(`https://bytes-${at}.example`);
        assert.ok(got?.body !== undefined && Buffer.compare(got.body, body) === 0, `body ${at}`);
        assert.ok(got.lastCopy?.body !== undefined && Buffer.compare(got.lastCopy.body, bodies.at(-1 - at)!) === 0);
      }
    },
  ],
  [
    "keeps a body that is a view of a larger array",
    async (store) => {
      const whole = text("User-agent: *\nDisallow: /kept\n#################");
      // A view of a larger array, as a body often is.
      const body = whole.subarray(0, 30);
      await store.set({ ...simple, body });
      assert.deepEqual(plain(await store.get(simple.origin)), plain({ ...simple, body }));
    },
  ],
  [
    "accepts unusual origins: IPv6, long, percent signs, quotes, spaces, other scripts",
    async (store) => {
      const label = "a".repeat(63);
      const origins = [
        "http://[::1]:8080",
        `https://${label}.${label}.${label}.example:65535`,
        "https://xn--fiqs8s.example",
        "https://%41.example",
        "https://a'b\"c.example",
        "https://a b.example",
        "https://a\nb.example",
        "https://b\u00fccher.example",
        "https://\u{1f916}.example",
        "https://example.com/",
        "https://example.com",
        "*",
        "",
      ];
      for (const origin of origins) await store.set({ ...simple, origin, code: `http-${origin.length}` });
      for (const origin of origins) {
        const got = await store.get(origin);
        assert.equal(got?.origin, origin);
        assert.equal(got.code, `http-${origin.length}`);
      }
    },
  ],
  [
    "keeps header values of any characters",
    async (store) => {
      const headers = { etag: '"\u00e4\\"', "x-a": "", __proto__x: "1", "content-type": "text/plain;\tcharset=\u00ff" };
      await store.set({ ...simple, headers });
      assert.deepEqual((await store.get(simple.origin))?.headers, headers);
    },
  ],
  [
    "can be closed twice",
    async (store) => {
      await store.set(simple);
      await store.close?.();
      await store.close?.();
    },
  ],
];

/** Name and test of each additional case of a store with history. */
export const historyCases: readonly (readonly [what: string, run: (store: RobotsHistory) => Promise<void>])[] = [
  [
    "has no history at first",
    async (store) => {
      assert.deepEqual(await store.history(simple.origin), []);
      assert.equal(await store.at(simple.origin, Number.MAX_SAFE_INTEGER), undefined);
    },
  ],
  [
    "returns every entry, the latest fetch first, and the newest entry by get",
    async (store) => {
      const entries = [1, 2, 3].map((day) => ({ ...simple, fetchedAt: day * 1_000, body: text(`# day ${day}`) }));
      for (const entry of entries) await store.set(entry);
      assert.deepEqual((await store.history(simple.origin)).map(plain), entries.toReversed().map(plain));
      assert.deepEqual(
        (await store.history(simple.origin, { limit: 2 })).map(({ fetchedAt }) => fetchedAt),
        [3_000, 2_000],
      );
      assert.deepEqual(plain(await store.get(simple.origin)), plain(entries.at(-1)));
    },
  ],
  [
    "returns the entry that was newest at a time, including the time of its fetch",
    async (store) => {
      for (const fetchedAt of [1_000, 2_000, 3_000]) await store.set({ ...simple, fetchedAt });
      const times = [999, 1_000, 1_999, 2_000, 2_001, 3_000, 9_999];
      const known = await Promise.all(times.map(async (time) => (await store.at(simple.origin, time))?.fetchedAt));
      assert.deepEqual(known, [undefined, 1_000, 1_000, 2_000, 2_000, 3_000, 3_000]);
    },
  ],
  [
    "keeps the histories of origins apart",
    async (store) => {
      await store.set(simple);
      await store.set({ ...full, origin: "https://example.com:8443" });
      assert.deepEqual(
        (await store.history(simple.origin)).map(({ origin }) => origin),
        [simple.origin],
      );
    },
  ],
  [
    "returns the right body for each of many entries with two bodies",
    async (store) => {
      const bodies = [text("# one"), text("# two")];
      for (let i = 0; i < 40; i++) await store.set({ ...simple, fetchedAt: i, body: bodies[i % 2]! });
      const history = await store.history(simple.origin);
      assert.equal(history.length, 40);
      assert.ok(history.every(({ fetchedAt, body }) => Buffer.compare(body!, bodies[fetchedAt % 2]!) === 0));
    },
  ],
];

/** Converts an entry to plain data, so that byte arrays of any class are compared by their bytes. */
function plain(entry: StoredRobots | undefined): unknown {
  if (entry === undefined) return undefined;
  const bytes = (body: Uint8Array | undefined): string | undefined => body && Buffer.from(body).toString("hex");
  const lastCopy = entry.lastCopy && { ...entry.lastCopy, body: bytes(entry.lastCopy.body) };
  return JSON.parse(JSON.stringify({ ...entry, body: bytes(entry.body), lastCopy }));
}
