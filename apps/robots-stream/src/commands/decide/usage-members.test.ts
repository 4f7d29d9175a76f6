// The member `usage` of rows for each target, crawler and origin, within the memory limit; and the flags that request it.
import { createSavedRobots, decideStream } from "@robots-stream/engine";
import { type Usage, signalNames } from "@robots-stream/preferences";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parseFlags, usageSignals } from "./flags.ts";
import { settingsOf } from "./settings.ts";
import { createUsageMembers } from "./usage-members.ts";
import { makeFolder } from "../../../test/folder.ts";

const files: Readonly<Record<string, string>> = {
  "a.example": "User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: /open train-ai=y\nDisallow: /closed\n",
  "b.example": "User-agent: *\nContent-Signal: search=yes\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /x\n",
  "c.example": 'User-agent: *\nContent-Usage: "\u009b31m"\n',
};

const folder = makeFolder();
beforeAll(() => {
  for (const [host, text] of Object.entries(files)) writeFileSync(join(folder, `${host}.txt`), text);
});

type Row = readonly [url: string, agent: string, trainAi: string | undefined, search: string | undefined];

async function rowsOf(
  urls: readonly string[],
  members = createUsageMembers({ signals: undefined }, 1_000_000),
): Promise<Row[]> {
  const rows: Row[] = [];
  const agents = ["bingbot", "GPTBot"];
  const robots = createSavedRobots(folder);
  for await (const batch of decideStream({ agents, robots, input: urls, members: [members], ordered: true })) {
    for (const { url, agent, usage } of batch as unknown as { url: string; agent: string; usage?: Usage }[]) {
      rows.push([url, agent, usage?.["train-ai"].value, usage?.search.value]);
    }
  }
  return rows;
}

const urls = [
  "https://a.example/x",
  "https://a.example/open/1",
  "https://a.example/closed",
  "https://b.example/",
  "https://none.example/",
  "mailto:a@a.example",
];
const expected: Row[] = [
  ["https://a.example/x", "bingbot", "disallow", "unknown"],
  ["https://a.example/x", "GPTBot", "disallow", "unknown"],
  ["https://a.example/open/1", "bingbot", "allow", "unknown"],
  ["https://a.example/open/1", "GPTBot", "allow", "unknown"],
  ["https://a.example/closed", "bingbot", "unknown", "unknown"],
  ["https://a.example/closed", "GPTBot", "unknown", "unknown"],
  ["https://b.example/", "bingbot", "unknown", "allow"],
  ["https://b.example/", "GPTBot", "unknown", "unknown"],
  ["https://none.example/", "bingbot", "unknown", "unknown"],
  ["https://none.example/", "GPTBot", "unknown", "unknown"],
  ["mailto:a@a.example", "bingbot", undefined, undefined],
  ["mailto:a@a.example", "GPTBot", undefined, undefined],
];

test("the preferences depend on target, crawler and origin", async () => {
  expect(await rowsOf(urls)).toEqual(expected);
});

test("with little memory, origins that recur have the same preferences", async () => {
  const twice = [...urls, ...urls];
  expect(await rowsOf(twice, createUsageMembers({ signals: undefined }, 1))).toEqual([...expected, ...expected]);
});

test("only the chosen signals are read", async () => {
  const rows = await rowsOf(urls, createUsageMembers({ signals: ["content-signal"] }, 1_000_000));
  expect(rows.map(([, , trainAi]) => trainAi)).not.toContain("disallow");
  expect(rows[6]).toEqual(expected[6]);
});

test("texts from the file contain no control characters", () => {
  const values = async (): Promise<string> => {
    const stream = decideStream({
      agents: "bingbot",
      robots: createSavedRobots(folder),
      members: [createUsageMembers({ signals: undefined }, 1_000_000)],
    });
    stream.end("https://c.example/\n");
    let text = "";
    for await (const piece of stream) text += String(piece);
    return text;
  };
  return values().then((text) => {
    expect(text).toContain('"because":"not-a-dictionary"');
    expect(text).not.toContain("\u009b");
  });
});

describe("the flags", () => {
  const usageOf = (...args: string[]): unknown => settingsOf(parseFlags(["--agent", "a", ...args])).usage;

  test.each<[string[], unknown]>([
    [[], undefined],
    [["--preferences"], { signals: undefined }],
    [["--preferences", "--signals", "content-usage, license"], { signals: ["content-usage", "license"] }],
  ])("%j", (args, settings) => {
    expect(usageOf(...args)).toEqual(settings);
  });

  test("--signals alone and unknown signals are refused", () => {
    expect(() => usageOf("--signals", "content-usage")).toThrow("--signals needs --preferences");
    expect(() => usageOf("--preferences", "--signals", "content-usages")).toThrow("must be one of content-usage");
  });

  test("the package knows every name", () => {
    for (const name of usageSignals) expect(signalNames).toContain(name);
  });
});
