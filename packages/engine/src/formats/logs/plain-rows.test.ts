// Lines of text logs and JSON logs, whole and damaged, in chunks of any size: reading them as bytes gives what the log's parser gives.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type HostBases,
  type LineLogFormat,
  lineLogFormats,
  LogClock,
  type LogFact,
  logFormatOf,
  type LogPattern,
  type ObjectField,
  objectLogFormats,
  type PatternField,
} from "@robots-stream/logs";
import { chunksOf, streamOf } from "../../../test/reading.ts";
import type { InputFormat, ReadOptions } from "../input-format.ts";
import type { Reject } from "../../records/batch.ts";
import { RecordTimes } from "../../locate/record-times.ts";
import { RequestPlaces } from "../../requests/request-places.ts";
import { outputFormats } from "../registry/registry.ts";
import { lineLogInput } from "./lines.ts";
import { objectLogInput } from "./object-lines.ts";
import { type LogMember, logMembers } from "../log-members.ts";

interface Reading {
  readonly records: readonly {
    readonly head: string;
    readonly url: string;
    readonly asked: readonly string[];
    readonly ms: number;
    readonly hasZone: boolean;
    /** The origin and target that an audit finds. */
    readonly place: string;
  }[];
  readonly assumedOrigins: number;
  readonly rejects: readonly Reject[];
  readonly plain: number;
}

async function read(format: InputFormat, text: string, length: number, given: Partial<ReadOptions>): Promise<Reading> {
  const writer = outputFormats[0]!.createWriter({
    resultKey: "robots",
    csvSafe: false,
    hasDialect: false,
    hasKind: true,
  });
  const options: ReadOptions = {
    source: "test",
    lineEnd: "\n",
    maxLineBytes: 400,
    urlField: undefined,
    base: { scheme: "https", host: "site.example" },
    writer,
    ...given,
  };
  const records: Reading["records"][number][] = [];
  const rejects: Reject[] = [];
  let plain = 0;
  let assumedOrigins = 0;
  const times = new RecordTimes(given.logClock);
  const places = new RequestPlaces();
  const bytes = Buffer.from(text.replaceAll("\n", options.lineEnd), "latin1");
  for await (const batch of format.read(streamOf(chunksOf(bytes, length)), options)) {
    rejects.push(...batch.rejects);
    const packed = batch.records;
    for (let record = 0; record < packed.count; record++) {
      const [head, url] = [packed.headOf(record), packed.urlOf(record)];
      const asked = askedFields.map((field) => packed.fieldOf(field, record));
      const ms = times.msOf(packed, record);
      const { hasZone } = times;
      places.locate(packed, record);
      const { origin, buffer, targetStart, targetEnd } = places;
      const target = Buffer.from(buffer.subarray(targetStart, targetEnd)).toString("latin1");
      records.push({
        head,
        url,
        asked,
        hasZone,
        ms,
        place: `${origin} ${target}`,
      });
    }
    plain += packed.count - packed.decoded.length;
    for (let record = 0; record < packed.count; record++) if (packed.isOriginAssumed(record)) assumedOrigins++;
    packed.recycle?.();
  }
  return { records, assumedOrigins, rejects, plain };
}

const askedFields = ["agent", "noAgentField", "method", "status", "bytes", "referer", "address"] as const;

/** Patterns of users, with features that the known kinds lack. */
const own = [
  '$uri $request_uri "$request" $status "$http_user_agent" $http_host',
  '$host$request_uri $status "$http_user_agent" $http_x_forwarded_for $remote_addr',
  "$msec|$scheme://$http_host$uri|$args|$request_method|$http_user_agent",
  '"$request" $status "$http_user_agent" $host',
  '"$request" $status $remote_addr',
  '%a %{X-Forwarded-For}i [%{%FT%T%z}t] %p "%m %U%q %H" %s %v',
  '$server_name:$server_port $host $http_host $request_uri "$http_user_agent"',
  '"%v" "%{Host}i" %p %{HTTPS}e %U "%{User-Agent}i" %V',
  '[%{%d/%b/%Y:%T}t.%{msec_frac}t %{%z}t] "%r" %s %v',
  '%{%FT%T}t "%r" %s "%{User-Agent}i" %{usec_frac}t %v',
].map((pattern, index) => logFormatOf(pattern, `own ${index}`) as LineLogFormat);

