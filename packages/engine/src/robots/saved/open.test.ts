// Tests to which origins saved files apply by their names, or the reason why a file applies to none.
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { UsedFiles } from "../../files/used-files.ts";
import { createSavedSource, keysOf, openSavedSource } from "./open.ts";
import type { RobotsSource, SourcedRobots } from "../in-force.ts";

let folder = "";
let warnings: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "robots-stream-saved-"));
  warnings = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const rules = "User-agent: *\nDisallow: /x\n";
const source = (maxBytes = 512_000): RobotsSource =>
  createSavedSource(folder, maxBytes, (sentence) => warnings.push(sentence))!;
const load = (origin: string): SourcedRobots => source().load(origin, new AbortController().signal) as SourcedRobots;
const save = (name: string, text = rules): void => writeFileSync(join(folder, name), text);

test.each([
  ["https://example.com", ["https@example.com", "example.com"]],
  ["http://example.com:8080", ["http@example.com@8080", "example.com@8080"]],
  ["https://example.com.", ["https@example.com.", "example.com."]],
  ["http://[2001:db8::1]:81", ["http@[2001-db8--1]@81", "[2001-db8--1]@81"]],
  ["http://..", ["http@..", ".."]],
])("the names for %s", (origin, names) => {
  expect(keysOf(origin)).toEqual(names);
});

describe("a directory", () => {
  test.each([
    ["example.com.txt", "https://example.com", "successful", "ok"],
    ["example.com.txt", "http://example.com", "successful", "ok"],
    ["example.com.txt", "https://example.com:8443", "unreachable", "not-saved"],
    ["example.com.txt", "https://www.example.com", "unreachable", "not-saved"],
    ["Example.COM.TXT", "https://example.com", "successful", "ok"],
    ["https@example.com.txt", "https://example.com", "successful", "ok"],
    ["https@example.com.txt", "http://example.com", "unreachable", "not-saved"],
    ["example.com@8443.txt", "https://example.com:8443", "successful", "ok"],
    ["[2001-db8--1].txt", "http://[2001:db8::1]", "successful", "ok"],
    ["10.0.0.1.txt", "http://10.0.0.1", "successful", "ok"],
    ["10.0.0.1.404", "http://10.0.0.1", "unavailable", "http-404"],
    ["example.com.404", "https://example.com", "unavailable", "http-404"],
    ["example.com.403", "https://example.com", "unavailable", "http-403"],
    ["example.com.429", "https://example.com", "unreachable", "http-429"],
    ["example.com.503", "https://example.com", "unreachable", "http-503"],
  ])("%s for %s: %s", (name, origin, access, code) => {
    save(name);
    expect(load(origin)).toMatchObject({ access, code, fetched: false });
  });

  test("a host far longer than any name of a file has no file", () => {
    save("example.com.txt");
    const all = source();
    const { signal } = new AbortController();
    const codes = [2_000, 50_000, 2_001].map((length) => all.load(`https://${"a".repeat(length)}`, signal));
    expect(codes).toMatchObject([{ code: "not-saved" }, { code: "not-saved" }, { code: "not-saved" }]);
    expect(all.load("https://example.com", signal)).toMatchObject({ code: "ok" });
  });

  test("the exact name takes precedence over the general one", () => {
    save("example.com.txt", "");
    save("http@example.com.503", "");
    expect(load("https://example.com").code).toBe("ok");
    expect(load("http://example.com").code).toBe("http-503");
  });

  test("a file, a status and a missing file become matchers", () => {
    save("a.example.txt");
    save("b.example.404");
    expect(load("http://a.example").matcherOf("bot").decideTarget("/x")).toMatchObject({
      because: "rule",
      rule: { line: 2 },
    });
    expect(load("http://b.example").matcherOf("bot").decideTarget("/x")).toMatchObject({
      allowed: true,
      because: "unavailable",
    });
    expect(load("http://c.example").matcherOf("bot").decideTarget("/x")).toMatchObject({
      allowed: false,
      because: "unreachable",
    });
  });

  test("a host cannot name a file outside the folder", () => {
    mkdirSync(join(folder, "inner"));
    save("secret.txt");
    const inner = createSavedSource(join(folder, "inner"), 512_000, () => undefined)!;
    for (const host of ["..", "../secret", "..%2fsecret", "%2e%2e", "secret"]) {
      expect((inner.load(`http://${host}`, new AbortController().signal) as SourcedRobots).code).toBe("not-saved");
    }
  });

  test("two files for one origin are an error", () => {
    save("example.com.txt");
    save("example.com.404");
    expect(() => source()).toThrow("apply to the same origin");
  });

  test("two names of one origin are shown as they are written, also with characters outside ASCII", () => {
    save("b\u00fccher.example.txt");
    save("b\u00fccher.example.404");
    expect(() => source()).toThrow("b\u00fccher.example.404 and b\u00fccher.example.txt apply to the same origin");
  });

  test("names without an origin are reported", () => {
    for (const name of ["README.md", "*.example.com.txt", "example.com.301"]) save(name);
    save(".hidden.txt");
    source();
    expect(warnings).toEqual([
      expect.stringMatching(/ and 2 more in .*: ignored, not named after an origin/),
      expect.stringMatching(/: no file has a name like example\.com\.txt, so every origin counts as unreachable/),
    ]);
  });

  test("a folder without a file for any origin is reported, a folder with one is not", () => {
    source();
    expect(warnings).toEqual([expect.stringMatching(/: no file has a name like example\.com\.txt/)]);
    save("a.example.404");
    source();
    expect(warnings).toHaveLength(1);
  });

  test("only the first `maxBytes` bytes of a file count", () => {
    save("a.example.txt", `${rules}Disallow: /y\n`);
    const loaded = source(rules.length).load("http://a.example", new AbortController().signal) as SourcedRobots;
    expect(loaded.matcherOf("bot").decideTarget("/y").allowed).toBe(true);
    expect(load("http://a.example").matcherOf("bot").decideTarget("/y").allowed).toBe(false);
  });

  test("when a file cannot be read, its origin is unreachable, and a warning says so", () => {
    mkdirSync(join(folder, "a.example.txt"));
    expect(load("http://a.example")).toMatchObject({ access: "unreachable", code: "not-readable" });
    expect(warnings[0]).toContain("counts as unreachable");
  });
});

