// The http transport against raw servers: the result of each response or fault.
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { createHttpTransport, type HttpTransportOptions } from "./http.ts";
import { type Limits, limitsOf } from "../common/limits.ts";
import { testTransport } from "../../test/contracts.ts";
import { type RawReply, type RawServer, closedPort, responseOf, startRawServer } from "@robots-stream/raw-servers";
import type { Exchange } from "../common/types.ts";

const rules = "User-agent: *\nDisallow: /private\n";
const limits = limitsOf({ deadlineMs: 4_000, headersTimeoutMs: 3_000, connectTimeoutMs: 3_000 });

testTransport("http over undici", () => createHttpTransport({ allowPrivate: true }), { describe, test });

const servers: RawServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(async (server) => server.close()));
});

async function serve(reply: RawReply): Promise<RawServer> {
  const server = await startRawServer(reply);
  servers.push(server);
  return server;
}

async function exchange(
  url: string,
  given: Partial<Limits> = {},
  options: HttpTransportOptions = {},
): Promise<Exchange> {
  const transport = createHttpTransport({ allowPrivate: true, ...options });
  try {
    return await transport.exchange(url, { ...limits, ...given });
  } finally {
    await transport.close?.();
  }
}

async function ask(reply: RawReply, given: Partial<Limits> = {}): Promise<Exchange> {
  const server = await serve(reply);
  return exchange(`${server.origin}/robots.txt`, given);
}

/** The result of an exchange as one value: the status or the failure's code. */
const outcome = ({ response, failure }: Exchange): number | string => failure?.code ?? response?.status ?? "nothing";
const bodyOf = ({ response }: Exchange): string => Buffer.from(response?.body ?? []).toString("latin1");
const raw =
  (...parts: readonly (string | Uint8Array)[]): RawReply =>
  (socket) => {
    for (const part of parts) socket.write(part, "latin1");
    socket.end();
  };
const head = (...lines: readonly string[]): string =>
  `HTTP/1.1 200 OK\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`;

