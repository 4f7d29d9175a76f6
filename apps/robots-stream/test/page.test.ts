// Tests records with their pages' directives, in each kind of input that has them: the member robots.page of rows, and the contradictions
// that are reported.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { recordsOf } from "./run.ts";

const folder = makeFolder();
const robots = join(folder, "robots.txt");
writeFileSync(robots, "User-agent: *\nDisallow: /private\n");
const sitemap = join(folder, "sitemap.xml");
writeFileSync(
  sitemap,
  `<?xml version="1.0"?><urlset><url><loc>https://shop.example/a</loc></url><url><loc>https://shop.example/private/b</loc></url></urlset>`,
);

interface Row {
  readonly robots: { readonly agent: string; readonly page?: Readonly<Record<string, unknown>> };
}

const runApp = (argv: readonly string[], input?: string | Uint8Array): ReturnType<typeof runHere> =>
  runHere(argv, input, { COLUMNS: "100" });

async function pagesOf(args: readonly string[], input: string | Uint8Array): Promise<readonly unknown[]> {
  const ended = await runApp(["--robots", robots, "-o", "ndjson", ...args], input);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  return recordsOf(ended.stdout).map((row) => (row as unknown as Row).robots.page);
}

const warcOf = (type: string, fields: Readonly<Record<string, string>>, block: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(
      ["WARC/1.0", `WARC-Type: ${type}`, ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`)].join(
        "\r\n",
      ),
    ),
    Buffer.from(`\r\nContent-Length: ${block.length}\r\n\r\n`),
    block,
    Buffer.from("\r\n\r\n"),
  ]);
const response = (path: string, head: readonly string[], body: string | Uint8Array): Buffer =>
  warcOf(
    "response",
    { "WARC-Target-URI": `https://shop.example${path}` },
    Buffer.concat([Buffer.from(["HTTP/1.1 200 OK", ...head, "", ""].join("\r\n")), Buffer.from(body)]),
  );

describe("whether the pages of a file are read, with and without --page", () => {
  const crawl = join(folder, "crawl.csv");
  const other = join(folder, "other.csv");
  const archive = join(folder, "crawl.warc.gz");
  writeFileSync(crawl, "Address,Meta Robots 1\nhttps://shop.example/a,noindex\n");
  writeFileSync(other, "url,meta robots\nhttps://shop.example/a,noindex\n");
  const spreadsheet = join(folder, "spreadsheet.csv");
  writeFileSync(spreadsheet, "\ufeffsep=,\r\n\r\nAddress,Meta Robots 1\r\nhttps://shop.example/a,noindex\r\n");
  const oldMac = join(folder, "old-mac.csv");
  writeFileSync(oldMac, "Address,Meta Robots 1\rhttps://shop.example/a,noindex\r");
  writeFileSync(archive, gzipSync(response("/a", ["X-Robots-Tag: noindex"], "")));
  const note = "robots-stream: rows have robots.page (the pages' own directives); --page never leaves it out\n";

  test.each([
    [[crawl], true, note],
    [[spreadsheet], true, note],
    [[oldMac], true, note],
    [[archive], true, note],
    [["--page=auto", archive, other], true, note],
    [["-q", archive], true, ""],
    [["--page", crawl], true, ""],
    [["--page", "never", crawl], false, ""],
    [["--page=never", archive], false, ""],
    [[other], false, ""],
    [[other, crawl], false, ""],
    [["--page", other], true, ""],
  ])("%j: rows have robots.page: %s", async (args, hasPage, stderr) => {
    const ended = await runApp(["--robots", robots, "-o", "ndjson", "-a", "Googlebot", ...args]);
    expect({ ...ended, stdout: "" }).toEqual({ code: 0, stdout: "", stderr });
    const [row] = recordsOf(ended.stdout) as unknown as readonly Row[];
    expect(row?.robots.page?.["noindex"]).toBe(hasPage ? true : undefined);
  });

  test.each([
    [["--page=nothing"], "--page nothing: must be one of always, never, auto"],
    [["--page", "never", "--html", "body"], "--page never and --html cannot be combined"],
  ])("%j is refused", async (args, message) => {
    const ended = await runApp(["--robots", robots, "-a", "Googlebot", ...args, crawl]);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain(message);
  });

  test("a pipe is not searched for pages unless its format is named", async () => {
    const records = readFileSync(archive);
    const rowsOf = async (args: readonly string[]): Promise<readonly unknown[]> => {
      const ended = await runApp(["--robots", robots, "-o", "ndjson", "-a", "Googlebot", ...args], records);
      return (recordsOf(ended.stdout) as unknown as readonly Row[]).map((row) => row.robots.page?.["noindex"]);
    };
    expect(await rowsOf([])).toEqual([undefined]);
    expect(await rowsOf(["--input", "warc"])).toEqual([true]);
  });
});

describe("robots.page", () => {
  test("Screaming Frog's columns by name, a sitemap, canonical URLs", async () => {
    const csv = [
      "Address,Meta Robots 1,X-Robots-Tag 1,Canonical Link Element 1",
      "https://shop.example/,,,https://shop.example/",
      'https://shop.example/a,"noindex, follow",,',
      'https://shop.example/private/b,,"noindex, nofollow",',
      "https://shop.example/c,,googlebot: noindex,/private/b",
      "https://shop.example/d,,,",
    ].join("\n");
    expect(await pagesOf(["-a", "Googlebot", "--ordered", "--page", "--sitemap", sitemap], csv)).toEqual([
      { engine: "google", indexable: true, noindex: false, nofollow: false, because: [] },
      {
        engine: "google",
        indexable: false,
        noindex: true,
        nofollow: false,
        because: [{ directive: "noindex", from: "meta", line: 1, name: "robots", place: "head" }],
        contradictions: ["sitemap-noindex"],
      },
      {
        engine: "google",
        indexable: false,
        noindex: true,
        nofollow: true,
        seen: false,
        because: [
          { directive: "noindex", from: "x-robots-tag", line: 1 },
          { directive: "nofollow", from: "x-robots-tag", line: 1 },
        ],
        contradictions: ["noindex-not-seen", "sitemap-disallowed", "sitemap-noindex"],
      },
      {
        engine: "google",
        indexable: false,
        noindex: true,
        nofollow: false,
        because: [{ directive: "noindex", from: "x-robots-tag", line: 1, productToken: "googlebot" }],
        contradictions: ["engines-differ", "canonical-disallowed"],
      },
      undefined,
    ]);
  });

  test("fields named by flags: lists of header lines, tags, HTML with its links", async () => {
    const records = [
      { url: "https://shop.example/1", h: { tag: ["bingbot: noindex", "nosnippet"] }, meta: "", page: null },
      { url: "https://shop.example/2", h: { tag: "bingbot: noindex, nosnippet" } },
      { url: "https://shop.example/3", meta: "max-snippet:20, unavailable_after: 2026-01-01" },
      {
        url: "https://shop.example/4",
        page: "<base href=/private/><link rel=canonical href=x><body><META content='no&#105;ndex' name=ROBOTS>",
      },
      { url: "mailto:x", meta: "none" },
    ];
    const flags = ["--x-robots-tag", "h.tag", "--robots-meta", "meta", "--html", "page"];
    const text = records.map((record) => JSON.stringify(record)).join("\n");
    const pages = await pagesOf(["-a", "Googlebot,bingbot", "--ordered", ...flags], text);
    expect(pages.filter((_, index) => index % 2 === 0)).toMatchObject([
      { indexable: true, nosnippet: true, contradictions: ["engines-differ"] },
      { indexable: true, ambiguous: true, contradictions: ["engines-differ"] },
      { maxSnippet: 20, unavailableAfter: "2026-01-01T00:00:00Z" },
      {
        indexable: false,
        because: [{ place: "body", line: 1 }],
        contradictions: ["engines-differ", "canonical-disallowed"],
      },
      { indexable: false },
    ]);
    expect(pages.filter((_, index) => index % 2 === 1)).toMatchObject([
      { engine: "bing", indexable: false, nosnippet: true },
      { indexable: false, ambiguous: true },
      { maxSnippet: 20 },
      { indexable: true },
      { noindex: true },
    ]);
    const joined = await runApp(["-a", "Googlebot,bingbot", "--robots", robots, "--rows", "record", ...flags], text);
    const [first] = recordsOf(joined.stdout) as { robots: { agents: Record<string, { page: unknown }> } }[];
    expect(first!.robots.agents).toMatchObject({
      Googlebot: { page: { indexable: true } },
      bingbot: { page: { indexable: false } },
    });
  });

  test("responses of web archives: unchanged header lines, pages in content codings", async () => {
    const page = "<!doctype html><title>x</title><meta name=robots content=noindex>";
    const archive = Buffer.concat([
      response("/1", ["Content-Type: text/html", "X-Robots-Tag: bingbot: nosnippet", "x-robots-tag:noarchive"], page),
      response("/2", ["Content-Encoding: gzip", "Content-Type: text/html; charset=utf-8"], gzipSync(page.repeat(5))),
      response("/3", ["Content-Type: image/png"], page),
      response("/4", ["Content-Encoding: zz", "X-Robots-Tag: none"], page),
    ]);
    const [first, second, third, fourth] = await pagesOf(["-a", "bingbot", "--ordered", "--page"], archive);
    expect(third).toBeUndefined();
    expect([first, second, fourth]).toMatchObject([
      { noindex: true, nosnippet: true, noarchive: true, because: [{ line: 1 }, {}, {}] },
      { noindex: true, because: [{}, {}, {}, {}, {}] },
      { noindex: true, nofollow: true, because: [{ directive: "none", from: "x-robots-tag", line: 1 }] },
    ]);
  });

  test("rows in CSV have the column robots_page", async () => {
    const csv = "url,X-Robots-Tag 1\nhttps://shop.example/a,noindex\n";
    const { stdout } = await runApp(["-a", "Googlebot", "--robots", robots, "--page", "-o", "csv"], csv);
    const [header, row] = stdout.split("\n");
    expect(header).toMatch(/,robots_page$/);
    expect(row).toContain('""noindex"":true');
  });

  test("a missing field is wrong usage", async () => {
    const args = ["-a", "x", "--robots", robots, "--html", "nosuch"];
    const named = await runApp(args, "url\nhttps://shop.example/a\n");
    expect(named).toMatchObject({ code: 2, stderr: expect.stringContaining("--html") as string });
  });
});

describe("audit --pages", () => {
  const csv = [
    "Address,Meta Robots 1,X-Robots-Tag 1,Canonical Link Element 1",
    "https://shop.example/a,noindex,,",
    "https://shop.example/private/b?key=1,noindex,,",
    "https://shop.example/c,,googlebot: noindex,https://shop.example/private/b",
    "https://shop.example/d,,,",
    "https://other.example/e,none,,",
    "mailto:someone,none,,",
  ];
  const judged = ["--base", "https://shop.example", "--robots", robots, "--sitemap", sitemap];

  test("contradictions are findings with counts and examples", async () => {
    const file = join(folder, "crawl.csv");
    writeFileSync(file, csv.join("\n"));
    const ended = await runApp(["audit", ...judged, "--pages", file]);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toMatchInlineSnapshot(`
      "pages · 6 lines, 0 requests by 0 crawlers
      No request was judged: no known crawler came.
      1 line is not counted as a request: 1 unsupported-scheme.

              1  page has a canonical URL that robots.txt disallows for Googlebot, YandexBot and bingbot
                 (of 4 pages examined); for example https://shop.example/c
              1  page says noindex, which Googlebot, YandexBot and bingbot cannot see: robots.txt
                 disallows fetching it (of 4 pages examined); for example
                 https://shop.example/private/b?key=…
              1  page of the sitemap says noindex to Googlebot, YandexBot and bingbot (of 4 pages
                 examined); for example https://shop.example/a
              1  page may be in the index of some of Google, Bing and Yandex, and not of others (of 4
                 pages examined); for example https://shop.example/c

        No known crawler came.
      "
    `);
  });

  test("audits of parts of the pages merge to the audit of all pages", async () => {
    const [head, ...rest] = csv;
    const files = [[...rest], rest.slice(0, 2), rest.slice(2)].map((lines, index) => {
      const file = join(folder, `part${index}.csv`);
      writeFileSync(file, [head, ...lines].join("\n"));
      return file;
    });
    const documents = await Promise.all(
      files.map(async (file, index) => {
        const { stdout } = await runApp(["audit", ...judged, "--pages", file, "-o", "json"]);
        const path = join(folder, `part${index}.json`);
        writeFileSync(path, stdout);
        return { path, pages: (JSON.parse(stdout) as { pages: unknown }).pages };
      }),
    );
    expect(JSON.parse(readFileSync(documents[0]!.path, "utf8"))).toMatchObject({
      inputs: [{ lines: 6, rejects: { "unsupported-scheme": 1 } }],
    });
    const merged = await runApp(["merge", documents[1]!.path, documents[2]!.path, "-o", "json"]);
    expect((JSON.parse(merged.stdout) as { pages: unknown }).pages).toEqual(documents[0]!.pages);
  });

  test("--html needs --pages", async () => {
    const ended = await runApp([
      "audit",
      "--base",
      "https://shop.example",
      "--robots",
      robots,
      "--html",
      "html",
      "x.log",
    ]);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining("--html needs --pages") as string });
  });
});

