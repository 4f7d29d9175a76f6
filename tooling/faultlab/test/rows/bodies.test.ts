// Rows 37 to 43 of the fault matrix: endless bodies, content codings, the limit of 512,000 octets (RFC 9309 §2.5).
import { randomBytes } from "node:crypto";
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { type RawReply, responseOf } from "@robots-stream/raw-servers";
import { bombOf, emptyBombOf } from "../faults/bombs.ts";
import { type Answer, bytes, head, rules, served, servedTable } from "../faults/http.ts";
import { type Outcome, noGroup, noRule, ruled, unreachable } from "../row.ts";
import { testRows } from "../run.ts";

const limit = 512_000;
const mebibyte = 1_048_576;

const coded = (coding: string, body: Uint8Array): Buffer => responseOf(200, { "content-encoding": coding }, body);

/** A reply function: writes `first` and then the pieces, as fast as the client reads. Ends the connection after the last piece. */
function pour(first: string | Uint8Array, pieces: () => Iterator<string | Uint8Array>): RawReply {
  return (socket) => {
    const source = pieces();
    const more = (): void => {
      for (let free = true; free && !socket.destroyed;) {
        const { done, value } = source.next();
        if (done === true) return void socket.end();
        free = socket.write(value, "latin1");
      }
    };
    socket.on("drain", more);
    socket.write(first, "latin1");
    more();
  };
}

function* forever(text: string): Generator<string> {
  for (;;) yield text;
}

/** A body of `size` octets: a comment, then `tail`. */
const padded = (size: number, tail: string): string => `${"#".repeat(size - tail.length - 1)}\n${tail}`;

/** A body of exactly `size` octets: the rules, then a comment. */
const sized = (size: number): string => `${rules}${"#".repeat(size - rules.length)}`;

const isTruncated =
  (...wanted: readonly boolean[]) =>
  (outcomes: readonly Outcome[]): readonly string[] =>
    outcomes.flatMap(({ loaded: { stored } }, index) =>
      (stored.truncated === true) === wanted[index] && (stored.body?.length ?? 0) <= limit
        ? []
        : [`answer ${index}: ${stored.body?.length} octets, truncated: ${stored.truncated === true}`],
    );

const stacked = (times: number): Answer => [
  `gzip, ${times} times`,
  coded(Array.from({ length: times }, () => "gzip").join(", "), gzipTimes(times)),
  times <= 5 ? ruled(2) : unreachable("encoding"),
];

function gzipTimes(times: number): Uint8Array {
  let body: Uint8Array = Buffer.from(rules);
  for (let i = 0; i < times; i++) body = gzipSync(body);
  return body;
}

/** Options for fast brotli compression: the best quality takes 1.5 seconds for 64 MiB, in every process that loads the rows. */
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

const gzipped = gzipSync(rules);

/** Responses with the rules after 400 KB of random hexadecimal digits, which compress to about half, in each coding and framing. */
function largeAnswers(): readonly Answer[] {
  const file = `#${randomBytes(200_000).toString("hex")}\n${rules}`;
  const codings: readonly (readonly [name: string, body: Uint8Array])[] = [
    ["gzip", gzipSync(file)],
    ["deflate", deflateSync(file)],
    ["br", brotliCompressSync(file, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })],
    ["identity", Buffer.from(file)],
  ];
  return codings.flatMap(([name, body]): Answer[] => {
    const field = `Content-Encoding: ${name}`;
    const chunks = [`${body.length.toString(16)}\r\n`, body, "\r\n0\r\n\r\n"];
    return [
      [`${name}, with a length`, bytes(head(field, `Content-Length: ${body.length}`), body), ruled(3)],
      [`${name}, chunked`, bytes(head(field, "Transfer-Encoding: chunked"), ...chunks), ruled(3)],
      [`${name}, ended by the close`, bytes(head(field, "Connection: close"), body), ruled(3)],
    ];
  });
}

