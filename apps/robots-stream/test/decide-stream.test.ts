// Tests `decideStream`, the engine's API for programs: its output for each kind of input, how it ends, and the arguments that it refuses.
import { createReadStream, readFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  type DecideBytesOptions,
  type OriginLoader,
  type RecordDecision,
  createSavedRobots,
  decideStream,
} from "../src/index.ts";
import type { RecordReject } from "@robots-stream/engine";
import { runHere } from "./here.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const saved = createSavedRobots(`${root}examples/robots`);
const shop = "https://shop.example";
const bing = { agents: "bingbot", robots: saved } as const;

/** A loader that returns the same as `saved`; for the origins in `slow` only after `until` has resolved. */
function slowLoader(slow: string, until: Promise<unknown>): OriginLoader & { readonly signals: AbortSignal[] } {
  const signals: AbortSignal[] = [];
  return {
    signals,
    load(origin, options) {
      signals.push(options.signal);
      return origin === slow ? until.then(() => saved.load(origin, options)) : saved.load(origin, options);
    },
  };
}

async function all<R>(decisions: AsyncIterable<readonly RecordDecision<R>[]>): Promise<RecordDecision<R>[]> {
  const found: RecordDecision<R>[] = [];
  for await (const batch of decisions) found.push(...batch);
  return found;
}

/** The command's stdout for these arguments, with the saved files of the example. */
async function commandSays(args: readonly string[]): Promise<string> {
  return (await runHere(["--robots", `${root}examples/robots`, ...args])).stdout;
}

