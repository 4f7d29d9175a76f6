// Detection of every kind of log and other input, from parts and from damaged lines: the right kind or "not known", never another kind.
import { lineLogFormats, objectLogFormats } from "@robots-stream/logs";
import { expect, test } from "vitest";
import { recordsOf } from "../../test/samples.ts";
import { UsageError } from "../common/errors.ts";
import { detect } from "./detect.ts";
import { useProgramWords } from "../../test/program-words.ts";

useProgramWords();

/** Lines of a kind, and its name. */
interface Sample {
  readonly name: string;
  readonly what: string;
  readonly log: readonly string[];
}

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;
const paths = ["/", "/a?b=c", "/robots.txt", "/img/x.png", "/caf%C3%A9", "/a/b/c?d=e&f", "/cart", "/x"];
const urls = paths.map((path, at) => `https://${at % 3 === 0 ? "www" : "shop"}.example${path}`);
const wrappers: readonly (readonly [what: string, wrapped: (line: string) => string])[] = [
  ["", (line) => line],
  [
    "in Docker's records",
    (line) => JSON.stringify({ log: `${line}\n`, stream: "stdout", time: "2026-11-21T06:55:09.39Z" }),
  ],
  ["in lines of a CRI runtime", (line) => `2026-11-21T06:55:09.391287654Z stdout F ${line}`],
  ["in lines of docker compose", (line) => `web-1  | ${line}`],
];
const textLogs: readonly Sample[] = lineLogFormats.flatMap(({ name, samples, isHeading }) => {
  const { log } = samples;
  if (log === undefined) return [];
  const hasHeading = isHeading !== undefined;
  return wrappers.flatMap(([what, wrapped]) =>
    what !== "" && hasHeading ? [] : [{ name, what, log: log.map(wrapped) }],
  );
});
const jsonLogs: readonly Sample[] = objectLogFormats.flatMap(({ name, samples }) => {
  const { record } = recordsOf(samples);
  return wrappers.map(([what, wrapped]) => ({ name, what, log: urls.map((url) => wrapped(record(url))) }));
});
const agents = ["Mozilla/5.0 (compatible; bingbot/2.0)", "curl/8.5.0", "GPTBot/1.2"];
const agentAt = (at: number): string => agents[at % agents.length]!;
const otherInputs: readonly Sample[] = [
  { name: "ndjson", what: "of URLs", log: urls.map((url) => JSON.stringify({ url })) },
  {
    name: "ndjson",
    what: "of requests",
    log: urls.map((url, at) =>
      JSON.stringify({ time: `2026-11-21T06:55:0${at}Z`, url, status: 200, agent: agentAt(at) }),
    ),
  },
  { name: "ndjson", what: "of paths and hosts", log: paths.map((path) => JSON.stringify({ path, host: "a.example" })) },
  {
    name: "csv",
    what: "with a heading",
    log: ["url,user_agent,status", ...urls.map((url, at) => `${url},"${agentAt(at)}",200`)],
  },
  { name: "csv", what: "of a crawl", log: ["Address,Status Code,Title 1", ...urls.map((url) => `${url},200,"A, b"`)] },
  { name: "csv", what: "with quoted URLs", log: ["id,url", ...urls.map((url, at) => `${at},"${url}"`)] },
  // The reader of CSV recognizes the tab as the delimiter.
  { name: "csv", what: "with tabs", log: ["url\tuser_agent", ...urls.map((url, at) => `${url}\t${agentAt(at)}`)] },
  { name: "lines", what: "of URLs", log: urls },
  { name: "lines", what: "of hosts and paths", log: paths.map((path) => `www.shop.example${path}`) },
  {
    name: "sitemap",
    what: "of pages",
    log: [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      ...urls.map((url) => `<url><loc>${url.replace("&", "&amp;")}</loc></url>`),
      "</urlset>",
    ],
  },
  {
    name: "sitemap",
    what: "index",
    log: [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      ...urls.map((url) => `<sitemap><loc>${url.replace("&", "&amp;")}</loc></sitemap>`),
      "</sitemapindex>",
    ],
  },
  {
    name: "warc",
    what: "of responses",
    log: [
      "WARC/1.0",
      "WARC-Type: response",
      "WARC-Record-ID: <urn:uuid:1>",
      `WARC-Target-URI: ${urls[0]!}`,
      "WARC-Date: 2026-11-21T06:55:09Z",
      "Content-Type: application/http;msgtype=response",
      "Content-Length: 19",
      "",
      "HTTP/1.1 200 OK",
      "",
      "",
      "",
      "",
    ],
  },
];
const samples: readonly Sample[] = [...textLogs, ...jsonLogs, ...otherInputs];
const titles = samples.map((sample) => [`${sample.name} ${sample.what}`.trim(), sample] as const);

