// Content codings over the transport: decoded, cut, damaged, nested, mislabelled, and decompression bombs.
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Coding, codingsOf } from "./codings.ts";
import { createBodyReader } from "./decode.ts";
import { createHttpTransport } from "./http.ts";
import { limitsOf } from "../common/limits.ts";
import { type RawServer, responseOf, startRawServer } from "@robots-stream/raw-servers";
import type { Exchange } from "../common/types.ts";

const limits = limitsOf({ deadlineMs: 5_000 });
const text = Buffer.from("User-agent: *\nDisallow: /private\n".repeat(200));
const big = (bytes: number): Buffer => Buffer.alloc(bytes, "Disallow: /0123456789\n");

let answer: Buffer = Buffer.alloc(0);
let keepOpen = false;
let server: RawServer;
beforeAll(async () => {
  server = await startRawServer((socket) => (keepOpen ? socket.write(answer) : socket.end(answer)));
});
afterAll(async () => server.close());

async function get(coding: string, body: Uint8Array, headers: Record<string, string> = {}): Promise<Exchange> {
  answer = responseOf(200, { "content-encoding": coding, ...headers }, body);
  return createHttpTransport({ allowPrivate: true }).exchange(`${server.origin}/robots.txt`, limits);
}

const encoders: readonly (readonly [name: string, encode: (data: Uint8Array) => Uint8Array])[] = [
  ["gzip", gzipSync],
  ["x-gzip", gzipSync],
  ["GZIP", gzipSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
  ["br", brotliCompressSync],
];

describe.each(encoders)("%s", (name, encode) => {
  test("is decoded", async () => {
    const { response } = await get(name, encode(text));
    expect(Buffer.compare(response?.body ?? Buffer.alloc(0), text)).toBe(0);
    expect(response?.truncated).toBe(false);
  });

  test.each([511_999, 512_000, 512_001])("of %i bytes stops at the limit", async (size) => {
    const data = big(size);
    const { response } = await get(name, encode(data));
    expect(response?.body.byteLength).toBe(Math.min(size, 512_000));
    expect(response?.truncated).toBe(size > 512_000);
    expect(Buffer.compare(response?.body ?? Buffer.alloc(0), data.subarray(0, 512_000))).toBe(0);
  });

  test("of 16 MiB in a few KiB stops at the limit", async () => {
    const { response } = await get(name, encode(Buffer.alloc(16 * 1024 * 1024, 0x23)));
    expect(response?.body.byteLength).toBe(512_000);
    expect(response?.truncated).toBe(true);
  });

  test("cut short is incomplete", async () => {
    const coded = encode(text);
    for (const cut of [1, 2, 5, coded.length >> 1, coded.length - 9, coded.length - 1]) {
      const { failure } = await get(name, coded.subarray(0, cut));
      expect([cut, failure?.code]).toEqual([cut, "incomplete"]);
    }
  });

  test("is decoded when zero bytes follow it", async () => {
    const { response } = await get(name, Buffer.concat([encode(text), Buffer.alloc(40)]));
    expect(response?.body.byteLength).toBe(text.byteLength);
  });

  test("without coded bytes the body is empty", async () => {
    const { response } = await get(name, Buffer.alloc(0));
    expect(response?.body.byteLength).toBe(0);
  });

  test("damaged in the middle is a failure", async () => {
    const coded = Buffer.from(encode(Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * i * 31) >> 3))));
    coded.fill(0xff, 6, 200); // the first block, with its header
    const { failure } = await get(name, coded);
    expect(failure?.code).toMatch(/^(encoding|incomplete)$/);
  });
});

