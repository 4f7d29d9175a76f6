// Tests logs of every kind with misleading fields, escaped as by the server: a record has the fields as they were sent, or is a reject.
import { isLogProblem, lineLogFormats, objectLogFormats, urlOf } from "@robots-stream/logs";
import { describe, expect, test } from "vitest";
import { readAll } from "../../../test/reading.ts";
import { recordsOf } from "../../../test/samples.ts";
import type { InputFormat } from "../input-format.ts";
import { inputFormats } from "../registry/registry.ts";
import { lineLogInput } from "./lines.ts";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;
/** Bytes of a long field. */
const longBytes = isThorough ? 1_000_000 : 10_000;
const fill = '" \\\\" a, [-] - : {%22} "x" 200 ';

/** Writes a text as a server does. */
type Escape = (text: string) => string;

const byBytes =
  (isPlain: (byte: number) => boolean, escaped: (hex: string) => string): Escape =>
  (text) =>
    [...Buffer.from(text)]
      .map((byte) =>
        isPlain(byte) ? String.fromCharCode(byte) : escaped(byte.toString(16).toUpperCase().padStart(2, "0")),
      )
      .join("");
const isQuoteOrSlash = (byte: number): boolean => byte === 0x22 || byte === 0x5c;
const isPrinted = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;

