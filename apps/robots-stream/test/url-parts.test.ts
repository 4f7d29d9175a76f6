// Tests that records whose URL is in several fields are decided, and that wrong usage of the flags that name these fields is refused.
import { expect, test } from "vitest";
import { runHere } from "./here.ts";

const asked = ["--agent", "bingbot", "--robots", "examples/robots"];
const objects = `{"host":"shop.example","uri":"/cart","args":"a=1"}
{"host":"shop.example","uri":"/shoes","args":""}
{"host":"","uri":"/shoes"}
`;
const rows = `host,uri,args
shop.example,/cart,a=1
shop.example,/shoes,
,/shoes,
`;
const template = ["--url-template", "https://{host}{uri}?{args}"];
const fields = ["--host-field", "host", "--path-field", "uri", "--query-field", "args"];

test.each<[what: string, stdin: string, ...args: string[]]>([
  ["NDJSON", objects],
  ["NDJSON to CSV", objects, "-o", "csv"],
  ["CSV", rows],
  ["CSV to CSV", rows, "-o", "csv"],
  ["a template, NDJSON", objects, ...template],
  ["a template, CSV", rows, ...template],
])("a URL in several fields: %s", async (_what, stdin, ...args) => {
  const named = args.includes("--url-template") ? [] : fields;
  const { code, stdout, stderr } = await runHere([...asked, ...named, ...args], stdin);
  expect(stderr).toMatch(/:[34]: does not name the host of the request/);
  expect(stdout).toMatch(/cart.*disallow: \/cart/);
  expect(stdout).toMatch(/shoes.*no-rule/);
  expect(code).toBe(0);
});

test("detect shows the URL", async () => {
  const { code, stdout } = await runHere(["detect", ...fields], objects);
  expect(stdout).toMatch(/URL\s+https:\/\/shop\.example\/cart\?a=1\n/);
  expect(code).toBe(0);
});

test.each<[args: string[], message: RegExp]>([
  [["--host-field", "host"], /--host-field needs --path-field/],
  [["--query-field", "args", "--url-field", "url"], /--query-field needs --path-field/],
  [["--path-field", "uri"], /--path-field needs the host of the URLs/],
  [[...template, "--host-field", "host"], /--url-template and --host-field cannot be combined/],
  [["--url-template", "https://{host}{path}"], /no field "path" \(--url-template\)/],
  [["--url-template", "https://{host"], /has a "\{" without a "\}"/],
  [[...fields, "--url-field", "url"], /--url-field and --path-field cannot be combined/],
  [[...fields, "--scheme-field", "proto"], /no field "proto" \(--scheme-field\)/],
])("%j: wrong usage", async (args, message) => {
  const { code, stdout, stderr } = await runHere([...asked, ...args], objects);
  expect(stderr).toMatch(message);
  expect([code, stdout]).toEqual([2, ""]);
});

const paths = '{"host":"shop.example","url":"/cart","user_agent":"bingbot/2.0","time":"2026-11-21T08:00:00Z"}\n';
const other = ["--base", "https://base.example", "--robots", "examples/robots"];

test.each<[what: string, ...args: string[]]>([
  ["decide", "--agent", "bingbot"],
  ["decide with agents of records", "--agent-field", "user_agent"],
  ["audit", "audit", "-"],
])("the host of a record is not replaced by --base: %s", async (_what, ...args) => {
  const { code, stdout, stderr } = await runHere([...args, ...other], paths);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("its field host names another host than --base");
  expect(stderr).toContain("--path-field url --host-field host");
});

test("an audit reads the host of a record", async () => {
  const named = ["audit", "-", "--path-field", "url", "--host-field", "host", "-o", "json"];
  const { code, stdout } = await runHere([...named, ...other], paths);
  expect([code, Object.keys(JSON.parse(stdout) as object).length > 0]).toEqual([0, true]);
  expect(stdout).toContain('"https://shop.example"');
  expect(stdout).not.toContain('"https://base.example"');
});