/** The sample line that names the fields of a log; undefined for a log without such a line. */
function headingOf({ isHeading, samples }: LineLogFormat): string | undefined {
  return samples.log?.find((line) => isHeading?.(line) === true);
}

const w3c = lineLogFormats.find(({ name }) => name === "w3c")!;
/** W3C logs whose dates and times have no zone. */
const local: LineLogFormat = {
  ...w3c,
  name: "w3c local",
  samples: {
    ...w3c.samples,
    log: w3c.samples.log!.map((line) => line.replace(" date time ", " date-local time-local ")),
  },
};
const withPattern = [...lineLogFormats, ...own, local].filter(
  (log) => (log.patternsOf?.(headingOf(log)) ?? []).length > 0,
);
const oddities = [
  '"',
  "\\",
  "\\x22",
  " ",
  "\t",
  "-",
  "",
  "\r",
  "\x7f",
  "\xff~",
  "\u00fc",
  "[",
  "] ",
  ",",
  "#",
  "\n",
  "\0",
  "%20",
  "%22",
];
const odd = fc.constantFrom(...oddities);
/** Usually one of the first two texts, sometimes another text, sometimes a text with unusual characters. */
function usually(...texts: readonly string[]): fc.Arbitrary<string> {
  const text = fc.constantFrom(...texts);
  const damaged = fc
    .tuple(text, fc.nat(12), odd)
    .map(([whole, at, part]) => whole.slice(0, at) + part + whole.slice(at));
  return fc.oneof(
    { weight: 60, arbitrary: fc.constantFrom(...texts.slice(0, 2)) },
    { weight: 6, arbitrary: text },
    { weight: 1, arbitrary: damaged },
  );
}

const client = usually(
  "192.0.2.1",
  "2001:db8::1",
  "host.example",
  "-",
  "192.0.2.1,198.51.100.2",
  "192.0.2.1, 198.51.100.2",
  "unknown",
  "192.0.198.51.100.2",
  "192.0.2.1198.51.100.2",
  "2001:db82001:db8::1",
  "-198.51.100.2",
  "0x7f.1",
  "a.b.c.0x1f",
  "unix:",
  "web-1",
  "::ffff:192.0.2.1",
  "a.example:80",
  "<14>1",
  "[2001:db8::1]",
  "fe80::1%eth0",
);
const placeholders = ["-", "_", "_:443", "*.a.example", "*:80", "~^(.+)$", "default", '""'];
const host = usually(
  "a.example:443",
  "b.example:80",
  "c.example",
  "d.example:8080",
  "192.0.2.9",
  "x/y",
  ...placeholders,
);
const ident = usually("-", "-", "-", "id");
const user = usually("-", "-", "bob", "[x", "two words", "");
const time = usually(
  "17/May/2015:10:05:03 +0000",
  "17/May/2015:10:05:59 +0000",
  "31/Dec/2015:23:59:60 -0130",
  "01/Jan/2016:00:00:00 +0900",
  "31/Feb/2015:10:05:03 +0000",
  "17/Mai/2015:10:05:03 +0000",
  "17/May/2015:25:05:03 +0000",
  "17/May/2015:10:05:03",
  "17/Ma17/May/2015:10:05:03 +0000",
  "17/May/2015:10:05:03.655",
  "17/May/2015:10:05:03.242 +0200",
  "25/Oct/2026:02:30:00",
  "25/Oct/2026:03:00:00",
  "2026-03-29 02:30:00",
  "2026-01-02 00:14:47 +0000",
  "2026-01-02T00:14:47",
);
const method = usually("GET", "POST", "CONNECT", "get", "-", "M-SEARCH", "CONN");
const target = usually(
  "/",
  "/a?b=c&d",
  "//e.example/x",
  "http://o.example/y",
  "https://_/y",
  "http://a?b/c",
  "*",
  "/a b",
  "/%C3%BC",
  "/\u00fc",
  "wss://o.example/",
  "",
);
/** The target of a log with queries in a field of their own. */
const path = usually("/", "/a/b.html", "/what?", "/a?b#c", "/a#b", "http://o.example/y", "*", "/a b", "/%C3%BC", "");
const version = usually("HTTP/1.1", "HTTP/2.0", "HTTP/2", "RTSP/1.0", "HTTP/11", "HTTP/1.1x");
const status = usually("200", "404", "-", "000", "1000", "20");
const size = usually("123", "0", "-", "007", "1234567890123456", "1x");
const referer = usually("-", "https://r.example/?q=1", "", "https://r.example/\u00fc");
const agent = usually("Mozilla/5.0 (compatible; bingbot/2.0)", "-", "", "curl/8", "b\u00f6t", "two  spaces ");
const tail = usually(
  "",
  "",
  "",
  ' "more" 1.5',
  " x",
  "y",
  ' 1192.0.2.8 - - [17/May/2015:10:05:04 +0000] "GET /2 HTTP/1.1" 200 1 "-" "x"',
  '192.0.2.8 - - [17/May/2015:10:05:04 +0000] "GET /2 HTTP/1.1" 200 1 "-" "x"',
);