const isPosix = process.platform !== "win32";

describe("one file for all origins", () => {
  test.each([
    ["<!doctype html>\n<title>robots: none</title>\n", 1],
    ["Disallow: /x\n", 1],
    ['192.0.2.7 - - [01/Jan/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 5\n', 1],
    ["\n# nothing is forbidden\n \n", 0],
    ["Sitemap: https://example.com/sitemap.xml\n", 0],
    [rules, 0],
  ])("whether a file causes the warning that it has no user-agent line: %j", (text, count) => {
    save("robots.txt", text);
    createSavedSource(join(folder, "robots.txt"), 512_000, (sentence) => warnings.push(sentence));
    expect(warnings).toHaveLength(count);
    if (count > 0) expect(warnings[0]).toMatch(/robots\.txt has no user-agent line, so it allows every URL$/);
  });
});

/** Archives that are damaged at their beginning. Each holds a robots.txt with rules, or with none. */
const exportLine =
  '{"origin":"https://a.example","fetchedAt":1,"freshUntil":2,"access":"successful","body":"Allow: /"}\n';
const warc = "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n\r\nUser-agent: *\nAllow: /\n";
const damaged: readonly (readonly [what: string, name: string, bytes: string])[] = [
  ["a flipped bit in an export", "export.ndjson", `\x7a${exportLine.slice(1)}`],
  ["an export under another name", "saved.txt", `[${exportLine.slice(1)}`],
  ["an export of which a sector is lost", "export.ndjson", "~".repeat(5_000) + exportLine],
  ["an export whose beginning is lost", "robots.txt", exportLine.slice(30)],
  ["a flipped bit in a WARC file", "x.warc", `V${warc.slice(1)}`],
  ["a WARC file whose beginning is lost", "robots.txt", warc.slice(12)],
  ["gzip", "x.warc.gz", "\x1e\x8b\x08\x08abcd\x02\x03name.warc\0"],
  ["gzip, the second byte", "robots.txt", "\x1f\x8a\x08\x08abcd\x02\x03name.warc\0"],
  ["zstd", "x.zst", "\x29\xb5/\xfdabcdefghijklmnop\nUser-agent: *\nAllow: /\n"],
  ["a cache", "robots.sqlite", "SQLite format 3\x01\x10\nUser-agent: *\nAllow: /\n"],
  ["a cache, the first byte", "robots.sqlite", "RQLite format 3\0\x10\nUser-agent: *\nAllow: /\n"],
  ["binary data", "robots.txt", "binary data\x01\x02\x03 in many lines\nof which none\n"],
  ["a manifest", "robots-snapshot.json", '[\n  "format": "robots-stream snapshot",\n'],
];

