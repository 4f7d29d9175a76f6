// The flags of the cache: their settings, what is refused, and the place of the cache on each system, also as messages show it.
import { describe, expect, test } from "vitest";
import { UsageError } from "@robots-stream/engine";
import { parseFlags } from "../../commands/decide/flags.ts";
import { type CacheSettings, cacheSettingsOf, type CachePlace, cachePlaceOf, shownPlace } from "./settings.ts";
import { resolve } from "node:path";

const none: CacheSettings = {
  text: undefined,
  maxBytes: undefined,
  maxAgeMs: undefined,
  maxFreshMs: undefined,
  isRequired: false,
  isOffline: false,
  isRefreshed: false,
};

describe("valid flags", () => {
  test.each<[args: string[], expected: Partial<CacheSettings>]>([
    [[], {}],
    [["--cache", "x/y"], { text: "x/y" }],
    [["--cache", "none"], { text: "none" }],
    [["--cache-max-bytes", "2G"], { maxBytes: 2 * 1_073_741_824 }],
    [["--cache-max-bytes", "1048576"], { maxBytes: 1_048_576 }],
    [["--max-age", "90"], { maxAgeMs: 90_000 }],
    [["--max-age", "0"], { maxAgeMs: 0 }],
    [["--max-age", "1.5h"], { maxAgeMs: 5_400_000 }],
    [["--max-age", "30m"], { maxAgeMs: 1_800_000 }],
    [["--max-age", "7d"], { maxAgeMs: 604_800_000 }],
    [["--max-fresh", "7d"], { maxFreshMs: 604_800_000 }],
    [["--max-fresh", "0", "--refresh"], { maxFreshMs: 0, isRefreshed: true }],
    [["--offline", "--cache", "x"], { isOffline: true, text: "x" }],
    [["--refresh"], { isRefreshed: true }],
  ])("%j", (args, expected) => {
    expect(cacheSettingsOf(parseFlags(args).values)).toEqual({ ...none, ...expected });
  });
});

describe("refused flags", () => {
  test.each([
    ["--cache="],
    ["--cache-max-bytes 1K"],
    ["--cache-max-bytes 2T"],
    ["--cache-max-bytes junk"],
    ["--max-age -1"],
    ["--max-age=-1"],
    ["--max-age 1w"],
    ["--max-age 99999999d"],
    ["--max-fresh 1w"],
    ["--max-fresh -1"],
    ["--max-fresh 1h --max-age 1h"],
    ["--max-fresh 1h --offline"],
    ["--cache none --max-fresh 1h"],
    ["--robots x --max-fresh 1h"],
    ["--offline --refresh"],
    ["--offline --max-age 1h"],
    ["--refresh --max-age 1h"],
    ["--cache none --offline"],
    ["--cache none --refresh"],
    ["--cache none --max-age 1h"],
    ["--cache none --cache-max-bytes 1M"],
    ["--robots x --cache y"],
    ["--robots x --refresh"],
    ["--robots x --offline"],
    ["--robots x --max-age 1h"],
    ["--robots x --cache-max-bytes 1M"],
  ])("%s", (line) => {
    expect(() => cacheSettingsOf(parseFlags(line.split(" ")).values)).toThrow(UsageError);
  });
});

const file = (path: string): CachePlace => ({ kind: "file", path });

