// The settings, or the error message, for command lines.
import { beforeAll, describe, expect, test } from "vitest";
import { setCallerWords } from "@robots-stream/engine/internal";
import { callerWords } from "../../cli/caller-words.ts";
import { renderFlagsPage } from "../flags-page.ts";
import { commands } from "../list.ts";
import { flags, parseFlags } from "./flags.ts";
import { wrapHelp } from "../../cli/help-text.ts";
import { renderHelp } from "./help.ts";
import { nearestOf } from "@robots-stream/core/internal";
import { accessPolicies } from "@robots-stream/fetch/policy";
import { accessPolicyNames } from "../../cli/network/flags.ts";
import { settingsOf } from "./settings.ts";

beforeAll(() => void setCallerWords(callerWords));

const settings = (...args: string[]): ReturnType<typeof settingsOf> => settingsOf(parseFlags(args));

const asked = { boundByEverybody: true, dialect: "google", tokenMatch: "google" };

test("--robots cannot be combined with the flags about requests", () => {
  expect(settings("--agent", "a", "--robots", "saved").robotsPath).toBe("saved");
  for (const line of ["--ca nosuch", "--proxy none", "--timeout 3", "--allow-private", "--concurrency 2"]) {
    expect(() => settings("--agent", "a", "--robots", "saved", ...line.split(" "))).toThrow(
      "cannot be combined: saved files replace the network",
    );
  }
});

