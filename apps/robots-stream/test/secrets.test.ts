// Tests secrets in URLs, in records of every text format, on the command line and in the environment: they stay in the records and appear
// nowhere else. No six consecutive characters of a secret may be on stderr, where summaries and statistics go, too.
import { readFileSync, readdirSync } from "node:fs";
import { type Server, createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InputFormat, inputFormats } from "@robots-stream/engine/internal";
import { lineLogFormats, objectLogFormats } from "@robots-stream/logs";
import { flags } from "../src/commands/decide/flags.ts";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { root } from "./run.ts";
import { portOf } from "./servers.ts";

const folder = makeFolder();

/** A thorough run puts every credential in every place; other runs put each in one place per format, and in some first lines. */
const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;

/** A text that contains credentials. */
interface Credential {
  readonly what: string;
  /** The text in the form that occurs in a URL, a header or a line. */
  readonly text: string;
  /** The secrets; no six consecutive characters of a secret may appear in a message. */
  readonly secrets: readonly string[];
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** A reproducible sequence of numbers (a linear congruential generator). */
function createRandom(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const jsonEscapes = (text: string): string =>
  Array.from(text, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");

/**
 * Templates that put one or two secrets into a text. No template has a slash in a password, because by the URL grammar the slash would end
 * the host, and the text before the slash would not be a password.
 */
const encodings: readonly (readonly [what: string, write: (one: string, two: string) => string])[] = [
  ["a password", (one) => `https://user:${one}@h.example/`],
  ["a user", (one) => `https://${one}@h.example/`],
  ["both", (one, two) => `https://${one}:${two}@h.example/a`],
  ["upper case", (one) => `HTTPS://user:${one}@H.EXAMPLE/`],
  ["mixed case", (one) => `hTTp://user:${one}@h.example/`],
  ["ftp", (one) => `ftp://user:${one}@h.example/`],
  ["another scheme", (one) => `redis://user:${one}@h.example/0`],
  ["percent", (one) => `https://user:${percent(one)}@h.example/`],
  ["double percent", (one) => `https://user:${percent(one).replaceAll("%", "%25")}@h.example/`],
  ["all percent", (one) => percent(`https://user:${one}@h.example/`)],
  ["JSON \\u", (one) => `https://user:${jsonEscapes(one)}@h.example/`],
  ["token with JSON \\u003d", (one) => `https://h.example/?token\\u003d${one}`],
  ["JSON \\/", (one) => `https:\\/\\/user:${one}@h.example\\/`],
  ["backslashes", (one) => `https:\\\\user:${one}@h.example\\`],
  ["one backslash", (one) => `https:\\user:${one}@h.example`],
  ["no slashes", (one) => `https:user:${one}@h.example`],
  ["one slash", (one) => `https:/user:${one}@h.example/`],
  ["four slashes", (one) => `https:////user:${one}@h.example/`],
  ["no scheme", (one) => `//user:${one}@h.example/`],
  ["neither", (one) => `user:${one}@h.example`],
  ["@@", (one) => `https://user:${one}@@h.example/`],
  ["@ in the password", (one, two) => `https://user:${one}@${two}@h.example/`],
  [": in the password", (one, two) => `https://user:${one}:${two}@h.example/`],
  ["a tab", (one, two) => `https://user:${one}\t${two}@h.example/`],
  ["a blank", (one, two) => `https://user:${one} ${two}@h.example/`],
  ["a comma", (one, two) => `https://user:${one},${two}@h.example/`],
  ["a semicolon", (one, two) => `https://user:${one};${two}@h.example/`],
  ["a bar", (one, two) => `https://user:${one}|${two}@h.example/`],
  ["a quote", (one, two) => `https://user:${one}"${two}@h.example/`],
  ["UTF-8", (one) => `https://üser:ß${one}ü@h.example/`],
  ["a query", (one) => `https://h.example/?token=${one}`],
  ["a query with any name", (one, two) => `https://h.example/?${one}&x[${two}]=1;y=2`],
  ["a blank in a query", (one, two) => `https://h.example/?q=a ${one} token=${two}`],
  ["a fragment", (one, two) => `https://h.example/#access_token=${one}&${two}`],
  ["a path", (one) => `https://h.example/reset/${one}`],
  ["Basic", (one) => `Authorization: Basic ${Buffer.from(`user:${one}`).toString("base64")}`],
  ["Bearer", (one) => `Authorization: Bearer ${one}`],
  ["a parameter", (one, two) => `api_key=${one} password: ${two}`],
  ["alone", (one) => one],
  ["alone in quotes", (one, two) => `"${one}","${two}"`],
];

/** The given number of credentials, with each encoding in turn. */
function credentialsOf(count: number): readonly Credential[] {
  return Array.from({ length: count }, (_, at) => {
    const random = createRandom(at + 1);
    const secret = (): string => Array.from({ length: 14 }, () => letters[random(letters.length)]).join("");
    const [what, write] = encodings[at % encodings.length]!;
    const secrets = [secret(), secret()];
    return { what, text: write(secrets[0]!, secrets[1]!), secrets };
  });
}

/**
 * The forms of a text in which secrets are searched for, in lower case: the text as it is, without escapes, percent-decoded once and twice,
 * and its words decoded from base64.
 */
function readingsOf(text: string): string {
  const unpercented = (from: string): string =>
    from.replaceAll(/%([\da-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const unescaped = text
    .replaceAll(/\\(?:u([\da-f]{4})|x([\da-f]{2}))/gi, (_all, four: string | undefined, two: string | undefined) =>
      String.fromCharCode(Number.parseInt(four ?? two ?? "", 16)),
    )
    .replaceAll("\\", "");
  const base64 = (text.match(/[\w+/]{8,}={0,2}/g) ?? []).map((word) => Buffer.from(word, "base64").toString("latin1"));
  return [text, unescaped, unpercented(text), unpercented(unpercented(text)), ...base64].join("\n").toLowerCase();
}

/** The pieces of six characters of the credentials' secrets that appear in a text. */
function leaksIn(text: string, credentials: readonly Credential[]): readonly string[] {
  const readings = readingsOf(text);
  return credentials.flatMap(({ what, secrets }) =>
    secrets.flatMap((secret) =>
      Array.from({ length: secret.length - 5 }, (_, at) => secret.slice(at, at + 6))
        .filter((piece) => readings.includes(piece.toLowerCase()))
        .map((piece) => `${what}: ${piece}`),
    ),
  );
}

const credentials = credentialsOf(isThorough ? 500 : 120);

/**
 * Documents of a format with a text in them, from the format's samples. `before`: the first lines, with a record. `later`: lines after
 * `before` that contain the text; some of them are records, some are not. `first`: beginnings that contain the text.
 */
function placesOf({ samples }: InputFormat) {
  const { heading, record, broken } = samples!;
  const url = { url: "https://h.example/", scheme: "https", host: "h.example", target: "/", path: "/", query: "-" };
  const filled = (parts: Readonly<Record<string, string>>): string =>
    Object.entries({ ...url, other: "x", ...parts }).reduce(
      (filling, [part, text]) => filling.replaceAll(`{${part}}`, () => text),
      record,
    );
  const begun = heading === undefined ? "" : `${heading}\n`;
  return {
    before: begun + filled({}),
    later: (text: string): readonly string[] => [
      ...[...Object.keys(url), "other"]
        .filter((part) => record.includes(`{${part}}`))
        .map((part) => filled({ [part]: text })),
      filled({ url: text, target: text, other: text }).slice(0, -4),
      ...broken.map((bad) => `${bad}${text}`),
      JSON.stringify({ [text]: text }),
      text,
    ],
    first: (text: string): readonly string[] => [
      text,
      begun + filled({ url: text, target: text }),
      `${begun.replace("url", () => text).replace("cs-uri-stem", () => text)}${filled({})}`,
      record.replace(/"\w+":/, () => `"${text}":`),
      `${text},n\n1,2`,
    ],
  };
}

const run = ["--agent", "bingbot", "--robots", join(root, "examples/robots")];

interface Reject {
  readonly line: number;
  readonly text: string;
}

/** Runs a text with rejects on stderr and, with `keeps`, once more with rejects in a file. The result has the stderr of both runs. */
async function decided(given: readonly string[], text: string | Uint8Array, keeps = true) {
  const told = await runHere([...run, ...given, "--summary", "--stats-json"], text);
  if (!keeps) return { stderr: told.stderr, rejects: [] };
  const path = join(folder, "rejects.ndjson");
  const kept = await runHere([...run, ...given, "--rejects", path, "--summary"], text);
  const lines = kept.code === 0 ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
  return { stderr: told.stderr + kept.stderr, rejects: lines.map((line) => JSON.parse(line) as Reject) };
}

const utf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, "utf16le");

/** Formats in which a text can be in the place of a host. A word there is a host, and hosts may appear in messages. */
const withHosts: ReadonlySet<string> = new Set([
  ...inputFormats.filter(({ namesHost }) => namesHost === true).map(({ name }) => name),
  ...objectLogFormats.map(({ name }) => name),
]);

/**
 * The formats of `withHosts` in which spaces separate the host from other fields. The last word of the text "a parameter" can then be in
 * the place of the host.
 */
const withHostsAsWords: ReadonlySet<string> = new Set(["combined_host", "lighttpd", "s3"]);

/** Formats that the same code reads as another format: one text log and one JSON log (nginx_json) stand for all others. */
const readAlike: ReadonlySet<string> = new Set([
  ...lineLogFormats
    .filter(({ name, isOfPattern }) => isOfPattern === true && name !== "haproxy")
    .map(({ name }) => name),
  ...objectLogFormats.filter(({ name, facts }) => facts !== undefined && name !== "nginx_json").map(({ name }) => name),
]);

// Archives are left out, because their records have lengths and cannot be edited as text. Parquet is left out, because it is not text.
const textFormats = inputFormats.filter(
  ({ name, samples }) => samples !== undefined && (isThorough || !readAlike.has(name)),
);

describe.each(textFormats.map((each, index) => ({ name: each.name, index, ...placesOf(each) })))("$name", (format) => {
  const { name, index, before, later, first } = format;
  const all = credentials.filter(
    ({ what }) =>
      (!what.startsWith("alone") || !withHosts.has(name)) && (what !== "a parameter" || !withHostsAsWords.has(name)),
  );

  test("rejects and records: no secret in stderr, summary and statistics; the file of rejects has the complete lines", async () => {
    let rejected = 0;
    // A run reports at most ten rejects one by one.
    for (let at = 0; at < all.length; at += 10) {
      const some = all.slice(at, at + 10);
      const places = later("").length;
      for (let place = (at / 10) % places; place < places; place += isThorough ? 1 : places) {
        const lines = some.map(({ text }) => later(text)[place]!);
        const text = `${before}\n${lines.join("\n")}\n`;
        const { stderr, rejects } = await decided(
          ["--input", name],
          at % 30 === 0 ? utf16(text) : text,
          isThorough || at % 20 === 0,
        );
        expect(leaksIn(stderr, some)).toEqual([]);
        const given = text.split("\n");
        rejected += rejects.length;
        for (const reject of rejects) {
          // A JSON reject omits leading and trailing spaces; a CSV reject may be a record of several lines.
          const whole = given.slice(reject.line - 1).join("\n");
          expect(whole.trimStart().startsWith(reject.text.trimStart())).toBe(true);
          if (!reject.text.includes("\n")) expect(reject.text.trim()).toBe(given[reject.line - 1]!.trim());
        }
      }
    }
    if (name !== "lines") expect(rejected).toBeGreaterThan(5);
  });

  test("first lines and headers: no secret on stderr", async () => {
    const variants = [["--input", name], [], ["--url-field", "ur", "--output", "csv"]];
    for (const [at, credential] of all.entries()) {
      if (!isThorough && at % 7 !== index % 7) continue;
      const places = first(credential.text);
      for (const given of isThorough ? variants : [variants[at % 3]!]) {
        const { stderr } = await runHere(
          [...run, ...given, "--summary", "--stats-json"],
          `${places[at % places.length]}\n`,
        );
        expect(leaksIn(stderr, [credential])).toEqual([]);
      }
    }
  });
});

/** Lines that were reported to leak a secret. */
test.each([
  String.raw`{"url":"https:\/\/user:hunter2pw@h.example/"`,
  '{"url":"https://user:p@hunter2pw@h.example/"',
  String.raw`{"url":"https://h.example/?token\u003dhunter2pw"`,
  '{"url":"https:user:hunter2pw@h.example"',
  String.raw`{"url":"https:\\user:hunter2pw@h.example"`,
  '{"url":"https://h.example/?q=a hunter2pw"',
])("no secret of the line is on stderr: %s", async (line) => {
  const { stderr, rejects } = await decided([], `{"url":"https://h.example/"}\n${line}\n`);
  expect(stderr).not.toContain("hunter2");
  expect(stderr).toContain(
    `robots-stream: stdin:2: is not JSON: expected , or } at column ${line.length + 1} (${line.length} bytes)\n`,
  );
  expect(rejects.map(({ text }) => text)).toEqual([line]);
});

test("a reject of more than a kilobyte is also written completely", async () => {
  const line = `{"url":"https://user:hunter2pw@h.example/${"x".repeat(5_000)}"`;
  const { stderr, rejects } = await decided([], `{"url":"https://h.example/"}\n${line}\n`);
  expect(stderr).toContain(`(${line.length} bytes)\n`);
  expect(rejects.map(({ text }) => text)).toEqual([line]);
});

const secret = "hunter2pwXYZ";
const words = [
  `https://user:${secret}@h.example/`,
  `https://${secret}@h.example/`,
  `https:user:${secret}@h.example`,
  `https:\\\\user:${secret}@h.example`,
  `https%3A%2F%2Fuser%3A${secret}%40h.example`,
  `//user:${secret}@h.example`,
  `user:${secret}@h.example`,
  `redis://user:${secret}@127.0.0.1:1/0`,
  `socks5://user:${secret}@h.example`,
  `https://h.example:99999999/?token=${secret}`,
  `\u001b[31m\u202ehttps://user:${secret}@h.example/`,
  `https://h.example/?${secret}`,
  `https://h.example/a#${secret}`,
  `h.example/?token=${secret}`,
];
/** A file that does not exist, so that no run comes as far as a request. */
const missing = join(folder, "none", "urls.csv");
const commands: readonly (readonly [string, (word: string) => readonly string[]])[] = [
  ["a file", (word) => [...run, word]],
  ...flags.map(
    ({ name }) => [`--${name}`, (word: string) => ["--agent", "bingbot", `--${name}=${word}`, missing]] as const,
  ),
  ["a host of --base", (word) => [...run, `--base=host:${word}=https://a.example`, missing]],
  ["a file of --base", (word) => [...run, `--base=${word}=https://a.example:x`, missing]],
  [
    "a file of --candidate",
    (word) => ["audit", missing, "--base=https://a.example", `--candidate=https://a.example=${word}`],
  ],
  ["an unknown flag", (word) => [`--${word}`]],
  ["--agent as the next argument", (word) => ["--agent", word, missing]],
  ["explain", (word) => ["explain", "--agent", "bingbot", "--robots", missing, word]],
  ["explain of a word that is not a URL", (word) => ["explain", "--agent", "bingbot", `x${word}`]],
  ["lint", (word) => ["lint", `${word}:99999999`]],
  ["detect", (word) => ["detect", word]],
  ["cache show", (word) => ["cache", "show", `${word}:99999999`, "--cache", folder]],
  ["cache show of a word that is no origin", (word) => ["cache", "show", `x${word}`, "--cache", folder]],
  ["cache", (word) => ["cache", word]],
  ["cache import", (word) => ["cache", "import", word, "--cache", folder]],
  ["cache prune", (word) => ["cache", "prune", "--older-than", word, "--cache", folder]],
  ["agents", (word) => ["agents", word]],
  ["--checkpoint and --output-file", (word) => [...run, "--checkpoint", word, "--resume", "--output-file", word]],
];

test.each(commands)("on the command line: %s", async (_what, argvOf) => {
  for (const word of words) {
    const { stderr } = await runHere(argvOf(word), '{"a":"b"}\n');
    expect(leaksIn(stderr, [{ what: word, text: word, secrets: [secret] }])).toEqual([]);
    // oxlint-disable-next-line no-control-regex
    expect(stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  }
});

test.each(["http_proxy", "https_proxy", "all_proxy", "ROBOTS_STREAM_CACHE"])(
  "in the environment: %s",
  async (variable) => {
    for (const each of words.filter((text) => !text.startsWith("h.example"))) {
      const argv = ["--agent", "bingbot", "--timeout", "0.001", "--retry-wait", "0"];
      const { stderr } = await runHere(argv, "{}\n", { HOME: folder, XDG_CACHE_HOME: folder, [variable]: each });
      expect(leaksIn(stderr, [{ what: variable, text: each, secrets: [secret] }])).toEqual([]);
    }
  },
);

describe("on the network", () => {
  let server: Server;
  let port: number;
  /** The URL and the headers of each request that the server received. */
  const told: string[] = [];

  beforeAll(async () => {
    server = createServer(({ headers, url, rawHeaders }, response) => {
      told.push(`${url} ${rawHeaders.join(" ")}`);
      if (headers.host?.startsWith("moved.") === true && url === "/robots.txt") {
        response.writeHead(302, { location: `http://other:s3cret@moved.localhost:${port}/there.txt` }).end();
      } else if (headers.host?.startsWith("down.") === true) response.writeHead(503).end();
      else response.end("User-agent: *\nDisallow: /private\n");
    });
    port = await portOf(server);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test("credentials and tokens of URLs stay in the records and are not printed in messages, sent or stored", async () => {
    const records = ["up", "moved", "down", "gone.invalid/#"].map(
      (host) => `{"url":"http://user:s3cret@${host}.localhost:${port}/private?token=t0ken"}`,
    );
    const broken = '{"url":"http://user:s3cret@up.localhost/?token=t0ken"';
    const given = ["--agent", "bingbot", "--allow-private", "--cache", join(folder, "cache")];
    const ended = await runHere(given, `${records.join("\n")}\n${broken}\n`);
    expect(ended.code).toBe(0);
    // The URLs must be unchanged.
    for (const record of records) expect(ended.stdout).toContain(record.slice(0, -1));
    expect(told.length).toBeGreaterThanOrEqual(4);
    const files = readdirSync(join(folder, "cache")).map((name) => readFileSync(join(folder, "cache", name), "latin1"));
    expect(files).not.toEqual([]);
    for (const text of [ended.stderr, ...told, ...files]) expect(text).not.toMatch(/s3cret|t0ken|authorization/i);
  });
});