describe("framing", () => {
  const ok = `content-length: ${rules.length}`;
  const cases: [what: string, reply: RawReply, outcome: number | string, body?: string][] = [
    ["HTTP/1.0, ended by the close", raw(`HTTP/1.0 200 OK\r\n\r\n${rules}`), 200, rules],
    ["chunked", raw(head("transfer-encoding: chunked"), "5\r\nUser-\r\n6\r\nagent:\r\n0\r\n\r\n"), 200, "User-agent:"],
    [
      "chunks of one byte each",
      raw(head("transfer-encoding: chunked"), "1\r\nx\r\n".repeat(3_000), "0\r\n\r\n"),
      200,
      "x".repeat(3_000),
    ],
    ["bytes after the length", raw(head("content-length: 4"), "Useragent: other"), 200, "User"],
    ["103 before the answer", raw("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n", head(ok), rules), 200, rules],
    ["UTF-8 in a field value", raw(head(ok, "x-name: \u00c3\u00a9"), rules), 200, rules],
    [
      "300 Set-Cookie fields and an Alt-Svc field",
      raw(
        head(ok, ...Array.from({ length: 300 }, (_, i) => `set-cookie: c${i}=${"v".repeat(50)}`), 'alt-svc: h3=":443"'),
        rules,
      ),
      200,
      rules,
    ],
    ["Content-Length longer than the body, then FIN", raw(head("content-length: 100"), rules), "incomplete"],
    ["chunk without end, then FIN", raw(head("transfer-encoding: chunked"), "5\r\nUser-\r\n"), "incomplete"],
    ["chunk cut in its size, then FIN", raw(head("transfer-encoding: chunked"), "5\r\nUser-\r\n6"), "incomplete"],
    ["head cut, then FIN", raw("HTTP/1.1 200 OK\r\ncontent-le"), "incomplete"],
    ["two lengths that differ", raw(head("content-length: 3", "content-length: 5"), rules), "protocol"],
    ["a negative length", raw(head("content-length: -5"), rules), "protocol"],
    ["a length over 2^64", raw(head("content-length: 99999999999999999999999"), rules), "protocol"],
    ["a length that is not a number", raw(head("content-length: abc"), rules), "protocol"],
    [
      "length and chunked",
      raw(head("content-length: 5", "transfer-encoding: chunked"), "5\r\nUser-\r\n0\r\n\r\n"),
      "protocol",
    ],
    ["a bad chunk size", raw(head("transfer-encoding: chunked"), "zz\r\nUser-\r\n0\r\n\r\n"), "protocol"],
    [
      "a chunk size over 2^64",
      raw(head("transfer-encoding: chunked"), "fffffffffffffffff\r\nUser-\r\n0\r\n\r\n"),
      "protocol",
    ],
    [
      "transfer coding gzip, chunked",
      raw(head("transfer-encoding: gzip, chunked"), "5\r\nUser-\r\n0\r\n\r\n"),
      "protocol",
    ],
    ["transfer coding foo", raw(head("transfer-encoding: foo"), rules), "protocol"],
    ["NUL in a field value", raw(head(ok, "x-a: b\u0000c"), rules), "protocol"],
    ["a space before the colon", raw(head("content-length : 5"), rules), "protocol"],
    ["HTTP/0.9", raw(rules), "protocol"],
    ["garbage", raw(Uint8Array.from({ length: 512 }, (_, i) => (i * 97) & 0xff)), "protocol"],
    ["the preface of HTTP/2", raw("\u0000\u0000\u0012\u0004\u0000\u0000\u0000\u0000\u0000"), "protocol"],
    ["TLS on the plain port", raw("\u0015\u0003\u0003\u0000\u0002\u0002\u0028"), "protocol"],
    ["status 099", raw(`HTTP/1.1 099 Odd\r\n${ok}\r\n\r\n${rules}`), "protocol"],
    ["status 600", raw(`HTTP/1.1 600 Odd\r\n${ok}\r\n\r\n${rules}`), "protocol"],
    ["status 999", raw(`HTTP/1.1 999 Odd\r\n${ok}\r\n\r\n${rules}`), "protocol"],
    ["status abc", raw(`HTTP/1.1 abc Odd\r\n${ok}\r\n\r\n${rules}`), "protocol"],
    [
      "an unrequested 101",
      raw("HTTP/1.1 101 Switching Protocols\r\nupgrade: foo\r\nconnection: upgrade\r\n\r\n"),
      "protocol",
    ],
    ["a header of 100 KiB", raw(head(ok, `x-long: ${"a".repeat(102_400)}`), rules), "headers-too-large"],
    [
      "10,000 headers",
      raw(head(ok, ...Array.from({ length: 10_000 }, (_, i) => `x-${i}: value`)), rules),
      "headers-too-large",
    ],
    ["FIN without a byte", raw(), "closed"],
    ["RST without a byte", (socket) => socket.resetAndDestroy(), "reset"],
  ];

  test.each(cases)("%s", async (_what, reply, expected, body) => {
    const got = await ask(reply);
    expect(outcome(got)).toBe(expected);
    if (body !== undefined) expect(bodyOf(got)).toBe(body);
  });

  test("50,000 trailers end in a response or a failure, not in a timeout", async () => {
    const trailers = Array.from({ length: 50_000 }, (_, i) => `x-${i}: v\r\n`).join("");
    const got = await ask(raw(head("transfer-encoding: chunked"), "5\r\nUser-\r\n0\r\n", trailers, "\r\n"));
    expect([200, "headers-too-large", "protocol"]).toContain(outcome(got));
  });

  test.each([
    [60_000, 200],
    [1_048_576, "headers-too-large"],
  ])("a chunk extension of %d bytes is not part of the body, and the result is %s", async (size, expected) => {
    const got = await ask(raw(head("transfer-encoding: chunked"), `5;x=${"y".repeat(size)}\r\nUser-\r\n0\r\n\r\n`));
    expect(outcome(got)).toBe(expected);
    if (got.response) expect(bodyOf(got)).toBe("User-");
  });
});