describe("settings of a command line", () => {
  test("all settings", () => {
    const line = [
      [
        "-a",
        "bingbot",
        "--agent=GPTBot",
        "--agent",
        "bingbot",
        "--input",
        "csv",
        "--url-field",
        "a.b",
        "--base",
        "HTTP://B.example:80",
        "--target",
        "normalized",
        "--max-line-bytes",
        "2k",
      ],
      ["--output=tsv", "--result-key", "r", "--ordered", "--csv-safe", "--rejects", "r.ndjson"],
      ["--user-agent", "my-bot/1.0", "--timeout", "2.5", "--concurrency", "7", "--max-bytes", "1M", "--allow-private"],
      [
        "--park-bytes",
        "3m",
        "--summary",
        "--fail-on",
        "disallowed,reject",
        "--fail-on",
        "unreachable",
        "a.csv",
        "-",
        "--",
        "--b",
      ],
    ].flat();
    const { inputFormat, outputFormat, failOn, network, ...rest } = settings(...line);
    expect([inputFormat?.name, outputFormat.name, failOn.map(({ name }) => name)]).toEqual([
      "csv",
      "tsv",
      ["disallowed", "reject", "unreachable"],
    ]);
    expect(network).toMatchObject({ userAgent: "my-bot/1.0", timeoutMs: 2_500, concurrency: 7, allowPrivate: true });
    expect(rest).toEqual({
      questions: [
        { agent: "bingbot", names: ["bingbot", "msnbot"], bound: "yes", crawlDelay: "everybody", ...asked },
        { agent: "GPTBot", names: ["GPTBot"], bound: "yes", crawlDelay: "unknown", ...asked },
      ],
      agentSets: [],
      agentField: undefined,
      page: "auto",
      questionOptions: { dialects: ["google"], tokenMatch: undefined, hasFallback: true, areFromHeaders: false },
      hasDialect: false,
      hasKind: false,
      rows: "agent",
      onlyDifferences: false,
      window: undefined,
      time: undefined,
      only: undefined,
      logRows: undefined,
      files: ["a.csv", "-", "--b"],
      urlField: "a.b",
      fileBases: [],
      base: { scheme: "http", host: "b.example" },
      targetForm: "normalized",
      maxLineBytes: 2_048,
      resultKey: "r",
      isOrdered: true,
      csvSafe: true,
      namedFiles: [{ shown: "--rejects r.ndjson", use: "writes", at: "r.ndjson" }],
      rejectsPath: "r.ndjson",
      robotsPath: undefined,
      maxBytes: 1_048_576,
      cache: {
        text: undefined,
        maxBytes: undefined,
        maxAgeMs: undefined,
        maxFreshMs: undefined,
        isRequired: false,
        isOffline: false,
        isRefreshed: false,
      },
      parkBytes: 3_145_728,
      matcherBytes: 268_435_456,
      shard: undefined,
      checkpoint: undefined,
      outputPath: undefined,
      reports: [{ flag: "summary", path: undefined, form: "text" }],
      isQuiet: false,
      isVerbose: false,
      hasProgress: true,
    });
  });

  test.each<[args: string[], allowPrivate: boolean | string[], files: string[]]>([
    [["--allow-private"], true, ["-"]],
    [["--allow-private", "a.csv"], true, ["a.csv"]],
    [["--allow-private", "--summary", "a.csv"], true, ["a.csv"]],
    [["--allow-private", "10.0.0.0/8,127.0.0.0/8", "a.csv"], ["10.0.0.0/8", "127.0.0.0/8"], ["a.csv"]],
    [["--allow-private=10.0.0.0/8", "a.csv"], ["10.0.0.0/8"], ["a.csv"]],
    [["a.csv", "--allow-private", "::1,fd00::/8"], ["::1", "fd00::/8"], ["a.csv"]],
    [["--allow-private", "127.0.0.1"], ["127.0.0.1"], ["-"]],
    [["--allow-private", "--", "127.0.0.1"], true, ["127.0.0.1"]],
    [["--allow-private", "./127.0.0.1"], true, ["./127.0.0.1"]],
    [[], false, ["-"]],
  ])("%j", (args, allowPrivate, files) => {
    const { network, files: read } = settings("-a", "x", ...args);
    expect([network.allowPrivate, read]).toEqual([allowPrivate, files]);
  });

  test("settings of requests", () => {
    const line =
      "--access-policy RFC9309 --soft-404 --connect-timeout 1.5 --headers-timeout 2 --retry-wait 0 --max-redirects 0 " +
      "--max-header-bytes 1k --per-address 2 --resolver system --proxy none --insecure-tls";
    expect(settings("-a", "x", ...line.split(" ")).network).toEqual({
      userAgent: undefined,
      accessPolicy: "rfc9309",
      soft404: true,
      timeoutMs: undefined,
      connectTimeoutMs: 1_500,
      headersTimeoutMs: 2_000,
      retryWaitMs: 0,
      maxRedirects: 0,
      maxHeaderBytes: 1_024,
      concurrency: 256,
      perAddress: 2,
      allowPrivate: false,
      resolver: "system",
      proxy: "none",
      caPath: undefined,
      insecureTls: true,
    });
  });

  test("the access policies equal those of @robots-stream/fetch", () => {
    expect(accessPolicyNames).toEqual(Object.keys(accessPolicies));
  });

  test("--shard selects a part", () => {
    expect(settings("-a", "x", "--shard", "2/4").shard).toEqual({ part: 2, count: 4 });
    for (const wrong of ["0/4", "5/4", "1", "1/0", "1/-4", "a/b", "1/1000000000"]) {
      expect(() => settings("-a", "x", "--shard", wrong)).toThrow(expect.objectContaining({ code: "ERR_WRONG_VALUE" }));
    }
  });

  test("no file means stdin", () => {
    expect(settings("-a", "x").files).toEqual(["-"]);
  });
});

