// Rows 23 to 36 of the fault matrix: message framing (RFC 9112).
import { responseOf } from "@robots-stream/raw-servers";
import { type Answer, bytes, endless, head, length, ok, rules, served, servedTable } from "../faults/http.ts";
import { ruled, unreachable } from "../row.ts";
import { testRows } from "../run.ts";

/** Allows one or two requests per response: a response that the strict parser refuses is requested again for the lenient parser. */
const once = (answers: readonly Answer[]): { requests: readonly [number, number] } => ({
  requests: [answers.length, 2 * answers.length],
});

const table = (what: string, answers: readonly Answer[]): ReturnType<typeof servedTable> =>
  servedTable(what, answers, once(answers));

const chunked = head("Transfer-Encoding: chunked");
const chunksOf = (text: string, size: number): string =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size))
    .map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
    .join("");
const oneChunk = chunksOf(rules, rules.length);

testRows([
  {
    id: 23,
    title: "Content-Length longer than the body, then FIN",
    cases: [
      served("one octet missing", bytes(head(`Content-Length: ${rules.length + 1}`), rules), unreachable("incomplete")),
      served("nearly all missing", bytes(head("Content-Length: 400000"), rules), unreachable("incomplete")),
    ],
  },
  {
    id: 24,
    title: "Content-Length longer than the body, then RST",
    cases: [
      served(
        "reset after the part was read",
        (socket) => {
          socket.write(head("Content-Length: 400000") + rules, () => setTimeout(() => socket.resetAndDestroy(), 50));
        },
        unreachable("incomplete", "reset"),
      ),
      served(
        "no length at all, and reset",
        (socket) => {
          socket.write(head("Connection: close") + rules, () => setTimeout(() => socket.resetAndDestroy(), 50));
        },
        unreachable("incomplete", "reset"),
      ),
    ],
  },
  {
    id: 25,
    title: "Content-Length shorter than the body",
    cases: [
      served("more rules behind it", bytes(ok, "Disallow: /\nAllow: /private\n"), ruled(2)),
      served("another response behind it", bytes(ok, responseOf(200, {}, "User-agent: *\nAllow: /\n")), ruled(2)),
    ],
  },
  {
    id: 26,
    title: "Two lengths",
    cases: [
      table("two", [
        ["that differ", head("Content-Length: 3", length) + rules, unreachable("protocol")],
        ["that differ, in one field", head(`Content-Length: 3, ${rules.length}`) + rules, unreachable("protocol")],
        ["the same", head(length, length) + rules, unreachable("protocol")],
        [
          "the same, in one field",
          head(`Content-Length: ${rules.length}, ${rules.length}`) + rules,
          unreachable("protocol"),
        ],
      ]),
    ],
  },
  {
    id: 27,
    title: "A Content-Length that is not a number or out of range",
    cases: [
      table(
        "Content-Length",
        ["-5", "+5", "99999999999999999999999", "18446744073709551616", "abc", "5abc", "0x20", "1e2", "5 5"].map(
          (value) => [value, head(`Content-Length: ${value}`) + rules, unreachable("protocol")],
        ),
      ),
    ],
  },
  {
    id: 28,
    title: "Content-Length and Transfer-Encoding",
    cases: [
      table("both", [
        ["length first", head(length, "Transfer-Encoding: chunked") + oneChunk + "0\r\n\r\n", unreachable("protocol")],
        ["chunked first", head("Transfer-Encoding: chunked", length) + oneChunk + "0\r\n\r\n", unreachable("protocol")],
        ["chunked, but no chunk", head("Transfer-Encoding: chunked", length) + rules, unreachable("protocol")],
      ]),
    ],
  },
  {
    id: 29,
    title: "Malformed or unterminated chunks",
    cases: [
      table("chunks", [
        ["in order", `${chunked}${oneChunk}0\r\n\r\n`, ruled(2)],
        ["no number", `${chunked}zz\r\n${rules}\r\n0\r\n\r\n`, unreachable("protocol")],
        ["negative", `${chunked}-5\r\n${rules}\r\n0\r\n\r\n`, unreachable("protocol")],
        ["2^68 octets", `${chunked}fffffffffffffffff\r\n${rules}\r\n0\r\n\r\n`, unreachable("protocol")],
        ["a size smaller than its chunk", `${chunked}5\r\n${rules}\r\n0\r\n\r\n`, unreachable("protocol")],
        ["a size larger than its chunk", `${chunked}ff\r\n${rules}\r\n0\r\n\r\n`, unreachable("incomplete")],
        ["no end", chunked + oneChunk, unreachable("incomplete")],
        ["an end without its empty line", `${chunked}${oneChunk}0\r\n`, unreachable("incomplete")],
        ["cut in a size", `${chunked}${oneChunk}6`, unreachable("incomplete")],
      ]),
    ],
  },
  {
    id: 30,
    title: "600,000 chunks of one octet",
    cases: [
      served(
        "a rule, then comments",
        bytes(chunked + chunksOf(`${rules}${"#".repeat(600_000)}`, 1), "0\r\n\r\n"),
        ruled(2),
        {
          check: ([outcome]) => {
            const { body, truncated } = outcome!.loaded.stored;
            // The comment that the limit cuts is not a line of the file.
            return body?.length === rules.length && truncated === true ? [] : [`${body?.length} octets, ${truncated}`];
          },
        },
      ),
    ],
  },
  {
    id: 31,
    title: "Long chunk extensions, many trailers",
    cases: [
      table("beside the body", [
        [
          "an extension of 60 KiB",
          `${chunked}${rules.length.toString(16)};x=${"y".repeat(61_440)}\r\n${rules}\r\n0\r\n\r\n`,
          ruled(2),
        ],
        [
          "an extension of 1 MiB",
          `${chunked}${rules.length.toString(16)};x=${"y".repeat(1_048_576)}\r\n${rules}\r\n0\r\n\r\n`,
          unreachable("headers-too-large"),
        ],
        [
          "50,000 trailers",
          `${chunked}${oneChunk}0\r\n${Array.from({ length: 50_000 }, (_, i) => `X-${i}: v\r\n`).join("")}\r\n`,
          unreachable("headers-too-large"),
        ],
      ]),
      ...(
        [
          ["a size without end", chunked, "0".repeat(65_536)],
          ["an extension without end", `${chunked}5;x=`, "y".repeat(65_536)],
          ["an extension at each octet, without end", chunked, `1;x=${"y".repeat(8_000)}\r\nU\r\n`.repeat(8)],
        ] as const
      ).map(([what, first, piece]) =>
        served(what, endless(first, piece), unreachable("headers-too-large"), { maxBytes: 1_500_000 }),
      ),
    ],
  },
  {
    id: 32,
    title: "Transfer codings other than chunked",
    cases: [
      table(
        "Transfer-Encoding",
        ["gzip, chunked", "foo", "chunked, chunked", "chunked, gzip", "xchunked", "chunked;q=1"].map((coding) => [
          coding,
          `${head(`Transfer-Encoding: ${coding}`)}${oneChunk}0\r\n\r\n`,
          unreachable("protocol"),
        ]),
      ),
    ],
  },
  {
    id: 33,
    title: "Too many header fields",
    cases: [
      table("too much", [
        [
          "one field of 100 KiB",
          head(length, `X-Long: ${"a".repeat(102_400)}`) + rules,
          unreachable("headers-too-large"),
        ],
        [
          "one field of 1 MiB",
          head(length, `X-Long: ${"a".repeat(1_048_576)}`) + rules,
          unreachable("headers-too-large"),
        ],
        [
          "10,000 fields",
          head(length, ...Array.from({ length: 10_000 }, (_, i) => `X-${i}: value`)) + rules,
          unreachable("headers-too-large"),
        ],
        ["one name of 100 KiB", head(length, `${"X".repeat(102_400)}: 1`) + rules, unreachable("headers-too-large")],
        ["60 KiB, which is not too much", head(length, `X-Long: ${"a".repeat(60_000)}`) + rules, ruled(2)],
      ]),
      served(
        "a status line that never ends",
        endless("HTTP/1.1 200 O", "K".repeat(65_536)),
        unreachable("headers-too-large"),
        { maxBytes: 1_000_000 },
      ),
      served(
        "a head that never ends",
        (socket) => {
          socket.write("HTTP/1.1 200 OK\r\n");
          const timer = setInterval(() => socket.write(`X: ${"a".repeat(8_000)}\r\n`), 1);
          socket.on("close", () => clearInterval(timer));
        },
        unreachable("headers-too-large"),
        { maxBytes: 4_000_000 },
      ),
    ],
  },
  {
    id: 34,
    title: "Header fields that violate the grammar",
    cases: [
      table("fields", [
        ["a NUL in a value", head(length, "X-A: b\u0000c") + rules, unreachable("protocol")],
        ["a NUL in a name", head(length, "X\u0000A: b") + rules, unreachable("protocol")],
        ["a blank before the colon", head("Content-Length : 5") + rules, unreachable("protocol")],
        ["no colon", head(length, "just words") + rules, unreachable("protocol")],
        ["a folded field", `HTTP/1.1 200 OK\r\nX-Folded: a\r\n b\r\n${length}\r\n\r\n${rules}`, ruled(2)],
        ["LF alone", `HTTP/1.1 200 OK\n${length}\n\n${rules}`, ruled(2)],
        ["control characters in a value", head(length, "X-Odd: a\u0001\u001bb") + rules, ruled(2)],
        ["UTF-8 in a value", head(length, "X-Name: \u00c3\u00a9") + rules, ruled(2)],
        ["an empty name", head(length, ": nothing") + rules, unreachable("protocol")],
      ]),
    ],
  },
  {
    id: 35,
    title: "Old versions of HTTP",
    cases: [
      table("versions", [
        ["1.0, ended by the close", `HTTP/1.0 200 OK\r\n\r\n${rules}`, ruled(2)],
        ["1.0, with a length", `HTTP/1.0 200 OK\r\n${length}\r\n\r\n${rules}`, ruled(2)],
        ["0.9", rules, unreachable("protocol")],
        ["2.7", `HTTP/2.7 200 OK\r\n${length}\r\n\r\n${rules}`, ruled(2)],
        ["ICY", `ICY 200 OK\r\n${length}\r\n\r\n${rules}`, unreachable("protocol")],
      ]),
    ],
  },
  {
    id: 36,
    title: "Another protocol than HTTP on the port",
    cases: [
      table("octets", [
        ["garbage", Uint8Array.from({ length: 512 }, (_, i) => (i * 97) & 0xff), unreachable("protocol")],
        ["HTTP/2 settings", "\u0000\u0000\u0012\u0004\u0000\u0000\u0000\u0000\u0000", unreachable("protocol")],
        ["a TLS alert", "\u0015\u0003\u0003\u0000\u0002\u0002\u0028", unreachable("protocol")],
        ["an SSH banner", "SSH-2.0-OpenSSH_9.9\r\n", unreachable("protocol")],
        ["an SMTP banner", "220 mail.example ESMTP\r\n", unreachable("protocol")],
        ["NULs", new Uint8Array(100), unreachable("protocol")],
        ["nothing", "", unreachable("closed")],
      ]),
    ],
  },
]);
