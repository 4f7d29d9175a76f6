// The flags of the cache: their settings, and the values and combinations that are refused.
import { describe, expect, test } from "vitest";
import { UsageError } from "@robots-stream/engine";
import { parseFlags } from "../../commands/decide/flags.ts";
import { type CacheSettings, cacheSettingsOf } from "./settings.ts";

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
