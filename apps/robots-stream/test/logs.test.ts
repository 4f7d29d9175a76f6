// Tests access logs: every line is decided or becomes a reject with a reason, and real logs are processed to their end.
// Also logs whose scheme is not that of `--base`: behind a proxy that ends TLS, a server logs port 80.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeTestFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { recordsOf, root } from "./run.ts";
import { portOf } from "./servers.ts";

describe("logs", () => {
  const shared = process.env["ROBOTS_STREAM_SHARED"] ?? resolve(root, "../shared");
  const logs = join(shared, "corpora/logs");
  const isMissing = !existsSync(logs);
  const why = isMissing ? ` (skipped: no corpora in ${shared})` : "";

  const asked = ["--agent", "bingbot", "--robots", "examples/robots"];
  const based = [...asked, "--base", "https://shop.example"];
  const head = "192.0.2.1 - - [17/May/2015:10:05:03 +0000]";
  const lineOf = (request: string): string => `${head} "${request}" 200 1 "-" "Mozilla/5.0"`;

  test("requests of many forms are decided or become rejects with a reason", async () => {
    const folder = makeTestFolder();
    const rejects = join(folder, "rejects.ndjson");
    const lines = [
      lineOf("GET /cart/1 HTTP/1.1"),
      lineOf("GET //news.example/archive/ HTTP/1.1"),
      lineOf("GET http://news.example/archive/ HTTP/1.1"),
      lineOf("OPTIONS * HTTP/1.1"),
      lineOf("CONNECT news.example:443 HTTP/1.1"),
      lineOf(""),
      lineOf("-"),
      lineOf(String.raw`\x16\x03\x01\x02`),
      "",
      "oops",
      `news.example:80 ${lineOf("GET /archive/ HTTP/1.1")}`,
      lineOf(String.raw`GET /cart/\xc3\xbc\"#x HTTP/1.1`),
    ];
    const { code, stdout } = await runHere([...based, "--keep-line", "--rejects", rejects], lines.join("\n"));
    expect(code).toBe(0);
    expect(recordsOf(stdout)).toMatchObject([
      {
        url: "https://shop.example/cart/1",
        log: lines[0],
        user_agent: "Mozilla/5.0",
        robots: { allowed: false, line: 3 },
      },
      { url: "https://shop.example//news.example/archive/", robots: { origin: "https://shop.example", allowed: true } },
      { url: "http://news.example/archive/", robots: { origin: "http://news.example", allowed: false } },
      { url: 'https://shop.example/cart/ü"#x', robots: { origin: "https://shop.example", allowed: false } },
    ]);
    const told = recordsOf(readFileSync(rejects, "utf8")).map(({ line, code: reason, text }) => [
      line,
      reason,
      text === lines[Number(line) - 1],
    ]);
    expect(told).toEqual([
      [4, "no-url", true],
      [5, "no-url", true],
      [6, "no-request", true],
      [7, "no-request", true],
      [8, "not-http", true],
      [10, "not-a-log-line", true],
      [11, "not-a-log-line", true],
    ]);
  });

  describe("rows of logs", () => {
    const agent = "Mozilla/5.0 (compatible; bingbot/2.0)";
    const line = `192.0.2.1 - - [10/Dec/2025:11:00:00 +0100] "GET /cart/1 HTTP/1.1" 200 7 "https://shop.example/" "${agent}"`;
    const bare = '- - - [yesterday] "GET /cart/2 HTTP/1.1" - - "-" "-"';
    const robots = { agent: "bingbot", allowed: false };
    const rowOf = (members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
      url: "https://shop.example/cart/1",
      ...members,
      robots,
    });
    const whole = {
      time: "2025-12-10T10:00:00Z",
      client: "192.0.2.1",
      method: "GET",
      status: 200,
      bytes: 7,
      referer: "https://shop.example/",
      user_agent: agent,
    };
    const { client: _client, referer: _referer, ...less } = whole;
    const { user_agent: _agent, ...agentless } = whole;

    test.each<[what: string, flags: readonly string[], line: string, row: Readonly<Record<string, unknown>>]>([
      ["all fields of the line", ["--agent", "bingbot"], line, rowOf(whole)],
      [
        "what the line lacks is absent",
        ["--agent", "bingbot"],
        bare,
        { url: "https://shop.example/cart/2", method: "GET", robots },
      ],
      ["--keep-line", ["--agent", "bingbot", "--keep-line"], line, rowOf({ ...whole, log: line })],
      [
        "--keep-line and an invalid time",
        ["--agent", "bingbot", "--keep-line"],
        bare,
        { url: "https://shop.example/cart/2", method: "GET", log: bare, robots },
      ],
      ["--without", ["--agent", "bingbot", "--without", "client,referer"], line, rowOf(less)],
      ["--without, twice", ["--agent", "bingbot", "--without", "client", "--without", " referer"], line, rowOf(less)],
      [
        "a header that is read but not in the row",
        ["--agent-field", "user_agent", "--without", "user_agent"],
        line,
        rowOf(agentless),
      ],
    ])("%s", async (_what, flags, text, row) => {
      const { code, stdout, stderr } = await runHere(
        [...flags, "--robots", "examples/robots", "--base", "https://shop.example", "-i", "combined"],
        `${text}\n`,
      );
      expect([code, stderr]).toEqual([0, ""]);
      const [found] = recordsOf(stdout);
      expect(Object.keys(found!)).toEqual(Object.keys(row));
      expect(found).toMatchObject(row);
    });

    test("CSV has the same columns for every line", async () => {
      const { stdout } = await runHere([...based, "--output", "csv", "-i", "combined"], `${line}\n${bare}\n`);
      const [header, first, second] = stdout.split("\n");
      expect(header).toMatch(/^url,time,client,method,status,bytes,referer,user_agent,robots_agent,/);
      expect(first).toMatch(
        /^https:\/\/shop.example\/cart\/1,2025-12-10T10:00:00Z,192.0.2.1,GET,200,7,https:\/\/shop.example\/,Mozilla/,
      );
      expect(second).toMatch(/^https:\/\/shop.example\/cart\/2,,,GET,,,,,bingbot,false,/);
      const { stdout: other } = await runHere(
        [...based, "--output", "csv", "-i", "combined", "--without", "client,time", "--keep-line"],
        `${bare}\n`,
      );
      expect(other).toMatch(/^url,method,status,bytes,referer,user_agent,log,robots_agent,/);
    });

    test.each([
      [["--without", "clients"], line, "did you mean --without client?"],
      [["--without", "url"], line, "--without url: must be one of time, client"],
      [["--without", ""], line, '--without "": must be one of time, client'],
      [["--without", "client,,time"], line, '--without "": must be one of time, client'],
      [["--keep-line"], '{"url":"https://shop.example/"}', "rows of ndjson are the input records"],
      [["--without", "client"], "https://shop.example/", "rows of lines are the input records"],
    ])("%j is wrong usage", async (flags, text, message) => {
      const { code, stdout, stderr } = await runHere([...based, ...flags], `${text}\n`);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(message);
    });
  });

  test("--agent-field with a name that the log does not have: the message names the field with the User-Agent header", async () => {
    const args = [...asked.filter((arg) => !["--agent", "bingbot"].includes(arg)), "--base", "https://shop.example"];
    const { code, stderr } = await runHere([...args, "--agent-field", "agentname"], `${lineOf("GET / HTTP/1.1")}\n`);
    expect([code, stderr]).toEqual([2, expect.stringContaining("did you mean --agent-field user_agent?") as string]);
  });

  test.each([
    ["a log with host names", `shop.example:443 ${lineOf("GET / HTTP/1.1")}\n`, [], true],
    ["a log with host names and --quiet", `shop.example:443 ${lineOf("GET / HTTP/1.1")}\n`, ["--quiet"], false],
    ["a log without host names", `${lineOf("GET / HTTP/1.1")}\n`, [], false],
    ["a list", "https://shop.example/\n", [], false],
    ["a log of IIS without hosts", "#Fields: date time cs-uri-stem\n2026-01-01 00:00:00 /\n", [], false],
  ])("--base and %s: whether stderr says that hosts take precedence", async (_what, text, more, isTold) => {
    const { code, stderr } = await runHere([...asked, "--base", "https://other.example", ...more], text);
    const told =
      "robots-stream: stdin: where records of vhost_combined name the requested host, --base does not apply\n";
    expect([code, stderr]).toEqual([0, isTold ? told : ""]);
  });

  describe("a log without host names", () => {
    const log = `${lineOf("GET /cart/1 HTTP/1.1")}\n`;

    test("is reported as wrong usage without --base", async () => {
      expect(await runHere(asked, log)).toEqual({
        code: 2,
        stdout: "",
        stderr:
          "robots-stream: stdin:1: this log does not name the host of its requests\nrobots-stream:   name it: --base https://example.com\n",
      });
    });

    test("needs no --base when each request names the host", async () => {
      const { code, stdout, stderr } = await runHere(
        asked,
        `${lineOf("GET https://shop.example/cart/1 HTTP/1.1")}\n${log}`,
      );
      expect([code, recordsOf(stdout).length]).toEqual([0, 1]);
      expect(stderr).toContain("stdin:2: does not name the host of the request (--base)");
    });

    test.each([
      ["example.com", "did you mean --base https://example.com?"],
      ["https://example.com/shop/", "did you mean --base https://example.com?"],
      ["ftp://example.com", "for example: --base https://example.com"],
      ["nonsense of any kind", "for example: --base https://example.com"],
    ])("--base %s is not an origin", async (base, hint) => {
      const { code, stderr } = await runHere([...asked, "--base", base], log);
      expect(code).toBe(2);
      expect(stderr).toContain(hint);
    });
  });

  test.each([[[]], [["-i", "combined"]], [["-i", "vhost_combined"]]])(
    "a client address with a port at the start of a line is never taken for the host: %j",
    async (input) => {
      const asks = { site: 0, visitor: 0 };
      const [site, visitor] = await Promise.all(
        (["site", "visitor"] as const).map(async (name) => {
          const server = createServer((_request, response) => {
            asks[name]++;
            response.end("User-agent: *\nDisallow: /private\n");
          });
          onTestFinished(() => void server.close());
          return portOf(server);
        }),
      );
      const lines = ["127.0.0.1", "[::1]", "127.1", "2130706433"].map(
        (address) => `${address}:${visitor} ${lineOf("GET /private HTTP/1.1")}\n`,
      );
      const base = `http://127.0.0.1:${site}`;
      const network = ["--agent", "bingbot", "--base", base, "--allow-private"];
      const { code, stdout } = await runHere([...network, ...input], lines.join(""));
      expect(code).toBe(0);
      expect(recordsOf(stdout)).toMatchObject(lines.map(() => ({ robots: { origin: base, allowed: false, line: 2 } })));
      expect(asks).toEqual({ site: 1, visitor: 0 });
    },
  );

  test("--base also applies to lists and tables of targets", async () => {
    const tables = [
      "/cart/1\n//cart/2\nhttps://news.example/archive/\n",
      "n,url\n1,/cart/1\n2,//cart/2\n3,https://news.example/archive/\n",
    ];
    for (const table of tables) {
      const { stdout } = await runHere(based, table);
      const origins = recordsOf(stdout).map(({ robots }) => (robots as { origin: string }).origin);
      expect(origins).toEqual(["https://shop.example", "https://shop.example", "https://news.example"]);
    }
  });

  test("a JSON log is read as plain JSON where --url-field names its URL", async () => {
    const record = '{"url":"https://shop.example/cart/1","ClientRequestURI":"/a","ClientRequestHost":"news.example"}\n';
    const plain = await runHere([...asked, "--url-field", "url"], record);
    expect(recordsOf(plain.stdout)).toMatchObject([{ robots: { origin: "https://shop.example" } }]);
    const log = await runHere(asked, record);
    expect(recordsOf(log.stdout)).toMatchObject([{ robots: { origin: "https://news.example" } }]);
  });

  describe(`real logs${why}`, () => {
    test.skipIf(isMissing).each([
      ["elastic-apache-combined-2015-raw-3000.log.gz", 3_000],
      ["elastic-apache-combined-2015.ndjson.gz", 10_000],
      ["nasa-ksc-19950801.ndjson.gz", 12_000],
      ["nginx-wordpress-2025.ndjson.gz", 9_999],
      ["format-samples/cloudflare-logpush.ndjson", 2],
      ["format-samples/cloudfront-standard.tsv", 1],
      ["format-samples/commoncrawl-cdx-api.ndjson", 3],
      ["format-samples/commoncrawl-cdxj.txt", 2],
      ["format-samples/screaming-frog-internal-40.csv.gz", 39],
    ])("%s: %i records, each accounted for", async (name, count) => {
      const { code, stdout, stderr } = await runHere([...based, "--summary", join(logs, name)]);
      expect(code).toBe(0);
      const [, records, decided, rejects] = /^records +(\d+)\ndecided +(\d+)\nrejects +(\d+)$/m.exec(stderr) ?? [];
      expect([Number(records), Number(decided) + Number(rejects)]).toEqual([count, count]);
      expect(recordsOf(stdout)).toHaveLength(Number(decided));
      // One of the records of Cloudflare is a request of a Worker.
      expect(Number(rejects)).toBe(name.includes("cloudflare") ? 1 : 0);
    });

    test.skipIf(isMissing)("the URLs of the raw log equal those that other tools read", async () => {
      const raw = await runHere([
        ...asked,
        "--base",
        "http://www.semicomplete.com",
        join(logs, "elastic-apache-combined-2015-raw-3000.log.gz"),
      ]);
      const others = gunzipSync(readFileSync(join(logs, "elastic-apache-combined-2015.ndjson.gz"))).toString();
      // The other tools keep the "-" of a missing value, and spaces that the raw log has lost.
      const expected = recordsOf(others)
        .slice(0, 3_000)
        .map(({ url, time, user_agent: agent, method, status }) => [
          url,
          String(time).replace("+00:00", "Z"),
          String(agent).replaceAll("  ", " "),
          method,
          status,
        ]);
      const seen = recordsOf(raw.stdout).map(({ url, time, user_agent: agent = "-", method, status }) => [
        url,
        time,
        agent,
        method,
        status,
      ]);
      expect(seen).toEqual(expected);
    });
  });
});