const accessLine = fc
  .tuple(client, ident, user, time, method, target, version, status, size, fc.tuple(referer, agent, tail))
  .map(
    ([c, i, u, t, m, p, v, s, b, [r, a, x]]) => `${c} ${i} ${u} [${t}] "${m} ${p} ${v}" ${s} ${b} "${r}" "${a}"${x}`,
  );
const commonLine = fc
  .tuple(client, ident, user, time, method, target, version, status, size, tail)
  .map(([c, i, u, t, m, p, v, s, b, x]) => `${c} ${i} ${u} [${t}] "${m} ${p} ${v}" ${s} ${b}${x}`);
const hostLine = fc.tuple(host, accessLine).map(([h, line]) => `${h} ${line}`);
const fieldLine = fc
  .tuple(
    usually("2025-06-01", "2025-06-31", "-", "2025-2025-06-01"),
    usually("00:00:00", "23:59:59", "24:00:00", "00:00:00.5", "-"),
    fc.tuple(client, method, target, status, size, referer),
    usually("Mozilla/5.0%20(x)", "Mozilla/5.0%2520(x)", "a%22b", "-", "caf%C3%A9"),
    usually("-", "q=1", "", "a b"),
    host,
    usually("https", "http", "wss", "-", "httpz"),
  )
  .map(([d, t, [c, m, p, s, b, r], a, q, h, scheme]) => [d, t, c, m, p, s, b, r, a, q, h, scheme].join("\t"));
const fieldHeading =
  "#Version: 1.0\n#Fields: date time c-ip cs-method cs-uri-stem sc-status sc-bytes cs(Referer) cs(User-Agent) cs-uri-query x-host-header cs-protocol\n";

const timesByForm: readonly (readonly [form: RegExp, times: readonly string[]])[] = [
  [
    /\d{10}\.\d{3} /,
    [
      "1286536308.779",
      "1286536309.001",
      "1286536370.000",
      "1286536308",
      "128653630",
      "1286536308.x",
      "",
      "12861286536308.779",
    ],
  ],
  [
    /:\d\d\.\d{3}\]/,
    [
      "06/Feb/2009:12:14:14.655",
      "06/Feb/2009:12:14:15.001",
      "06/Feb/2009:12:14:60.001",
      "25/Oct/2026:02:30:00.001",
      "06/Fob/2009:12:14:15",
      "-",
    ],
  ],
  [
    /\d{4}-\d\d-\d\dT/,
    [
      "2018-07-02T22:23:00.186641Z",
      "2018-07-02T22:23:01.000000Z",
      "2018-07-02T23:23:01+01:00",
      "2018-07-32T22:23:01Z",
      "2018-02018-07-02T22:23:00.186641Z",
      "-",
      "x",
    ],
  ],
];

