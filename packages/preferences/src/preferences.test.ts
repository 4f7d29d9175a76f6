// Tests the reasons with their lines, the options, the data and the sentences of preferences.
import { parseRobotsTxt } from "@robots-stream/core";
import { controlTokenKeys, usageKeys, useValues } from "@robots-stream/core/internal";
import { describe, expect, test } from "vitest";
import { type Preferences, type PreferencesOptions, createPreferences } from "./preferences.ts";
import { sentencesOf } from "./sentences.ts";
import { signalNames, signals } from "./signals.ts";
import { controlTokens, policyTokenDrafts, policyTokens } from "./use-tokens.ts";
import { categories, vocabulary } from "./vocabulary.ts";

const of = (text: string, crawler = "a", options?: PreferencesOptions): Preferences =>
  createPreferences(parseRobotsTxt(text), crawler, options);

const both = [
  "User-agent: *",
  "Content-Usage: /news/* train-ai=y",
  "Content-Signal: ai-train=no, use=reference",
  "Disallow: /private",
  "License: https://example.com/license.xml",
].join("\n");

test("a usage lists each statement with its line, path and scope", () => {
  expect(of(both).usageAt("https://example.com/news/1?x#y")).toEqual({
    "train-ai": {
      value: "disallow",
      by: [
        {
          signal: "content-usage",
          value: "allow",
          statement: "train-ai=y",
          line: 2,
          path: "/news/*",
          scope: "everybody",
        },
        { signal: "content-signal", value: "disallow", statement: "ai-train=no", line: 3, scope: "everybody" },
      ],
    },
    search: { value: "unknown", by: [] },
    "ai-input": { value: "unknown", by: [] },
    use: {
      value: "reference",
      by: [{ signal: "content-signal", statement: "use=reference", line: 3, scope: "everybody" }],
    },
    licences: ["https://example.com/license.xml"],
  });
});

test("the number of statements for a crawler", () => {
  expect([of(both).statementCount, of("").statementCount]).toEqual([3, 0]);
  expect(of("User-agent: Google-Extended\nDisallow: /\n", "Googlebot").statementCount).toBe(1);
});

test("the sentences about a usage", () => {
  expect(sentencesOf(of(both).usageAt("/news/1"))).toEqual([
    'train-ai: disallow, by line 2 of the group for * (content-usage: "train-ai=y", for /news/*); and by line 3 of the group for * (content-signal: "ai-train=no").',
    'use: reference, by line 3 of the group for * (content-signal: "use=reference").',
    "Licence: https://example.com/license.xml",
  ]);
  expect(sentencesOf(of("").usageAt("/"))).toEqual([]);
  expect(
    sentencesOf(
      of("User-agent: bingbot\nContent-Usage: *.pdf train-ai=n\nDisallow:\n", "bingbot").usageAt("/", {
        directives: ["nocache", "noai"],
        contentUsage: ["search=y"],
        tdmReservation: ["1"],
        tdmPolicy: ["https://example.com/tdm.json"],
      }),
    ),
  ).toEqual([
    'train-ai: disallow, by line 2 of the crawler\'s group (content-usage: "*.pdf train-ai=n", which is not a Dictionary of Structured Fields); and by the page (tdm: "tdm-reservation=1", policy https://example.com/tdm.json); and by the page (bing: "nocache", which allows URL, title and snippet only); and by the page (noai: "noai", which has no effect).',
    'search: allow, by line 2 of the crawler\'s group (content-usage: "*.pdf train-ai=n", which is not a Dictionary of Structured Fields); and by the response\'s header (content-usage: "search=y").',
    'ai-input: unknown, by line 2 of the crawler\'s group (content-usage: "*.pdf train-ai=n", which is not a Dictionary of Structured Fields); and by the page (bing: "nocache", which allows URL, title and snippet only).',
  ]);
});