describe("a second attempt, with the lenient parser", () => {
  const length = `Content-Length: ${rules.length}`;
  const cases: readonly (readonly [what: string, bytes: string, outcome: number | string])[] = [
    ["bare LF", `HTTP/1.1 200 OK\n${length}\n\n${rules}`, 200],
    ["a folded field", `HTTP/1.1 200 OK\r\nX-Folded: a\r\n b\r\n${length}\r\n\r\n${rules}`, 200],
    ["control characters in a value", `HTTP/1.1 200 OK\r\nX-Odd: a\u0001b\r\n${length}\r\n\r\n${rules}`, 200],
    ["an unexpected 100", `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n${length}\r\n\r\n${rules}`, 200],
    ["bare LF, a redirect", "HTTP/1.1 301 Moved\nLocation: /robots.txt\n\n", "redirect-loop"],
    ["bare LF, cut", `HTTP/1.1 200 OK\nContent-Length: 500\n\n${rules}`, "protocol"],
    [
      "bare LF, length and chunked",
      `HTTP/1.1 200 OK\nContent-Length: 5\nTransfer-Encoding: chunked\n\n5\r\nhello\r\n0\r\n\r\n`,
      "protocol",
    ],
    ["bare LF, two lengths", `HTTP/1.1 200 OK\nContent-Length: 5\nContent-Length: 6\n\nhello`, "protocol"],
    ["bare LF, NUL in a value", `HTTP/1.1 200 OK\nX-A: a\u0000b\n${length}\n\n${rules}`, "protocol"],
    [
      "bare LF, a space after the name Transfer-Encoding, and a length",
      `HTTP/1.1 200 OK\nTransfer-Encoding : chunked\nContent-Length: 5\n\n5\r\nhello\r\n0\r\n\r\n`,
      "protocol",
    ],
    [
      "CR CR LF, then Content-Encoding",
      `HTTP/1.1 200 OK\r\nX-A: \r\r\nContent-Encoding: gzip\r\n\r\n${rules}`,
      "protocol",
    ],
    ["CR alone between fields", `HTTP/1.1 200 OK\r\nX-A: a\rContent-Length: 5\r\n\r\n${rules}`, "protocol"],
    [
      "an unexpected 100, CR CR LF",
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nX-A: \r\r\n${length}\r\n\r\n${rules}`,
      "protocol",
    ],
    ["bare LF, transfer coding foo", `HTTP/1.1 200 OK\nTransfer-Encoding: foo\n\n${rules}`, "protocol"],
  ];

  test.each(cases)("%s", async (_what, bytes, expected) => {
    const server = await serve(raw(bytes));
    const got = await exchange(`${server.origin}/robots.txt`);
    expect(outcome(got)).toBe(expected);
    if (expected === 200) expect(bodyOf(got)).toBe(rules);
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]?.head.toLowerCase().split("\r\n").toSorted()).toEqual(
      server.requests[0]?.head.toLowerCase().split("\r\n").toSorted(),
    );
    expect(Object.keys(got.failure ?? {})).toEqual(got.failure ? ["code", "message", "url"] : []);
  });

  test("gzip is decoded up to the limit", async () => {
    const coded = gzipSync("#".repeat(600_000)).toString("latin1");
    const got = await ask(raw(`HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: ${coded.length}\n\n${coded}`));
    expect([got.response?.body.byteLength, got.response?.truncated]).toEqual([512_000, true]);
  });

  test("the deadline ends the second attempt and its connection", async () => {
    const server = await serve((socket, { index }) =>
      index === 0
        ? void socket.end("HTTP/1.1 200 OK\n\n")
        : void socket.write("HTTP/1.1 200 OK\nContent-Length: 9\n\n"),
    );
    const got = await exchange(`${server.origin}/robots.txt`, { deadlineMs: 300 });
    expect(outcome(got)).toBe("protocol");
    await expect.poll(() => server.openConnections).toBe(0);
  });
});

describe("a truncated body is never reported as complete", () => {
  const body = "User-agent: *\nDisallow: /a\nDisallow: /b\n";
  const responses: readonly (readonly [what: string, bytes: Buffer])[] = [
    ["with a length", responseOf(200, {}, body)],
    [
      "chunked",
      Buffer.from(
        `${head("transfer-encoding: chunked")}10\r\n${body.slice(0, 16)}\r\n${(body.length - 16).toString(16)}\r\n${body.slice(16)}\r\n0\r\n\r\n`,
      ),
    ],
    ["bare LF", Buffer.from(`HTTP/1.1 200 OK\nContent-Length: ${body.length}\n\n${body}`)],
    ["gzip with a length", responseOf(200, { "content-encoding": "gzip" }, gzipSync(body))],
  ];

  for (const [what, bytes] of responses) {
    for (const how of ["FIN", "RST"] as const) {
      test(`${how} after every byte, ${what}`, async () => {
        const server = await serve((socket, { path }) => {
          const cut = Number(path.slice(2));
          socket.write(bytes.subarray(0, cut), () => {
            if (how === "FIN") socket.end();
            else setTimeout(() => socket.resetAndDestroy(), 2);
          });
        });
        const transport = createHttpTransport({ allowPrivate: true });
        const offsets = Array.from({ length: bytes.length + 1 }, (_, i) => i);
        const all = await Promise.all(offsets.map((cut) => transport.exchange(`${server.origin}/?${cut}`, limits)));
        for (const [cut, got] of all.entries()) {
          const whole = cut === bytes.length;
          if (whole && got.response) expect(bodyOf(got)).toBe(body);
          // A reset may overtake the last bytes; the result is then also a failure.
          else
            expect([cut, outcome(got)]).toEqual([cut, expect.stringMatching(/^(incomplete|closed|reset|protocol)$/)]);
        }
        if (how === "FIN") expect(outcome(all[bytes.length] as Exchange)).toBe(200);
      });
    }
  }

  test("a reset does not end a body without a length", async () => {
    const got = await ask((socket) => {
      socket.write(`${head("connection: close")}${rules}`, () => setTimeout(() => socket.resetAndDestroy(), 20));
    });
    expect(outcome(got)).toBe("incomplete");
  });
});

describe("redirects", () => {
  const chain =
    (length: number, status = 302): RawReply =>
    (socket, { path }) => {
      const step = Number(/\d+$/.exec(path)?.[0] ?? 0);
      socket.end(step < length ? responseOf(status, { location: `/step/${step + 1}` }) : responseOf(200, {}, rules));
    };

  test.each([
    [0, 200, 1],
    [1, 200, 2],
    [4, 200, 5],
    [5, 200, 6],
    [6, "redirect-limit", 6],
    [60, "redirect-limit", 6],
  ])("%i in a row: %s after %i requests", async (length, expected, requests) => {
    const server = await serve(chain(length));
    const got = await exchange(`${server.origin}/robots.txt`);
    expect(outcome(got)).toBe(expected);
    expect(server.requests).toHaveLength(requests);
    expect(got.hops).toHaveLength(requests);
  });

  test.each([301, 302, 303, 307, 308])("%i is followed", async (status) => {
    expect(outcome(await ask(chain(1, status)))).toBe(200);
  });

  test.each([300, 304, 305, 306, 399])("%i is not followed, even with a Location", async (status) => {
    expect(outcome(await ask(chain(1, status)))).toBe(status);
  });

  const first =
    (location: string | undefined): RawReply =>
    (socket, { index }) =>
      socket.end(
        index === 0 ? responseOf(301, location === undefined ? {} : { location }) : responseOf(200, {}, rules),
      );

  test.each<readonly [what: string, location: string | undefined, expected: number | string]>([
    ["no Location", undefined, "redirect-invalid"],
    ["an empty Location", "", "redirect-invalid"],
    ["an invalid URL", "http://[::", "redirect-invalid"],
    ["a bad port", "http://example.com:99999/", "redirect-invalid"],
    ["file:", "file:///etc/passwd", "redirect-scheme"],
    ["data:", "data:text/plain,User-agent:*", "redirect-scheme"],
    ["javascript:", "javascript:alert(1)", "redirect-scheme"],
    ["ftp:", "ftp://127.0.0.1/robots.txt", "redirect-scheme"],
    ["blob:", "blob:http://127.0.0.1/x", "redirect-scheme"],
    ["a relative path", "other.txt", 200],
    ["an absolute path", "/other.txt", 200],
    ["a query", "?again", 200],
    ["itself", "/robots.txt", "redirect-loop"],
    ["itself with a fragment", "/robots.txt#again", "redirect-loop"],
    ["a Location longer than the limit of the head", `/${"a".repeat(100_000)}`, "headers-too-large"],
  ])("to %s", async (_what, location, expected) => {
    const server = await serve(first(location));
    const got = await exchange(`${server.origin}/robots.txt`);
    expect(outcome(got)).toBe(expected);
    expect(server.requests).toHaveLength(expected === 200 ? 2 : 1);
  });

  test("a redirect to another URL and back is a loop", async () => {
    const server = await serve((socket, { path }) =>
      socket.end(responseOf(302, { location: path === "/robots.txt" ? "/other" : "/robots.txt" })),
    );
    expect(outcome(await exchange(`${server.origin}/robots.txt`))).toBe("redirect-loop");
    expect(server.requests).toHaveLength(2);
  });

  test("redirects to another authority and to //host are followed, and every hop is recorded", async () => {
    const target = await serve((socket, { path }) =>
      socket.end(
        path === "/a" ? responseOf(301, { location: `//127.0.0.1:${server.port}/b` }) : responseOf(200, {}, rules),
      ),
    );
    const server = await serve((socket, { path }) =>
      socket.end(responseOf(301, { location: `${target.origin}${path === "/b" ? "/c" : "/a"}` })),
    );
    const got = await exchange(`${server.origin}/robots.txt`);
    expect(got.hops).toEqual([
      { url: `${server.origin}/robots.txt`, status: 301 },
      { url: `${target.origin}/a`, status: 301 },
      { url: `${server.origin}/b`, status: 301 },
      { url: `${target.origin}/c`, status: 200 },
    ]);
  });

  test("credentials in a Location are neither sent nor recorded", async () => {
    const target = await serve((socket) => socket.end(responseOf(200, {}, rules)));
    const got = await ask((socket) =>
      socket.end(responseOf(302, { location: `http://user:secret@127.0.0.1:${target.port}/r` })),
    );
    expect(target.requests[0]?.head).not.toMatch(/authorization|secret|dXNlcjpzZWNyZXQ/i);
    expect(got.hops[1]?.url).toBe(`${target.origin}/r`);
  });

  test.each([
    ["UTF-8", "/caf\u00c3\u00a9", "/caf%C3%A9"],
    ["Latin-1", "/caf\u00e9", "/caf%E9"],
  ])("raw %s in a Location is escaped byte by byte", async (_what, location, path) => {
    const server = await serve((socket, { index }) => {
      const bytes = Buffer.from(`HTTP/1.1 301 Moved\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`, "latin1");
      socket.end(index === 0 ? bytes : responseOf(200, {}, rules));
    });
    expect(outcome(await exchange(`${server.origin}/robots.txt`))).toBe(200);
    expect(server.requests[1]?.path).toBe(path);
  });

  test("a failure after a redirect has the failed URL and the hops", async () => {
    const port = await closedPort();
    const server = await serve((socket) => socket.end(responseOf(301, { location: `http://127.0.0.1:${port}/x` })));
    const got = await exchange(`${server.origin}/robots.txt`);
    expect(got.failure).toMatchObject({ code: "connect-refused", url: `http://127.0.0.1:${port}/x` });
    expect(got.hops).toEqual([{ url: `${server.origin}/robots.txt`, status: 301 }]);
  });

  test("a redirect is followed before its body has arrived", async () => {
    const server = await serve((socket, { index }) => {
      if (index === 0) socket.write("HTTP/1.1 301 Moved\r\nlocation: /x\r\ncontent-length: 100\r\n\r\n");
      else socket.end(responseOf(200, {}, rules));
    });
    expect(outcome(await exchange(`${server.origin}/robots.txt`))).toBe(200);
  });
});

