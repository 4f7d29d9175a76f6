// How undici reads the octets of a response, in whatever pieces they arrive.
import fc from "fast-check";
import { once } from "node:events";
import { Duplex } from "node:stream";
import * as undici from "undici";
import { describe, expect, test } from "vitest";
import type { HopHandler } from "./request.ts";
import { limitsOf } from "../common/limits.ts";
import { dispatchStrict } from "./strict.ts";

const { maxHeaderBytes } = limitsOf();
const sending = { url: new URL("http://h/"), proxy: undefined, headers: {}, maxHeaderBytes };

const octets = (text: string): Buffer => Buffer.from(text, "latin1");

interface Read {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isWhole: boolean;
}

/** Reads pieces from a connection that ends after them. */
async function read(pieces: readonly Buffer[]): Promise<Read> {
  const result: { -readonly [K in keyof Read]: Read[K] } = { status: undefined, headers: {}, body: "", isWhole: false };
  let stop: (() => unknown) | undefined;
  await new Promise<void>((resolve) => {
    const hop: HopHandler = {
      onResponseStart(_flow, status, headers) {
        if (status >= 200 && result.status === undefined) Object.assign(result, { status, headers });
      },
      onResponseData: (chunk) => void (result.body += Buffer.from(chunk).toString("latin1")),
      onResponseEnd: () => (Object.assign(result, { isWhole: true }), resolve()),
      fail: () => resolve(),
    };
    let isAsked = false;
    const stream = new Duplex({
      read: () => undefined,
      write(_chunk, _encoding, done) {
        done();
        if (isAsked) return;
        isAsked = true;
        process.nextTick(() => {
          for (const piece of [...pieces, null]) if (!stream.destroyed) stream.push(piece);
        });
      },
    });
    stop = dispatchStrict(undici, { ...sending, hop, stream });
  });
  await stop?.();
  return result;
}

/** Cuts the octets at these offsets. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return sorted.slice(1).flatMap((end, at) => (end > sorted[at]! ? [bytes.subarray(sorted[at], end)] : []));
}

const ok = "HTTP/1.1 200 OK\r\n";

describe("responses", () => {
  const cases: [what: string, text: string, body: string, isWhole: boolean][] = [
    ["a length", `${ok}Content-Length: 4\r\n\r\nabcd`, "abcd", true],
    ["a length, and more", `${ok}Content-Length: 4\r\n\r\nabcdefg`, "abcd", true],
    ["fewer octets than the length", `${ok}Content-Length: 9\r\n\r\nabcd`, "abcd", false],
    ["a length of zero", `${ok}Content-Length: 0\r\n\r\n`, "", true],
    ["no length", `${ok}Server: x\r\n\r\nabcd`, "abcd", true],
    ["no header fields", `${ok}\r\nabcd`, "abcd", true],
    ["HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nabcd", "abcd", true],
    ["no reason", "HTTP/1.1 404\r\ncontent-length: 1\r\n\r\nx", "x", true],
    [
      "chunks",
      `${ok}transfer-encoding: chunked\r\n\r\n2\r\nab\r\n00A\r\n0123456789\r\n0\r\n\r\n`,
      "ab0123456789",
      true,
    ],
    ["chunks without an end", `${ok}transfer-encoding: chunked\r\n\r\n2\r\nab\r\n1`, "ab", false],
    ["blanks around values", `${ok}content-length:\t 2\r\ny:\tz \t\r\nx:\r\n\r\nab`, "ab", true],
  ];
  test.each(cases)("%s, in one piece and octet by octet after the head", async (_what, text, body, isWhole) => {
    const bytes = octets(text);
    const places = Array.from({ length: bytes.length }, (_, at) => Math.max(at, text.indexOf("\r\n\r\n") + 4));
    for (const pieces of [[bytes], cut(bytes, places)]) {
      const got = await read(pieces);
      expect(got.isWhole).toBe(isWhole);
      // An incomplete file is never used.
      if (isWhole) expect(got.body).toBe(body);
    }
  });
});

test("fields with names of Object.prototype, repeated fields, spaces after values", async () => {
  const { headers } = await read([
    octets(`${ok}__proto__: x\r\nA: 1\r\nSet-Cookie: a=b\r\na: 2 \t\r\nname: \xc3\xa9\r\n\r\n`),
  ]);
  expect(headers).toEqual(
    Object.assign(Object.create(null), { ["__proto__"]: "x", a: "1, 2", "set-cookie": "a=b", name: "\xc3\xa9" }),
  );
});

test("any response gives the same result in any pieces", async () => {
  const mostly = <T>(usual: readonly T[], odd: readonly T[]): fc.Arbitrary<T> =>
    fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) });
  const line = mostly(
    ["server: x\r\n", "Content-Type: text/plain\r\n", "x-empty:\r\n", "vary: a\r\n", "Vary: b\r\n", "upgrade: h2c\r\n"],
    ["a : b\r\n", "a: b\n", " folded\r\n", "nul: \0\r\n", "content-length: 3\r\n", "transfer-encoding: chunked\r\n"],
  );
  const chunk = mostly(
    ["1\r\nx\r\n", "5\r\nhello\r\n", "0a\r\n0123456789\r\n"],
    ["2;x=y\r\nab\r\n", "3\r\nabcd\r\n", "z\r\n", "\r\n", "0\r\na: b\r\n\r\n", "000000001\r\nx\r\n", "1\nx\n"],
  );
  const body = fc.oneof(
    fc.string({ maxLength: 40 }).map((text) => [`content-length: ${octets(text).length}\r\n`, text] as const),
    fc
      .array(chunk, { maxLength: 6 })
      .map((all) => ["transfer-encoding: chunked\r\n", `${all.join("")}0\r\n\r\n`] as const),
    fc.string({ maxLength: 40 }).map((text) => ["", text] as const),
  );
  const start = mostly(
    [ok, "HTTP/1.0 200 OK\r\n", "HTTP/1.1 404 Not Found\r\n"],
    ["HTTP/1.1 204 No\r\n", "HTTP/1.1 200 \x01\r\n"],
  );
  const response = fc
    .tuple(start, fc.array(line, { maxLength: 5 }), body, fc.nat({ max: 30 }))
    .map(([first, lines, [framing, content], lost]) => {
      const text = `${first}${lines.join("")}${framing}\r\n${content}`;
      return octets(lost < 5 ? text.slice(0, text.length - lost) : text);
    });
  await fc.assert(
    fc.asyncProperty(response, fc.array(fc.nat(), { maxLength: 4 }), async (bytes, places) => {
      const [whole, parts] = [await read([bytes]), await read(cut(bytes, places))];
      expect(parts.isWhole).toBe(whole.isWhole);
      // An incomplete file is never used: undici may have returned a part of it or nothing.
      if (whole.isWhole) expect(parts).toEqual(whole);
    }),
    { numRuns: 500 },
  );
}, 180_000);

test("a connection that ended before undici was loaded fails at once", async () => {
  const stream = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  stream.push(null);
  stream.resume();
  await once(stream, "end");
  let stop: (() => unknown) | undefined;
  const error = await new Promise((resolve) => {
    const hop = { fail: resolve } as unknown as HopHandler;
    stop = dispatchStrict(undici, { ...sending, hop, stream });
  });
  await stop?.();
  expect(error).toMatchObject({ message: "the connection is gone" });
});