/** A field of a pattern, usually in its common form. */
function fieldOf(field: PatternField, log: LineLogFormat, hasPath: boolean): fc.Arbitrary<string> {
  const times = timesByForm.find(([form]) => form.test(log.samples.record))?.[1];
  const fields: Readonly<Record<PatternField, fc.Arbitrary<string>>> = {
    client,
    clientAndPort: usually(
      "192.0.2.1:1234",
      "2001:db8::1:80",
      "[2001:db8::1]:80",
      "-",
      "192.0.2.1",
      "a:b",
      "a:123456",
      ":1",
    ),
    host: usually("a.example", "b.example:443", "c.example:80", "192.0.2.9", "2001:db8::1", "x/y", "", ...placeholders),
    scheme: usually("https", "http", "h2", "wss", "-", "443", "80", "ftp"),
    user,
    method,
    target: hasPath ? path : target,
    query: usually("-", "q=1", "", "?a=b", "?", "a b", "q=1&X-ARR-LOG-ID=2b79-aa", "q|12|800a0bcd|x", "404;http://x/"),
    markedQuery: usually("-", "?q=1", "", "?a=b", "?", "?a b"),
    protocol: version,
    status,
    bytes: size,
    referer,
    userAgent: agent,
    time: times === undefined ? time : usually(...times),
    date: usually("2025-06-01", "2025-06-31", "-", "2026-10-25", "2025-2025-06-01"),
    timeOfDay: usually("00:00:00", "23:59:59", "24:00:00", "00:00:00.5", "-", "02:30:00"),
    other: usually("-", "x1", "two words", ""),
    captures: usually("a.example", "b.example|x/1", "", "c|d", "a.example|b.example", "-", "x/2 (y)|z"),
    list: usually("-", "1", "1, 2", "1,2"),
    peer: client,
  };
  return fields[field];
}

/** Lines of a pattern. */
function lineOf({ start = "", steps }: LogPattern, log: LineLogFormat): fc.Arbitrary<string> {
  const parts = steps.map(({ field, end, isPadded = false, keepsEnd = false, without = "" }) =>
    fc
      .tuple(isPadded ? usually("", "   ") : fc.constant(""), fieldOf(field, log, without.includes("?")))
      .map(([before, text]) => before + text + (keepsEnd ? "" : end)),
  );
  return fc.tuple(fc.tuple(...parts), tail).map(([fields, rest]) => start + fields.join("") + rest);
}

/** Texts before some lines: known prefixes, and other words. */
const before = fc.oneof(
  { weight: 30, arbitrary: fc.constant("") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("web-1  | ", "w | ", "2026-11-21T06:55:09.39Z ", "[pod/a/b] ", "foo ", "foo - ", "a b "),
  },
);

/** Lines of a log, some of them after other text. */
function linesOf(log: LineLogFormat): fc.Arbitrary<string> {
  return fc.tuple(before, ownLinesOf(log)).map(([prefix, line]) => prefix + line);
}

/** Lines of a log: those of its patterns, and the documented ones. */
function ownLinesOf(log: LineLogFormat): fc.Arbitrary<string> {
  const known = linesByName[log.name];
  if (known !== undefined) return known;
  const patterns = log.patternsOf!(headingOf(log));
  const documented = [...(log.samples.log ?? []), ...(log.samples.hostile ?? []), ...log.samples.broken];
  return fc.oneof(...patterns.map((pattern) => ({ weight: 8, arbitrary: lineOf(pattern, log) })), {
    weight: 1,
    arbitrary: fc.constantFrom(...documented.filter((line) => log.isHeading?.(line) !== true)),
  });
}

/** By the name of a log: its lines, with more fields than the log's patterns have. */
const linesByName: Readonly<Record<string, fc.Arbitrary<string>>> = {
  common: commonLine,
  combined: fc.oneof({ weight: 9, arbitrary: accessLine }, { weight: 1, arbitrary: fc.oneof(hostLine, commonLine) }),
  vhost_combined: fc.oneof({ weight: 9, arbitrary: hostLine }, { weight: 1, arbitrary: accessLine }),
  cloudfront: fc.oneof(
    { weight: 20, arbitrary: fieldLine },
    {
      weight: 1,
      arbitrary: fc.constantFrom("#x", "#Fields: cs-uri-stem cs(Host)", fieldHeading.trimEnd(), "/a\tb.example"),
    },
  ),
};

