// robots-stream audit and merge, end to end: the report of the example log, parts that merge, hostile lines, wrong usage, exit codes.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { lineOfEntry } from "@robots-stream/engine/archives";
import { describe, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { bytesHere, runHere } from "./here.ts";
import { root, recordsOf } from "./run.ts";
import { portOf } from "./servers.ts";

const examples = `${root}examples/audit/`;
const log = `${examples}access.log`;
const judged = ["--base", "https://shop.example", "--robots-history", `${examples}seen`];

const run = (argv: readonly string[], stdin?: string | Uint8Array): ReturnType<typeof runHere> =>
  runHere(argv, stdin, { COLUMNS: "100" });
const audit = (argv: readonly string[], stdin?: string | Uint8Array): ReturnType<typeof runHere> =>
  run(["audit", ...argv], stdin);

interface Counted {
  readonly inputs: readonly { readonly rejects: unknown }[];
  readonly totals: Readonly<Record<string, number>>;
  readonly otherAgents: unknown;
  readonly origins: readonly {
    readonly origin: string;
    readonly isKnown: boolean;
    readonly isShared?: boolean;
    readonly times: readonly (readonly unknown[])[];
  }[];
}

/** The counts of a JSON report, without the inputs, which differ between splits. */
const countsOf = (json: string): unknown => ({ ...(JSON.parse(json) as Counted), inputs: [] });

/** Number of requests by state, over all origins. */
function statesOf(json: string): Record<string, number> {
  const states: Record<string, number> = {};
  for (const [, , , state, , requests] of (JSON.parse(json) as Counted).origins.flatMap(({ times }) => times)) {
    states[state as string] = (states[state as string] ?? 0) + (requests as number);
  }
  return states;
}

const folder = makeFolder();

function put(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const rules = "User-agent: *\nDisallow: /private\n";
const line = (
  target: string,
  agent = "bingbot/2.0",
  more: { time?: string; method?: string; status?: string } = {},
): string =>
  `192.0.2.1 - - [${more.time ?? "10/Nov/2026:08:00:00 +0000"}] "${more.method ?? "GET"} ${target} HTTP/1.1" ${more.status ?? "200"} 10 "-" "${agent}"\n`;

test("the example: the report as text", async () => {
  expect(await audit([log, ...judged])).toEqual({
    code: 0,
    stderr: "",
    stdout: `shop.example · 2 to 29 November 2026 UTC · 206 lines, 176 requests by 5 crawlers
Judged by the robots.txt of 1 November and 13 November. Its state was seen before and after every
judged request; nothing is assumed.
1 line is not counted as a request: 1 not-http.

       26  requests calling themselves Bytespider crossed disallow: /cart (line 2) between 4
           November and 29 November; its operator does not say whether it obeys
        2  requests calling themselves GPTBot crossed disallow: /search (line 4) between 14 November
           and 20 November; 2 more in grace
        1  request calling itself GPTBot, sent after a client of that name had fetched the new
           robots.txt of 13 November, asked for what that file disallows
        1  crawler fetched robots.txt, is restricted by it, and crossed nothing: Googlebot (no
           check, 56 judged requests)
       26  requests calling themselves Bytespider were served although robots.txt disallows them
           between 4 November and 29 November: all with status 200, of 26 disallowed; its operator
           does not say whether it obeys
        1  request calling itself ChatGPT-User would be disallowed; robots.txt does not bind it

  crawler       requests  identity  grace  violations  not bound  undecidable  allowed  robots.txt
  Googlebot           85  no check      –           0          –            1       56          28
  Bytespider          52  no check      –         †26          –            –       26           –
  bingbot             29  no check      –           0          –            –       25           4
  GPTBot               8  no check      2           2          –            –        3           1
  ChatGPT-User         2  no check      –  1 would be          2            –        –           –
  † its operator does not say whether it obeys

  purpose       requests  days  refused  violations  crawlers
  search             114    28        –           0  Googlebot, bingbot
  AI training         60    26        –         †28  Bytespider, GPTBot
  AI assistant         2     1        –           –  ChatGPT-User

  operator   requests  days  refused  violations  for
  Google           85    28        –           0  search
  ByteDance        52    26        –         †26  AI training
  Microsoft        29    25        –           0  search, AI search
  OpenAI           10     6        –           2  AI training, AI assistant
  † its operator does not say whether it obeys

“robots-stream agents ai-training --output robots” writes the group of robots.txt that refuses the
crawlers for AI training. Its names Google-Extended and Applebot-Extended, which no request carries,
refuse training with what the other crawlers of Google and Apple fetch. “robots-stream agents
--help” lists the other sets.
`,
  });
});

test("the example: every state, total and reject", async () => {
  const { stdout } = await audit([log, ...judged, "-o", "json"]);
  expect(statesOf(stdout)).toEqual({
    "robots-txt": 33,
    "undecidable:asterisk": 1,
    allowed: 110,
    violation: 28,
    grace: 2,
    "not-bound:allowed": 1,
    "not-bound:violation": 1,
  });
  const { totals, otherAgents, inputs } = JSON.parse(stdout) as Counted;
  expect(totals).toMatchObject({ requests: 205, notACrawler: 29, otherAgents: 1, withoutTime: 0, assumedOrigin: 204 });
  expect(otherAgents).toEqual([{ agent: "ExampleShopBot", requests: 1 }]);
  expect(inputs).toMatchObject([{ lines: 206, rejects: { "not-http": 1 }, bytes: readFileSync(log).length }]);
});

test.each([
  ["report.html", /^<!doctype html>/i],
  ["report.json", /^\{"crawlers":/],
  ["report.csv", /^origin,directory,/],
  ["report.txt", /^shop\.example · /],
])("the file extension of --output-file selects the format: %s", async (name, beginning) => {
  const path = join(folder, name);
  expect(await audit([log, ...judged, "--output-file", path])).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(readFileSync(path, "utf8")).toMatch(beginning);
});

test("--title, --timezone, --table and --query-values", async () => {
  const html = await audit([log, ...judged, "-o", "html", "--title", "A <b>shop</b>", "--timezone", "Asia/Tokyo"]);
  expect(html.stdout).toContain("A &lt;b&gt;shop&lt;/b&gt;");
  expect(html.stdout).toContain("Asia/Tokyo");
  const other = await audit([log, ...judged, "-o", "csv", "--table", "otheragents"]);
  expect(other.stdout).toBe("agent,requests\r\nExampleShopBot,1\r\n");
  const [hidden, shown] = [
    await audit([log, ...judged, "-o", "csv"]),
    await audit([log, ...judged, "-o", "csv", "--query-values"]),
  ];
  expect(hidden.stdout).toContain("/search?q=…&page=…");
  expect(shown.stdout).toContain("/search?q=secret&page=2");
  expect(hidden.stdout).not.toContain("secret");
});

test.each([
  [["--from", "2026-11-05", "--to", "2026-11-06"], 14],
  [["--from", "2026-11-05T03:00:01Z", "--to", "2026-11-05T03:00:02Z"], 1],
  [["--to", "2026-11-01"], 0],
])("%j: %d requests in the period", async (flags, requests) => {
  const { stdout } = await audit([log, ...judged, ...flags, "-o", "json"]);
  expect((JSON.parse(stdout) as Counted).totals["requests"]).toBe(requests);
});

describe("parts", () => {
  test.each([1, 2, 7])("the merged audits of %d parts equal the audit of the whole log", async (count) => {
    const lines = readFileSync(log, "utf8").split("\n").slice(0, -1);
    // Some parts are compressed, and each part begins at a different line.
    const parts = Array.from({ length: count }, (_, at) => {
      const text = lines.filter((_line, index) => index % count === at).join("\n");
      return at % 2 === 0 ? put(`part-${count}-${at}.log`, text) : put(`part-${count}-${at}.log.gz`, gzipSync(text));
    });
    const documents = await Promise.all(
      parts.map(async (part, at) => put(`${count}-${at}.json`, (await audit([part, ...judged, "-o", "json"])).stdout)),
    );
    const merged = await run(["merge", ...documents.toReversed(), "-o", "json"]);
    expect(merged).toEqual(await audit([...parts, ...judged, "-o", "json"]));
    const whole = await audit([log, ...judged, "-o", "json"]);
    expect(countsOf(merged.stdout)).toEqual(countsOf(whole.stdout));
    expect((await run(["merge", ...documents])).stdout).toBe((await audit([log, ...judged])).stdout);
  });

  test("the same log twice, audits by other files, and files that are not audits are refused", async () => {
    const one = put("one.json", (await audit([log, ...judged, "-o", "json"])).stdout);
    const robots = put("robots.txt", rules);
    const other = put(
      "other.json",
      (await audit([log, "--base", "https://shop.example", "--robots", robots, "-o", "json"])).stdout,
    );
    for (const [files, message] of [
      [[one, one], /access\.log \(counted in \S+one\.json\) and \S+ \(counted in \S+one\.json\) hold the same \d+/],
      [[one, other], /one\.json and \S+other\.json were made with different robots\.txt files: "/],
      [[log], /access\.log: is not JSON/],
      [[put("list.json", "[1]")], /list\.json: /],
      [[join(folder, "none.json")], /none\.json: no such file/],
      [[], /name the audits to merge/],
    ] as const) {
      const ran = await run(["merge", ...files]);
      expect([ran.code, ran.stdout, ran.stderr]).toEqual([2, "", expect.stringMatching(message)]);
    }
  });

  test("refusals name the document, and contain no control characters of it", async () => {
    const one = put("control-1.json", (await audit([log, ...judged, "-o", "json"])).stdout);
    const document = JSON.parse(readFileSync(one, "utf8")) as {
      inputs: object[];
      files: object;
      settings: { limits: object };
    };
    const [input] = document.inputs;
    const changed = [
      [one, put("control-2.json", JSON.stringify({ ...document, inputs: [{ ...input, name: "\u001b[31m\u202e" }] }))],
      [put("control-3.json", JSON.stringify({ ...document, files: { "\u001b[31m": 1 } }))],
    ];
    const { settings } = document;
    const unlimited = { ...settings, limits: { ...settings.limits, directories: 0 } };
    const { stderr: refusal } = await run([
      "merge",
      put("limits.json", JSON.stringify({ ...document, settings: unlimited })),
    ]);
    expect(refusal).toMatch(/limits\.json: limits\.directories: 0 is out of range/);
    for (const files of changed) {
      const { code, stderr } = await run(["merge", ...files]);
      expect([code, stderr]).toEqual([2, expect.stringContaining("\\x1b[31m")]);
      expect(stderr).not.toMatch(/[^\n\x20-\x7e]/u);
    }
  });

  test("an audit of the same log twice is refused; several logs may have no records", async () => {
    const copy = put("copy.log", readFileSync(log));
    for (const files of [
      [log, log],
      [log, copy],
    ]) {
      const ran = await audit([...files, ...judged]);
      expect([ran.code, ran.stdout, ran.stderr]).toEqual([2, "", expect.stringMatching(/hold the same \d+ bytes\n/)]);
    }
    const heading = "#Version: 1.0\n#Fields: date time cs-method cs-uri-stem sc-status cs(User-Agent)\n";
    const idle = [put("idle-1.log", heading), put("idle-2.log", heading)];
    const ran = await audit([log, ...idle, ...judged, "-o", "json"]);
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    expect((await run(["merge", put("idle.json", ran.stdout)])).code).toBe(0);
  });

  test("--fail-on counts the merged violations", async () => {
    const one = join(folder, "one.json");
    expect((await run(["merge", one, "--fail-on", "violations>27"])).code).toBe(1);
    expect((await run(["merge", one, "--fail-on", "violations>28"])).code).toBe(0);
    expect((await run(["merge", one, "--fail-on", "verified-violations>0"])).code).toBe(0);
  });
});

describe("robots.txt", () => {
  const requests = line("/private/a") + line("/") + line("/robots.txt");

  test("one file without a date proves nothing", async () => {
    const robots = put("robots.txt", rules);
    const ran = await audit(
      ["--base", "https://shop.example", "--robots", robots, "--fail-on", "violations>0"],
      requests,
    );
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain("Judged by one robots.txt without a date");
    expect(ran.stdout).toMatch(/no\s+crawler\s+is\s+accused/);
    expect(ran.stdout).not.toContain("crossed");
  });

  describe("one file without --base is that of every origin of the log, as when rows are decided", () => {
    const robots = put("every.txt", rules);
    const hosts = ["a.example:443 ", "b.example:80 ", "A.EXAMPLE:443 ", "c.example:8443 "];
    const vhosts = hosts.map((host, at) => host + line(at === 1 ? "/open" : "/private/a"));
    const records = ["https://a.example/private/a", "http://c.example/open"].map(
      (url) => `${JSON.stringify({ url, user_agent: "bingbot/2.0", time: "2026-11-10T08:00:00Z" })}\n`,
    );
    const decisions = (rows: string): readonly string[] =>
      recordsOf<{ robots: { origin: string; allowed: boolean } }>(rows)
        .map((row) => row.robots)
        .map(({ origin, allowed }) => `${origin} ${allowed ? "allowed" : "disallowed"}`)
        .toSorted();

    test.each([
      ["a vhost log", vhosts, 3],
      ["records", records, 2],
      ["one host", vhosts.slice(0, 1), 1],
    ])("%s", async (_what, lines, origins) => {
      const judging = ["--robots", robots, "-"];
      const [json, text, rows] = [
        await audit([...judging, "-o", "json"], lines.join("")),
        await audit([...judging, "--fail-on", "violations>0"], lines.join("")),
        await run(["--agent-field", "user_agent", "-o", "ndjson", ...judging], lines.join("")),
      ];
      expect({ code: text.code, stderr: text.stderr }).toEqual({ code: 0, stderr: "" });
      const sentence = `Judged by one robots.txt without a date, taken for ${origins} origin${origins === 1 ? "" : "s"}; earlier and later versions are not known.`;
      expect(text.stdout.replaceAll("\n", " ")).toContain(sentence);
      const document = JSON.parse(json.stdout) as Counted;
      const states = document.origins.flatMap(({ origin, times }) =>
        times.flatMap(([, , , state, , count]) =>
          Array.from({ length: Number(count) }, () => `${origin} ${state === "allowed" ? "allowed" : "disallowed"}`),
        ),
      );
      expect(states.toSorted()).toEqual(decisions(rows.stdout));
      expect((document.origins as readonly { isShared?: boolean }[]).every(({ isShared }) => isShared === true)).toBe(
        true,
      );
    });

    test("the parts of a log merge, whichever hosts each of them names", async () => {
      const parts = vhosts.map((each, at) => put(`shared-${at}.log`, each));
      const whole = await audit([...parts, "--robots", robots, "-o", "json"]);
      const documents = [];
      for (const part of parts) {
        documents.push(
          put(`${part.split("/").at(-1)}.json`, (await audit([part, "--robots", robots, "-o", "json"])).stdout),
        );
      }
      expect((await run(["merge", ...documents.toReversed(), "-o", "json"])).stdout).toBe(whole.stdout);
    });

    test("with --base, the file is that of its origin alone", async () => {
      const { stdout } = await audit(
        ["--base", "https://a.example", "--robots", robots, "-o", "json"],
        vhosts.join(""),
      );
      const { origins } = JSON.parse(stdout) as Counted;
      expect(origins.filter(({ isKnown }) => isKnown).map(({ origin }) => origin)).toEqual(["https://a.example"]);
    });

    test("a crawler's fetch of it counts as with --base", async () => {
      const lines = hosts[0]! + line("/robots.txt") + hosts[0]! + line("/open");
      const judging = [
        ["--robots", robots],
        ["--robots", robots, "--base", "https://a.example"],
      ];
      const [every, one] = await Promise.all(
        judging.map(async (flags) => {
          const { stdout } = await audit([...flags, "-o", "csv", "--table", "firstFetches"], lines);
          return stdout;
        }),
      );
      expect(every).toContain("bingbot,no-check,2026-11-10T08:00:00Z");
      expect(every).toBe(one);
    });

    test("a file that is no robots.txt is told once", async () => {
      const html = put("page.txt", "<!doctype html><title>Shop</title>");
      const { stdout } = await audit(["--robots", html], vhosts.join(""));
      const sentence = "The file is HTML, not a robots.txt; it allows every URL.";
      expect(stdout.replaceAll("\n", " ").split(sentence)).toHaveLength(2);
    });

    test("at most 10,000 hosts get the file, and the first one beyond them is told", async () => {
      const many = Array.from({ length: 10_002 }, (_, at) => `h${at}.example:443 ${line("/private/a")}`).join("");
      const { stdout, stderr } = await audit(["--robots", robots, "-o", "json"], many);
      expect(stderr).toBe(
        "robots-stream: --robots: one file is taken for 10000 hosts in the log; that of further hosts is not known\n",
      );
      expect(statesOf(stdout)).toEqual({ violation: 10_000, "undecidable:no-file": 2 });
    });
  });

  test("a damaged entry of an export ends with exit code 3, and nothing is proven across it", async () => {
    const [first, second, last] = [rules, "User-agent: *\n", rules].map((text, at) =>
      lineOfEntry({
        origin: "https://shop.example",
        fetchedAt: Date.UTC(2026, 10, 5 + 4 * at),
        freshUntil: Date.UTC(2026, 10, 6 + 4 * at),
        access: "successful",
        code: "ok",
        status: 200,
        hops: [{ url: "https://shop.example/robots.txt", status: 200 }],
        body: Buffer.from(text),
      }),
    );
    const by = async (middle: string): Promise<readonly unknown[]> => {
      const history = put("damaged.ndjson", `${first}${middle}${last}`);
      const given = ["--base", "https://shop.example", "--robots-history", history];
      const { code, stdout, stderr } = await audit(given, line("/private/a"));
      // The history has the only origin of the log, so nothing is fetched.
      const fetching = await audit([...given, "--fetch"], line("/private/a"));
      expect([fetching.code, fetching.stdout.includes("crossed")]).toEqual([code, stdout.includes("crossed")]);
      const rows = await runHere(["--agent-field", "user_agent", "--as-of-record", ...given], line("/private/a"));
      const basis = /"basis":"([a-z]+)"/u.exec(rows.stdout)?.[1];
      expect([rows.code, rows.stderr.includes("not known")]).toEqual([code, code === 3]);
      return [code, stdout.includes("crossed"), stderr.includes("parts of their histories are not known"), basis];
    };
    expect(await by("")).toEqual([0, true, false, "proven"]);
    expect(await by(second!)).toEqual([0, false, false, "proven"]);
    expect(await by(second!.replace("User-agent", "User-Agent"))).toEqual([3, false, true, "assumed"]);
  });

  describe("damage that hides an entry, or gives it to another origin, is found", () => {
    const cache = join(folder, "hidden");
    const database = join(cache, "robots.sqlite");
    /** The exit codes of an audit and of rows, whether the audit has evidence, and the basis of the row of each origin. */
    const by = async (history: string): Promise<readonly unknown[]> => {
      const urls = ["shop", "other"].map((name) => ({
        url: `https://${name}.example/private`,
        time: "2026-11-10T08:00:00Z",
        user_agent: "bingbot/2.0",
        method: "GET",
        status: 200,
      }));
      const records = urls.map((record) => `${JSON.stringify(record)}\n`).join("");
      const { code, stdout } = await audit(["--robots-history", history], records);
      const rows = await runHere(
        ["--agent-field", "user_agent", "--as-of-record", "--robots-history", history],
        records,
      );
      const basis = [...rows.stdout.matchAll(/"basis":"([a-z]+)"/gu)].map(([, word]) => word);
      return [code, rows.code, stdout.includes("crossed"), ...basis];
    };
    let warc = "";

    test("without damage, the file of the other origin is proven", async () => {
      const lines = ["shop", "other"].flatMap((name) =>
        [5, 9, 13].map((day) =>
          lineOfEntry({
            origin: `https://${name}.example`,
            fetchedAt: Date.UTC(2026, 10, day),
            freshUntil: Date.UTC(2026, 10, day + 1),
            access: "successful",
            code: "ok",
            status: 200,
            hops: [{ url: `https://${name}.example/robots.txt`, status: 200 }],
            body: Buffer.from(day === 9 && name === "shop" ? "User-agent: *\n" : rules),
          }),
        ),
      );
      mkdirSync(cache);
      expect((await runHere(["cache", "import", "--cache", cache], lines.join(""))).code).toBe(0);
      warc = gunzipSync((await bytesHere(["cache", "export", "--cache", cache, "-o", "warc"])).stdout).toString(
        "latin1",
      );
      expect(await by(cache)).toEqual([0, 0, true, "proven", "proven"]);
      expect(await by(put("whole.warc", warc))).toEqual([0, 0, true, "proven", "proven"]);
    });

    test.each<[string, (record: string) => string]>([
      ["is missing", () => ""],
      ["has another type", (record) => record.replace("metadata", "metadatb")],
      ["has another content type", (record) => record.replace("/json", "/jsoo")],
    ])("a metadata record of an export that %s", async (_what, change) => {
      const records = warc.split(/(?=WARC\/1\.1\r\n)/u);
      for (const at of [4, 12]) {
        expect(records[at]).toContain("WARC-Type: metadata");
        const path = put(
          "hidden.warc",
          records.map((record, index) => (index === at ? change(record) : record)).join(""),
        );
        expect(await by(path)).toEqual([3, 3, false, "assumed", "assumed"]);
      }
    });

    test.each([2, 7])("a row of a cache with the origin %j", async (origin) => {
      const changed = new DatabaseSync(database);
      changed.exec(`UPDATE fetches SET origin = ${origin} WHERE id = 2`);
      changed.close();
      expect(await by(cache)).toEqual([3, 3, true, "assumed", "proven"]);
    });
  });

  test("a folder by host: 404 allows, 503 is an outage, other hosts are unknown", async () => {
    const saved = mkdtempSync(join(folder, "saved-"));
    for (const [name, text] of [
      ["a.example.txt", rules],
      ["b.example.404", ""],
      ["https@c.example.503", ""],
      [".hidden", ""],
      ["notes.md", ""],
    ] as const) {
      writeFileSync(join(saved, name), text);
    }
    const hosts = ["a", "b", "c", "d"].map((host) => `${host}.example:443 ${line("/private")}`).join("");
    const ran = await audit(["--robots", saved, "-o", "json"], hosts);
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("notes.md in") as string });
    expect(statesOf(ran.stdout)).toEqual({
      allowed: 1,
      violation: 1,
      "undecidable:outage": 1,
      "undecidable:no-file": 1,
    });
  });

  test("without saved files and histories, the robots.txt of --base is fetched once, and no other file", async () => {
    const asked: string[] = [];
    const server = createServer(({ url = "" }, response) => {
      asked.push(url);
      response.end(rules);
    });
    const base = `http://127.0.0.1:${await portOf(server)}`;
    try {
      const ran = await audit(
        ["--base", base, "--allow-private", "-o", "json"],
        requests + line("http://other.invalid/x"),
      );
      expect(ran).toMatchObject({ code: 0, stderr: "" });
      expect(asked).toEqual(["/robots.txt"]);
      expect(statesOf(ran.stdout)).toEqual({ allowed: 1, violation: 1, "robots-txt": 1, "undecidable:no-file": 1 });
    } finally {
      server.close();
    }
  });
});

test("--fetch requests each host with known crawlers in the period once, and private hosts only if allowed", async () => {
  const asked: string[] = [];
  const server = createServer(({ url = "", headers }, response) => {
    asked.push(`${headers.host?.split(":")[0]}${url}`);
    response.end(rules);
  });
  const port = await portOf(server);
  const host = (name: string, agent?: string): string => line(`http://${name}:${port}/private`, agent);
  const text = [
    host("127.0.0.1"),
    host("127.0.0.1"),
    // These names lead to the same server, which would record a request for them.
    host("browser.localhost", "Mozilla/5.0 Firefox/140.0"),
    host("late.localhost", "bingbot/2.0").replace("10/Nov", "12/Dec"),
  ].join("");
  const flags = ["-i", "combined", "--fetch", "--to", "2026-11-30", "-o", "json"];
  try {
    const refused = await audit(flags, text);
    expect(refused).toMatchObject({ code: 0 });
    expect(asked).toEqual([]);
    const ran = await audit([...flags, "--allow-private"], text);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(asked).toEqual(["127.0.0.1/robots.txt"]);
    expect(statesOf(ran.stdout)).toEqual({ violation: 2 });
    const { origins } = JSON.parse(ran.stdout) as { origins: { origin: string; isDated: boolean }[] };
    expect(origins.find(({ origin }) => origin !== "")).toMatchObject({ isDated: true });
    const seen = put(`127.0.0.1@${port}@2026-11-01.txt`, "User-agent: *\nAllow: /\n");
    const known = await audit(
      [...flags, "--allow-private", "--robots-history", seen, "--base", `http://127.0.0.1:${port}`],
      text,
    );
    expect(known).toMatchObject({ code: 0, stderr: "" });
    expect(asked).toHaveLength(1);
  } finally {
    server.close();
  }
});

test("HEAD, POST, CONNECT, a query after robots.txt, escapes and a time that cannot be read", async () => {
  const text = [
    line("/robots.txt", "bingbot/2.0", { method: "HEAD" }),
    line("/robots.txt?x", "bingbot/2.0", { method: "POST" }),
    line("/private", "bingbot/2.0", { method: "POST", status: "403" }),
    line("shop.example:443", "bingbot/2.0", { method: "CONNECT" }),
    line("/%70rivate", "bingbot/2.0"),
    line("/private", "bingbot/2.0", { time: "99/Nov/2026:08:00:00 +0000" }),
  ].join("");
  const { stdout } = await audit(
    ["--base", "https://shop.example", "--robots", put("robots.txt", rules), "-o", "json"],
    text,
  );
  expect(statesOf(stdout)).toEqual({ "robots-txt": 1, allowed: 1, violation: 3, "undecidable:connect": 1 });
  expect((JSON.parse(stdout) as Counted).totals["withoutTime"]).toBe(1);
});

test("examples that differ only in values of parameters stand once", async () => {
  const names = ["gallery=1", "gallery=2", "gallery=3"].map((query) =>
    line(`/g/?${query}`, undefined, { status: "404" }),
  );
  const { stdout } = await audit([put("values.log", names.join("")), ...judged, "-o", "html"]);
  expect(stdout.match(/<code>\/g\/\?gallery=…<\/code>/gu)).toHaveLength(1);
  expect(stdout).toContain("Values of query parameters are left out of examples; --query-values keeps them.");
});

test.each(["empty.log", "empty.txt", "empty.xml", "empty.csv", "empty.ndjson"])("%s has no records", async (name) => {
  const { code, stdout, stderr } = await audit([put(name, ""), ...judged]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("No request was judged: the log has no records.");
});

test("records that are not a log: fields by name, no status", async () => {
  const records = [
    { address: "https://shop.example/private", ua: "bingbot/2.0", seen: "2026-11-10T08:00:00Z" },
    { address: "https://shop.example/", ua: "Mozilla/5.0 Firefox/140.0", seen: "2026-11-10T08:00:00Z" },
    { address: "https://shop.example/", ua: "", seen: "soon" },
  ];
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  const flags = ["--agent-field", "ua", "--time-field", "seen", "--url-field", "address", "-o", "json"];
  const { stdout } = await audit(
    ["--base", "https://shop.example", "--robots", put("robots.txt", rules), ...flags],
    text,
  );
  expect(statesOf(stdout)).toEqual({ violation: 1 });
  const expected = { requests: 3, notACrawler: 2, withoutAgent: 1, withoutTime: 1 };
  expect((JSON.parse(stdout) as Counted).totals).toMatchObject(expected);
});

test("hostile lines appear as text on the page and on the terminal", async () => {
  const text = [
    line("/private/<script>alert(1)</script>"),
    line("/private/</script><img/src=x>?<b>=1"),
    line("/private/\u001b[31mred\u0007"),
    line("/private/\u202egnp.exe"),
    line("/private", "<i>EvilBot</i>/1.0 (+https://evil.example/\u001b[2J)"),
    line(`/private/${"x".repeat(200_000)}`),
  ].join("");
  for (const form of ["text", "html", "csv"]) {
    const { code, stdout } = await audit(
      [
        "--base",
        "https://shop.example",
        "--robots",
        put("robots.txt", `${rules}Disallow: /<u>\u001b[1m\n`),
        "-o",
        form,
      ],
      text,
    );
    expect(code).toBe(0);
    // oxlint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202e]/);
    if (form === "html") expect(stdout).not.toMatch(/<script>alert|<img|<b>=|<i>Evil|<u>/);
  }
});

test.each<[string, readonly string[], RegExp]>([
  [
    "no robots.txt to judge by",
    [log],
    /give --base, --robots or --robots-history, or --fetch for the hosts in the log/,
  ],
  [
    "a file without a site, and the hosts of the log are fetched",
    [log, "--fetch", "--robots", `${examples}seen/shop.example@2026-11-01T0000Z.txt`],
    /is one robots\.txt without an origin\n.*--base/,
  ],
  ["a base with a path", [log, "--base", "https://shop.example/x"], /must be an http or https origin/],
  ["a folder without dates", [log, "--base", "https://s.example", "--robots-history", root], /no file has a name like/],
  [
    "a folder whose names have no dates",
    [log, "--base", "https://s.example", "--robots-history", `${examples}../robots`],
    /no file has a name like .*files without a time: --robots DIR/s,
  ],
  ["a folder whose names have dates", [log, "--robots", `${examples}seen`], /files with a time: --robots-history DIR/],
  ["a file as form", [log, ...judged, "-o", "report.html"], /a file is named with --output-file report\.html/],
  ["a missing folder", [log, "--robots-history", "none-such"], /none-such: no such file or directory/],
  ["two sources", [log, ...judged, "--robots", "x"], /--robots-history and --robots cannot be combined/],
  ["a source and the network", [log, ...judged, "--timeout", "3"], /--robots-history and --timeout cannot be combined/],
  ["an unknown form", [log, ...judged, "-o", "pdf"], /must be one of text, html, json, csv/],
  ["an unknown zone", [log, ...judged, "--timezone", "Mars/Base"], /no time zone has this name/],
  [
    "an unknown table",
    [log, ...judged, "-o", "csv", "--table", "rule"],
    /--table rule: must be one of .*, firstFetches, /,
  ],
  ["a table without CSV", [log, ...judged, "--table", "pace"], /--table needs --output csv/],
  ["a title for JSON", [log, ...judged, "-o", "json", "--title", "x"], /--title needs --output text or html/],
  ["a word instead of a time", [log, ...judged, "--from", "yesterday"], /--from yesterday: must be a date or a time/],
  ["an empty period", [log, ...judged, "--from", "2026-11-03", "--to", "2026-11-01"], /no time is between them/],
  [
    "an incomplete condition",
    [log, ...judged, "--fail-on", "violations"],
    /must be violations>N or verified-violations>N/,
  ],
  [
    "a condition on verified violations without a check of addresses",
    [log, ...judged, "--fail-on", "verified-violations>0"],
    /--fail-on verified-violations needs --verify/,
  ],
  ["a robots.txt in place of a log", [`${examples}seen/shop.example@2026-11-01T0000Z.txt`, ...judged], /\S/],
  ["a missing log", ["none.log", ...judged], /none\.log: no such file or directory/],
])("wrong usage: %s", async (_what, argv, message) => {
  const { code, stdout, stderr } = await audit(argv);
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(message)]);
});

test("a missing log is reported before robots.txt is fetched", async () => {
  const { code, stderr } = await audit(["none.log", "--base", "http://127.0.0.1:9", "--allow-private"]);
  expect([code, stderr]).toEqual([2, "robots-stream: none.log: no such file or directory (ENOENT)\n"]);
});

test("a damaged log: the report covers the readable part, and the exit code shows the damage", async () => {
  const packed = gzipSync(readFileSync(log));
  const cut = put("cut.log.gz", packed.subarray(0, packed.length - 40));
  const { code, stdout, stderr } = await audit([cut, ...judged]);
  expect([code, stderr]).toEqual([3, expect.stringContaining("cut.log.gz")]);
  expect(stdout).toMatch(/^shop\.example · 2 to \d+ November 2026 UTC/);
});

test("the report does not overwrite a log", async () => {
  const path = put("kept.txt", readFileSync(log));
  const { code, stderr } = await audit([path, ...judged, "--output-file", path]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("is the same file as")]);
  expect(readFileSync(path)).toEqual(readFileSync(log));
});