describe("mistakes have a code, and most messages have a hint", () => {
  test.each([
    [["--agnet", "x"], "ERR_UNKNOWN_FLAG", "did you mean --agent?"],
    [["--sumary"], "ERR_UNKNOWN_FLAG", "did you mean --summary?"],
    [["--summary=a.json", "--summary"], "ERR_REPEATED_FLAG", undefined],
    [["--stats-json="], "ERR_MISSING_VALUE", undefined],
    [["-a", "x", "--quiet", "--verbose"], "ERR_WRONG_VALUE", undefined],
    [["--url"], "ERR_UNKNOWN_FLAG", "did you mean --url-field?"],
    [["--quux"], "ERR_UNKNOWN_FLAG", "robots-stream --help lists the flags"],
    [["-x"], "ERR_UNKNOWN_FLAG", undefined],
    [["--agent"], "ERR_MISSING_VALUE", undefined],
    [["--agent", "--summary"], "ERR_MISSING_VALUE", undefined],
    [["-a", "x", "--ordered=yes"], "ERR_UNEXPECTED_VALUE", undefined],
    [["-a", "x", "--robots", "a", "--robots", "b"], "ERR_REPEATED_FLAG", undefined],
    [[], "ERR_MISSING_AGENT", "for example: --agent bingbot; for an access log: --agent-field user_agent"],
    [
      ["--user-agent", "bingbot", "--robots", "x"],
      "ERR_MISSING_AGENT",
      "for example: --agent bingbot; for an access log: --agent-field user_agent",
    ],
    [["-agent", "bingbot"], "ERR_UNKNOWN_FLAG", "did you mean --agent?"],
    [["-a", "x", "-output=csv"], "ERR_UNKNOWN_FLAG", "did you mean --output?"],
    [["-help"], "ERR_UNKNOWN_FLAG", "did you mean --help?"],
    [["-a", "x", "--output", "json"], "ERR_WRONG_VALUE", "did you mean ndjson?"],
    [
      ["-a", "x", "--output-file", "rows.xlsx"],
      "ERR_WRONG_VALUE",
      "spreadsheets open CSV: give the file the ending .csv",
    ],
    [["-a", "x", "--only", "allowed,"], "ERR_WRONG_VALUE", undefined],
    [["-a", "x", "--without", "client,,referer"], "ERR_WRONG_VALUE", "for example: --without client,referer"],
    [["-a", ""], "ERR_NO_PRODUCT_TOKEN", "for example: --agent bingbot"],
    [["-a", "*"], "ERR_NO_PRODUCT_TOKEN", "--agent any"],
    [["-a", "Googlebot/2.1"], "ERR_NO_PRODUCT_TOKEN", "probably: --agent Googlebot"],
    [["-a", "Mozilla/5.0 (compatible; bingbot/2.0; +http://x)"], "ERR_NO_PRODUCT_TOKEN", "probably: --agent bingbot"],
    [["-a", "Mozilla/5.0 (X11; Linux) Firefox/1"], "ERR_NO_PRODUCT_TOKEN", "for example: --agent bingbot"],
    [["-a", "MJ12bot/1.4"], "ERR_NO_PRODUCT_TOKEN", "probably: --agent MJ12bot"],
    [["-a", "x".repeat(10_000)], "ERR_NO_PRODUCT_TOKEN", "for example: --agent bingbot"],
    [["-a", "x", "--dialect", "rfc"], "ERR_WRONG_VALUE", undefined],
    [["-a", "x", "--dialect", "google,rfc9306"], "ERR_WRONG_VALUE", "did you mean rfc9309?"],
    [["-a", "x", "--token-match", "hole"], "ERR_WRONG_VALUE", "did you mean whole?"],
    [["-a", "x", "--only-differences"], "ERR_WRONG_VALUE", "for example: --dialect google,rfc9309 --only-differences"],
    [["-a", "x", "--input", "cvs"], "ERR_WRONG_VALUE", "did you mean csv?"],
    [["-a", "x", "--base", "b.example"], "ERR_WRONG_VALUE", "did you mean --base https://b.example?"],
    [["-a", "x", "--target", "normal"], "ERR_WRONG_VALUE", "did you mean normalized?"],
    [["-a", "x", "--output", "lines"], "ERR_WRONG_VALUE", undefined],
    [["-a", "x", "--fail-on", "disalowed"], "ERR_WRONG_VALUE", "did you mean disallowed?"],
    [["-a", "x", "--timeout", "0"], "ERR_WRONG_VALUE", undefined],
    [["-a", "x", "--timeout", "1e3"], "ERR_WRONG_VALUE", undefined],
    [["-a", "x", "--concurrency", "1.5"], "ERR_WRONG_VALUE", undefined],
    [["-a", "x", "--concurrency", "0"], "ERR_WRONG_VALUE", undefined],
    [["-a", "x", "--per-address", "0"], "ERR_WRONG_VALUE", undefined],
    [["-a", "x", "--max-redirects", "101"], "ERR_WRONG_VALUE", undefined],
    [["-a", "x", "--max-header-bytes", "100"], "ERR_WRONG_VALUE", undefined],
    [["-a", "x", "--retry-wait", "soon"], "ERR_WRONG_VALUE", undefined],
    [["-a", "x", "--time-field", "at"], "ERR_WRONG_VALUE", "for example: --since 7d --time-field requested_at"],
    [["-a", "x", "--access-policy", "googel"], "ERR_WRONG_VALUE", "did you mean google?"],
    [["-a", "x", "--resolver", "dns"], "ERR_WRONG_VALUE", undefined],
    [["-a", "x", "--ca", "a.pem", "--insecure-tls"], "ERR_WRONG_VALUE", undefined],
    [["-a", "x", "--max-fresh", "25h", "--access-policy", "rfc9309"], "ERR_WRONG_VALUE", undefined],
    [["-a", "x", "--allow-private="], "ERR_MISSING_VALUE", undefined],
    [["-a", "x", "--allow-private=all"], "ERR_WRONG_VALUE", "for example: --allow-private 10.0.0.0/8,::1"],
    [["-a", "x", "--allow-private", "10.0.0.0/33"], "ERR_WRONG_VALUE", "for example: --allow-private 10.0.0.0/8,::1"],
    [["-a", "x", "--allow-private", "::1", "--allow-private"], "ERR_REPEATED_FLAG", undefined],
    [["-a", "x", "--max-bytes", "1T"], "ERR_WRONG_VALUE", undefined],
    [["-a", "x", "--max-bytes", "1G"], "ERR_WRONG_VALUE", undefined],
    [["-a", "x", "--park-bytes", "-1"], "ERR_MISSING_VALUE", undefined],
    [["-a", "x", "--matcher-bytes", "1025G"], "ERR_WRONG_VALUE", undefined],
    [["-a", "x", "--user-agent", "a\nb"], "ERR_WRONG_VALUE", undefined],
    [["-a", "x", "--result-key", ""], "ERR_WRONG_VALUE", undefined],
  ])("%j", (args, code, hint) => {
    let thrown: unknown;
    try {
      settings(...args);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ name: "UsageError", code });
    if (hint !== undefined) expect((thrown as { hint?: string }).hint).toContain(hint);
  });
});