describe("time", () => {
  const never: readonly (readonly [what: string, reply: RawReply])[] = [
    ["no answer", () => undefined],
    ["half a head", (socket) => void socket.write("HTTP/1.1 200 OK\r\nx-a: ")],
    ["a body that does not come", (socket) => void socket.write(head("content-length: 100"))],
    [
      "a body that drips",
      (socket) => {
        socket.write(head("content-length: 100000"));
        const timer = setInterval(() => socket.write("#"), 10);
        socket.on("close", () => clearInterval(timer));
      },
    ],
    [
      "a head that drips",
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nx-slow: ");
        const timer = setInterval(() => socket.write("a"), 10);
        socket.on("close", () => clearInterval(timer));
      },
    ],
    [
      "1xx without end",
      (socket) => {
        const timer = setInterval(() => socket.write("HTTP/1.1 102 Processing\r\n\r\n".repeat(20)), 5);
        socket.on("close", () => clearInterval(timer));
      },
    ],
  ];

  test.each(never)("%s ends at the deadline", async (_what, reply) => {
    const got = await ask(reply, { deadlineMs: 300 });
    expect(outcome(got)).toBe("timeout");
  });

  test.each(never.filter(([what]) => !what.includes("body")))(
    "%s ends at the headers timeout",
    async (_what, reply) => {
      const got = await ask(reply, { headersTimeoutMs: 200, deadlineMs: 60_000 });
      expect(outcome(got)).toBe("timeout");
    },
  );

  test("all hops share one deadline", async () => {
    const server = await serve((socket, { index }) => {
      setTimeout(() => socket.end(responseOf(302, { location: `/${index}` })), 150);
    });
    const got = await exchange(`${server.origin}/robots.txt`, { deadlineMs: 400 });
    expect(outcome(got)).toBe("timeout");
    expect(got.hops.length).toBeLessThan(4);
  });

  test("a lookup that does not end gives dns-timeout after the connect timeout", async () => {
    const lookup = (): Promise<never> => new Promise(() => undefined);
    const got = await exchange("http://silent.example/robots.txt", { connectTimeoutMs: 100 }, { lookup });
    expect(outcome(got)).toBe("dns-timeout");
  });

  test("a response in pieces of 7 bytes is read correctly", async () => {
    const bytes = responseOf(200, {}, rules);
    const got = await ask((socket) => {
      let at = 0;
      const timer = setInterval(() => {
        socket.write(bytes.subarray(at, (at += 7)));
        if (at >= bytes.length) clearInterval(timer);
      }, 3);
      socket.on("close", () => clearInterval(timer));
    });
    expect(bodyOf(got)).toBe(rules);
  });
});