test("the report is not written into a folder of robots.txt files", async () => {
  const saved = mkdtempSync(join(folder, "seen-"));
  writeFileSync(join(saved, "shop.example.txt"), rules);
  const path = join(saved, "other.example.txt");
  const { code, stderr } = await audit([log, "--robots", saved, "--output-file", path]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("--robots")]);
});

test.each([
  // Google's dialect compares `%61` as it is.
  ["Disallow: /%61dmin/\nDisallow: /admin/\n"],
  // Google's dialect reads misspelt keys.
  ["Disalow: /admin/\nDisallow: /admin/\n"],
])("each crawler's rule has its line in the crawler's dialect: %j", async (lines) => {
  const saved = mkdtempSync(join(folder, "spelt-"));
  writeFileSync(join(saved, "shop.example.txt"), `User-agent: *\n${lines}`);
  const base = ["--base", "https://shop.example", "--robots", saved];
  const crawlers = [
    ["GPTBot", "rfc9309"],
    ["Googlebot", "google"],
  ] as const;
  const decided = crawlers.map(async ([agent, dialect]) => {
    const argv = ["--robots", saved, "--agent", agent, "--dialect", dialect];
    const { stdout } = await run(argv, "https://shop.example/admin/x\n");
    return [agent, String((JSON.parse(stdout) as { robots: { line: number } }).robots.line)];
  });
  const expected = await Promise.all(decided);
  expect(new Set(expected.map(([, number]) => number)).size).toBe(2);
  const logs = crawlers.map(([agent], at) => put(`spelt-${at}.log`, line("/admin/x", agent)));
  const { stdout } = await audit([...logs, ...base, "-o", "csv"]);
  const rows = stdout.trim().split("\n").slice(1);
  const found = rows.map((row) => row.split(",")).map((fields) => [fields[8], fields[7]]);
  expect(found.toSorted()).toEqual(expected);
  const parts = await Promise.all(
    logs.map(async (path, at) => put(`spelt-${at}.json`, (await audit([path, ...base, "-o", "json"])).stdout)),
  );
  expect((await run(["merge", ...parts, "-o", "csv"])).stdout).toBe(stdout);
});