test.each<[what: string, text: string | undefined, env: NodeJS.ProcessEnv, platform: NodeJS.Platform, CachePlace]>([
  ["a folder", "/x/y", {}, "linux", file("/x/y/robots.sqlite")],
  ["a relative folder", "x", {}, "linux", file(`${resolve("x")}/robots.sqlite`)],
  ["none", "none", {}, "linux", { kind: "none" }],
  ["a server", "redis://h:1/0", {}, "linux", { kind: "redis", url: "redis://h:1/0" }],
  ["a server over TLS", "rediss://u:p@h", {}, "linux", { kind: "redis", url: "rediss://u:p@h" }],
  ["the variable", undefined, { ROBOTS_STREAM_CACHE: "/v", HOME: "/h" }, "linux", file("/v/robots.sqlite")],
  ["the variable says none", undefined, { ROBOTS_STREAM_CACHE: "none" }, "linux", { kind: "none" }],
  [
    "the flag takes precedence over the variable",
    "/x",
    { ROBOTS_STREAM_CACHE: "none" },
    "linux",
    file("/x/robots.sqlite"),
  ],
  [
    "an empty variable has no effect",
    undefined,
    { ROBOTS_STREAM_CACHE: "", XDG_CACHE_HOME: "/c" },
    "linux",
    file("/c/robots-stream/robots.sqlite"),
  ],
  ["XDG", undefined, { XDG_CACHE_HOME: "/c", HOME: "/h" }, "linux", file("/c/robots-stream/robots.sqlite")],
  [
    "XDG, not absolute",
    undefined,
    { XDG_CACHE_HOME: "c", HOME: "/h" },
    "linux",
    file("/h/.cache/robots-stream/robots.sqlite"),
  ],
  ["Linux", undefined, { HOME: "/h" }, "linux", file("/h/.cache/robots-stream/robots.sqlite")],
  [
    "macOS",
    undefined,
    { HOME: "/h", XDG_CACHE_HOME: "/c" },
    "darwin",
    file("/h/Library/Caches/robots-stream/robots.sqlite"),
  ],
  ["Windows", undefined, { LOCALAPPDATA: "/l" }, "win32", file("/l/robots-stream/Cache/robots.sqlite")],
  [
    "Windows, by the profile",
    undefined,
    { USERPROFILE: "/u" },
    "win32",
    file("/u/AppData/Local/robots-stream/Cache/robots.sqlite"),
  ],
  ["Windows without either variable", undefined, {}, "win32", { kind: "none" }],
])("%s", (_what, text, env, platform, expected) => {
  expect(cachePlaceOf(text, env, platform)).toEqual(expected);
});

describe("invalid addresses of a cache are refused, and the error does not contain the password", () => {
  const secret = "hunter2";
  const texts = [
    "http://user:hunter2@h/",
    "redis://",
    "redis://user:hunter2@:99999",
    "redis://user:hunter2@h:99999",
    "rediss:///0",
    "sqlite://x",
    // Addresses with one slash or none.
    "redis:hunter2@host",
    "redis:",
    "redis:/",
    "redis:/:hunter2@host:6379/0",
    "redis:6379",
    "REDIS:hunter2@host",
    "Rediss:hunter2@host",
    "reDIS:/hunter2@host",
    "redis :hunter2@host",
    "valkey:hunter2@host",
    "valkeys:hunter2@host",
    "VALKEY://user:hunter2@host",
    // Addresses after other characters.
    " redis://user:hunter2@host",
    "\tredis:hunter2@host",
    "\u0000redis:hunter2@host",
    '"redis://user:hunter2@host"',
    "'redis:hunter2@host'",
    // Addresses without a scheme or with an incomplete one.
    "user:hunter2@host:6379",
    ":hunter2@host",
    "u:hunter2@host/0",
    "//user:hunter2@host",
    "redis//user:hunter2@host",
    "redis;//user:hunter2@host",
    // The password contains characters that end a part of a URL, so a parser would take its beginning for host and port.
    "redis://user:12/hunter2@host:6379",
    "redis://user:12#hunter2@host:6379",
    "redis://user:12?hunter2@host:6379",
    "redis://:hunter2/x@host",
    "redis://host/hunter2",
    "redis://user:%hunter2@host",
  ];

  test.each(texts.flatMap((text) => [true, false].map((isFlag) => [text, isFlag] as const)))(
    "%j, by the flag: %j",
    (text, isFlag) => {
      let error: unknown;
      try {
        expect(cachePlaceOf(isFlag ? text : undefined, { ROBOTS_STREAM_CACHE: text, HOME: "/h" })).toBe(undefined);
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toBeInstanceOf(UsageError);
      expect(`${String(error)} ${(error as UsageError).stack} ${JSON.stringify(error)}`).not.toContain(secret);
    },
  );
});

test.each<[text: string, platform: NodeJS.Platform]>([
  ["./redis:x", "linux"],
  ["./user:name@host", "linux"],
  ["/var/cache/a:b@c", "linux"],
  ["my:cache", "linux"],
  ["me@home", "linux"],
  ["redis", "linux"],
  ["redis-cache", "linux"],
  ["C:\\cache\\me@home", "win32"],
  ["C:cache@home", "win32"],
])("%j is a folder on %s", (text, platform) => {
  expect(cachePlaceOf(text, {}, platform).kind).toBe("file");
});

test.each<[CachePlace, string]>([
  [{ kind: "none" }, "none"],
  [file("/a\u001b[31m/robots.sqlite"), "/a\\x1b[31m/robots.sqlite"],
  [{ kind: "redis", url: "redis://user:secret@h:6380/3?password=secret#secret" }, "redis://h:6380/3"],
])("%j is shown as %s", (place, expected) => {
  expect(shownPlace(place)).toBe(expected);
});
