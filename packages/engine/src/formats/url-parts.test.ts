// Tests URLs that are composed of several fields of a record, in JSON objects and CSV, for chunks of several sizes.
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import type { Batch } from "../records/batch.ts";
import { Input } from "../sources/open.ts";
import { outputFormats } from "./registry/registry.ts";
import { type PartTexts, type UrlParts, composedUrlOf } from "./url-parts.ts";
import { urlTemplateOf } from "./url-template.ts";

const base = { scheme: "http", host: "base.example:8080" } as const;

test.each<[path: string, parts: PartTexts, url: string]>([
  ["/a", { host: "a.example" }, "https://a.example/a"],
  ["/a", { host: "a.example:8443", scheme: "HTTP" }, "http://a.example:8443/a"],
  ["/a", { host: "a.example", query: "b=1" }, "https://a.example/a?b=1"],
  ["/a", { host: "a.example", query: "?b=1" }, "https://a.example/a?b=1"],
  ["/a?c", { host: "a.example", query: "b=1" }, "https://a.example/a?c"],
  ["/a", { host: "a.example", query: "-" }, "https://a.example/a"],
  ["/a", { host: "a.example", query: "" }, "https://a.example/a"],
  ["//a", { host: "a.example" }, "https://a.example//a"],
  ["/a b", { host: "a.example" }, "https://a.example/a%20b"],
  ["https://b.example/x", { host: "a.example" }, "https://b.example/x"],
])("%s with %j: %s", (path, parts, url) => {
  expect(composedUrlOf(path, parts, { base: undefined, urlField: undefined })).toBe(url);
});

test.each<[path: string, parts: PartTexts, url: string]>([
  ["/a", {}, "http://base.example:8080/a"],
  ["/a", { host: "-", scheme: "" }, "http://base.example:8080/a"],
  ["/a", { host: "a.example" }, "http://a.example/a"],
  ["/a", { scheme: "https" }, "https://base.example:8080/a"],
])("%s with %j and a base: %s", (path, parts, url) => {
  expect(composedUrlOf(path, parts, { base, urlField: undefined })).toBe(url);
});

test.each<[path: string, parts: PartTexts, code: string]>([
  ["/a", {}, "no-host"],
  ["/a", { host: "a/b" }, "no-host"],
  ["/a", { host: "user@a.example" }, "no-host"],
  ["a", { host: "a.example" }, "no-url"],
  ["", { host: "a.example" }, "no-url"],
  ["*", { host: "a.example" }, "no-url"],
  ["/a", { host: "a.example", scheme: "ftp" }, "no-url"],
])("%s with %j: no URL, %s", (path, parts, code) => {
  expect(composedUrlOf(path, parts, { base: undefined, urlField: undefined })).toMatchObject({ code });
});

const writers = Object.fromEntries(
  outputFormats.map((format) => [
    format.name,
    () => format.createWriter({ resultKey: "robots", hasDialect: false, hasKind: false, csvSafe: false }),
  ]),
);

async function read(text: string, chunkBytes: number, urlField: UrlParts, output: string): Promise<string[]> {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, at) =>
    bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes),
  );
  const input = new Input(["-"], Readable.from(chunks), {
    format: undefined,
    maxLineBytes: 10_000,
    urlField,
    base: undefined,
  });
  const createWriter = writers[output]!;
  await input.check(createWriter);
  const found: string[] = [];
  for await (const batch of input.batches(createWriter())) found.push(...foundIn(batch));
  return found;
}

function foundIn({ records, rejects }: Batch): string[] {
  const urls = Array.from({ length: records.count }, (_, record) => records.urlOf(record));
  return [...urls, ...rejects.map(({ line, code }) => `${line}:${code}`)];
}

const all: UrlParts = { path: "path", host: "host", scheme: "scheme", query: "query" };
const nested: UrlParts = { path: "request.path", host: "request.host" };
const urls = ["https://a.example/x?q=1", "http://b.example:81/é"];

describe.each<[what: string, text: string, parts: UrlParts, found: readonly string[]]>([
  [
    "objects",
    `{"host":"a.example","path":"/x","query":"q=1","scheme":"https","n":1}
{"scheme":"http","path":"\\/\\u00e9","host":"b.example:81","query":null}
{"path":"/x","scheme":"https"}
{"host":"a.example","path":7}
`,
    all,
    [...urls, "3:no-host", "4:url-not-text"],
  ],
  [
    "nested objects",
    `{"request":{"host":"a.example","path":"/x?q=1"}}
{"request":{"path":"http://b.example:81/é"}}
{"request":{"path":"/x"}}
`,
    nested,
    [...urls, "3:no-host"],
  ],
  [
    "rows",
    `host,path,scheme,query
a.example,/x,https,q=1
b.example:81,"/é",http,
,/x,https,-
`,
    all,
    [...urls, "4:no-host"],
  ],
])("%s", (_what, text, parts, found) => {
  test.each([1, 7, 100_000])("in chunks of %i bytes", async (chunkBytes) => {
    for (const output of ["ndjson", "csv"]) {
      expect((await read(text, chunkBytes, parts, output)).toSorted()).toEqual([...found].toSorted());
    }
  });
});

test.each<[what: string, text: string, parts: UrlParts, message: RegExp]>([
  ["no such field", '{"path":"/x"}\n', all, /no field "host"; it has/],
  ["no such path", '{"host":"a.example"}\n', all, /no field "path"/],
  ["no such column", "path,n\n/x,1\n", { path: "path", host: "host" }, /no field "host"; it has/],
  ["no fields at all", "https://a.example/x\n", all, /pathField and urlTemplate are for JSON objects, CSV and TSV/],
  [
    "a log",
    '192.0.2.7 - - [21/Nov/2026:06:55:01 +0000] "GET https://a.example/ HTTP/1.1" 200 1 "-" "x"\n',
    all,
    /pathField and urlTemplate are for JSON objects, CSV and TSV/,
  ],
])("%s: wrong usage", async (_what, text, parts, message) => {
  await expect(read(text, 1_000, parts, "ndjson")).rejects.toThrow(message);
});

test.each(["_", "*.shop.example", "*:80", "_:443", "default", "", "-", "~^(?<sub>.+)\\.example$"])(
  "a field whose text is %j names no host: the host of base counts",
  (host) => {
    const parts = { path: "path", host: "host" };
    expect(composedUrlOf("/a", { host }, { base, urlField: parts })).toBe("http://base.example:8080/a");
    expect(composedUrlOf("/a", { host }, { base: undefined, urlField: parts })).toMatchObject({ code: "no-host" });
    const template = urlTemplateOf("https://{host}{path}");
    const fields = { part1: "/a" };
    expect(composedUrlOf(host, fields, { base, urlField: template })).toBe("http://base.example:8080/a");
    expect(composedUrlOf(host, fields, { base: undefined, urlField: template })).toMatchObject({ code: "no-host" });
  },
);