/** nginx: `\x22`. */
const hex: Escape = byBytes(
  (byte) => isPrinted(byte) && !isQuoteOrSlash(byte),
  (digits) => `\\x${digits}`,
);
/** Apache: `\"`. */
const slash: Escape = (text) =>
  byBytes(isPrinted, (digits) => `\\x${digits.toLowerCase()}`)(text.replaceAll(/["\\]/g, String.raw`\$&`));
/** CloudFront: `%22`. */
const percent: Escape = byBytes(
  (byte) => isPrinted(byte) && byte !== 0x20 && byte !== 0x25 && !isQuoteOrSlash(byte),
  (digits) => `%${digits}`,
);
/** HAProxy: `#22`, and in headers also the characters that divide them. */
const numbered = (special: string): Escape =>
  byBytes(
    (byte) => isPrinted(byte) && !special.includes(String.fromCharCode(byte)),
    (digits) => `#${digits}`,
  );
/** IIS: "+" in the place of a space. */
const plus: Escape = (text) => text.replaceAll(" ", "+").replaceAll("\t", "%09");
const json: Escape = (text) => JSON.stringify(text).slice(1, -1);
/** Servers that escape nothing: a line with a quote may be a reject. */
const none: Escape = (text) => text;

/** The escapes of servers that escape neither as nginx does nor in JSON. */
const escapes: Readonly<Record<string, Escape>> = {
  common: slash,
  combined: slash,
  vhost_combined: slash,
  lighttpd: slash,
  akamai: slash,
  traefik: slash,
  cloudfront: percent,
  w3c: plus,
  s3: slash,
  envoy: none,
  squid: percent,
  haproxy: numbered('#"{|}'),
  heroku: none,
  cdx: percent,
  cloudfront_json: (text) => json(percent(text)),
  akamai_json: (text) => json(percent(text)),
};

/** The escapes of servers that escape paths in another way than headers. */
const pathEscapes: Readonly<Record<string, Escape>> = {
  w3c: (path) => path.replaceAll(" ", "%20"),
  haproxy: numbered('#"'),
  cdx: json,
  cloudfront_json: json,
  akamai_json: json,
};

/** Texts of a header, each with the attack that it tries. */
const headers: readonly (readonly [what: string, text: string])[] = [
  ["quotes", 'x "y" z'],
  ["a quote alone", 'x"'],
  ["backslashes", String.raw`x\y\\z`],
  ["a backslash at the end", "x\\"],
  ["blanks", "two  blanks"],
  ["escapes as text", String.raw`\x22 \" %22 \u0022 &quot; +`],
  ["the end of a line", 'x" 200 1 "-" "y'],
  ["a host", 'x" evil.example "y" evil.example'],
  ["a request", 'x" "GET https://evil.example/ HTTP/1.1" 200 1 "-" "y'],
  ["the beginning of a line", 'x192.0.2.9 - - [17/May/2015:10:05:04 +0000] "GET /evil HTTP/1.1" 200 1 "-" "y'],
  [
    "the beginning of a line of a load balancer",
    '2015-05-13T23:39:43.9Z lb 192.0.2.9:1 - 0 0 0 200 200 0 1 "GET /evil',
  ],
  ["the beginning of a line with a time only", "x [17/May/2015:10:05:04 +0000]"],
  ["an address of IPv6", "[2001:db8::bad]:443"],
  ["text from right to left", "x\u202e\u2066\u0547ooglebot\u200f"],
  ["controls of a terminal", "x\u001b[31m\u0007y"],
  ["a tab", "a\tb"],
  ["braces", "{evil.example|x} } {"],
  ["JSON", '{"host":"evil.example"}'],
];

const targets: readonly (readonly [what: string, path: string])[] = [
  ["quotes", '/a"b"'],
  ["a backslash", String.raw`/a\b`],
  ["the end of a request", '/a" 200 1 "b'],
  ["another host", "//evil.example/"],
  ["the beginning of a line", '/a192.0.2.9 - - [17/May/2015:10:05:04 +0000] "GET /evil'],
  ["an escaped quote", "/a%22b"],
  ["an address of IPv6", "/[2001:db8::bad]"],
  ["text from right to left", "/\u202e\u0547"],
  ["a blank", "/a b"],
  ["a user", "/@evil.example"],
];

const hosts = ["a.example", "[2001:db8::1]:8443", "192.0.2.1:8080", "xn--bcher-kva.example"];
const site = "https://a.example";
const bytesOf = (text: string): string => Buffer.from(text).toString("latin1");

interface Kind {
  readonly name: string;
  readonly format: InputFormat;
  readonly record: (other: string, path: string, host: string) => string;
  readonly heading: string;
  readonly escape: Escape;
  readonly escapePath: Escape;
  readonly isText: boolean;
}

function kindOf(name: string, isText: boolean): Kind {
  const format = inputFormats.find((each) => each.name === name)!;
  const { samples } = [...lineLogFormats, ...objectLogFormats].find((each) => each.name === name)!;
  const escape = escapes[name] ?? (isText ? hex : json);
  const escapePath = pathEscapes[name] ?? escape;
  const record = (other: string, path: string, host: string): string => {
    const line = recordsOf({ ...samples, record: samples.record.replace("{other}", "@other@") });
    // The template accepts only parts of URLs, so other texts are inserted afterwards.
    return line
      .record(`https://host.invalid/@path@`)
      .replaceAll("host.invalid", host)
      .replaceAll("/@path@", () => escapePath(path))
      .replaceAll("@other@", () => escape(other));
  };
  return { name, format, record, heading: samples.heading ?? "", escape, escapePath, isText };
}

const kinds = [
  ...lineLogFormats.map(({ name }) => kindOf(name, true)),
  ...objectLogFormats.map(({ name }) => kindOf(name, false)),
];

/** The path in the form in which the record's URL contains it. */
function inUrl({ escapePath }: Kind, path: string): string {
  return escapePath === percent ? percent(path) : path.replaceAll(" ", "%20");
}

/** The records and rejects of lines of one kind. For a text log, reading as bytes must give the same result as the parser. */
async function read(
  { name, format, heading, isText }: Kind,
  lines: readonly string[],
): Promise<{ readonly urls: readonly string[]; readonly agents: readonly string[]; readonly rejects: number }> {
  const text = [...(heading === "" ? [] : [heading]), ...lines].map((line) => `${line}\n`).join("");
  const log = lineLogFormats.find((each) => each.name === name);
  const hasAgents =
    (log?.facts.includes("userAgent") === true ||
      objectLogFormats.some((each) => each.name === name && each.facts !== undefined)) &&
    !withoutAgents.has(name);
  const options = {
    base: { scheme: "https", host: "a.example" } as const,
    maxLineBytes: 4_000_000,
    ...(hasAgents ? { agentField: "user_agent" } : {}),
  };
  const { heads, urls, agents, rejects } = await readAll(format, [Buffer.from(text)], options);
  for (const head of heads) JSON.parse(`${Buffer.from(head, "latin1").toString()}}`);
  if (isText) {
    const { patternsOf: _, ...parsed } = log!;
    const slow = await readAll(lineLogInput(parsed), [Buffer.from(text)], options);
    expect({ heads, urls, agents, rejects }).toEqual({
      heads: slow.heads,
      urls: slow.urls,
      agents: slow.agents,
      rejects: slow.rejects,
    });
  }
  expect(urls.length + rejects.length).toBe(lines.length);
  return { urls, agents, rejects: rejects.length };
}

/** The records of these samples have no User-Agent header, or name it in another field than the probe's. */
const withoutAgents: ReadonlySet<string> = new Set([
  "common",
  "squid",
  "haproxy",
  "heroku",
  "cdx",
  "cloudflare",
  "caddy",
]);

/** Logs of connections have no requests, and so no records. */
const withRequests = kinds.filter(({ name, record }) => record("", "/p", "a.example").includes("/p") || name === "cdx");

describe.each(withRequests.map((kind) => [kind.name, kind] as const))("%s", (name, kind) => {
  test("headers", async () => {
    const [probe] = (await read(kind, [kind.record("probe", "/p", "a.example")])).agents;
    expect([name, probe === "probe"]).toEqual([name, !withoutAgents.has(name)]);
    for (const [what, text] of headers) {
      const { urls, agents, rejects } = await read(kind, [kind.record(text, "/p", "a.example")]);
      expect([name, what, urls.length === 0 ? ["rejected"] : urls]).toEqual([
        name,
        what,
        rejects > 0 ? ["rejected"] : [`${site}/p`],
      ]);
      // The text of a record of common is the user's name, which ends at the time.
      const isUser = name === "common" && text.includes(" - ");
      if (kind.escape !== none && !isUser) expect([name, what, rejects]).toEqual([name, what, 0]);
      // IIS writes "++" for two spaces, and for a space and a plus.
      const isClear = kind.escape !== none && (kind.escape !== plus || !/ {2}|[+\t]/.test(text));
      if (probe === "probe" && rejects === 0 && isClear)
        expect([name, what, agents]).toEqual([name, what, [bytesOf(text)]]);
    }
  });

  test("unescaped headers: bytes and parser agree; for a server that escapes nothing, no record has another URL", async () => {
    for (const [what, text] of headers) {
      const { urls } = await read(kind, [
        kind.record("@@", "/p", "a.example").replace(kind.escape("@@"), () => text.replaceAll("\n", " ")),
      ]);
      const wrong = kind.escape === none ? urls.filter((url) => url !== `${site}/p`) : [];
      expect([name, what, wrong]).toEqual([name, what, []]);
    }
  });

  test("targets", async () => {
    for (const [what, path] of targets) {
      const { urls } = await read(kind, [kind.record("x", path, "a.example")]);
      // Envoy and Heroku's router do not escape targets, so such a line is ambiguous.
      if (kind.escape === none && /["\\]/.test(path)) continue;
      expect([name, what, urls]).toEqual([name, what, [`${site}${inUrl(kind, path)}`]]);
    }
  });

  test("hosts", async () => {
    // A record that writes a port of its own behind the host is for a host without one.
    const asked = kind.record("x", "/p", "@host").includes("@host:")
      ? hosts.filter((host) => !host.includes(":"))
      : hosts;
    const { urls, rejects } = await read(
      kind,
      asked.map((host) => kind.record("x", "/p", host)),
    );
    const namesHost = kind.record("x", "/p", hosts[0]!) !== kind.record("x", "/p", hosts[1]!);
    expect([name, urls, rejects]).toEqual([
      name,
      asked.map((host) => (namesHost ? `https://${host}/p` : `${site}/p`)),
      0,
    ]);
  });

  test("each line with a long field is a record or a reject, within the time limit of the test", async () => {
    // In quadratic time, a megabyte would take hours.
    const text = fill.repeat(longBytes / fill.length);
    const lines = [
      kind.record(text, "/p", "a.example"),
      kind.record("x", `/${text}`, "a.example"),
      kind.record("x", "/p", "a.example").replace("192.0.2.1", () => kind.escape(text)),
      text,
    ];
    const { urls, rejects } = await read(kind, lines);
    expect(urls.length + rejects).toBe(lines.length);
    for (const each of [...lineLogFormats, ...objectLogFormats])
      if (each.name === name) expect(lines.filter((line) => each.recognizes(line)).length).toBeLessThan(4);
  }, 120_000);

  test("reading as bytes gives the same result as the log's parser", async () => {
    const log = objectLogFormats.find((each) => each.name === name);
    if (log === undefined) {
      // `read` compares the bytes with the parser.
      const lines = headers.flatMap(([, text]) => targets.map(([, path]) => kind.record(text, path, "a.example")));
      const { urls } = await read(kind, lines);
      expect(urls.length).toBeGreaterThan(0);
      return;
    }
    for (const [, text] of headers)
      for (const [, path] of targets) {
        const line = kind.record(text, path, "a.example");
        const object = JSON.parse(line) as Readonly<Record<string, unknown>>;
        const request = log.requestOf(object);
        const url = isLogProblem(request) ? request : urlOf(request, undefined);
        const { urls, agents } = await read(kind, [line]);
        expect(urls).toEqual(typeof url === "string" ? [url] : []);
        if (!isLogProblem(request) && log.facts !== undefined)
          expect(agents).toEqual([bytesOf(request.userAgent ?? "")]);
      }
  });
});