const hostBases: HostBases = new Map([
  ["a.example", { scheme: "http", host: "one.example:81" }],
  ["b.example:80", { scheme: "https", host: "two.example" }],
  ["o.example", { scheme: "https", host: "three.example" }],
]);

const options = fc.record({
  length: fc.constantFrom(1, 7, 64, 1_000, 100_000),
  lineEnd: fc.constantFrom("\n", "\n", "\n", "\r" as const),
  hasReturns: fc.boolean(),
  hasLastEnd: fc.boolean(),
  keepLine: fc.boolean(),
  without: fc.oneof(fc.constant([] as LogMember[]), fc.subarray([...logMembers])),
  hasBase: fc.constantFrom(true, true, true, false),
  hasHostBases: fc.boolean(),
  asksRequest: fc.boolean(),
  asksAddress: fc.boolean(),
  zone: fc.constantFrom(undefined, "Asia/Kathmandu", "Europe/Berlin"),
});

type Settings = typeof options extends fc.Arbitrary<infer Value> ? Value : never;

/** The text of a source with these lines, the size of its chunks, and the options of its reader. `facts`: the facts that the log has. */
function sourceOf(
  heading: string,
  lines: readonly string[],
  facts: readonly LogFact[],
  settings: Settings,
): readonly [source: string, length: number, given: Partial<ReadOptions>] {
  const { length, lineEnd, hasReturns, hasLastEnd, keepLine, without, hasBase, hasHostBases } = settings;
  const text = heading + lines.map((line) => `${line}${hasReturns ? "\r" : ""}\n`).join("");
  const given = {
    lineEnd,
    agentField: facts.includes("userAgent") ? "user_agent" : undefined,
    logRows: { keepLine, without },
    ...(settings.asksRequest ? { asksRequest: true } : {}),
    ...(settings.asksAddress
      ? { texts: [{ name: "address", field: undefined, flag: "--x", isRequired: false } as const] }
      : {}),
    ...(hasBase ? {} : { base: undefined }),
    ...(hasHostBases ? { hostBases } : {}),
    ...(settings.zone === undefined ? {} : { logClock: new LogClock(settings.zone) }),
  };
  return [hasLastEnd ? text : text.slice(0, -1), length, given];
}

/** The readings of a source as bytes and by the parser. If a reader refuses the source, its reading has the error. */
async function readBoth(
  [ofBytes, ofParser]: readonly [ofBytes: InputFormat, ofParser: InputFormat],
  ...source: readonly [text: string, length: number, given: Partial<ReadOptions>]
): Promise<readonly [fast: Reading, slow: Reading]> {
  const readOne = async (format: InputFormat): Promise<Reading> => {
    try {
      return await read(format, ...source);
    } catch (error) {
      const refused = { error: (error as Error).message };
      return { ...refused, records: [], assumedOrigins: 0, rejects: [], plain: 0 };
    }
  };
  return Promise.all([readOne(ofBytes), readOne(ofParser)]);
}

/** Number of runs of the property of one log. */
const runsOf = (usual: number): number => (process.env["ROBOTS_STREAM_THOROUGH"] !== undefined ? 3_000 : usual);

