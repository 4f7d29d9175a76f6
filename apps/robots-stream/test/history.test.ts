// Tests histories of robots.txt files from every kind of source: the same observations give the same audit, from one source or several.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { bytesHere } from "./here.ts";

const origin = "https://shop.example";
const dayMs = 86_400_000;
const start = Date.UTC(2026, 2, 1);
const first = "User-agent: *\nDisallow: /cart\n";
const second = "User-agent: *\nDisallow: /private\n";

/** What was fetched on which day: a file, or a status without a file. Crawlers treat 503, 404 and 429 differently. */
const sights: readonly (readonly [day: number, what: string | number])[] = [
  [0, first],
  [10, first],
  [11, second],
  [20, first],
  [30, 503],
  [32, first],
  [40, 404],
  [50, 429],
  [52, first],
];

const folder = makeFolder();

async function run(argv: readonly string[], stdin?: string | Uint8Array): Promise<readonly [number, Buffer, string]> {
  const { code, stdout, stderr } = await bytesHere(argv, stdin, { COLUMNS: "100" });
  return [code, stdout, stderr];
}

const put = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

function putFolder(name: string, chosen: typeof sights): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [day, what] of chosen) {
    const time = new Date(start + day * dayMs).toISOString().replace(".000", "").replaceAll(":", "");
    const ending = typeof what === "string" ? "txt" : String(what);
    writeFileSync(join(path, `https@shop.example@${time}.${ending}`), typeof what === "string" ? what : "");
  }
  return path;
}

function entryOf([day, what]: (typeof sights)[number]): string {
  const fetchedAt = start + day * dayMs;
  const hops = [{ url: `${origin}/robots.txt`, status: typeof what === "string" ? 200 : what }];
  const common = { origin, fetchedAt, freshUntil: fetchedAt + dayMs };
  if (typeof what === "string") {
    return JSON.stringify({ ...common, access: "successful", code: "ok", status: 200, hops, body: what });
  }
  const access = what === 404 ? "unavailable" : "unreachable";
  return JSON.stringify({ ...common, access, code: `http-${what}`, status: what, hops });
}