describe("a file that is no robots.txt is not read as one that allows everything", () => {
  test.each(damaged)("%s, alone: %s", async (_what, name, bytes) => {
    writeFileSync(join(folder, name), bytes, "latin1");
    const opening = openSavedSource(join(folder, name), { maxBytes: 512_000, warn: () => undefined });
    await expect(opening).rejects.toThrow(expect.objectContaining({ code: "ERR_UNUSABLE_ROBOTS" }));
  });

  test.each<readonly [what: string, name: string, bytes: string]>([
    ...damaged.filter(([what]) => what !== "binary data" && !what.includes("sector")),
    ["a whole export", "", exportLine],
    ["a whole WARC file", "", warc],
    ["gzip", "", "\x1f\x8b\x08\0abcd"],
  ])("%s, in a folder", (_what, _name, bytes) => {
    writeFileSync(join(folder, "a.example.txt"), bytes, "latin1");
    expect(load("https://a.example")).toMatchObject({ access: "unreachable", code: "not-readable" });
    expect(warnings).toEqual([expect.stringContaining("a.example.txt")]);
  });

  test.each([
    ["<!doctype html>\n", 1],
    ["\x89PNG\r\n\x1a\n\0\0", 1],
    ['{"error":"not found"}\n', 1],
    ["", 0],
    ["<!-- -->\nUser-agent: *\nDisallow: /x\n", 0],
  ])("what a server may have sent, in a folder: %j", (text, count) => {
    writeFileSync(join(folder, "a.example.txt"), text, "latin1");
    expect(load("https://a.example")).toMatchObject({ access: "successful", code: "ok" });
    expect(warnings).toHaveLength(count);
  });

  test.each([
    rules,
    "# WARC/1.1 and gzip\n",
    "\ufeffSitemap: https://a.example/x\n",
    "# note\n\u0001\nUser-agent: x\n",
  ])("a robots.txt under the name of an archive is one: %j", (text) => {
    for (const name of ["x.ndjson", "x.warc.gz", "x.sqlite"]) {
      save(name, text);
      createSavedSource(join(folder, name), 512_000, (sentence) => warnings.push(sentence));
    }
    expect(warnings).toEqual([]);
  });
});

describe("entries that are not files, and files without an end", () => {
  const rows: readonly (readonly [what: string, make: (path: string) => void, expected: object])[] = [
    [
      "a pipe without a writer",
      (path) => execFileSync("mkfifo", [path]),
      { access: "unreachable", code: "not-readable" },
    ],
    ["a folder", (path) => mkdirSync(path), { access: "unreachable", code: "not-readable" }],
    ["a link to nothing", (path) => symlinkSync("none", path), { access: "unreachable", code: "not-readable" }],
    ["a link to /dev/full", (path) => symlinkSync("/dev/full", path), { access: "unreachable", code: "not-readable" }],
    ["a link to /dev/zero", (path) => symlinkSync("/dev/zero", path), { access: "unreachable", code: "not-readable" }],
    ["a link to /dev/null, an empty file", (path) => symlinkSync("/dev/null", path), { access: "successful" }],
    [
      "a file of 3 GiB",
      (path) => (writeFileSync(path, `${rules}\n`), truncateSync(path, 3 * 2 ** 30)),
      { access: "successful" },
    ],
  ];

  test.runIf(isPosix).each(rows)("%s, in a directory and alone", (what, make, expected) => {
    const path = join(folder, "a.example.txt");
    make(path);
    const before = process.memoryUsage().rss;
    const loaded = load("http://a.example");
    expect(loaded).toMatchObject(expected);
    const isRead = loaded.access === "successful";
    if (isRead) expect(createSavedSource(path, 512_000, () => undefined)).toBeDefined();
    else if (!what.startsWith("a folder")) {
      const alone = (): unknown => createSavedSource(path, 512_000, () => undefined);
      expect(alone).toThrow(expect.objectContaining({ code: "ERR_UNUSABLE_ROBOTS" }));
    }
    expect(warnings).toHaveLength(isRead ? 0 : 1);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 2 ** 20);
    if (what.includes("GiB")) {
      expect(loaded.body).toHaveLength(`${rules}\n`.length);
      expect(loaded.isTruncated).toBe(true);
      expect(loaded.matcherOf("bot").decideTarget("/x")).toMatchObject({ because: "rule", rule: { line: 2 } });
    }
  });

  test.each([0, 1, rules.length - 1, rules.length, rules.length + 1, 32_768, 32_769, 100_000, 100_001])(
    "reads the whole lines among the first %i bytes and no more",
    (maxBytes) => {
      for (const size of [0, rules.length, 32_767, 32_768, 32_769, 100_000]) {
        const text = rules.repeat(Math.ceil(size / rules.length)).slice(0, size);
        save("a.example.txt", text);
        const loaded = source(maxBytes).load("http://a.example", new AbortController().signal) as SourcedRobots;
        const isWhole = size <= maxBytes || text[maxBytes] === "\n";
        const read = isWhole ? text.slice(0, maxBytes) : text.slice(0, text.lastIndexOf("\n", maxBytes - 1) + 1);
        expect(Buffer.from(loaded.body ?? []).toString()).toBe(maxBytes === 0 && !isWhole ? "" : read);
        expect(loaded.isTruncated === true).toBe(size > maxBytes);
      }
    },
  );
});