test("--robots takes an archive of many origins, as when rows are decided", async () => {
  const record = (host: string): string => {
    const body = `User-agent: *\nDisallow: /${host}\n`;
    const http = `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const uri = `WARC-Target-URI: https://${host}.example/robots.txt\r\nWARC-Date: 2026-11-01T00:00:00Z`;
    const type = "Content-Type: application/http; msgtype=response";
    const id = `WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-00000000000${host.length}>`;
    return `WARC/1.0\r\nWARC-Type: response\r\n${id}\r\n${uri}\r\n${type}\r\nContent-Length: ${http.length}\r\n\r\n${http}\r\n\r\n`;
  };
  const archive = put("two.warc", record("shop") + record("press"));
  const paths = ["https://shop.example/shop", "https://shop.example/press", "https://press.example/press"];
  const rows = paths.map(
    (url) => `${JSON.stringify({ url, user_agent: "bingbot/2.0", time: "2026-11-02T00:00:00Z" })}\n`,
  );
  const audited = await audit(["-", "--robots", archive, "-o", "json"], rows.join(""));
  expect([audited.code, statesOf(audited.stdout)]).toEqual([0, { violation: 2, allowed: 1 }]);
  const decided = await run(["-", "--agent-field", "user_agent", "--robots", archive, "-o", "ndjson"], rows.join(""));
  const allowed = decided.stdout
    .trim()
    .split("\n")
    .map((row) => /"allowed":(\w+)/.exec(row)?.[1]);
  expect(allowed).toEqual(["false", "true", "false"]);
});