test("bytes of the file decide, not decoded text", () => {
  const bytes = Uint8Array.from(Buffer.from("User-agent: *\nContent-Usage: /caf\xe9 train-ai=n\n", "latin1"));
  const preferences = createPreferences(parseRobotsTxt(bytes), "a");
  expect(preferences.usageAt("/caf%E9")["train-ai"]).toMatchObject({ value: "disallow", by: [{ path: "/caf%E9" }] });
  expect(preferences.usageAt("/caf%EF%BF%BD")["train-ai"].value).toBe("unknown");
});

test("the dialect of the file decides how paths are compared", () => {
  const text = "User-agent: *\nContent-Usage: /%7Ejoe train-ai=n\nContent-Usage: /~j* search=n\n";
  const google = createPreferences(parseRobotsTxt(text), "a").usageAt("/~joe");
  const standard = createPreferences(parseRobotsTxt(text, { dialect: "rfc9309" }), "a").usageAt("/~joe");
  expect([google["train-ai"].value, google.search.value]).toEqual(["unknown", "disallow"]);
  expect([standard["train-ai"].value, standard.search.value]).toEqual(["disallow", "unknown"]);
});

describe("crawlers", () => {
  const text =
    "User-agent: Googlebot\nContent-Signal: search=no\nDisallow:\n\nUser-agent: *\nContent-Signal: search=yes\nDisallow:\n";
  test("names in order of preference", () => {
    const robots = parseRobotsTxt(text);
    const names = ["Googlebot-Image", "Googlebot"];
    expect(createPreferences(robots, { names }).usageAt("/").search.value).toBe("disallow");
    expect(createPreferences(robots, "Googlebot-Image").usageAt("/").search.value).toBe("allow");
  });

  test("a crawler that the group for * does not bind", () => {
    const crawler = { names: ["AdsBot-Google"], boundByEverybody: false };
    const preferences = createPreferences(parseRobotsTxt(text), crawler);
    expect(preferences.statementCount).toBe(0);
    expect(preferences.usageAt("/").search.value).toBe("unknown");
  });

  test("a name that is not a product token is compared as a whole name", () => {
    expect(of("User-agent: MJ12bot\nContent-Signal: search=no\n", "MJ12bot").usageAt("/").search.value).toBe(
      "disallow",
    );
  });
});

test.each([
  ["a group that names it", "User-agent: __usage_ai-training\nDisallow: /\n", "disallow"],
  ["a group that names it and allows", "User-agent: __usage_ai-training\nAllow: /\n", "allow"],
  ["the group for *", "User-agent: *\nDisallow: /\n", "unknown"],
])("the policy token: %s", (_what, text, value) => {
  const { "train-ai": training, search } = of(text, "anybot").usageAt("/x");
  expect([training.value, search.value]).toEqual([value, "unknown"]);
});

test("the option tokens adds a policy token", () => {
  const token = {
    productToken: "ai-training",
    crawlers: ["*"],
    categories: ["train-ai"],
    boundByEverybody: false,
    signal: "policy-token",
    sources: [],
  } as const;
  const usage = of("User-agent: ai-training\nDisallow: /\n", "anybot", { tokens: [token] }).usageAt("/x");
  expect(usage["train-ai"]).toEqual({
    value: "disallow",
    by: [
      {
        signal: "policy-token",
        value: "disallow",
        statement: "disallow: /",
        line: 2,
        path: "/",
        scope: "named",
        productToken: "ai-training",
      },
    ],
  });
  expect(of("User-agent: *\nDisallow: /\n", "anybot", { tokens: [token] }).statementCount).toBe(0);
});

test("only the chosen signals are read", () => {
  const page = {
    tdmReservation: ["1"],
    directives: ["noarchive"],
    contentUsage: ["train-ai=n"],
    licences: ["https://e.example/l"],
  };
  for (const name of signalNames) {
    const usage = of(both, "bingbot", { signals: [name] }).usageAt("/news/1", page);
    const named = new Set(
      [...categories.flatMap((each) => usage[each].by), ...(usage.use?.by ?? [])].map(({ signal }) => signal),
    );
    for (const signal of named) expect(signal).toBe(name);
    expect(usage.licences.length > 0).toBe(name === "license");
  }
});