testRows([
  {
    id: 37,
    title: "An endless body",
    cases: [
      served(
        "comments",
        pour(head("Content-Type: text/plain") + rules, () => forever(`${"#".repeat(4_095)}\n`)),
        ruled(2),
        {
          maxBytes: mebibyte,
          check: isTruncated(true),
        },
      ),
      served(
        "chunked",
        pour(`${head("Transfer-Encoding: chunked")}${rules.length.toString(16)}\r\n${rules}\r\n`, () =>
          forever(`1000\r\n${"#".repeat(4_096)}\r\n`),
        ),
        ruled(2),
        { maxBytes: mebibyte, check: isTruncated(true) },
      ),
      served(
        "with a length of a terabyte",
        pour(head("Content-Length: 1000000000000") + rules, () => forever("#\n".repeat(2_000))),
        ruled(2),
        {
          maxBytes: mebibyte,
          check: isTruncated(true),
        },
      ),
    ],
  },
  {
    id: 38,
    title: "Content codings",
    cases: [
      servedTable("codings", [
        ["gzip", coded("gzip", gzipped), ruled(2)],
        ["x-gzip", coded("x-gzip", gzipped), ruled(2)],
        ["GZip", coded("GZip", gzipped), ruled(2)],
        ["deflate", coded("deflate", deflateSync(rules)), ruled(2)],
        ["deflate without its wrapper", coded("deflate", deflateRawSync(rules)), ruled(2)],
        ["br", coded("br", brotliCompressSync(rules)), ruled(2)],
        ["zstd, which was not requested", coded("zstd", zstdCompressSync(rules)), unreachable("encoding")],
        ["identity", coded("identity", Buffer.from(rules)), ruled(2)],
        ["br, then gzip", coded("br, gzip", gzipSync(brotliCompressSync(rules))), ruled(2)],
        [
          "two gzip members",
          coded("gzip", Buffer.concat([gzipSync("User-agent: *\n"), gzipSync("Disallow: /private\n")])),
          ruled(2),
        ],
        stacked(5),
      ]),
      // The server ends the connection while the decoder is still working.
      servedTable("a file of 400 KB in each coding, and the connection's end right after it", largeAnswers()),
    ],
  },
  {
    id: 39,
    title: "Decompression bombs",
    cases: [
      served(
        "256 MiB in 260 KB",
        pour(head("Content-Encoding: gzip"), () => bombOf(256)),
        noGroup,
        {
          maxBytes: mebibyte,
          check: isTruncated(true),
        },
      ),
      served(
        "10 GiB in 10 MB",
        pour(head("Content-Encoding: gzip"), () => bombOf(10_240)),
        noGroup,
        {
          maxBytes: mebibyte,
          check: isTruncated(true),
        },
      ),
      served(
        "100 MiB with a length, and the connection's end right after it",
        bytes(coded("gzip", Buffer.concat([...bombOf(100)]))),
        noGroup,
        {
          check: isTruncated(true),
        },
      ),
      served("64 MiB of br", bytes(coded("br", brotliCompressSync(Buffer.alloc(64 * mebibyte, "#"), fast))), noGroup, {
        check: isTruncated(true),
      }),
      // Without a bound, three layers in 24 KB kept the processor busy until the deadline.
      servedTable(
        "nested, with empty output",
        [2, 3, 5].map((depth) => [
          `${depth} layers`,
          coded(Array.from({ length: depth }, () => "gzip").join(", "), emptyBombOf(depth, 20_000)),
          unreachable("encoding"),
        ]),
      ),
    ],
  },
  {
    id: 40,
    title: "A truncated compressed body",
    cases: [
      servedTable(
        "cut after each octet of gzip",
        Array.from({ length: gzipped.length - 1 }, (_, i) => [
          `${i + 1} octets`,
          coded("gzip", gzipped.subarray(0, i + 1)),
          unreachable("incomplete"),
        ]),
      ),
      servedTable("cut in the middle", [
        ["deflate", coded("deflate", deflateSync(rules).subarray(0, 20)), unreachable("incomplete")],
        ["br", coded("br", brotliCompressSync(rules).subarray(0, 20)), unreachable("incomplete")],
      ]),
    ],
  },
  {
    id: 41,
    title: "A body that does not match its Content-Encoding",
    cases: [
      servedTable("claims", [
        ["plain", coded("gzip", Buffer.from(rules)), ruled(2)],
        ["gzip, then NULs", coded("gzip", Buffer.concat([gzipped, Buffer.alloc(512)])), ruled(2)],
        [
          "gzip, then garbage",
          coded("gzip", Buffer.concat([gzipped, Buffer.from("<!-- cached -->")])),
          unreachable("encoding"),
        ],
        [
          "a wrong checksum",
          coded("gzip", Buffer.concat([gzipped.subarray(0, -8), Buffer.alloc(8)])),
          unreachable("encoding"),
        ],
        [
          "garbage that begins like gzip",
          coded("gzip", Buffer.concat([gzipped.subarray(0, 10), Buffer.alloc(200, 0xff)])),
          unreachable("encoding"),
        ],
        ["an empty body", coded("gzip", new Uint8Array(0)), noGroup],
      ]),
    ],
  },
  {
    id: 42,
    title: "Too many or unknown codings",
    cases: [
      servedTable("codings", [
        stacked(6),
        stacked(20),
        ["compress", coded("compress", Buffer.from(rules)), unreachable("encoding")],
        ["rot13", coded("rot13", Buffer.from(rules)), unreachable("encoding")],
        ["__proto__", coded("__proto__", Buffer.from(rules)), unreachable("encoding")],
      ]),
    ],
  },
  {
    id: 43,
    title: "Bodies of about the limit's size",
    cases: [
      servedTable(
        "sizes",
        [limit - 1, limit, limit + 1].map((size) => [`${size} octets`, responseOf(200, {}, sized(size)), ruled(2)]),
        { check: isTruncated(false, false, true) },
      ),
      servedTable(
        "a rule at the end",
        [
          ["whole", responseOf(200, {}, padded(limit, rules.trimEnd())), ruled(3)],
          ["whole, before its line end", responseOf(200, {}, padded(limit + 1, rules)), ruled(3)],
          // Without its last octet, "/privat" would still be a prefix of the probe.
          ["cut by one octet", responseOf(200, {}, padded(limit + 1, rules.trimEnd())), noRule],
          // "Disallow: " would remain, which disallows nothing.
          ["cut before its pattern", responseOf(200, {}, padded(limit + 8, rules.trimEnd())), noRule],
        ],
        { check: isTruncated(false, true, true, true) },
      ),
    ],
  },
]);