/** A WARC file in the form that a crawler writes: one response record for each capture. */
function warcOf(chosen: typeof sights): Buffer {
  const records = chosen.map(([day, what]) => {
    const body = typeof what === "string" ? what : "";
    const http = `HTTP/1.1 ${typeof what === "string" ? 200 : what} X\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const date = new Date(start + day * dayMs).toISOString().replace(".000", "");
    const head = `WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: ${origin}/robots.txt\r\nWARC-Date: ${date}\r\nWARC-Record-ID: <urn:uuid:${day}>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: ${http.length}\r\n\r\n`;
    return gzipSync(`${head}${http}\r\n\r\n`);
  });
  return Buffer.concat(records);
}

const agents = [
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "bingbot/2.0",
  "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
];

/** A log with a request by each crawler to two directories every four hours, before, during and after the time of the fetches. */
function logText(): string {
  const lines: string[] = [];
  for (let hour = -48; hour < 60 * 24; hour += 4) {
    const [, , day = "", month = "", year = "", time = ""] = /^(\w+), (\d+) (\w+) (\d+) ([\d:]+)/.exec(
      new Date(start + hour * 3_600_000).toUTCString(),
    )!;
    for (const agent of agents) {
      for (const path of ["/cart/1", "/private/2"]) {
        const when = `${day}/${month}/${year}:${time} +0000`;
        lines.push(`192.0.2.1 - - [${when}] "GET ${path} HTTP/1.1" 200 10 "-" "${agent}"\n`);
      }
    }
  }
  return lines.join("");
}

test("one history gives the same audit from every kind of source, and from a mixture of them", async () => {
  const log = put("access.log", logText());
  const ndjson = put("seen.ndjson", sights.map((sight) => `${entryOf(sight)}\n`).join(""));
  const cache = join(folder, "cache");
  expect((await run(["cache", "import", ndjson, "--cache", cache]))[0]).toBe(0);
  const snapshot = join(folder, "snapshot");
  expect((await run(["cache", "export", "--cache", cache, "--snapshot", snapshot]))[0]).toBe(0);
  const [, ownWarc] = await run(["cache", "export", "--cache", cache, "-o", "warc"]);
  const dated = putFolder("dated", sights);
  const sources: Readonly<Record<string, readonly string[]>> = {
    "dated folder": [dated],
    "cache's folder": [cache],
    "cache's file": [join(cache, "robots.sqlite")],
    "NDJSON export": [ndjson],
    "compressed export": [put("seen.ndjson.gz", gzipSync(sights.map((sight) => `${entryOf(sight)}\n`).join("")))],
    "indexed snapshot": [snapshot],
    "WARC export": [put("own.warc.gz", ownWarc)],
    "WARC of a crawler": [put("crawled.warc.gz", warcOf(sights))],
    "a folder and a WARC": [
      putFolder(
        "odd",
        sights.filter((_, at) => at % 2 === 1),
      ),
      put("even.warc", warcOf(sights.filter((_, at) => at % 2 === 0))),
    ],
    "twice the same": [dated, cache],
  };
  const audits = new Map<string, string>();
  for (const [name, paths] of Object.entries(sources)) {
    const flags = paths.flatMap((path) => ["--robots-history", path]);
    const [code, out, error] = await run(["audit", log, "--base", origin, ...flags, "-o", "json"]);
    expect([name, code, error]).toEqual([name, 0, ""]);
    audits.set(name, out.toString());
  }
  const expected = audits.get("dated folder")!;
  // Of a snapshot, only the origins in the log are read, so its digest names the snapshot, not the observations.
  const withoutDigest = (audit: string): string => audit.replace(/"history": ?"[0-9a-f]{32}"/, "");
  expect(withoutDigest(expected)).not.toBe(expected);
  const alike = (name: string, audit: string): boolean =>
    name === "indexed snapshot" ? withoutDigest(audit) === withoutDigest(expected) : audit === expected;
  expect([...audits].filter(([name, audit]) => !alike(name, audit)).map(([name]) => name)).toEqual([]);
  const { origins } = JSON.parse(expected) as {
    origins: { intervals: { from: number }[]; times: [number, string, string, string, string, number][] }[];
  };
  // During an outage Yandex applies no restrictions, according to its documents; the other crawlers keep a file from before the outage.
  const outage = (start + 30 * dayMs) / 1_000;
  const statesOf = (agent: string): readonly string[] => [
    ...new Set(
      origins[0]!.times
        .filter(([hour, crawler]) => crawler === agent && hour >= outage + 90_000 && hour < outage + dayMs / 500)
        .map(([, , , state]) => state),
    ),
  ];
  expect(statesOf("bingbot")).toEqual(["grace"]);
  expect(statesOf("YandexBot").toSorted()).toEqual(["allowed", "grace"]);
  const states = new Set(origins[0]!.times.map(([, , , state]) => state));
  expect([...states].toSorted()).toEqual(["allowed", "grace", "violation"]);
});

test("a redirect counts as the capture of its target; a redirect to a target without a capture is reported", async () => {
  const capture = (uri: string, http: string): Buffer =>
    gzipSync(
      `WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: ${uri}\r\nWARC-Date: 2026-03-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: ${http.length}\r\n\r\n${http}\r\n\r\n`,
    );
  const redirect = (to: string): string => `HTTP/1.1 301 Moved\r\nLocation: ${to}\r\nContent-Length: 0\r\n\r\n`;
  const warc = Buffer.concat([
    capture("https://shop.example/robots.txt", redirect("https://www.shop.example/robots.txt")),
    capture(
      "https://www.shop.example/robots.txt",
      `HTTP/1.1 200 OK\r\nContent-Length: ${first.length}\r\n\r\n${first}`,
    ),
    capture("https://lost.example/robots.txt", redirect("https://nowhere.example/robots.txt")),
  ]);
  const path = put("redirects.warc.gz", warc);
  const line = '192.0.2.1 - - [01/Mar/2026:08:00:00 +0000] "GET /cart HTTP/1.1" 200 10 "-" "bingbot/2.0"\n';
  const [code, out, error] = await run(["audit", "--base", origin, "--robots-history", path, "-o", "json"], line);
  expect(error).toBe(
    "robots-stream: 1 redirect of a robots.txt leads to a file that is not in the archive, so it is not known\n",
  );
  expect(code).toBe(0);
  expect(out.toString()).toContain('"violation"');
});

test("a redirect in an archive proves nothing for the time between its capture and that of its target", async () => {
  const shop = "https://shop.example/robots.txt";
  const www = "https://www.shop.example/robots.txt";
  const capture = (uri: string, date: string, http: string): string =>
    `WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: ${uri}\r\nWARC-Date: 2026-03-${date}:00:00Z\r\nContent-Type: application/http\r\nContent-Length: ${http.length}\r\n\r\n${http}\r\n\r\n`;
  const moved = `HTTP/1.1 301 Moved\r\nLocation: ${www}\r\nContent-Length: 0\r\n\r\n`;
  const file = `HTTP/1.1 200 OK\r\nContent-Length: ${first.length}\r\n\r\n${first}`;
  const captures = [capture(shop, "01T00", moved), capture(www, "01T20", file)];
  const path = put("moved.warc", [...captures, capture(shop, "09T00", moved), capture(www, "09T20", file)].join(""));
  const provenAt = async (time: string): Promise<boolean> => {
    const line = `192.0.2.1 - - [${time}:00:00 +0000] "GET /cart HTTP/1.1" 200 10 "-" "bingbot/2.0"\n`;
    const flags = ["--base", origin, "--robots-history", path, "-o", "csv", "--table", "decisions"];
    const [code, out] = await run(["audit", ...flags], line);
    expect([code, out.toString()]).toEqual([0, expect.stringContaining(",violation,") as string]);
    return out.toString().includes(",true,");
  };
  // The target may have changed after the redirect was captured: a crawler may have kept the file before.
  expect(await provenAt("02/Mar/2026:02")).toBe(false);
  expect(await provenAt("02/Mar/2026:22")).toBe(true);
  expect(await provenAt("08/Mar/2026:22")).toBe(true);
  expect(await provenAt("09/Mar/2026:02")).toBe(false);
});

test("a snapshot, of which only the origins in the log are read, gives the audit of all its entries", async () => {
  const whereOf = (at: number): string => `https://site${at}.example`;
  const entries = Array.from({ length: 60 }, (_, at) => {
    const own = at % 3 === 0 ? whereOf(at).replace("https", "http") : whereOf(at);
    const fetchedAt = start + (at % 7) * dayMs;
    // Some redirect to a file of another origin, and some of these origins have no entry of their own.
    const to = at % 4 === 1 ? [{ url: `${whereOf((at * 7) % 75)}/rules/${at % 2}.txt`, status: 200 }] : [];
    const hops = [{ url: `${own}/robots.txt`, status: to.length === 0 ? 200 : 301 }, ...to];
    const body = `User-agent: *\nDisallow: /cart/${at % 5}\nDisallow: /rules\n`;
    const common = { origin: own, fetchedAt, freshUntil: fetchedAt + dayMs, hops };
    const found = JSON.stringify({ ...common, access: "successful", code: "ok", status: 200, body });
    const lost = { ...common, fetchedAt: fetchedAt + 9 * dayMs, access: "unreachable", code: "http-503", status: 503 };
    return at % 6 === 5 ? `${found}\n${JSON.stringify(lost)}\n` : `${found}\n`;
  });
  const ndjson = put("many.ndjson", entries.join(""));
  const snapshot = join(folder, "many");
  const cache = join(folder, "many-cache");
  expect((await run(["cache", "import", ndjson, "--cache", cache]))[0]).toBe(0);
  expect((await run(["cache", "export", "--cache", cache, "--snapshot", snapshot]))[0]).toBe(0);
  const lines = Array.from({ length: 3_000 }, (_, at) => {
    const [, , day = "", month = "", year = "", time = ""] = /^(\w+), (\d+) (\w+) (\d+) ([\d:]+)/.exec(
      new Date(start + ((at * 37) % 20_000) * 60_000).toUTCString(),
    )!;
    const path = ["/cart/1", `/rules/${at % 2}.txt`, "/a", "/cart/4"][at % 4]!;
    // The origins 40 to 59 are not in the log.
    const url = `http${at % 2 === 0 ? "" : "s"}://site${(at * 13) % 40}.example${path}`;
    return `192.0.2.1 - - [${day}/${month}/${year}:${time} +0000] "GET ${url} HTTP/1.1" 200 10 "-" "${agents[at % 3]}"\n`;
  });
  const log = put("many.log", lines.join(""));
  const audits: string[] = [];
  for (const path of [ndjson, snapshot]) {
    const [code, out] = await run(["audit", log, "--base", whereOf(0), "--robots-history", path, "-o", "json"]);
    expect(code).toBe(0);
    audits.push(out.toString().replace(/"history": ?"[0-9a-f]{32}"/, ""));
  }
  expect(audits[1]).toBe(audits[0]);
});

describe("captures whose file is not known", () => {
  const answers = {
    other: "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
    revisit: "",
    file: `HTTP/1.1 200 OK\r\nContent-Length: ${first.length}\r\n\r\n${first}`,
    redirect: "HTTP/1.1 301 Moved\r\nLocation: /cart/robots.txt?v=2\r\nContent-Length: 0\r\n\r\n",
    incomplete: `HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n${first}`,
    unchanged: "HTTP/1.1 304 Not Modified\r\n\r\n",
  };
  const captured = (answersOf: Readonly<Record<string, keyof typeof answers>>): Buffer =>
    Buffer.concat(
      Object.entries(answersOf).map(([day, answer]) => {
        const http = answers[answer];
        const head = `WARC-Target-URI: ${origin}/robots.txt\r\nWARC-Date: 2026-03-${day}T00:00:00Z\r\nContent-Type: application/http`;
        return Buffer.from(
          `WARC/1.0\r\nWARC-Type: ${answer === "revisit" ? answer : "response"}\r\n${head}\r\nContent-Length: ${http.length}\r\n\r\n${http}\r\n\r\n`,
        );
      }),
    );
  const line = (day: string, target: string): string =>
    `192.0.2.1 - - [${day}/Mar/2026:08:00:00 +0000] "GET ${target} HTTP/1.1" 200 10 "-" "bingbot/2.0"\n`;

  test.each<[string, Readonly<Record<string, keyof typeof answers>>, readonly string[]]>([
    ["none", { "01": "file", "09": "file", "20": "file" }, ["v", "v", "v", "v proven", "v proven", "v proven"]],
    [
      "a redirect",
      { "01": "file", "05": "redirect", "09": "file", "20": "file" },
      ["f", "f", "v", "v", "v", "v proven"],
    ],
    [
      "a file that lacks its end",
      { "01": "file", "05": "incomplete", "09": "file", "20": "file" },
      ["v", "v", "v", "v", "v", "v proven"],
    ],
    [
      "an unchanged file",
      { "01": "file", "05": "unchanged", "09": "file", "20": "file" },
      ["v", "v", "v", "v proven", "v proven", "v proven"],
    ],
    [
      "an unchanged file, which may be that of either of two captures",
      { "01": "other", "02": "file", "05": "unchanged", "09": "file", "20": "file" },
      ["v", "v", "v", "v", "v", "v proven"],
    ],
    [
      "a file that is the same as in an earlier capture",
      { "01": "other", "02": "file", "05": "revisit", "09": "file", "20": "file" },
      ["v", "v", "v", "v", "v", "v proven"],
    ],
  ])("%s", async (_what, answersOf, expected) => {
    const path = put("unread.warc", captured(answersOf));
    const target = "/cart/robots.txt?v=2";
    const log = [
      line("04", target),
      line("06", target),
      line("15", target),
      line("03", "/cart"),
      line("07", "/cart"),
      line("15", "/cart"),
    ];
    const found: string[] = [];
    for (const [at, text] of log.entries()) {
      const flags = ["--base", origin, "--robots-history", path, "-o", "csv", "--table", "decisions"];
      const [code, out] = await run(["audit", ...flags], text);
      expect(code).toBe(0);
      const isViolation = out.toString().includes(",violation,");
      const proven = at < 3 ? "" : out.toString().includes(",true,") ? " proven" : "";
      found.push((isViolation ? "v" : "f") + proven);
    }
    expect(found).toEqual(expected);
    const [code] = await run(["census", "--robots-history", path, "--by", "month", "--agent", "bingbot"], "");
    expect(code).toBe(0);
  });

  test.each(["", "WARC-Date: 1926-03-05T00:00:00Z\r\n"])(
    "a capture with the date %j is damage: nothing is proven across it",
    async (date) => {
      const whole = captured({ "01": "file", "05": "file", "09": "file" }).toString("latin1");
      const path = put("undated.warc", whole.replace("WARC-Date: 2026-03-05T00:00:00Z\r\n", date));
      const flags = ["--base", origin, "--robots-history", path, "-o", "csv", "--table", "decisions"];
      const [code, out] = await run(["audit", ...flags], line("04", "/cart"));
      expect([code, out.toString().includes(",true,")]).toEqual([3, false]);
      expect((await run(["census", "--robots-history", path, "--agent", "bingbot"], ""))[0]).toBe(3);
    },
  );

  test("nothing is proven across a capture with another content type", async () => {
    const whole = captured({ "01": "file", "05": "file", "09": "file" }).toString("latin1");
    const flags = ["--base", origin, "-o", "csv", "--table", "decisions", "--robots-history"];
    const provenBy = async (type: string): Promise<readonly unknown[]> => {
      const changed = whole.replace(/(03-05T[^\n]*\nContent-Type: )application\/http/u, `$1${type}`);
      const [code, out] = await run(["audit", ...flags, put("type.warc", changed)], line("04", "/cart"));
      return [code, out.toString().includes(",true,")];
    };
    expect(await provenBy("application/http")).toEqual([0, true]);
    expect(await provenBy("application/httq")).toEqual([0, false]);
  });

  test("an archive of such captures alone is refused", async () => {
    const path = put("only.warc", captured({ "01": "redirect" }));
    const [code, , error] = await run(["audit", "--base", origin, "--robots-history", path], line("03", "/cart"));
    expect([code, error]).toEqual([2, expect.stringContaining("is a WARC file without a robots.txt") as string]);
  });
});

test.each([
  [
    "one file without a base",
    (): string => put("robots.txt", first),
    [],
    /robots\.txt: is one robots\.txt without an origin/,
  ],
  [
    "other compressed bytes",
    (): string => put("other.gz", gzipSync("User-agent: *\n")),
    [],
    /is compressed, and neither/,
  ],
  ["no entry", (): string => put("none.ndjson", '{"a":1}\n'), [], /is not an NDJSON export of a cache/],
  ["a missing path", (): string => join(folder, "missing"), [], /no such file/],
])("%s is refused with the flag's name", async (_name, source, more, message) => {
  const [code, , error] = await run(["audit", "--robots-history", source(), ...more], "x");
  expect([code, error]).toEqual([2, expect.stringMatching(message) as string]);
  expect(error).toContain("--robots-history ");
});

test("one file without a date: all answers are assumed", async () => {
  const source = put("now.txt", first);
  const line = '192.0.2.1 - - [01/Mar/2026:08:00:00 +0000] "GET /cart HTTP/1.1" 200 10 "-" "bingbot/2.0"\n';
  const [code, out] = await run(["audit", "--base", origin, "--robots-history", source], line);
  expect(code).toBe(0);
  expect(out.toString()).not.toContain("crossed");
});

const brokenExport = `[${JSON.stringify({ origin, fetchedAt: 1, freshUntil: 2, access: "successful", body: first, hops: [] }).slice(1)}\n`;
test.each<readonly [what: string, flag: "robots-history" | "candidate" | "robots", content: string, message: RegExp]>([
  ["a damaged export", "robots-history", brokenExport, /sums\.ndjson: is not an NDJSON export of a cache: line 1/],
  ["a damaged export", "robots", brokenExport, /sums\.ndjson: is not an NDJSON export of a cache: line 1/],
  ["a damaged export", "candidate", brokenExport, /sums\.ndjson: is an archive/],
  ["an export", "candidate", `{${brokenExport.slice(1)}`, /sums\.ndjson: is an archive/],
  ["other text under the name of an archive", "candidate", "some text\n", /sums\.ndjson: is neither/],
])("%s is not the robots.txt of --%s", async (_what, flag, content, message) => {
  const robots = flag === "candidate" ? ["--robots", put("robots.txt", first)] : [];
  const argv = ["audit", "--base", origin, ...robots, `--${flag}`, put("sums.ndjson", content)];
  const [code, , error] = await run(
    argv,
    '192.0.2.1 - - [01/Mar/2026:08:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "x"\n',
  );
  expect([code, error]).toEqual([2, expect.stringMatching(message) as string]);
  expect(error).toContain(`--${flag} `);
});

test("a web page as a candidate or in a folder is reported", async () => {
  const page = put("page.txt", "<!doctype html>\n");
  const line = '192.0.2.1 - - [01/Mar/2026:08:00:00 +0000] "GET /cart HTTP/1.1" 200 10 "-" "bingbot/2.0"\n';
  const argv = ["audit", "--base", origin, "--robots-history", put("now.txt", first), "--candidate", page];
  expect(await run(argv, line)).toMatchObject([0, expect.anything(), expect.stringContaining("no user-agent line")]);
  mkdirSync(join(folder, "pages"));
  put("pages/shop.example@2026-02-28.txt", "<!doctype html>\n");
  const again = await run(["audit", "--base", origin, "--robots-history", join(folder, "pages")], line);
  expect(again).toMatchObject([0, expect.anything(), expect.stringContaining("is HTML without")]);
});
