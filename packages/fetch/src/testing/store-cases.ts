// The contract of RobotsStore, case by case.
import assert from "node:assert/strict";
import type { RobotsStore, StoredRobots } from "../types.ts";

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

const full: StoredRobots = {
  ...simple,
  origin: "http://xn--bcher-kva.example:8080",
  access: "unreachable",
  code: "http-503",
  status: 503,
  truncated: true,
  headers: { "retry-after": "120", "content-type": "text/plain; charset=utf-8" },
  unreachableSince: 1_700_000_000_001,
  lastCopy: { fetchedAt: 1, access: "successful", code: "ok", status: 200, body: text("\u0000\u00ff raw") },
  hops: [
    { url: "http://xn--bcher-kva.example:8080/robots.txt", status: 301 },
    { url: "https://xn--bcher-kva.example/robots.txt", status: 503 },
  ],
};

/** Entry and text of each case. */
export const storeCases: readonly (readonly [what: string, run: (store: RobotsStore) => Promise<void>])[] = [
  [
    "knows nothing at first",
    async (store) => {
      assert.equal(await store.get(simple.origin), undefined);
    },
  ],
  [
    "gives back what it got",
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
    "keeps an empty body apart from none",
    async (store) => {
      const { body: _body, ...bodiless } = simple;
      await store.set({ ...simple, body: new Uint8Array(0) });
      assert.equal((await store.get(simple.origin))?.body?.byteLength, 0);
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
    "gives stale entries: freshness is not its business",
    async (store) => {
      await store.set({ ...simple, fetchedAt: 1, freshUntil: 2 });
      assert.equal((await store.get(simple.origin))?.freshUntil, 2);
    },
  ],
  [
    "takes names of Object.prototype for origins",
    async (store) => {
      for (const origin of ["__proto__", "constructor", "toString"]) {
        assert.equal(await store.get(origin), undefined);
        await store.set({ ...simple, origin });
        assert.equal((await store.get(origin))?.origin, origin);
      }
    },
  ],
  [
    "takes many at once",
    async (store) => {
      const origins = Array.from({ length: 200 }, (_, i) => `https://h${i}.example`);
      await Promise.all(origins.map(async (origin) => store.set({ ...simple, origin })));
      const got = await Promise.all(origins.map(async (origin) => (await store.get(origin))?.origin));
      assert.deepEqual(got, origins);
    },
  ],
];

/** Byte arrays of any class compare by their bytes. */
function plain(entry: StoredRobots | undefined): unknown {
  if (entry === undefined) return undefined;
  const bytes = (body: Uint8Array | undefined): string | undefined => body && Buffer.from(body).toString("hex");
  const lastCopy = entry.lastCopy && { ...entry.lastCopy, body: bytes(entry.lastCopy.body) };
  return JSON.parse(JSON.stringify({ ...entry, body: bytes(entry.body), lastCopy }));
}