describe("names", () => {
  const failing = (code: string) => (): Promise<never> => Promise.reject(Object.assign(new Error(code), { code }));

  test.each([
    ["ENOTFOUND", "dns-not-found"],
    ["ENODATA", "dns-not-found"],
    ["ESERVFAIL", "dns-failed"],
    ["EAI_AGAIN", "dns-failed"],
    ["ECONNREFUSED", "dns-failed"],
    ["ETIMEOUT", "dns-timeout"],
    ["EBADNAME", "dns-invalid"],
    ["EMFILE", "local-resources"],
    ["ENFILE", "local-resources"],
    ["EACCES", "dns-failed"],
  ])("%s from the resolver is %s", async (code, expected) => {
    expect(outcome(await exchange("http://name.example/robots.txt", {}, { lookup: failing(code) }))).toBe(expected);
  });

  test("a lookup that returns no address gives dns-not-found", async () => {
    const got = await exchange("http://name.example/robots.txt", {}, { lookup: () => Promise.resolve([]) });
    expect(outcome(got)).toBe("dns-not-found");
  });

  test.each([`http://${"a".repeat(64)}.example/`, "http://a..b/", `http://${"abc.".repeat(70)}example/`])(
    "%s gives dns-invalid without a lookup",
    async (url) => {
      let asked = 0;
      const lookup = (): Promise<never[]> => {
        asked++;
        return Promise.resolve([]);
      };
      expect(outcome(await exchange(url, {}, { lookup }))).toBe("dns-invalid");
      expect(asked).toBe(0);
    },
  );

  test("a resolver that throws at once is a failure, not a crash", async () => {
    const lookup = (): never => {
      throw new Error("broken");
    };
    expect(outcome(await exchange("http://name.example/robots.txt", {}, { lookup }))).toBe("dns-failed");
  });

  test("the second address is tried when the first does not connect", async () => {
    const server = await serve((socket) => socket.end(responseOf(200, {}, rules)));
    const lookup = (): Promise<{ address: string; family: 4 }[]> =>
      Promise.resolve([
        { address: "127.0.0.2", family: 4 },
        { address: "127.0.0.1", family: 4 },
      ]);
    const got = await exchange(`http://two.example:${server.port}/robots.txt`, {}, { lookup });
    expect(outcome(got)).toBe(200);
    expect(server.requests[0]?.head).toContain(`host: two.example:${server.port}`);
  });
});