test.each(withPattern.map((log) => [log.name, log] as const))("%s: bytes and parser agree", async (name, log) => {
  const ofBytes = lineLogInput(log);
  const { patternsOf: _, ...parsed } = log;
  const ofParser = lineLogInput(parsed satisfies LineLogFormat);
  let plain = 0;
  let all = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(linesOf(log), { maxLength: 12 }), options, async (lines, settings) => {
      const named = headingOf(log);
      const heading = name === "cloudfront" ? fieldHeading : named === undefined ? "" : `${named}\n`;
      const [source, length, given] = sourceOf(heading, lines, log.facts, settings);
      const more = settings.asksRequest ? { time: { field: undefined } } : {};
      const [fast, slow] = await readBoth([ofBytes, ofParser], source, length, { ...given, ...more });
      expect({ ...fast, plain: 0 }).toEqual(slow);
      // A request without a URL has no head.
      for (const { head } of fast.records) if (head !== "") JSON.parse(Buffer.from(`${head}}`, "latin1").toString());
      plain += fast.plain;
      all += fast.records.length;
    }),
    { numRuns: runsOf(60) },
  );
  // For a line that is not read as bytes, this test compares the parser with itself. For some kinds, only a quarter of the generated lines
  // is read as bytes; for a W3C log with local times, a ninth.
  expect(plain).toBeGreaterThan(all / 40);
});

/** Each beginning of a line with a whole line behind it. */
function joinedOf(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line, index) => {
    const others = [line, lines[(index + 1) % lines.length]!];
    return others.flatMap((other) => [
      ...Array.from(line, (_, at) => line.slice(0, at) + other),
      line + other,
      `${line} ${other}`,
    ]);
  });
}

test.each(withPattern.map((log) => [log.name, log] as const))(
  "%s: bytes and parser agree about two lines in one, wherever the first is cut",
  async (name, log) => {
    const { patternsOf: _, ...parsed } = log;
    const named = headingOf(log);
    const heading = name === "cloudfront" ? fieldHeading : named === undefined ? "" : `${named}\n`;
    const lines = fc.sample(ownLinesOf(log), { seed: 1, numRuns: 6 });
    const documented = (log.samples.log ?? []).filter((line) => log.isHeading?.(line) !== true).slice(0, 4);
    const source =
      heading +
      joinedOf([...documented, ...lines])
        .map((line) => `${line}\n`)
        .join("");
    const formats = [lineLogInput(log), lineLogInput(parsed satisfies LineLogFormat)] as const;
    const [fast, slow] = await readBoth(formats, source, 100_000, { maxLineBytes: 2_000 });
    expect({ ...fast, plain: 0 }).toEqual(slow);
  },
);

/** JSON texts of a field, usually strings. Some are not strings, and some are not JSON. */
function valueOf(field: ObjectField | undefined): fc.Arbitrary<string> {
  const texts: Readonly<Partial<Record<ObjectField, fc.Arbitrary<string>>>> = {
    request: fc.oneof(
      { weight: 9, arbitrary: fc.tuple(method, target, version).map((parts) => parts.join(" ")) },
      {
        weight: 1,
        arbitrary: fc.constantFrom("-", "", "GET /", "GET  / HTTP/1.1", "GET / x HTTP/1.1", " GET / HTTP/1.1"),
      },
    ),
    target,
    path: usually("/a", "/", "/a?b", "x", "/a b"),
    query: usually("q=1", "?q", "", "-", "a b", "a?b"),
    scheme: usually("https", "http", "", "HTTPS", "on", "off", "wss", "https, http", "x"),
    host: usually("a.example", "b.example", "b.example:80", "", "x/y", "a.example ", ...placeholders),
    client: usually(
      "192.0.2.1",
      "2001:db8::1",
      "192.0.2.1:80",
      "[2001:db8::1]:80",
      "192.0.2.1, 198.51.100.2",
      "2001:db8::1 ",
      "[::1]",
      ":",
      "-",
    ),
    method,
    status,
    bytes: size,
    referer,
    userAgent: agent,
    time: fc.oneof(time, ...timesByForm.map(([, times]) => usually(...times))),
  };
  const text = texts[field ?? "referer"] ?? fc.constant("x");
  const other = fc.constantFrom(
    "200",
    "0",
    "007",
    "00",
    "-5",
    "1.50",
    "1.",
    "1e3",
    "1286536308.779",
    "1286536308",
    "12345678901234567890",
    "true",
    "false",
    "null",
    "nul",
    "{}",
    '["a"]',
    '{"a":1}',
    "",
    '"\\u0041"',
    '"a\\/b"',
  );
  const strings = text.map((one) => JSON.stringify(Buffer.from(one).toString("latin1")));
  return fc.oneof({ weight: field === undefined ? 2 : 60, arbitrary: strings }, { weight: 1, arbitrary: other });
}

