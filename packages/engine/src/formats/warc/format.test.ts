// Tests the rows of web archives, one for each response, for chunks of several sizes and after resume points; and the errors of damage.
import { describe, expect, test } from "vitest";
import { batchesOf, chunksOf, joined, readAll } from "../../../test/reading.ts";
import { detect } from "../../sources/detect.ts";
import { warc } from "./format.ts";

function recordOf(type: string, fields: Readonly<Record<string, string>>, block: string, end = "\r\n"): string {
  const head = { "WARC-Type": type, ...fields, "Content-Length": String(Buffer.byteLength(block)) };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  return ["WARC/1.0", ...lines, "", block, "", ""].join(end);
}

const uri = (path: string): string => `https://a.example${path}`;
const request = (path: string, agent?: string): string =>
  recordOf(
    "request",
    { "WARC-Target-URI": uri(path) },
    `GET ${path} HTTP/1.1\r\nHost: a.example\r\n${agent === undefined ? "" : `user-agent:  ${agent}\r\n`}\r\nUser-Agent: no\r\n`,
  );
const response = (path: string, status = 200, type = "response"): string =>
  recordOf(
    type,
    { "WARC-Date": "2025-01-02T03:04:05Z", "WARC-Target-URI": uri(path) },
    `HTTP/1.1 ${status} OK\r\nServer: x\r\n\r\nbody\r\n\r\n`,
  );

const file = [
  recordOf("warcinfo", {}, "software: x\r\nhttp-header-user-agent: CCBot/2.0\r\n"),
  request("/1", "bingbot/2.0"),
  response("/1"),
  recordOf("metadata", { "WARC-Target-URI": uri("/1") }, "fetchTimeMs: 1"),
  response("/2", 404),
  request("/3"),
  response("/3?\u00fc", 301, "revisit"),
  recordOf("response", {}, "HTTP/1.1 200 OK\r\n\r\n"),
  recordOf("response", { "WARC-Target-URI": "<dns:a.example>" }, "a.example. 1 IN A 192.0.2.1", "\n"),
].join("");

const rows = [
  '{"url":"https://a.example/1","time":"2025-01-02T03:04:05Z","status":200,"user_agent":"bingbot/2.0"',
  '{"url":"https://a.example/2","time":"2025-01-02T03:04:05Z","status":404,"user_agent":"CCBot/2.0"',
  '{"url":"https://a.example/3?\u00c3\u00bc","time":"2025-01-02T03:04:05Z","status":301,"user_agent":"CCBot/2.0"',
  '{"url":"dns:a.example","user_agent":"CCBot/2.0"',
];

test("a row for each response, with the User-Agent header of its request or of all requests", async () => {
  const result = await readAll(warc, [Buffer.from(file)], { agentField: "user_agent" });
  expect(result).toMatchObject({
    heads: rows,
    urls: [uri("/1"), uri("/2"), uri("/3?\u00fc"), "dns:a.example"],
    agents: ["bingbot/2.0", "CCBot/2.0", "CCBot/2.0", "CCBot/2.0"],
    rejects: [{ line: 8, code: "no-url-field", text: expect.stringContaining("warc-type: response") }],
  });
  expect(detect("stdin", Buffer.from(file)).format.name).toBe("warc");
  for (const length of [1, 2, 7, 100]) {
    expect(await readAll(warc, chunksOf(Buffer.from(file), length), { agentField: "user_agent" })).toEqual(result);
  }
});

test("a CSV row has an empty field for each value that its record lacks", async () => {
  const { heads } = await readAll(warc, [Buffer.from(file)], { output: "csv" });
  expect(heads.at(-1)).toBe("dns:a.example,,,CCBot/2.0");
});

test("rows are output before the next record arrives", async () => {
  const parts = await batchesOf(warc, [Buffer.from(response("/1")), Buffer.from(response("/2"))]);
  expect(parts.map(({ urls }) => urls)).toEqual([[uri("/1")], [uri("/2")]]);
});

test("reading continues from any resume point", async () => {
  const bytes = Buffer.from(file);
  for (const length of [1, 50, 301, bytes.length]) {
    const parts = await batchesOf(warc, chunksOf(bytes, length), { givesPlaces: true });
    for (const [index, { place, writer }] of parts.entries()) {
      expect(place).toBeDefined();
      const from = JSON.parse(JSON.stringify(place)) as NonNullable<typeof place>;
      const rest = [bytes.subarray(from.offset)];
      expect(joined(await batchesOf(warc, rest, { from, known: writer }))).toMatchObject({
        heads: parts.slice(index + 1).flatMap(({ heads }) => heads),
        rejects: parts.slice(index + 1).flatMap(({ rejects }) => rejects),
      });
    }
  }
});

describe("damage", () => {
  test.each<[what: string, text: string, message: RegExp]>([
    ["cut short", file.slice(0, -5), /^test: record 9 is cut short$/],
    ["a record without a length", `${response("/1")}WARC/1.0\r\nWARC-Type: response\r\n\r\n`, /record 2 has no length/],
    ["no record", `${response("/1")}oops\r\n\r\n`, /record 2 is not a WARC record/],
  ])("%s: the records before it are read", async (_what, text, message) => {
    const seen: string[] = [];
    const read = async (): Promise<void> => {
      const options = { lineEnd: "\n", maxLineBytes: 1_000, urlField: undefined, base: undefined } as const;
      const writer = { startRows: () => true, headOfFields: (_: unknown, [url]: readonly unknown[]) => String(url) };
      const settings = { ...options, source: "test", writer: writer as never };
      async function* chunks(): AsyncGenerator<Uint8Array> {
        yield await Promise.resolve(Buffer.from(text));
      }
      for await (const { records } of warc.read(chunks(), settings)) {
        for (let record = 0; record < records.count; record++) seen.push(records.headOf(record));
      }
    };
    await expect(read()).rejects.toThrow(message);
    expect(seen[0]).toBe(uri("/1"));
  });

  test("fields that a web archive does not have are wrong usage", async () => {
    await expect(readAll(warc, [], { agentField: "ua" })).rejects.toThrow("agentField");
    await expect(readAll(warc, [], { urlField: "uri" })).rejects.toThrow('no field "uri"');
    await expect(readAll(warc, [], { time: { field: "date" } })).rejects.toThrow('no field "date"');
  });

  test("a block of two megabytes is passed over", async () => {
    const large = recordOf("response", { "WARC-Target-URI": uri("/1") }, `HTTP/1.1 200 OK\r\n${"x".repeat(2_000_000)}`);
    const { urls } = await readAll(warc, chunksOf(Buffer.from(large + response("/2")), 65_536));
    expect(urls).toEqual([uri("/1"), uri("/2")]);
  });
});
