// Lines of servers in records of journald and Filebeat, and JSON records of nginx without escape=json.
import { expect, test } from "vitest";
import { readAll } from "../../../test/reading.ts";
import { detect } from "../../sources/detect.ts";
import { wrappedLineOf } from "./wrapped.ts";

const line = (path: string): string =>
  `192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET ${path} HTTP/1.1" 200 1 "-" "bingbot/2.0 \u00fc"`;
const nginx = (path: string): string =>
  JSON.stringify({ remote_addr: "192.0.2.1", request_uri: path, status: 200, http_user_agent: "bingbot/2.0" });
const inJournal = (message: unknown): string =>
  JSON.stringify({ __CURSOR: "s=1", __REALTIME_TIMESTAMP: "1", _SYSTEMD_UNIT: "nginx.service", MESSAGE: message });
const inBeat = (message: string, more: object = {}): string =>
  JSON.stringify({
    "@timestamp": "2026-11-21T06:55:09.391Z",
    "@metadata": { beat: "filebeat" },
    message,
    log: { offset: 0, file: { path: "/var/log/nginx/access.log" } },
    agent: { type: "filebeat" },
    ecs: { version: "8.0.0" },
    ...more,
  });

async function read(
  lines: readonly string[],
): Promise<readonly [format: string, urls: readonly string[], rejects: number]> {
  const bytes = Buffer.from(lines.map((each) => `${each}\n`).join(""));
  const { format } = detect("log", bytes, { isAll: true });
  const base = { scheme: "https", host: "a.example" } as const;
  const { urls, rejects } = await readAll(format, [bytes], { base });
  return [format.name, urls, rejects.length];
}

test.each<[what: string, format: string, lines: readonly string[]]>([
  ["journald, combined", "combined", [inJournal(line("/a")), inJournal(line("/b"))]],
  ["journald, bytes", "combined", [inJournal([...Buffer.from(line("/a"))]), inJournal([...Buffer.from(line("/b"))])]],
  ["journald, JSON", "nginx_json", [inJournal(nginx("/a")), inJournal(nginx("/b"))]],
  ["Filebeat, combined", "combined", [inBeat(line("/a")), inBeat(line("/b"))]],
  ["Filebeat, JSON", "nginx_json", [inBeat(nginx("/a")), inBeat(nginx("/b"))]],
])("%s", async (_what, format, lines) => {
  expect(await read(lines)).toEqual([format, ["https://a.example/a", "https://a.example/b"], 0]);
});

test("a line of another program in the journal is a reject", async () => {
  const lines = [inJournal(line("/a")), inJournal("Started nginx."), inJournal(null), inJournal(line("/b"))];
  expect(await read(lines)).toEqual(["combined", ["https://a.example/a", "https://a.example/b"], 2]);
});

test("a record that was made from a message stays as it is", () => {
  expect(wrappedLineOf(inBeat(line("/a"), { url: { original: "/a" } }))).toBeUndefined();
  expect(wrappedLineOf(JSON.stringify({ "@timestamp": "x", message: line("/a") }))).toBeUndefined();
});

test("messages of a server before its first request do not hide the format of its log", async () => {
  const message = '{"level":"info","ts":1.5,"logger":"tls","msg":"cleaning storage unit"}';
  const access =
    '{"level":"info","ts":1782000000.5,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"192.0.2.1","host":"a.example","uri":"/a","tls":{}}}';
  expect(await read([...Array.from({ length: 12 }, () => message), access])).toEqual([
    "caddy",
    ["https://a.example/a"],
    12,
  ]);
  const notice = "2026/11/21 06:55:09 [notice] 1#1: start worker process 29";
  expect(await read([...Array.from({ length: 12 }, () => notice), line("/a")])).toEqual([
    "combined",
    ["https://a.example/a"],
    12,
  ]);
});

test("nginx's JSON without escape=json", async () => {
  const lines = [
    nginx("/a"),
    String.raw`{"remote_addr":"192.0.2.1","request_uri":"/\xC3\xBC?q=\x22b\x22&\x5Cn=\xE9","status":200,"http_user_agent":"a \x22b\x22 \xE2\x80\x99"}`,
    String.raw`{"remote_addr":"192.0.2.1","request_uri":"/c\\x41","status":200,"http_user_agent":"\xZZ"}`,
    String.raw`{"remote_addr":"192.0.2.1","request_uri":"/c\\x41","status":200,"http_user_agent":"-"}`,
  ];
  expect(await read(lines)).toEqual([
    "nginx_json",
    ["https://a.example/a", 'https://a.example/\u00fc?q="b"&\\n=%E9', String.raw`https://a.example/c\x41`],
    1,
  ]);
});