/** Records of a JSON log: some fields, some of them in several members, in any order; and other members. */
function objectOf(members: ReadonlyMap<ObjectField, readonly string[]>): fc.Arbitrary<string> {
  const one = ([field, names]: [ObjectField, readonly string[]]): fc.Arbitrary<readonly string[]> => {
    if (names.length === 0) return fc.constant([]);
    const member = fc
      .tuple(fc.oneof(fc.constant(names[0]!), fc.constantFrom(...names)), valueOf(field))
      .map(([name, value]) => `"${name}":${value}`);
    // The parts of a URL exclude each other, so each of them is often missing.
    const isPart = ["request", "target", "path", "query", "method"].includes(field);
    return fc.oneof(
      { weight: 12, arbitrary: member.map((text) => [text]) },
      { weight: isPart ? 12 : 1, arbitrary: fc.array(member, { maxLength: isPart ? 1 : 2 }) },
    );
  };
  const names = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom("x", "request_time", "a b", "") },
    { weight: 1, arbitrary: fc.constantFrom("log", "stream", "n\\u0061me", "__proto__", "x".repeat(70)) },
  );
  const extra = fc.tuple(names, valueOf(undefined)).map(([name, value]) => `"${name}":${value}`);
  const ordered = fc.tuple(...[...members].map(one), fc.array(extra, { maxLength: 2 })).map((each) => each.flat());
  const shuffled = ordered.chain((each) => fc.shuffledSubarray([...each], { minLength: each.length }));
  const parts = fc.oneof({ weight: 3, arbitrary: ordered }, { weight: 1, arbitrary: shuffled });
  const separators = usually(",", ",", ", ", " ,", ",,");
  const whole = fc.tuple(parts, separators, usually("", "", " ", "\t", "}", ",")).map(([each, separator, end]) => {
    return `{${each.join(separator)}}${end}`;
  });
  return fc.oneof(
    { weight: 20, arbitrary: whole },
    { weight: 1, arbitrary: whole.map((line) => line.replaceAll('":', '": ')) },
    {
      weight: 1,
      arbitrary: fc.tuple(whole, fc.nat(400), odd).map(([line, at, text]) => line.slice(0, at) + text + line.slice(at)),
    },
    { weight: 1, arbitrary: fc.tuple(whole, fc.nat(400)).map(([line, at]) => line.slice(0, at)) },
    { weight: 1, arbitrary: whole.map((line) => JSON.stringify({ log: `${line}\n`, stream: "stdout" })) },
    { weight: 1, arbitrary: whole.map((line) => `{"log":"x","stream":"stdout",${line.slice(1)}`) },
  );
}

const objectsWithPattern = objectLogFormats.filter(({ pattern }) => pattern !== undefined);

test.each(objectsWithPattern.map((log) => [log.name, log] as const))("%s: bytes and parser agree", async (_, log) => {
  const { pattern, ...parsed } = log;
  const formats = [objectLogInput(log), objectLogInput(parsed)] as const;
  const hasTimes = log.facts!.includes("time");
  let rows = 0;
  let plain = 0;
  const lines = fc.array(objectOf(pattern!.members!), { maxLength: 12 });
  // A log whose first record has no member for the User-Agent header would be refused.
  const first = `${log.samples.record.replaceAll(/\{(?:target|host|scheme|other)\}/g, (name) => (name === "{target}" ? "/" : "x"))}\n`;
  await fc.assert(
    fc.asyncProperty(lines, options, fc.boolean(), async (each, settings, asksTime) => {
      const [source, length, given] = sourceOf(first, each, log.facts!, settings);
      const more = { maxLineBytes: 1_000, ...(asksTime && hasTimes ? { time: { field: undefined } } : {}) };
      const [fast, slow] = await readBoth(formats, source, length, { ...given, ...more });
      expect({ ...fast, plain: 0 }).toEqual(slow);
      rows += fast.records.length;
      plain += fast.plain;
    }),
    { numRuns: runsOf(150) },
  );
  // For a record that is not read as bytes, this test compares the parser with itself.
  expect(plain).toBeGreaterThan(rows / 12);
});