describe("with an input", () => {
  test("reading pauses when very many origins are queued", async () => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const client: OriginLoader = { load: (_origin, options) => opened.then(() => saved.load(shop, options)) };
    const most = 60;
    let taken = 0;
    const pieces = function* (): Generator<Buffer> {
      for (; taken < most; taken++) {
        const lines = Array.from({ length: 1_000 }, (_, at) => `{"url":"https://h${taken}-${at}.example/"}\n`);
        yield Buffer.from(lines.join(""));
      }
    };
    // 16 origins are queued for each load.
    const decided = all(decideStream({ ...bing, robots: client, input: pieces(), concurrency: 1_024 }));
    await expect.poll(() => taken).toBeGreaterThan(16);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(taken).toBeLessThan(30);
    open();
    expect(await decided).toHaveLength(most * 1_000);
  });

  test("decides as the command does, and returns the records", async () => {
    const path = `${root}examples/urls.ndjson`;
    const agents = ["bingbot", "GPTBot"];
    const rows = (await commandSays(["-a", "bingbot", "-a", "GPTBot", "--ordered", path])).trim().split("\n");
    const decisions = await all(decideStream({ agents, robots: saved, input: createReadStream(path), ordered: true }));
    const asRows = decisions.map(({ record, url, ...robots }) => {
      expect(record["url"]).toBe(url);
      return { ...record, robots };
    });
    expect(asRows).toEqual(rows.map((row) => JSON.parse(row)));
  });

  const throwing = {
    url: `${shop}/shoes`,
    // oxlint-disable-next-line unicorn/no-thenable
    get then(): never {
      throw new Error("must not be read");
    },
  };
  const oddRecords: object[] = [
    { url: `${shop}/cart`, id: 1n },
    new Proxy({ url: `${shop}/shoes` }, {}),
    // oxlint-disable-next-line unicorn/no-thenable
    { url: `${shop}/shoes`, then: () => "waits for ever" },
    throwing,
  ];

  test("objects are returned unchanged, with all their members", async () => {
    const records = oddRecords.slice(0, 2);
    const found = await all(decideStream({ ...bing, input: records }));
    expect(found.map(({ record }) => record)).toEqual(records);
    expect(found.map(({ record }) => records.indexOf(record))).toEqual([0, 1]);
    expect(found.map(({ allowed, line }) => [allowed, line])).toEqual([
      [false, 3],
      [true, undefined],
    ]);
  });

  test("an object with a `then` member is a record; a promise of a record is awaited", async () => {
    const found = await all(decideStream({ ...bing, input: oddRecords }));
    expect(found.map(({ record }) => oddRecords.indexOf(record))).toEqual([0, 1, 2, 3]);
    const stream = decideStream({ ...bing, accepts: "records" });
    for (const record of oddRecords) stream.write(record);
    stream.end();
    const batches = (await stream.toArray()) as RecordDecision<object>[][];
    expect(batches.flat().map(({ record }) => oddRecords.indexOf(record))).toEqual([0, 1, 2, 3]);
    const promised = [Promise.resolve({ url: `${shop}/cart` })] as unknown as object[];
    expect(await all(decideStream({ ...bing, input: promised }))).toMatchObject([{ allowed: false, line: 3 }]);
  });

  test("a record of bytes may have any member", async () => {
    const input = Buffer.from(`{"url":"${shop}/cart","\\u0000robots-stream":1,"robots":2}\n`);
    const found = await all(decideStream({ ...bing, input }));
    expect(found).toMatchObject([{ record: { "\0robots-stream": 1, robots: 2 }, line: 3 }]);
  });

  const inputs: [name: string, options: DecideBytesOptions][] = [
    ["bytes", { ...bing, input: Buffer.from(`url\n${shop}/cart\n`) }],
    ["bytes in pieces", { ...bing, input: [Buffer.from("url\nhttps://sh"), Buffer.from("op.example/cart\n")] }],
    ["packed bytes", { ...bing, input: [gzipSync(`{"url":"${shop}/cart"}\n`)] }],
    ["a named format", { ...bing, inputFormat: "tsv", input: [Buffer.from(`a\turl\nb\t${shop}/cart\n`)] }],
    [
      "a nested field",
      { ...bing, urlField: "request.url", input: [Buffer.from(`{"request":{"url":"${shop}/cart"}}`)] },
    ],
    ["a stream", { ...bing, input: Readable.from([Buffer.from(`{"url":"${shop}/cart"}`)]) }],
    [
      "an access log",
      {
        robots: saved,
        agentField: "user_agent",
        base: shop,
        input: [
          Buffer.from('192.0.2.1 - - [21/Nov/2026:08:01:12 +0000] "GET /cart HTTP/1.1" 200 1 "-" "bingbot/2.0"\n'),
        ],
      },
    ],
  ];
  test.each(inputs)("the input may be %s", async (_name, options) => {
    const found = await all(decideStream(options));
    expect(found).toMatchObject([{ url: `${shop}/cart`, agent: "bingbot", allowed: false, line: 3, origin: shop }]);
  });

  test("a relative URL beside another host than the base is a reject", async () => {
    const rejects: string[] = [];
    const found = await all(
      decideStream({
        ...bing,
        base: shop,
        input: [
          { url: "/cart", host: "other.example" },
          { url: "/cart", host: shop.replace("https://", "") },
        ],
        onReject: ({ line, code }) => void rejects.push(`${line}:${code}`),
      }),
    );
    expect([found.map(({ url }) => url), rejects]).toEqual([[`${shop}/cart`], ["1:no-host"]]);
  });

  test("records may have relative URLs, which need a base, and a nested User-Agent header of their own", async () => {
    const found = await all(
      decideStream({
        robots: saved,
        agentField: "headers.ua",
        base: shop,
        input: [
          { url: "/cart", headers: { ua: "bingbot/2.0" } },
          { url: "/cart", headers: { ua: "Firefox" } },
          { url: "mailto:x", headers: { ua: "GPTBot" } },
        ],
      }),
    );
    expect(found.map(({ agent, because }) => [agent, because])).toEqual([
      ["bingbot", "rule"],
      [null, "not-a-crawler"],
      ["GPTBot", "unsupported-scheme"],
    ]);
  });

  test("an item that is not a record is a reject with its code, and is counted", async () => {
    const rejects: RecordReject[] = [];
    const thrower = Object.defineProperty({}, "url", {
      get: () => {
        throw new Error("no");
      },
    });
    const input: (string | object)[] = [
      "",
      "https://shop.example/\0",
      `${shop}/${"x".repeat(2_000)}`,
      { url: 5 },
      { url: null },
      {},
      thrower,
      null as unknown as object,
      7 as unknown as object,
      "\ud800",
      { url: `${shop}/cart` },
    ];
    const decisions = decideStream({ ...bing, input, maxLineBytes: 1_000, onReject: (each) => rejects.push(each) });
    const found = await all(decisions);
    expect(found.map(({ because }) => because)).toEqual(["invalid-url", "no-rule", "invalid-url", "rule"]);
    expect(rejects.map(({ line, code }) => [line, code])).toEqual([
      [3, "too-long"],
      [4, "url-not-text"],
      [5, "url-not-text"],
      [6, "no-url-field"],
      [7, "url-not-text"],
      [8, "not-an-object"],
      [9, "not-an-object"],
    ]);
    expect(rejects[1]!.record).toBe(input[3]);
    const { records, decided, rejects: rejected, notDecided, agents } = decisions.summary;
    expect([records, decided, rejected, notDecided]).toEqual([11, 4, 7, 0]);
    expect(agents).toEqual([{ agent: "bingbot", dialect: "google", allowed: 1, disallowed: 1, undecided: 2 }]);
  });

  test("bytes that are not a record are rejects with their line number", async () => {
    const rejects: RecordReject[] = [];
    const input = Buffer.from(`{"url":"${shop}/cart"}\nnö\n{"url":1}\n`);
    const decisions = decideStream({ ...bing, input, onReject: (each) => rejects.push(each) });
    expect(await all(decisions)).toHaveLength(1);
    expect(rejects).toMatchObject([
      { line: 2, code: "not-json", record: "nö" },
      { line: 3, code: "url-not-text" },
    ]);
    expect(decisions.summary).toMatchObject({ records: 3, decided: 1, rejects: 2 });
  });

  test("decisions of several dialects are distinguished", async () => {
    const found = await all(decideStream({ ...bing, dialects: ["google", "rfc9309"], input: [`${shop}/cart`] }));
    expect(found.map(({ dialect }) => dialect)).toEqual(["google", "rfc9309"]);
  });

  test("with `ordered`, output is in order despite a slow origin; without it, ready records come first", async () => {
    const input = ["https://news.example/", `${shop}/cart`];
    for (const ordered of [true, false]) {
      const slow = new Promise((resolve) => setTimeout(resolve, 100));
      const client = slowLoader("https://news.example", slow);
      const found: string[] = [];
      for await (const batch of decideStream({ ...bing, robots: client, ordered, input }))
        found.push(...batch.map(({ url }) => url));
      expect(found).toEqual(ordered ? input : input.toReversed());
    }
  });

  test("a single record does not wait for further records", async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    async function* input(): AsyncGenerator<string> {
      yield `${shop}/cart`;
      await gate;
      yield `${shop}/shoes`;
    }
    const sizes: number[] = [];
    for await (const batch of decideStream({ ...bing, input: input() })) {
      sizes.push(batch.length);
      open();
    }
    expect(sizes).toEqual([1, 1]);
  });
});