describe("explain", () => {
  const head = join(folder, "head.txt");
  writeFileSync(head, "HTTP/2 301\r\nx-robots-tag: none\r\n\r\nHTTP/2 200\r\nX-Robots-Tag: bingbot: noindex\r\n\r\n");
  const html = join(folder, "page.html");
  writeFileSync(html, "<title>x</title>\n<meta name=robots content='nosnippet, max-snippet:9'>");
  const explain = (url: string, ...more: readonly string[]): ReturnType<typeof runApp> =>
    runApp(["explain", url, "--agent", "bingbot", "--robots", robots, "--headers", head, "--html", html, ...more]);

  test("a page's header and HTML", async () => {
    const { stdout, code } = await explain("https://shop.example/private/x");
    expect(code).toBe(0);
    expect(stdout.slice(stdout.indexOf("  Not indexable"))).toMatchInlineSnapshot(`
      "  Not indexable for bingbot, as bing documents it.
        noindex by line 1 of X-Robots-Tag ("bingbot: noindex")
        nosnippet by <meta name="robots"> on line 2 in the head ("nosnippet, max-snippet:9")
        Without effect: max-snippet: 9 by <meta name="robots"> on line 2 in the head ("nosnippet, max-snippet:9"), because another directive overrides it
        robots.txt disallows the page, so the crawler does not see this noindex: the page can stay in the index.
        Google, Bing and Yandex differ on whether they may index the page.
      "
    `);
    const json = await explain("https://shop.example/x", "-o", "ndjson");
    expect(JSON.parse(json.stdout)).toMatchObject({
      allowed: true,
      page: { engine: "bing", noindex: true, nosnippet: true, contradictions: ["engines-differ"] },
    });
  });

  test("what looks like a noindex and is none", async () => {
    const misnamed = join(folder, "misnamed.txt");
    writeFileSync(misnamed, "HTTP/2 200\r\nX-Robots: noindex\r\nX-Robots-Tag: no-index\r\n\r\n");
    const asked = ["--agent", "bingbot", "--robots", robots, "--headers", misnamed];
    const { stdout } = await runApp(["explain", "https://shop.example/x", ...asked]);
    expect(stdout.slice(stdout.indexOf("  Indexable"))).toMatchInlineSnapshot(`
      "  Indexable for bingbot, as bing documents it.
        Without effect: no-index by line 1 of X-Robots-Tag ("no-index"), because it is not a known directive: probably noindex is meant
        Without effect: X-Robots: noindex, because the header is named X-Robots-Tag.
      "
    `);
  });

  test("two URLs and a missing file are wrong usage", async () => {
    const [two, none] = await Promise.all([
      explain("https://shop.example/x", "https://shop.example/y"),
      runApp(["explain", "https://shop.example/x", "-a", "x", "--robots", robots, "--html", join(folder, "nosuch")]),
    ]);
    expect(two).toMatchObject({ code: 2, stderr: expect.stringContaining("single URL") as string });
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("nosuch") as string });
  });
});