/** The kind that is detected from some lines, or "not known". */
function seen(lines: readonly string[]): string {
  try {
    return detect("stdin", Buffer.from(`${lines.join("\n")}\n`, "latin1"), { isAll: true }).format.name;
  } catch (error) {
    if (error instanceof UsageError) return "not known";
    throw error;
  }
}

/** Ways in which a first line may be damaged: cut at either end, replaced by other text, overwritten. */
const damages: readonly (readonly [what: string, damage: (line: string) => string])[] = [
  ["its first half is missing", (line) => line.slice(line.length >> 1)],
  ["its second half is missing", (line) => line.slice(0, line.length >> 1)],
  ["a few bytes at its beginning are missing", (line) => line.slice(3)],
  ["it is other text", () => "-- MARK --"],
  ["bytes in it were overwritten", (line) => line.slice(0, 10) + "\0".repeat(10) + line.slice(20)],
];

const counts = { right: 0, notKnown: [] as string[], headless: [] as string[] };

/**
 * Counts of lines after which a log is cut: all from three on. Without ROBOTS_STREAM_THOROUGH, only three and the whole log, except for
 * text logs that are not wrapped.
 */
function cutsOf({ log, what, name }: Sample): readonly number[] {
  const all = log.flatMap((_line, at) => (at >= 2 ? [at + 1] : []));
  const isShort = !isThorough && (what !== "" || jsonLogs.some((each) => each.name === name));
  return isShort ? all.filter((count) => count === 3 || count === log.length) : all;
}

test.each(titles)("%s: whole, and cut after any number of lines from three on", (_title, sample) => {
  const { name, log } = sample;
  for (const lines of cutsOf(sample)) expect([lines, seen(log.slice(0, lines))]).toEqual([lines, name]);
  counts.right += cutsOf(sample).length;
});

test.each(titles)("%s: with a damaged first line", (title, sample) => {
  const { name, log } = sample;
  for (const [what, damage] of damages) {
    for (const lines of cutsOf(sample)) {
      const found = seen([damage(log[0]!), ...log.slice(1, lines)]);
      if (found === "not known")
        (otherInputs.includes(sample) ? counts.headless : counts.notKnown).push(`${title}, ${lines} lines: ${what}`);
      else counts.right++;
      expect([what, lines, [name, "not known"].includes(found) ? name : found]).toEqual([what, lines, name]);
    }
  }
});

test("without its first lines, a log without a heading is still detected as its kind", () => {
  for (const { name, log } of textLogs) {
    if (log[0]!.startsWith("#")) continue;
    for (let from = 1; from <= log.length - 3; from++)
      expect([name, from, seen(log.slice(from))]).toEqual([name, from, name]);
  }
});

test("fewer than one log in a hundred is not recognized", () => {
  const { right, notKnown, headless } = counts;
  console.info(
    `logs not known: ${notKnown.length} of ${right + notKnown.length}${notKnown.map((each) => `\n  ${each}`).join("")}`,
  );
  // Only the missing first line had the names of the columns, or identified the file as WARC.
  console.info(`tables, XML and WARC not known: ${headless.length}`);
  expect(notKnown.length).toBeLessThan(right / 100);
});

const agent = "Mozilla/5.0 (compatible; bingbot/2.0)";
const rest = `[17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1 "-" "${agent}"`;