describe("the request", () => {
  test("has the user agent, the accepted types and codings, Host and Connection, and no other fields", async () => {
    const server = await serve((socket) => socket.end(responseOf(200)));
    await exchange(`http://user:secret@127.0.0.1:${server.port}/robots.txt#top`, {}, { userAgent: "examplebot/1.0" });
    const lines = server.requests[0]?.head.toLowerCase().split("\r\n") ?? [];
    expect(lines[0]).toBe("get /robots.txt http/1.1");
    expect(lines).toContain("user-agent: examplebot/1.0");
    expect(lines).toContain("accept-encoding: gzip, deflate, br");
    expect(
      lines
        .map((line) => line.split(":")[0])
        .slice(1)
        .toSorted(),
    ).toEqual(["accept", "accept-encoding", "connection", "host", "user-agent"]);
  });

  test("the default user agent names the project and where to find it", async () => {
    const server = await serve((socket) => socket.end(responseOf(200)));
    await exchange(`${server.origin}/robots.txt`);
    expect(server.requests[0]?.head).toMatch(/user-agent: robots-stream \(\+https:\/\/\S+\)/);
  });

  test.each(["", "bot\r\nx-injected: 1", "b\u00f6t"])("the user agent %j is refused", (userAgent) => {
    expect(() => createHttpTransport({ userAgent })).toThrow(expect.objectContaining({ code: "ERR_INVALID_OPTION" }));
  });

  test.each(["ftp://h/robots.txt", "file:///etc/passwd", "no url"])(
    "%s is not a URL for this transport",
    async (url) => {
      expect(outcome(await exchange(url))).toBe("scheme-unsupported");
    },
  );
});

test("every connection is closed when the exchange settles", async () => {
  const server = await serve((socket, { path }) => {
    if (path === "/hang") return;
    socket.write(responseOf(Number(path.slice(1)), {}, rules)); // kept open by the server
  });
  for (const path of ["/200", "/404", "/503", "/hang"]) await exchange(server.origin + path, { deadlineMs: 200 });
  await expect.poll(() => server.openConnections).toBe(0);
  expect(server.connections).toBe(4);
});
