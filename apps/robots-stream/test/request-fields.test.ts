// Tests `--method-field` and `--status-field`: an audit of NDJSON, CSV or TSV counts methods and statuses like an audit of the log.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";

const requests = [
  ["HEAD", "/robots.txt", "200"],
  ["GET", "/robots.txt", "404"],
  ["GET", "/robots.txt", "304"],
  ["GET", "/private/a", "200"],
  ["POST", "/private/b", "403"],
  ["HEAD", "/private/c", "301"],
  ["GET", "/open", "500"],
] as const;
const agent = "Mozilla/5.0 (compatible; GPTBot/1.1)";

const folder = makeFolder();
let robots: string;
beforeAll(() => {
  robots = join(folder, "robots.txt");
  writeFileSync(robots, "User-agent: *\nDisallow: /private\n");
});

async function audit(input: string, flags: readonly string[] = []): Promise<{ document: unknown; stderr: string }> {
  const base = "https://shop.example";
  const args = ["audit", "--base", base, "--robots", robots, "-o", "json", ...flags];
  const { code, stdout, stderr } = await runHere(args, input);
  if (code !== 0) return { document: undefined, stderr };
  const { inputs: _inputs, totals, ...document } = JSON.parse(stdout) as { inputs: unknown; totals: object };
  // The log has no host names, so only its audit counts requests whose origin comes from --base.
  return { document: { ...document, totals: { ...totals, assumedOrigin: 0 } }, stderr };
}

const log = requests
  .map(
    ([method, path, status]) =>
      `192.0.2.1 - - [05/Nov/2026:10:00:00 +0000] "${method} ${path} HTTP/1.1" ${status} - "-" "${agent}"\n`,
  )
  .join("");
const time = "2026-11-05T10:00:00Z";
const ndjson = (objectOf: (method: string, status: string) => object): string =>
  requests
    .map(([method, path, status]) => {
      const record = { url: `https://shop.example${path}`, user_agent: agent, time, ...objectOf(method, status) };
      return `${JSON.stringify(record)}\n`;
    })
    .join("");
const table = (separator: string, names: readonly string[]): string =>
  [
    ["url", "user_agent", "time", ...names].join(separator),
    ...requests.map(([method, path, status]) =>
      [`https://shop.example${path}`, agent, time, method, status].join(separator),
    ),
  ]
    .map((line) => `${line}\n`)
    .join("");

test.each<[what: string, input: string, flags?: readonly string[]]>([
  ["usual names, a status as a number", ndjson((method, status) => ({ method, status: Number(status) }))],
  ["usual names, a status as a text", ndjson((method, status) => ({ request_method: method, status_code: status }))],
  [
    "named members",
    ndjson((method, status) => ({ m: method, s: status })),
    ["--method-field", "m", "--status-field", "s"],
  ],
  [
    "nested members",
    ndjson((method, status) => ({ request: { method }, response: { status: Number(status) } })),
    ["--method-field", "request.method", "--status-field", "response.status"],
  ],
  ["an escaped method", ndjson((method, status) => ({ method, status })).replaceAll('"HEAD"', '"H\\u0045AD"')],
  ["CSV", table(",", ["method", "status"])],
  ["CSV, by the number of the column", table(",", ["a", "b"]), ["--method-field", "4", "--status-field", "5"]],
  ["TSV", table("\t", ["cs-method", "sc-status"])],
])("the audit equals that of the log: %s", async (_what, input, flags) => {
  const { document: expected } = await audit(log);
  const { document, stderr } = await audit(input, flags);
  expect(stderr).toBe("");
  expect(document).toEqual(expected);
});

test("fetches of robots.txt are counted by method and status", async () => {
  const { document } = await audit(ndjson((method, status) => ({ method, status: Number(status) })));
  const { origins } = document as {
    origins: readonly { fetches: readonly unknown[][]; answers: readonly unknown[][] }[];
  };
  const fetches = origins[0]!.fetches.map((row) => row.join(" "));
  expect(fetches).toHaveLength(3);
  for (const each of ["HEAD 200", "GET 404", "GET 304"]) expect(fetches.join("\n")).toContain(each);
});

test("records may lack the method and the status", async () => {
  const { document, stderr } = await audit(ndjson(() => ({})));
  expect(stderr).toBe("");
  expect(document).toMatchObject({ totals: { requests: requests.length } });
});

test.each(["method", "status"])("a --%s-field that the input lacks is reported", async (name) => {
  const { document, stderr } = await audit(
    ndjson(() => ({})),
    [`--${name}-field`, "nothing"],
  );
  expect(document).toBeUndefined();
  expect(stderr).toMatch(new RegExp(`no field "nothing" \\(--${name}-field\\)`));
});

test("in a log, the flags may only name the log's own fields", async () => {
  expect((await audit(log, ["--method-field", "method", "--status-field", "status"])).document).toEqual(
    (await audit(log)).document,
  );
  expect((await audit(log, ["--method-field", "verb"])).stderr).toMatch(/no field "verb" \(--method-field\)/);
});

test("in a run that writes rows, --method-field needs --as-of-record", async () => {
  const { code, stderr } = await runHere(["--agent", "GPTBot", "--method-field", "m"], "{}");
  expect([code, stderr.split("\n")[0]]).toEqual([
    2,
    "robots-stream: --method-field needs --as-of-record: without it, no row depends on the method",
  ]);
});