test.each<[what: string, line: string, named?: string | undefined, like?: string]>([
  ["a domain for the user", `192.0.2.1 - a.example ${rest}`, "$remote_addr $x1 $host [$time_local]"],
  ["a domain behind the user", `192.0.2.1 - - a.example ${rest}`, "$remote_addr $x1 $x2 $host [$time_local]"],
  ["a domain before ident", `192.0.2.1 a.example - - ${rest}`, "$remote_addr $host $x1 $x2 [$time_local]"],
  ["a domain in quotes before ident", `192.0.2.1 "a.example" - ${rest}`, '$remote_addr "$host" $x1 [$time_local]'],
  ["a domain, a client and no ident", `a.example 192.0.2.1 - ${rest}`, "$host $remote_addr $x1 [$time_local]"],
  ["two names", `pc1.lan a.example - ${rest}`],
  ["a domain behind X-Forwarded-For", `192.0.2.1 - - ${rest} "-" "a.example"`, '"$http_user_agent" "$x3" "$host"'],
  ["the same without quotes", `192.0.2.1 - - ${rest} "203.0.113.9, 10.0.0.1" a.example`, '"$x3" $host'],
  ["a domain behind other fields", `192.0.2.1 - - ${rest} 0.003 TLSv1.3 "a.example" rt=0.1`, '$x3 $x4 "$host" rt=$x5'],
  ["a domain behind a name", `192.0.2.1 - - ${rest} rt=0.1 vhost=a.example`, "rt=$x3 vhost=$host"],
  ["a domain in brackets", `192.0.2.1 - - ${rest} [a.example]`, "[$host]"],
  ["a domain with a port", `192.0.2.1 - - ${rest} "-" "a.example:8080"`, '"$x3" "$host"'],
  ["a domain in a URL", `192.0.2.1 - - ${rest} "https://a.example/a"`],
  ["a domain in a header", `192.0.2.1 - - ${rest} "Host: a.example"`],
  ["a domain behind the size", `192.0.2.1 - - ${rest.replace(/ "-" .*/, "")} 0.003 a.example`, "$x3 $host", "common"],
])(
  "a log without the host is not read as one host's if a further field may be the host: %s",
  (_what, line, named, like = "combined") => {
    let error: unknown;
    try {
      detect("stdin", Buffer.from(`${line}\n`.repeat(3)));
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({
      message: `stdin: is a log like ${like}, with a further field that may be the requested host`,
      hint: expect.stringContaining(`; if that field is not the requested host: inputFormat ${like}`) as string,
    });
    if (named !== undefined) expect(error).toMatchObject({ hint: expect.stringContaining(named) as string });
  },
);

test.each([
  ["the name of a client", `crawl-1.bot.example - - ${rest}`],
  ["an upstream's address", `192.0.2.1 - - ${rest} "-" "10.0.0.2:8080" 0.003`],
  [
    "the name of an upstream without a dot",
    `192.0.2.1 - - ${rest} 0.003 [default-shop-80] [] 10.0.0.2:80 1 0.1 200 ab`,
  ],
  ["protocols and files", `192.0.2.1 - - ${rest} TLSv1.3 ECDHE-RSA-AES128-GCM-SHA256 "/srv/index.php" index.php`],
  ["a user with an address", `192.0.2.1 - ann@mail.example ${rest}`],
])("such a field is none of: %s", (_what, line) => {
  expect(detect("stdin", Buffer.from(`${line}\n`.repeat(3))).format.name).toBe("combined");
});

test.each<[what: string, line: string, kind: string, others: readonly string[]]>([
  ["two addresses", `203.0.113.9 192.0.2.1 - - ${rest}`, "combined", ["vhost_combined"]],
  ["one address", `203.0.113.9 - - ${rest}`, "combined", []],
  ["a name and a domain", `192.0.2.1 b.example - ${rest}`, "lighttpd", []],
  ["a domain and an address", `b.example 192.0.2.1 - - ${rest}`, "vhost_combined", []],
  ["a path that begins with a host", `192.0.2.1 - - ${rest.replace("/a", "/a.example/b")} "-"`, "combined", ["akamai"]],
  ["the same with cookies", `192.0.2.1 - - ${rest.replace("/a", "/a.example/b")} "a=b"`, "akamai", []],
  ["an address after the agent", `192.0.2.1 - - ${rest} "203.0.113.9"`, "combined", []],
  ["a number after the agent", `192.0.2.1 - - ${rest} 0.003`, "combined", []],
  ["a host after the agent", `192.0.2.1 - - ${rest} "a.example"`, "combined_host", []],
  [
    "a time of ISO 8601",
    `192.0.2.1 - - ${rest.replace("17/May/2015:10:05:03 +0000", "2015-05-17T10:05:03+00:00")}`,
    "combined",
    [],
  ],
])("%s: if two kinds fit, both are reported", (_what, line, kind, others) => {
  const { format, certainty } = detect("stdin", Buffer.from(`${line}\n`.repeat(3)), { isAll: true });
  const found = certainty();
  expect([format.name, found.others.map(({ name }) => name), found.lines]).toEqual([
    kind,
    others,
    { certain: 3, of: 3 },
  ]);
});