describe("several codings", () => {
  test.each<readonly [string, (data: Uint8Array) => Uint8Array]>([
    ["gzip, br", (data) => brotliCompressSync(gzipSync(data))],
    [
      "deflate, gzip, br, deflate, gzip",
      (data) => gzipSync(deflateSync(brotliCompressSync(gzipSync(deflateSync(data))))),
    ],
    ["identity, gzip", gzipSync],
    ["identity", (data) => data],
    ["", (data) => data],
  ])("%j is decoded from last to first", async (name, encode) => {
    const { response } = await get(name, encode(text));
    expect(Buffer.compare(response?.body ?? Buffer.alloc(0), text)).toBe(0);
  });

  test("a body is refused when its first decoding expands it and its second decoding returns no bytes", async () => {
    // A gzip header and empty stored deflate blocks.
    const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
    const inner = Buffer.concat([header, Buffer.alloc(2_000_000, Buffer.from([0, 0, 0, 0xff, 0xff]))]);
    const { failure } = await get("gzip, gzip", gzipSync(inner));
    expect(failure?.code).toBe("encoding");
  });

  test("a stacked bomb stops at the limit", async () => {
    const { response } = await get("gzip, gzip", gzipSync(gzipSync(Buffer.alloc(16 * 1024 * 1024))));
    expect(response?.body.byteLength).toBe(512_000);
  });

  test.each([
    ["six codings", Array.from({ length: 6 }, () => "gzip").join(",")],
    ["twenty codings", Array.from({ length: 20 }, () => "gzip").join(",")],
    ["an unknown coding", "compress"],
    ["a charset", "utf-8"],
  ])("refused: %s", async (_what, name) => {
    const { failure } = await get(name, gzipSync(text));
    expect(failure?.code).toBe("encoding");
  });
});

const read = (codings: readonly Coding[], pieces: readonly Uint8Array[], maxBytes = 10): Promise<object> =>
  new Promise((resolve) => {
    const reader = createBodyReader({ codings, maxBytes, onEnd: resolve, onDrain: () => undefined });
    for (const piece of pieces) reader.write(piece);
    reader.end();
  });

describe("mislabelled and unusual bodies", () => {
  test("plain text with Content-Encoding: gzip is read unchanged", async () => {
    const { response } = await get("gzip", text);
    expect(Buffer.compare(response?.body ?? Buffer.alloc(0), text)).toBe(0);
  });

  test("two gzip members are one body", async () => {
    const { response } = await get("gzip", Buffer.concat([gzipSync(text), gzipSync("Allow: /x\n")]));
    expect(response?.body.byteLength).toBe(text.byteLength + 10);
  });

  test("endless coded bytes that decode to nothing are refused", async () => {
    keepOpen = true;
    // Empty stored deflate blocks without end.
    const blocks = Buffer.alloc(2_000_000, Buffer.from([0, 0, 0, 0xff, 0xff]));
    const { failure } = await get("deflate", blocks, { "content-length": "999999999" });
    keepOpen = false;
    expect(failure?.code).toBe("encoding");
  });

  test("an endless identity body is read up to the limit", async () => {
    keepOpen = true;
    const { response } = await get("identity", big(600_000), { "content-length": "999999999" });
    keepOpen = false;
    expect([response?.body.byteLength, response?.truncated]).toEqual([512_000, true]);
  });
});

describe("the reader alone", () => {
  test("the body is a copy that keeps no larger buffer alive", async () => {
    const slab = Buffer.alloc(65_536, 0x61);
    const end = (await read([], [slab.subarray(5, 9)])) as { body: Uint8Array };
    expect(end.body.buffer.byteLength).toBe(4);
  });

  test("a body in single bytes gives the same result", async () => {
    for (const coding of ["gzip", "deflate", "br"] as const) {
      const encode = encoders.find(([name]) => name === coding)?.[1];
      const pieces = [...(encode?.(Buffer.from("abcdefg")) ?? [])].map((byte) => Uint8Array.of(byte));
      expect(await read([coding], pieces)).toEqual({ body: new TextEncoder().encode("abcdefg"), truncated: false });
    }
  });

  test("names of codings are read in any letter case, and unknown names are refused", () => {
    expect(codingsOf(undefined, 5)).toEqual([]);
    expect(codingsOf(" GZip ,, br ", 5)).toEqual(["gzip", "br"]);
    expect(codingsOf("gzip, __proto__", 5)).toMatchObject({ code: "encoding" });
  });
});