describe.runIf(isPosix)("a directory with a file that is written", () => {
  const written = (at: string): UsedFiles => {
    const used = new UsedFiles([{ shown: `--output-file ${at}`, use: "writes", at }]);
    used.check();
    return used;
  };
  const open = (at: string): unknown => createSavedSource(join(folder, "saved"), 512_000, () => undefined, written(at));
  beforeEach(() => {
    mkdirSync(join(folder, "saved"));
    save("saved/a.example.txt");
    save("out");
  });
  const same = expect.objectContaining({ code: "ERR_SAME_FILE" }) as Error;

  test("an entry is refused by its name, by a link to it and by a hard link", () => {
    symlinkSync("saved/a.example.txt", join(folder, "link"));
    linkSync(join(folder, "saved/a.example.txt"), join(folder, "hard"));
    for (const name of ["saved/a.example.txt", "link", "hard"]) expect(() => open(join(folder, name))).toThrow(same);
  });

  test("an entry is refused that is a link to an existing or a missing output file", () => {
    symlinkSync("../out", join(folder, "saved/b.example.txt"));
    symlinkSync("../new", join(folder, "saved/c.example.503"));
    for (const name of ["out", "new"]) expect(() => open(join(folder, name))).toThrow(same);
  });

  test("ordinary entries are not checked", () => {
    const used = written(join(folder, "out"));
    const check = used.checkOfFolder(join(folder, "saved"), "--robots", () => true)!;
    // A check of this entry would detect the link.
    symlinkSync("../out", join(folder, "saved/gone.example.txt"));
    for (let entry = 0; entry < 1_000; entry++) check("gone.example.txt", false);
    expect(() => check("gone.example.txt", true)).toThrow(same);
  });

  test("other outputs, and names without an origin, are allowed", () => {
    appendFileSync(join(folder, "saved/notes.md"), "");
    for (const name of ["out", "new", "saved/rows.ndjson", "saved/.hidden.txt", "saved/notes.md"])
      expect(() => open(join(folder, name))).not.toThrow();
  });
});

test("a single file applies to all origins", () => {
  save("robots.txt");
  const all = createSavedSource(join(folder, "robots.txt"), 512_000, () => undefined)!;
  for (const origin of ["https://a.example", "ftp://b.example:2121"]) {
    const loaded = all.load(origin, new AbortController().signal) as SourcedRobots;
    expect(loaded.matcherOf("bot").decideTarget("/x").allowed).toBe(false);
  }
});

test("a path that cannot be read is an error", () => {
  expect(() => createSavedSource(join(folder, "none"), 1, () => undefined)).toThrow(
    expect.objectContaining({
      code: "ERR_UNUSABLE_ROBOTS",
      message: expect.stringContaining("no such file") as string,
    }),
  );
});
