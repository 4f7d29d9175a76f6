// Tests records whose URL is a path beside a field with another host than `base`.
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { Input } from "../sources/input.ts";
import { columnsOf } from "../sources/parquet-file.ts";
import { outputFormats } from "./registry/registry.ts";
import type { UrlField } from "./url-parts.ts";
import { useProgramWords } from "../../test/program-words.ts";

useProgramWords();

const base = { scheme: "https", host: "base.example" } as const;

/** The URLs, then the rejects as "line:code", in either order of the output formats; or the code of the error. */
async function read(text: string, urlField?: UrlField, output = "ndjson"): Promise<readonly string[]> {
  const format = outputFormats.find(({ name }) => name === output)!;
  const writer = format.createWriter({ resultKey: "robots", hasDialect: false, hasKind: false, csvSafe: false });
  const input = new Input(["-"], Readable.from([Buffer.from(text)]), {
    format: undefined,
    maxLineBytes: 10_000,
    urlField,
    base,
  });
  const found: string[] = [];
  try {
    for await (const { records, rejects } of input.batches(writer)) {
      for (let record = 0; record < records.count; record++) found.push(records.urlOf(record));
      found.push(...rejects.map(({ line, code }) => `${line}:${code}`));
    }
  } catch (error) {
    found.push((error as { readonly code: string }).code);
  }
  return found.toSorted();
}

const refused = ["ERR_UNASKED_HOST"];
const ofBase = ["https://base.example/a?b=c"];

const records: readonly (readonly [record: object, found: readonly string[]])[] = [
  ...["host", "http_host", "server_name", "vhost", "domain", "Host", "x-forwarded-host", "virtual_host"].map(
    (name) => [{ [name]: "shop.example", url: "/a?b=c" }, refused] as const,
  ),
  [{ host: "192.0.2.7:8080", url: "/a?b=c" }, refused],
  [{ host: "web-1", url: "/a?b=c" }, refused],
  [{ url: "/a?b=c", hostname: "shop.example" }, refused],
  [{ url: "/a?b=c", request: { host: "shop.example" } }, refused],
  [{ url: "/a?b=c", req: { headers: { host: "shop.example:443" } } }, refused],
  // Later records may have another nested host.
  [{ url: "/a?b=c", headers: { host: "base.example" } }, refused],
  ...["ssl_server_name", "req_host", "http_x_original_host"].map(
    (name) => [{ [name]: "shop.example", url: "/a?b=c" }, refused] as const,
  ),
  // The same host, no host, and the machine that wrote the record.
  [{ host: "BASE.example:443", url: "/a?b=c" }, ofBase],
  [{ host: "_", url: "/a?b=c" }, ofBase],
  [{ host: "", url: "/a?b=c" }, ofBase],
  [{ host: null, url: "/a?b=c" }, ofBase],
  [{ host: { name: "web-1.shop.example" }, url: "/a?b=c" }, ofBase],
  [{ hostname: "web-1", url: "/a?b=c" }, ofBase],
  [{ host: "two words", url: "/a?b=c" }, ofBase],
  [{ host: "shop.example", url: "https://base.example/a?b=c" }, ofBase],
];

describe.each(["ndjson", "csv"])("output %s", (output) => {
  test.each(records)("%j", async (record, found) => {
    expect(await read(`${JSON.stringify(record)}\n`, undefined, output)).toEqual(found);
  });
});

test("a later record with another host is a reject", async () => {
  const lines = ['{"url":"/1"}', '{"url":"/2","host":"shop.example"}', '{"url":"\\/3","vhost":"\\u0073hop.example"}'];
  const found = await read(`${lines.join("\n")}\n`);
  expect(found).toEqual(["2:no-host", "3:no-host", "https://base.example/1"]);
});

test.each([",", "\t"])("tables with %j", async (delimiter) => {
  const table = (...rows: readonly string[]): string => `${rows.join("\n")}\n`.replaceAll("|", delimiter);
  expect(await read(table("Host|url", "shop.example|/a"))).toEqual(refused);
  expect(await read(table("vhost|url", "-|/1", "base.example|/2", "shop.example|/3"))).toEqual([
    "4:no-host",
    "https://base.example/1",
    "https://base.example/2",
  ]);
});

test("a field that the user named is read, or left out", async () => {
  const text = '{"host":"shop.example","url":"/a?b=c"}\n';
  expect(await read(text, { path: "url", host: "host" })).toEqual(["https://shop.example/a?b=c"]);
  expect(await read(text, { path: "url" })).toEqual(ofBase);
  expect(await read(text, "url")).toEqual(refused);
});

test("columns of Parquet files that may name a host are read", () => {
  const names = ["id", "vhost", "url"];
  expect(columnsOf(names, { urlField: undefined, base })).toEqual(["vhost", "url"]);
  expect(columnsOf(names, { urlField: undefined })).toEqual(["url"]);
  expect(columnsOf(names, { urlField: { path: "url" }, base })).toEqual(["url"]);
});

test.each([
  ["a member", '{"url":"/a","host":"shop.example"}\n', "the field host", "pathField url hostField host"],
  ["a nested member", '{"url":"/a","request":{"host":"shop.example"}}\n', "a nested field", "hostField NAME"],
  ["a column", "url,Host\n/a,shop.example\n", "the field Host", "pathField url hostField Host"],
  ["a placeholder", "url,Host\n/a,*.shop.example\n", undefined, "base https://example.com"],
  ["no such member", '{"url":"/a"}\n', undefined, "base https://example.com"],
])("without a base, %s with a host is named first", async (_what, text, where, flags) => {
  const writer = outputFormats[0]!.createWriter({
    resultKey: "robots",
    hasDialect: false,
    hasKind: false,
    csvSafe: false,
  });
  const options = { format: undefined, maxLineBytes: 10_000, urlField: undefined, base: undefined };
  const input = new Input(["-"], Readable.from([Buffer.from(text)]), options);
  const readAll = async (): Promise<void> => {
    for await (const _batch of input.batches(writer));
  };
  await expect(readAll()).rejects.toMatchObject({
    code: "ERR_NO_URLS",
    message: expect.stringContaining(where ?? "they begin with a slash"),
    hint: expect.stringContaining(flags),
  });
});
