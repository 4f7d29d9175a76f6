// Tests credentials in many encodings and in the input formats that are text: no six consecutive characters of a secret may appear on
// stderr, where summaries and statistics go, too.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { afterAll, describe, expect, test } from "vitest";
import { inputFormats } from "@robots-stream/engine/internal";
import { lineLogFormats, objectLogFormats } from "@robots-stream/logs";
import { main } from "../src/main.ts";
import { type Credential, credentialsOf, leaksIn, placesOf } from "./credentials.ts";
import { root } from "./run.ts";

const folder = mkdtempSync(join(tmpdir(), "robots-stream-stderr-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A thorough run puts every credential in every place; other runs put each in one place per format, and in some first lines. */
const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;
const credentials = credentialsOf(isThorough ? 500 : 240);

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly rejects: readonly { readonly line: number; readonly text: string; readonly message: string }[];
}

async function ran(argv: readonly string[], stdin: string | Uint8Array, env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const texts = { stdout: "", stderr: "" };
  const sink = (name: keyof typeof texts): Writable =>
    new Writable({
      write: (chunk: Buffer | string, _encoding, callback) => {
        texts[name] += chunk.toString();
        callback();
      },
    });
  const code = await main({
    argv,
    env,
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: sink("stdout"),
    stderr: sink("stderr"),
  });
  return { code, ...texts, rejects: [] };
}

const run = ["--agent", "bingbot", "--robots", join(root, "examples/robots")];

/** Runs a text with rejects on stderr and, with `keeps`, once more with rejects in a file. The result has the stderr of both runs. */
async function decided(flags: readonly string[], text: string | Uint8Array, keeps = true): Promise<Ran> {
  const told = await ran([...run, ...flags, "--summary", "--stats-json"], text);
  if (!keeps) return told;
  const path = join(folder, "rejects.ndjson");
  const kept = await ran([...run, ...flags, "--rejects", path, "--summary"], text);
  const lines = kept.code === 0 ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
  const rejects = lines.map((line) => JSON.parse(line) as Ran["rejects"][number]);
  return { ...told, stderr: told.stderr + kept.stderr, rejects };
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
          isThorough || at % 70 === 0,
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
      for (const flags of isThorough ? variants : [variants[at % 3]!]) {
        const { stderr } = await ran(
          [...run, ...flags, "--summary", "--stats-json"],
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
  `h.example/?token=${secret}`,
];
const commands: readonly (readonly [string, (word: string) => readonly string[]])[] = [
  ["a file", (word) => [...run, word]],
  ...[
    "base",
    "robots",
    "ca",
    "input",
    "output",
    "output-file",
    "rejects",
    "agents",
    "dialect",
    "shard",
    "timeout",
    "max-bytes",
    "max-header-bytes",
    "allow-private",
    "park-bytes",
    "fail-on",
    "access-policy",
    "cache-max-bytes",
    "max-age",
    "max-fresh",
    "target",
    "summary",
    "checkpoint",
    "url-field",
  ].map(
    (flag) =>
      [`--${flag}`, (word: string) => ["--agent", "bingbot", `--${flag}=${word}`, "/nowhere/urls.csv"]] as const,
  ),
  ["an unknown flag", (word) => [`--${word}`]],
  ["--agent", (word) => ["--agent", word, "/nowhere/urls.csv"]],
  ["explain", (word) => ["explain", "--agent", "bingbot", "--robots", "/nowhere", word]],
  ["explain of a word that is not a URL", (word) => ["explain", "--agent", "bingbot", `x${word}`]],
  ["lint", (word) => ["lint", `${word}:99999999`]],
  ["detect", (word) => ["detect", word]],
  ["cache show", (word) => ["cache", "show", `${word}:99999999`, "--cache", folder]],
  ["cache", (word) => ["cache", word]],
  ["cache import", (word) => ["cache", "import", word, "--cache", folder]],
  ["cache prune", (word) => ["cache", "prune", "--older-than", word, "--cache", folder]],
  ["agents", (word) => ["agents", word]],
  ["--checkpoint and --output-file", (word) => [...run, "--checkpoint", word, "--resume", "--output-file", word]],
];

describe.each(commands)("on the command line: %s", (_what, argvOf) => {
  test.each(words.map((each) => [each.replace("\u001b[31m\u202e", "_"), each]))("%s", async (_shown, each) => {
    const { stderr } = await ran(argvOf(each), '{"a":"b"}\n');
    expect(leaksIn(stderr, [{ what: "a word", text: each, secrets: [secret] } satisfies Credential])).toEqual([]);
    // oxlint-disable-next-line no-control-regex
    expect(stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  });
});

test.each(["http_proxy", "https_proxy", "all_proxy", "ROBOTS_STREAM_CACHE"])(
  "in the environment: %s",
  async (variable) => {
    for (const each of words.filter((text) => !text.startsWith("h.example"))) {
      const argv = ["--agent", "bingbot", "--timeout", "0.001", "--retry-wait", "0"];
      const { stderr } = await ran(argv, "{}\n", { HOME: folder, XDG_CACHE_HOME: folder, [variable]: each });
      expect(leaksIn(stderr, [{ what: variable, text: each, secrets: [secret] }])).toEqual([]);
    }
  },
);