test("equal usages are one object, and the list of statements is frozen", () => {
  const preferences = of(both);
  expect(preferences.usageAt("/news/1")).toBe(preferences.usageAt("/news/2"));
  expect(preferences.usageAt("/news/1")).not.toBe(preferences.usageAt("/other"));
  expect(of("").usageAt("/1")).toEqual(of("User-agent: *\nDisallow: /").usageAt("/2"));
  expect(Object.isFrozen(preferences.usageAt("/news/1")["train-ai"].by)).toBe(true);
});

test("paths and statements are cut at 200 characters, a longer URL is no licence, and at most 50 licences are listed", () => {
  const long = "x".repeat(3000);
  const text = `User-agent: *\nContent-Usage: /${long} train-ai=n, a=${long}\nContent-Usage: "${long}\nLicense: https://a.example/${long}\n`;
  const licences = Array.from({ length: 60 }, (_, index) => `License: https://a.example/${index}\n`).join("");
  const usage = of(text + licences).usageAt(`/${long}`);
  expect(usage["train-ai"].by.map(({ path }) => path?.length)).toEqual([200]);
  const { by } = of(text).usageAt("/")["train-ai"];
  expect(by.map(({ statement }) => statement.length)).toEqual([200]);
  expect([usage.licences.length, usage.licences[0]]).toEqual([50, "https://a.example/0"]);
});

test("of many statements, one with the resulting value is always listed", () => {
  const text = `User-agent: *\n${"Content-Usage: train-ai=y\n".repeat(60)}Content-Usage: train-ai=n\n`;
  const { value, by, others } = of(text).usageAt("/")["train-ai"];
  expect([value, by.length, by.at(-1), others]).toEqual(["disallow", 50, expect.objectContaining({ line: 62 }), 11]);
});

describe("mistakes of the caller", () => {
  test.each<[string, () => unknown, string, RegExp]>([
    ["an unknown option", () => of("", "a", { signal: [] } as object), "ERR_INVALID_OPTION", /signals/],
    [
      "an unknown signal",
      () => of("", "a", { signals: ["content-signals" as never] }),
      "ERR_UNKNOWN_SIGNAL",
      /content-signal/,
    ],
    [
      "an unknown member of the page",
      () => of("").usageAt("/", { licenses: [] } as object),
      "ERR_INVALID_OPTION",
      /licences/,
    ],
    [
      "a file that parseRobotsTxt did not return",
      () => createPreferences({ groups: [], records: [] }, "a"),
      "ERR_FOREIGN_ROBOTS",
      /parseRobotsTxt/,
    ],
  ])("%s", (_, call, code, message) => {
    expect(call).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) as string }));
  });
});

describe("the data", () => {
  test("lint knows the same keys", () => {
    const keysOf = (signal: string): string[] =>
      vocabulary.filter((row) => row.signal === signal).map(({ key }) => key);
    expect(keysOf("content-usage").toSorted()).toEqual([...usageKeys["content-usage"]].toSorted());
    expect(keysOf("content-signal").toSorted()).toEqual([...usageKeys["content-signal"]].toSorted());
    expect(useValues).toEqual(["immediate", "reference", "full"]);
  });

  test("lint knows the same control tokens", () => {
    expect([...controlTokens, ...policyTokens].map(({ productToken }) => productToken.toLowerCase())).toEqual(
      controlTokenKeys,
    );
  });

  test("every row of the vocabulary belongs to a signal and has a source", () => {
    for (const { signal, source } of vocabulary) {
      expect(signalNames).toContain(signal);
      expect(source).not.toBe("");
    }
    expect(new Set(signalNames).size).toBe(signals.length);
  });

  test("whether * binds the policy token is unknown, and every control token has a source", () => {
    expect(policyTokenDrafts).toEqual([
      expect.objectContaining({ productToken: "__usage_ai-training", boundByEverybody: "unknown" }),
    ]);
    for (const { sources } of controlTokens) expect(sources.length).toBeGreaterThan(0);
  });
});