describe("logs whose scheme is not that of --base", () => {
  const agent = "Mozilla/5.0+(compatible;+bingbot/2.0)";

  /** A log of IIS behind a proxy, with or without the field with the host. */
  function logOf(host: string | undefined): string {
    const [name, value] = host === undefined ? ["", ""] : [" cs-host", ` ${host}`];
    const lines = [3, 4].map(
      (second) => `2024-03-12 00:00:0${second} GET /private/x - 80 203.0.113.4 ${agent}${value} 200`,
    );
    return `#Fields: date time cs-method cs-uri-stem cs-uri-query s-port c-ip cs(User-Agent)${name} sc-status\n${lines.join("\n")}\n`;
  }

  /** A folder with the robots.txt of https, observed before and after the requests; and a file without a date. */
  function robotsOf(): { readonly history: string; readonly file: string } {
    const folder = makeTestFolder();
    for (const time of ["2024-03-10T00:00:00Z", "2024-03-13T00:00:00Z"]) {
      writeFileSync(
        join(folder, `https@shop.example@${time.replaceAll(":", "")}.txt`),
        "User-agent: *\nDisallow: /private\n",
      );
    }
    const file = join(folder, "robots.txt");
    writeFileSync(file, "User-agent: *\nDisallow: /private\n");
    return { history: folder, file };
  }

  test("a port without a host says nothing about the scheme of --base", async () => {
    const { history } = robotsOf();
    const args = ["audit", "-", "--base", "https://shop.example", "--robots-history", history];
    const { code, stdout, stderr } = await runHere(args, logOf(undefined));
    expect([code, stderr.includes("http://shop.example")]).toEqual([0, false]);
    expect(stdout).toMatch(/^shop\.example ·/);
    expect(stdout).toContain("crossed disallow: /private");
  });

  test.each(["--robots", "--robots-history"])(
    "%s: an audit assumes the robots.txt of the other scheme, and says so",
    async (flag) => {
      const { history, file } = robotsOf();
      const base = ["--base", "https://shop.example"];
      const audit = ["audit", "-", ...base, flag, flag === "--robots" ? file : history];
      const { code, stdout, stderr } = await runHere(audit, logOf("shop.example"));
      expect(code).toBe(0);
      expect(stdout).toContain("2  requests were judged by a robots.txt that is not proven to have been in force");
      expect(stdout).not.toContain("crossed");
      expect(stderr).toContain(
        "http://shop.example: its robots.txt is not known; the audit assumes that of https://shop.example",
      );
      expect(stderr).toContain("--base host:shop.example=https://shop.example");
      const cured = await runHere(
        [...audit, "--base", "host:shop.example=https://shop.example"],
        logOf("shop.example"),
      );
      expect(cured.stdout).toMatch(/^shop\.example ·/);
      expect(cured.stdout.includes("crossed")).toBe(flag === "--robots-history");
    },
  );

  test("--as-of-record decides by the other scheme's robots.txt, as an assumption", async () => {
    const { history } = robotsOf();
    const args = ["--agent-field", "user_agent", "--robots-history", history, "--as-of-record"];
    const { code, stdout } = await runHere(args, logOf("shop.example"));
    expect(code).toBe(0);
    expect(stdout).toMatch(/"allowed":false.*"basis":"assumed"/);
  });

  test("the other scheme's robots.txt is not that of a port, nor of another host", async () => {
    const { history } = robotsOf();
    for (const host of ["shop.example:8080", "www.shop.example"]) {
      const { stdout } = await runHere(["audit", "-", "--robots-history", history], logOf(host));
      expect(stdout).toContain("No request was judged");
    }
  });

  test("an audit names the host whose robots.txt is not known, and the flag that makes it another name of --base", async () => {
    const { file } = robotsOf();
    const judged = ["audit", "-", "--base", "https://shop.example", "--robots", file];
    const { code, stdout, stderr } = await runHere(judged, logOf("www.shop.example"));
    expect(code).toBe(0);
    expect(stdout).toContain("No request was judged: the robots.txt of http://www.shop.example is not known.");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "requests cannot be judged: the robots.txt of http://www.shop.example is not known; --base host:www.shop.example=ORIGIN says that its requests are those of ORIGIN",
    );
    const cure = "--base host:www.shop.example=https://shop.example";
    expect(stderr).toContain(
      "--base https://shop.example: no request of a crawler went there; the log names http://www",
    );
    expect(stderr).toContain(cure);
    const cured = await runHere([...judged, ...cure.split(" ")], logOf("www.shop.example"));
    expect(cured.stdout).toMatch(/^shop\.example ·.*\n(?:.*\n)*?Judged by one robots\.txt/);
    expect(cured.stderr).toBe("");
  });

  test("of several hosts without a robots.txt, the busiest is named; a host with one keeps stderr silent", async () => {
    const { file } = robotsOf();
    const judged = ["audit", "-", "--base", "http://shop.example", "--robots", file];
    const logs = ["b.example", "shop.example", "a.example"].map((host) => logOf(host)).join("") + logOf("b.example");
    const { stdout, stderr } = await runHere(judged, logs);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "the robots.txt files of 2 origins are not known, the busiest is http://b.example; --base host:b.example=ORIGIN",
    );
    expect(stderr).toBe("");
  });
});