describe("the table of flags", () => {
  test("every flag is in the help and in the first table of docs/FLAGS.md", async () => {
    const help = renderHelp(commands);
    const [table = ""] = (await renderFlagsPage()).split("\n\n");
    for (const { name } of flags) {
      expect(help).toContain(`--${name}`);
      expect(table).toContain(`\`--${name}\``);
    }
    expect(table.split("\n")).toHaveLength(flags.length + 2);
  });

  test("docs/FLAGS.md names every flag of every command", async () => {
    const sections = (await renderFlagsPage()).split("\n## ").slice(1);
    expect(sections.map((section) => section.split("\n", 1)[0])).toEqual(commands.map(({ name }) => name));
    for (const [index, command] of commands.entries()) {
      for (const { name } of (await command.body()).flags) expect(sections[index]).toContain(`\`--${name}\``);
    }
  });

  test("no line of the help, wrapped to 100 columns, has more than 102 characters", () => {
    for (const line of wrapHelp(renderHelp(commands), 100).split("\n")) expect(line.length).toBeLessThanOrEqual(102);
  });
});

test.each([
  [[], 256 * 2 ** 20],
  [["--matcher-bytes", "1"], 1],
  [["--matcher-bytes", "2G"], 2 * 2 ** 30],
  [["--matcher-bytes", "1024GiB"], 2 ** 40],
])("--matcher-bytes may be less or more than its default: %j", (args, bytes) => {
  expect(settings("-a", "x", ...args).matcherBytes).toBe(bytes);
});

test.each([
  ["--agnt", "--agent"],
  ["--aegnt", "--agent"],
  ["--AGENT", "--agent"],
  ["--xyzzy", undefined],
  ["", undefined],
])("the word nearest to %j", (typed, nearest) => {
  expect(nearestOf(typed, ["--agent", "--robots"])).toBe(nearest);
});