describe("how it ends", () => {
  test.each([
    ["is decided by the lines received so far, and the loop can end", `${shop}/cart\n`, "cart"],
    ["without a URL is refused, and the iteration ends", '{"a":1}\n', "ERR_NO_URL_FIELD"],
  ])("an input of bytes that stays open %s", async (_what, bytes, expected) => {
    let hasEnded = false;
    const input = new Readable({
      read: () => undefined,
      destroy(error, done) {
        hasEnded = true;
        done(error);
      },
    });
    input.push(bytes);
    const seen: unknown[] = [];
    try {
      for await (const [first] of decideStream({ ...bing, input })) {
        seen.push(first?.url);
        break;
      }
    } catch (error) {
      seen.push((error as { readonly code: string }).code);
    }
    expect(seen).toEqual([expect.stringContaining(expected)]);
    expect(hasEnded).toBe(true);
  });

  /** An endless source of records, and whether the loop has closed it. */
  class Endless {
    given = 0;
    ended = false;
    async *records(): AsyncGenerator<string> {
      try {
        for (;;) yield await Promise.resolve(`${shop}/${this.given++}`);
      } finally {
        this.ended = true;
      }
    }
  }

  test("leaving the loop ends the input, which is not read far ahead of the loop", async () => {
    const state = new Endless();
    for await (const batch of decideStream({ ...bing, input: state.records() })) {
      expect(batch.length).toBeGreaterThan(0);
      await new Promise((resolve) => setTimeout(resolve, 100));
      break;
    }
    expect(state.ended).toBe(true);
    expect(state.given).toBeLessThan(100_000);
  });

  test("leaving the loop destroys an input stream and aborts running loads", async () => {
    const input = new Readable({ read() {} });
    input.push(`{"url":"${shop}/a"}\n{"url":"https://news.example/"}\n`);
    const client = slowLoader("https://news.example", new Promise(() => undefined));
    for await (const batch of decideStream({ ...bing, robots: client, input })) {
      expect(batch).toHaveLength(1);
      break;
    }
    expect(input.destroyed).toBe(true);
    expect(client.signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  test("records that wait for a slow origin are bounded, and a signal ends the wait with its reason", async () => {
    const state = new Endless();
    const client = slowLoader(shop, new Promise(() => undefined));
    const stopping = new AbortController();
    const { signal } = stopping;
    const decisions = decideStream({ ...bing, robots: client, signal, parkBytes: 100_000, input: state.records() });
    setTimeout(() => stopping.abort(new RangeError("enough")), 200);
    await expect(all(decisions)).rejects.toThrow(new RangeError("enough"));
    expect(state.given).toBeLessThan(3_000);
    expect(state.ended).toBe(true);
    await expect(all(decideStream({ ...bing, signal, input: [shop] }))).rejects.toThrow("enough");
  });

  test("a URL whose host exceeds the maximum length of names is decided like others", async () => {
    const long = `https://${"a.".repeat(400)}example/`;
    const decisions = await all(decideStream({ ...bing, input: [long, `${shop}/`] }));
    expect(decisions.map(({ url, because }) => [url, because])).toContainEqual([long, "unreachable"]);
    expect(decisions).toHaveLength(2);
  });

  test.each([["a text"], [null], [7]])(
    "a signal's reason that is not an Error is thrown unchanged: %j",
    async (reason) => {
      const stopping = new AbortController();
      const client = slowLoader(shop, new Promise(() => undefined));
      const decisions = all(decideStream({ ...bing, robots: client, signal: stopping.signal, input: [`${shop}/a`] }));
      setTimeout(() => stopping.abort(reason), 50);
      expect(await decisions.catch((error: unknown) => ({ error }))).toEqual({ error: reason });
    },
  );

  test("the loop throws the error of the input or of the loader", async () => {
    async function* failing(): AsyncGenerator<string> {
      yield `${shop}/a`;
      throw new RangeError("input is gone");
    }
    await expect(all(decideStream({ ...bing, input: failing() }))).rejects.toThrow(new RangeError("input is gone"));
    const client: OriginLoader = { load: () => Promise.reject(new RangeError("client is gone")) };
    await expect(all(decideStream({ ...bing, robots: client, input: [`${shop}/a`] }))).rejects.toThrow(
      "client is gone",
    );
    const damaged = gzipSync(`{"url":"${shop}/cart"}\n`.repeat(10_000)).subarray(0, -20);
    await expect(all(decideStream({ ...bing, input: damaged }))).rejects.toMatchObject({ side: "input" });
    await expect(
      all(decideStream({ ...bing, input: createReadStream(`${import.meta.filename}.missing`) })),
    ).rejects.toThrow("ENOENT");
  });

  test.each([[undefined], [null], [0], [""]])(
    "an input that throws %j fails, and the error contains the thrown value",
    async (thrown) => {
      async function* failing(): AsyncGenerator<string> {
        yield await Promise.resolve(`${shop}/a`);
        // oxlint-disable-next-line typescript/only-throw-error
        throw thrown;
      }
      const failure = await all(decideStream({ ...bing, input: failing() })).catch((error: unknown) => error);
      expect(failure).toMatchObject({ message: `the input failed with ${JSON.stringify(thrown)}`, cause: thrown });
    },
  );

  test.each([
    [undefined, "result"],
    [{ access: "unavailable" }, "stored.code"],
    [{ stored: { code: "ok" } }, "matcherOf"],
  ])("a client that loads %j: an error that names what is missing", async (loaded, missing) => {
    const client = { load: () => Promise.resolve(loaded) } as unknown as OriginLoader;
    await expect(all(decideStream({ ...bing, robots: client, input: [`${shop}/a`] }))).rejects.toMatchObject({
      code: "ERR_WRONG_VALUE",
      message: `robots: returned no ${missing} for ${shop}`,
    });
  });

  test("errors in the content have codes", async () => {
    const decided = all(decideStream({ ...bing, input: Buffer.from('{"a":1}\n') }));
    await expect(decided).rejects.toMatchObject({ code: "ERR_NO_URL_FIELD" });
    await expect(all(decideStream({ ...bing, input: Buffer.from("[]") }))).rejects.toMatchObject({
      code: "ERR_UNUSABLE_INPUT",
    });
    const mixed = [Buffer.from(`{"url":"${shop}/"}\n`), "x"] as Uint8Array[];
    await expect(all(decideStream({ ...bing, input: mixed }))).rejects.toMatchObject({ code: "ERR_UNUSABLE_INPUT" });
  });

  test("decisions can be iterated only once", async () => {
    const decisions = decideStream({ ...bing, input: [`${shop}/a`] });
    await all(decisions);
    await expect(all(decisions)).rejects.toMatchObject({ code: "ERR_READ_TWICE" });
  });
});

describe("wrong arguments throw at once", () => {
  const mistakes: [options: Record<string, unknown>, code: string][] = [
    [{ robots: saved }, "ERR_MISSING_AGENT"],
    [{ robots: saved, agents: [] }, "ERR_MISSING_AGENT"],
    [{ robots: saved, agents: "Mozilla/5.0 (compatible; bingbot/2.0)" }, "ERR_NO_PRODUCT_TOKEN"],
    [{ robots: saved, agents: "bingbot", agentField: "ua" }, "ERR_WRONG_VALUE"],
    [{ robots: saved, agents: [5] }, "ERR_WRONG_VALUE"],
    [{ agents: "bingbot" }, "ERR_WRONG_VALUE"],
    [{ ...bing, inputFormat: "xml" }, "ERR_WRONG_VALUE"],
    [{ ...bing, urlField: 2 }, "ERR_WRONG_VALUE"],
    [{ ...bing, urlField: null }, "ERR_WRONG_VALUE"],
    [{ ...bing, inputName: 5 }, "ERR_WRONG_VALUE"],
    [{ ...bing, agentField: 5 }, "ERR_WRONG_VALUE"],
    [{ ...bing, base: 5 }, "ERR_WRONG_VALUE"],
    [{ ...bing, resultKey: 5 }, "ERR_WRONG_VALUE"],
    [{ ...bing, csvSafe: "x" }, "ERR_WRONG_VALUE"],
    [{ ...bing, fallback: "no" }, "ERR_WRONG_VALUE"],
    [{ ...bing, ordered: "no" }, "ERR_WRONG_VALUE"],
    [{ ...bing, shard: "1/2" }, "ERR_INVALID_OPTION"],
    [{ ...bing, dialects: ["bing"] }, "ERR_WRONG_VALUE"],
    [{ ...bing, tokenMatch: "some" }, "ERR_WRONG_VALUE"],
    [{ ...bing, target: "none" }, "ERR_WRONG_VALUE"],
    [{ ...bing, base: "ftp://x" }, "ERR_WRONG_VALUE"],
    [{ ...bing, parkBytes: 0 }, "ERR_WRONG_VALUE"],
    [{ ...bing, concurrency: 1.5 }, "ERR_WRONG_VALUE"],
    [{ ...bing, input: "https://shop.example/" }, "ERR_WRONG_VALUE"],
    [{ ...bing, input: 5 }, "ERR_WRONG_VALUE"],
    [{ ...bing, input: Readable.from(["x"], { encoding: "utf8" }) }, "ERR_WRONG_VALUE"],
    [{ ...bing, output: "xml" }, "ERR_WRONG_VALUE"],
    [{ ...bing, accepts: "text" }, "ERR_WRONG_VALUE"],
    [{ ...bing, accepts: "records", output: "csv" }, "ERR_WRONG_VALUE"],
    [{ ...bing, resultKey: "" }, "ERR_WRONG_VALUE"],
    [{ ...bing, dialects: "bing" }, "ERR_WRONG_VALUE"],
    [{ ...bing, signal: {} }, "ERR_WRONG_VALUE"],
    [{ ...bing, onReject: true }, "ERR_WRONG_VALUE"],
    [{ ...bing, input: [], output: "csv" }, "ERR_WRONG_VALUE"],
    [{ ...bing, input: [], resultKey: "answer" }, "ERR_WRONG_VALUE"],
  ];
  test.each(mistakes)("%#: %s", (options, code) => {
    expect(() => decideStream(options as never)).toThrow(expect.objectContaining({ name: "UsageError", code }));
  });

  test.each([`${import.meta.filename}.missing`, "", undefined])("missing saved files: %j", (path) => {
    expect(() => createSavedRobots(path as string)).toThrow(expect.objectContaining({ code: "ERR_UNUSABLE_ROBOTS" }));
  });
});

describe("as a stream", () => {
  test("converts bytes to the rows of the command", async () => {
    for (const [path, output] of [
      [`${root}examples/urls.ndjson`, "ndjson"],
      [`${root}examples/urls.csv`, "csv"],
    ] as const) {
      const stream = decideStream({ ...bing, ordered: true, output });
      const rows = await text(createReadStream(path).pipe(stream));
      expect(rows).toBe(await commandSays(["-a", "bingbot", "--ordered", "-o", output, path]));
      expect(stream.summary.records).toBe(stream.summary.decided);
    }
  });

  test("accepts text as bytes, and writes a header even without rows", async () => {
    const stream = decideStream({ ...bing, output: "csv", inputFormat: "csv" });
    stream.end("url,a\n");
    expect(await text(stream)).toMatch(/^url,a,robots_agent,.*\n$/);
  });

  test("outputs decisions for bytes and for records", async () => {
    const ofBytes = decideStream({ ...bing, output: "decisions" });
    ofBytes.end(readFileSync(`${root}examples/urls.csv`));
    expect((await ofBytes.toArray()).flat()).toHaveLength(5);
    const ofRecords = decideStream({ ...bing, accepts: "records" });
    const record = { url: `${shop}/cart` };
    ofRecords.write(record);
    ofRecords.end(`${shop}/shoes`);
    const found = (await ofRecords.toArray()).flat() as RecordDecision[];
    expect(found.map(({ url, allowed }) => [url, allowed])).toEqual([
      [`${shop}/cart`, false],
      [`${shop}/shoes`, true],
    ]);
    expect(found[0]!.record).toBe(record);
  });

  test("while its output is not read, the stream consumes no further input", async () => {
    const line = Buffer.from(`{"url":"${shop}/cart"}\n`.repeat(1_000));
    const stream = decideStream(bing);
    for (let round = 0; round < 300; round++) stream.write(line);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(stream.summary.records).toBeLessThan(200_000);
    // The stream continues as soon as its output is read.
    stream.end();
    let bytes = 0;
    for await (const rows of stream) bytes += (rows as Buffer).length;
    expect(bytes).toBeGreaterThan(300 * line.length);
    expect(stream.summary.decided).toBe(300_000);
  });

  test.each(["plain", "packed"])("the buffer of %s bytes may be reused after its write has completed", async (how) => {
    const lines = Array.from({ length: 5_000 }, (_, at) => `{"url":"${shop}/cart/${at}","at":${at}}\n`).join("");
    const bytes = how === "plain" ? Buffer.from(lines) : gzipSync(lines);
    const stream = decideStream(bing);
    const rows = text(stream);
    const memory = Buffer.alloc(100);
    for (let at = 0; at < bytes.length; at += memory.length) {
      const piece = memory.subarray(0, bytes.copy(memory, 0, at, at + memory.length));
      await new Promise<unknown>((resolve) => stream.write(piece, resolve));
      memory.fill("x");
    }
    stream.end();
    const records = (await rows).trimEnd().split("\n");
    expect(records.map((row) => (JSON.parse(row) as { at: number }).at)).toEqual(records.map((_, at) => at));
    expect(records).toHaveLength(5_000);
  });

  const failing: OriginLoader = {
    load: (origin, options) =>
      origin === `${shop}9` ? Promise.reject(new RangeError("client is gone")) : saved.load(shop, options),
  };
  test.each([
    ["one by one", 1],
    ["with others queued after it", 40],
  ])("a failing run calls the callback of a write, %s", async (_how, atOnce) => {
    const stream = decideStream({ ...bing, robots: failing });
    const failed = new Promise((resolve) => stream.once("error", resolve));
    stream.resume();
    const called: (Error | null | undefined)[] = [];
    for (let at = 0; at < 60 && !stream.destroyed; at += atOnce) {
      const lines = Array.from({ length: atOnce }, (_, more) => `{"url":"${shop}${at + more}/"}\n`);
      await Promise.all(
        lines.map((line) => new Promise<void>((done) => stream.write(line, (error) => done(void called.push(error))))),
      );
    }
    expect(await failed).toMatchObject({ message: "client is gone" });
    expect(called.at(-1)).toBeInstanceOf(Error);
    expect(called.length % atOnce).toBe(0);
  });

  test("an error fails the pipeline, and destroying the stream ends it", async () => {
    const client: OriginLoader = { load: () => Promise.reject(new RangeError("client is gone")) };
    const sink = new Writable({ write: (_chunk, _encoding, callback) => callback() });
    const input = Readable.from([Buffer.from(`{"url":"${shop}/"}\n`)]);
    await expect(pipeline(input, decideStream({ ...bing, robots: client }), sink)).rejects.toThrow("client is gone");
    const unread = decideStream(bing);
    const closed = new Promise((resolve) => unread.once("close", resolve));
    unread.write(`{"url":"${shop}/"}\n`);
    unread.destroy();
    await closed;
    const aborted = decideStream({ ...bing, signal: AbortSignal.abort() });
    await expect(aborted.toArray()).rejects.toMatchObject({ name: "AbortError" });
    const wrong = decideStream(bing);
    wrong.end('{"a":1}\n');
    await expect(text(wrong)).rejects.toMatchObject({ code: "ERR_NO_URL_FIELD" });
  });
});
