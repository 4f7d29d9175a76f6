// Tests the URLs that templates make from fields of records, and the reasons why a record has no URL.
import { expect, test } from "vitest";
import { readAll } from "../../test/reading.ts";
import { inputFormats } from "./registry/registry.ts";
import { templatedUrlOf, urlTemplateOf } from "./url-template.ts";

const base = { scheme: "http", host: "base.example" } as const;

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
  ["{path}?{query}", ["/x", "y"], "http://base.example/x?y"],
  // Without a host, the base counts.
  ["{scheme}://{host}{uri}", ["https", undefined, "/x"], "http://base.example/x"],
  ["{scheme}://{host}:{port}{uri}", ["https", "-", "8443", "/x"], "http://base.example/x"],
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