test.each(["-", ""])("a status %j is not replaced by that of a further member", async (written) => {
  const log = objectLogFormats.find(({ name }) => name === "nginx_json")!;
  const { pattern: _, ...parsed } = log;
  const texts: Readonly<Record<string, string>> = {
    "{target}": "/",
    "{host}": "a.example",
    "{scheme}": "https",
    "{other}": "x",
  };
  const usual = log.samples.record.replaceAll(/\{[a-z]+\}/g, (name) => texts[name]!);
  const line = usual.replace('"status":200', `"response":200,"status":"${written}"`);
  const formats = [objectLogInput(log), objectLogInput(parsed)] as const;
  const [fast, slow] = await readBoth(formats, `${usual}\n${line}\n`, 1_000, {});
  expect([fast.plain, slow.records.length]).toEqual([1, 2]);
  expect({ ...fast, plain: 0 }).toEqual(slow);
});

test.each<readonly [log: string, without: readonly LogMember[], code: string, line: string]>([
  [
    "combined",
    ["time"],
    "joined-lines",
    '] - - [x [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 123 "-" "Mozilla/5.0 (compatible; bingbot/2.0)"',
  ],
  [
    "haproxy",
    [],
    "not-a-log-line",
    'web-1  |  - haproxy[-]: 192.0.2.1:1234 [06/Feb/2009:12:14:14.655] - -/- -/-/-/-/- 200 123 - - - -/-/-/-/- -/- "GET / HTTP/1.1"',
  ],
])("%s without %j: this is %s", async (name, without, code, line) => {
  const log = withPattern.find((each) => each.name === name)!;
  const { records, rejects } = await read(lineLogInput(log), `${line}\n`, 1_000, { logRows: { without } });
  expect(records).toEqual([]);
  expect(rejects).toMatchObject([{ code }]);
});

test.each<readonly [log: string, line: string]>([
  // The client's field has the form of a syslog prefix, and a space follows the name of the server.
  [
    "haproxy",
    '<->1 [- - haproxy - - - 192.0.2.1:1234 [06/Feb/2009:12:14:14.655] - -/two words -/-/-/-/- 200 123 - - - -/-/-/-/- -/- {a.example} {-} "GET / HTTP/1.1"',
  ],
])("%s: a line of which several patterns match gives the same as bytes and by the parser: %s", async (name, line) => {
  const log = withPattern.find((each) => each.name === name)!;
  const { patternsOf: _, ...parsed } = log;
  const formats = [lineLogInput(log), lineLogInput(parsed satisfies LineLogFormat)] as const;
  const [fast, slow] = await readBoth(formats, `${line}\n`, 1_000, {});
  expect(slow.rejects).toMatchObject([{ code: "joined-lines" }]);
  expect({ ...fast, plain: 0 }).toEqual(slow);
});

test.each<readonly LogMember[]>([[], ["time"]])(
  "a line that ends inside its time does not include the next line: without %s",
  async (...without) => {
    const log = withPattern.find(({ name }) => name === "combined")!;
    const end = '] "GET /b HTTP/1.1" 200 1 "-" "x"\n';
    // The text from the first bracket to the second line's "]" is as long as a time.
    const text = `192.0.2.1 - - [17\n192.0.2.2 - - [17/May/2${end}192.0.2.3 - - [17/May/2015:10:05:03 +0000${end}`;
    const { records, rejects } = await read(lineLogInput(log), text, 1_000, { logRows: { without } });
    expect(records).toHaveLength(2);
    expect(rejects.map(({ line }) => line)).toEqual([1]);
  },
);

test("20,000 lines that only seem to be lines of a log are rejects, within the time limit of a test", async () => {
  const log = withPattern.find(({ name }) => name === "combined")!;
  const line = '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a';
  const { rejects } = await read(lineLogInput(log), `${line}\n`.repeat(20_000), 65_536, {});
  expect(rejects).toHaveLength(20_000);
});
