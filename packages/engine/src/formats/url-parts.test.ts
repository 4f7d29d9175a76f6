// Tests URLs that are composed of several fields of a record, in JSON objects and CSV, for chunks of several sizes.
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import type { Batch } from "../records/batch.ts";
import { Input } from "../sources/input.ts";
import { inputFormats, outputFormats } from "./registry/registry.ts";
import { composedUrlOf, type PartTexts, templatedUrlOf, type UrlParts, urlTemplateOf } from "./url-parts.ts";
import { readAll } from "../../test/reading.ts";

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

async function readInPieces(text: string, chunkBytes: number, urlField: UrlParts, output: string): Promise<string[]> {
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
const composed = ["https://a.example/x?q=1", "http://b.example:81/é"];

describe.each<[what: string, text: string, parts: UrlParts, found: readonly string[]]>([
  [
    "objects",
    `{"host":"a.example","path":"/x","query":"q=1","scheme":"https","n":1}
{"scheme":"http","path":"\\/\\u00e9","host":"b.example:81","query":null}
{"path":"/x","scheme":"https"}
{"host":"a.example","path":7}
`,
    all,
    [...composed, "3:no-host", "4:url-not-text"],
  ],
  [
    "nested objects",
    `{"request":{"host":"a.example","path":"/x?q=1"}}
{"request":{"path":"http://b.example:81/é"}}
{"request":{"path":"/x"}}
`,
    nested,
    [...composed, "3:no-host"],
  ],
  [
    "rows",
    `host,path,scheme,query
a.example,/x,https,q=1
b.example:81,"/é",http,
,/x,https,-
`,
    all,
    [...composed, "4:no-host"],
  ],
])("%s", (_what, text, parts, found) => {
  test.each([1, 7, 100_000])("in chunks of %i bytes", async (chunkBytes) => {
    for (const output of ["ndjson", "csv"]) {
      expect((await readInPieces(text, chunkBytes, parts, output)).toSorted()).toEqual([...found].toSorted());
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
  await expect(readInPieces(text, 1_000, parts, "ndjson")).rejects.toThrow(message);
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

test.each<[template: string, fields: readonly (string | undefined)[], url: string]>([
  ["{scheme}://{host}{uri}", ["https", "a.example", "/x?y"], "https://a.example/x?y"],
  ["{scheme}://{host}{uri}", ["HTTP", "a.example:8080", "//x"], "HTTP://a.example:8080//x"],
  ["{scheme}://{host}{uri}", ["https", "a.example", undefined], "https://a.example"],
  ["https://{host}:{port}{path}?{query}", ["a.example", "8443", "/x", "y=1"], "https://a.example:8443/x?y=1"],
  ["https://{host}{path}?{query}", ["a.example", "/x", "-"], "https://a.example/x"],
  ["https://{host}{port}{path}", ["a.example", ":8443", "/x"], "https://a.example:8443/x"],
  ["https://{sub}.example.com/{path}", ["a", "x y"], "https://a.example.com/x%20y"],
  ["{origin}{path}", ["https://a.example", "/x"], "https://a.example/x"],
  ["{url}", ["https://a.example/x"], "https://a.example/x"],
  ["{path}?{query}", ["/x", "y"], "http://base.example:8080/x?y"],
  // Without a host, the base counts.
  ["{scheme}://{host}{uri}", ["https", undefined, "/x"], "http://base.example:8080/x"],
  ["{scheme}://{host}:{port}{uri}", ["https", "-", "8443", "/x"], "http://base.example:8080/x"],
])("%s with %j: %s", (template, fields, url) => {
  expect(templatedUrlOf(urlTemplateOf(template).template, fields, base)).toBe(url);
});

test.each<[template: string, fields: readonly (string | undefined)[], code: string]>([
  ["{scheme}://{host}{uri}", ["ftp", "a.example", "/"], "no-url"],
  ["{scheme}://{host}{uri}", [undefined, "a.example", "/"], "no-url"],
  ["https://{sub}.example.com{uri}", [undefined, "/x"], "no-host"],
  // A text from a client must not name a host other than the one in the host's field.
  ["{scheme}://{host}{uri}", ["https", "a.example", ".evil.example/"], "no-url"],
  ["{scheme}://{host}{uri}", ["https", "a.example", "@evil.example/"], "no-url"],
  ["{scheme}://{host}{uri}", ["https", "a.example", ":80@evil.example/"], "no-url"],
  ["{scheme}://{host}{uri}", ["https", "a.example", "*"], "no-url"],
  ["{scheme}://{host}{uri}", ["https", "a.example/b", "/x"], "no-host"],
  ["{scheme}://{host}{uri}", ["https", "user@a.example", "/x"], "no-host"],
  ["{scheme}://{host}/{uri}", ["https", "a.example?", "x"], "no-host"],
  ["{origin}{path}", ["https://a.example", ".evil.example/"], "no-url"],
  ["{path}", ["x"], "no-url"],
])("%s with %j: no URL, %s", (template, fields, code) => {
  expect(templatedUrlOf(urlTemplateOf(template).template, fields, base)).toMatchObject({ code });
});

test("a path alone needs a base", () => {
  expect(templatedUrlOf(urlTemplateOf("{path}").template, ["/x"], undefined)).toMatchObject({ code: "no-host" });
});

test.each<[template: string, message: RegExp]>([
  ["https://a.example/", /names no field/],
  ["", /names no field/],
  ["{host", /has a "\{" without a "\}"/],
  ["{ho{st}}", /has a "\{" without a "\}"/],
  ["host}", /has a "\}" without a "\{"/],
  ["https://{}", /braces without a name/],
  ["{a}{b}{c}{d}{e}{f}{g}{h}{i}", /names 9 fields; the limit is 8/],
])("%j: wrong usage", (template, message) => {
  expect(() => urlTemplateOf(template)).toThrow(message);
});

test.each<[format: string, text: string, template: string]>([
  [
    "ndjson",
    `{"req":{"host":["a.example"],"headers":[{"name":"x","value":"y"},{"name":"Path","value":"/1"}]}}
{"req":{"headers":[{"name":"path","value":"/2"}],"host":"b.example"}}
{"req":{"host":"c.example"}}
`,
    "https://{req.host}{req.headers.path}",
  ],
  ["csv", "h,p\na.example,/1\nb.example,/2\nc.example,\n", "https://{h}{p}"],
])("nested members and columns: %s", async (name, text, template) => {
  const format = inputFormats.find((each) => each.name === name)!;
  for (const output of ["ndjson", "csv"]) {
    const { urls } = await readAll(format, [Buffer.from(text)], { urlField: urlTemplateOf(template), output });
    expect(urls).toEqual(["https://a.example/1", "https://b.example/2", "https://c.example"]);
  }
});

test.each<[template: string, record: string, url: string | undefined]>([
  [
    "https://{h}:{p}/{id}",
    '{"h":"a.example","p":8443,"id":12345678901234567890}',
    "https://a.example:8443/12345678901234567890",
  ],
  ["https://{h}:{n.p}/{id}", '{"h":"a.example","n":{"p":8443},"id":"x"}', "https://a.example:8443/x"],
  ["https://a.example/{id}", '{"id":7}', "https://a.example/7"],
  ["https://{h}/{id}", '{"h":"a.example","id":null}', "https://a.example/"],
  // The text after the host is not a path.
  ["https://{h}{u}", '{"h":"a.example","u":8}', undefined],
  ["https://{h}/{id}", '{"h":"a.example","id":true}', undefined],
  ["https://{h}/{id}", '{"h":"a.example","id":{"a":1}}', undefined],
  ["https://{h}/{n.id}", '{"h":"a.example","n":{"id":12345678901234567890}}', undefined],
])("%s of %s: %s", async (template, record, url) => {
  const format = inputFormats.find(({ name }) => name === "ndjson")!;
  const { urls, rejects } = await readAll(format, [Buffer.from(`${record}\n`)], { urlField: urlTemplateOf(template) });
  expect([urls, rejects.length]).toEqual(url === undefined ? [[], 1] : [[url], 0]);
});

test("a first record without one of the fields is wrong usage", async () => {
  const format = inputFormats.find(({ name }) => name === "ndjson")!;
  const read = readAll(format, [Buffer.from('{"h":"a.example"}\n')], { urlField: urlTemplateOf("https://{h}{p}") });
  await expect(read).rejects.toThrow(/no field "p"; it has/);
});

test.each<[agentField: string, agents: readonly string[]]>([
  ["ua", ["one", "two"]],
  ["ua.0", ["one", ""]],
  ["list.1.ua", ["nested", ""]],
  ["headers.User-Agent", ["by name", ""]],
])("the field of agentField may be in arrays: %s", async (agentField, agents) => {
  const format = inputFormats.find(({ name }) => name === "ndjson")!;
  const text = `{"url":"https://a.example/","ua":["one"],"list":[{},{"ua":"nested"}],"headers":[{"name":"user-agent","value":"by name"}]}
{"url":"https://a.example/","ua":"two"}
`;
  expect((await readAll(format, [Buffer.from(text)], { agentField })).agents).toEqual(agents);
});
