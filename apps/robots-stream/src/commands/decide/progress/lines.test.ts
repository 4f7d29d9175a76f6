// The line of progress on an emulated terminal; summaries and loaded origins as texts; slow loads.
import { PassThrough } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { type RobotsSource, type SourcedRobots, Tally } from "@robots-stream/engine/internal";
import headless from "@xterm/headless";
import { expect, onTestFinished, test } from "vitest";
import { bytesText, durationText, numberText } from "../../../cli/figures.ts";
import { createLiveLine, type Terminal } from "../../../cli/live-line.ts";
import { Progress, showsProgress } from "../../../cli/progress.ts";
import { addTime, createTimesHistogram, HeavyHitters } from "./collect.ts";
import { documentOf } from "./document.ts";
import { originTextOf, progressLineOf, type ProgressView } from "./lines.ts";
import { LoadWatch } from "./load-watch.ts";
import { summaryTextOf } from "./reports.ts";

const view: ProgressView = {
  records: 1_234_567,
  recordsPerSecond: 812_345,
  origins: { known: 12_345, fetched: 10_234, failed: 123, inFlight: 512 },
  parkedBytes: 3_565_158,
  parkedInFile: 40_123,
  readBytes: 430,
  totalBytes: 1_000,
  earlierBytes: 0,
  elapsedMs: 9_050,
};

/** A stream to a terminal, and the terminal's content, line by line. */
function createTerminal(columns: number): {
  readonly stream: Terminal & { columns: number };
  resize(columns: number): void;
  shown(): Promise<readonly string[]>;
} {
  const screen = new headless.Terminal({ cols: columns, rows: 12, allowProposedApi: true, convertEol: true });
  onTestFinished(() => screen.dispose());
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns, rows: 12 });
  stream.on("data", (chunk: Buffer) => screen.write(chunk));
  return {
    stream,
    resize(to) {
      screen.resize(to, 12);
      stream.columns = to;
      stream.emit("resize");
    },
    async shown() {
      await new Promise<void>((resolve) => screen.write("", resolve));
      const { active } = screen.buffer;
      const lines = Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true) ?? "");
      return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
    },
  };
}

test("the line shows as many parts as fit the width", () => {
  const all =
    "1,234,567 records, 812,345/s, 12,345 origins, 10,234 fetched, 123 failed, 512 in flight, parked 3.4 MiB and 40,123 in a file, 43 %, 12.0 s left";
  expect(progressLineOf(view, 200)).toBe(all);
  expect(progressLineOf(view, 80)).toBe(
    "1,234,567 records, 812,345/s, 12,345 origins, 512 in flight, 43 %, 12.0 s left",
  );
  expect(progressLineOf(view, 40)).toBe("1,234,567 records, 43 %, 12.0 s left");
  for (let columns = 1; columns < 160; columns++) {
    expect(progressLineOf(view, columns).length).toBeLessThanOrEqual(Math.max(1, columns - 1));
  }
});

test("an origin that takes long is named, where there is room", () => {
  const waiting: ProgressView = { ...view, waitsFor: { origin: "https://slow.example", ms: 12_345 } };
  expect(progressLineOf(waiting, 200)).toMatch(/, 43 %, 12\.0 s left, https:\/\/slow\.example takes 12\.3 s$/);
  expect(progressLineOf(waiting, 80)).not.toContain("slow.example");
});

test("no remaining time is shown for an input of unknown size, an input at its start and an input that is read; some zero counts are omitted", () => {
  const pipe: ProgressView = {
    ...view,
    parkedBytes: 0,
    parkedInFile: 0,
    totalBytes: undefined,
    origins: { known: 1, fetched: 0, failed: 0, inFlight: 0 },
  };
  expect(progressLineOf(pipe, 200)).toBe("1,234,567 records, 812,345/s, 1 origin, 0 fetched");
  expect(progressLineOf({ ...pipe, totalBytes: 430 }, 200)).toMatch(/, all read$/);
  expect(progressLineOf({ ...pipe, readBytes: 0, totalBytes: 430 }, 200)).toMatch(/, 0 %$/);
});

test("bytes that an earlier process read do not affect the estimate of the remaining time", async () => {
  const resumed = { ...view, readBytes: 500, totalBytes: 1_000, earlierBytes: 400, elapsedMs: 1_000 };
  expect(progressLineOf(resumed, 200)).toMatch(/, 50 %, 5\.0\d? s left$/);
  expect(progressLineOf({ ...resumed, readBytes: 400 }, 200)).toMatch(/, 40 %$/);
  const terminal = createTerminal(200);
  let now = 0;
  const progress = new Progress(terminal.stream, progressLineOf, () => now);
  onTestFinished(() => progress.stop());
  let records = 1_000_000;
  progress.start(() => ({ ...view, records }));
  now = 500;
  records += 50;
  while ((await terminal.shown()).length === 0) await wait(20);
  expect(await terminal.shown()).toEqual([expect.stringMatching(/^1,000,050 records, 100\/s, /)]);
});

test.each<[what: string, env: NodeJS.ProcessEnv, stderr: boolean, stdout: boolean, shows: boolean]>([
  ["a terminal, rows elsewhere", { TERM: "xterm" }, true, false, true],
  ["a pipe", { TERM: "xterm" }, false, false, false],
  ["rows on the same terminal", { TERM: "xterm" }, true, true, false],
  ["a terminal without cursor control", { TERM: "dumb" }, true, false, false],
  ["CI", { CI: "true" }, true, false, false],
  ["no CI", { CI: "false" }, true, false, true],
])("%s", (_what, env, stderr, stdout, shows) => {
  expect(showsProgress({ isTTY: stderr }, { isTTY: stdout }, env)).toBe(shows);
});

test("messages appear complete above the line, and the line is cleared at the end", async () => {
  const terminal = createTerminal(60);
  const progress = new Progress(terminal.stream, progressLineOf);
  let records = 0;
  progress.start(() => ({ ...view, records: ++records }));
  progress.write("one\n");
  while ((await terminal.shown()).length < 2) await wait(20);
  expect(await terminal.shown()).toEqual(["one", expect.stringMatching(/^2 records, .*left$/)]);
  progress.write("two\nthree\n");
  while (!(await terminal.shown()).at(-1)!.includes("records")) await wait(20);
  expect(await terminal.shown()).toEqual(["one", "two", "three", expect.stringMatching(/^\d records, .*left$/)]);
  progress.stop();
  progress.write("four\n");
  await wait(300);
  expect(await terminal.shown()).toEqual(["one", "two", "three", "four"]);
  expect(terminal.stream.listenerCount("resize")).toBe(0);
});

test("a terminal that becomes narrower or wider, or has no known size, keeps its other lines", async () => {
  const terminal = createTerminal(100);
  const line = createLiveLine(terminal.stream);
  terminal.stream.write("above\n");
  const draw = (): void => line.draw((columns) => progressLineOf(view, columns));
  for (const columns of [100, 30, 12, 120, 45]) {
    terminal.resize(columns);
    draw();
    const shown = await terminal.shown();
    expect(shown).toEqual(["above", progressLineOf(view, columns)]);
  }
  line.end();
  expect(await terminal.shown()).toEqual(["above"]);
  const unknown = createTerminal(80);
  Object.assign(unknown.stream, { columns: 0, rows: 0 });
  createLiveLine(unknown.stream).draw((columns) => progressLineOf(view, columns));
  expect(await unknown.shown()).toEqual([progressLineOf(view, 80)]);
});

const hostile = "\u001B[31m\u009B2J\u202E\u0007\n\r\u2028x";
const obeyed = /[\p{Cc}\u2028\u202E]/u;

test("hostile names, rules, codes and redirects are shown as escapes", () => {
  const [origins, rules] = [new HeavyHitters(), new HeavyHitters()];
  origins.add(() => `https://${hostile}`, 3, true);
  rules.add(() => `https://a.example 3 disallow: /${hostile}`, 2, true);
  const ms = createTimesHistogram();
  addTime(ms, 3);
  const question = {
    agent: hostile,
    names: [hostile],
    boundByEverybody: true,
    bound: "undocumented",
    crawlDelay: "unknown",
    dialect: "google",
    tokenMatch: "whole",
  } as const;
  const tally = new Tally([question]);
  tally.records = tally.elsewhere = 7;
  const document = documentOf(
    tally,
    {
      because: [new Map([["rule", 2]])],
      origins,
      rules,
      fetched: new Map([[hostile, { count: 1, bytes: 2_048, ms }]]),
      unfetched: new Map(),
      formatsInstead: new Map([["HTML", 3]]),
    },
    {
      version: "1.0.0",
      ended: "finished",
      exitCode: 0,
      startedAt: 0,
      endedAt: 2_000,
      cpuSeconds: 1.25,
      peakMemoryBytes: 2 ** 27,
      inputBytes: 100,
      targetForm: "raw",
      earlierRecords: 0,
      fileOf: () => `saved/${hostile}`,
    },
  );
  const text = summaryTextOf(document, (heading) => heading);
  expect(text.replaceAll("\n", "")).not.toMatch(obeyed);
  expect(text).toContain("disallow: /\\x1b[31m\\x9b2J\\u202e\\x07\\x0a\\x0d\\u2028x (https://a.example)\n");
  expect(text).toMatch(/^records +7\n(?:.*\n)*in other shards +7\n/);
  expect(text).toMatch(/^  HTML instead +3\n/m);
  expect(text).toContain(", 2.0 KiB, 3 ms to 3 ms (median 3 ms, 95 % within 3 ms)\n");
  const line = originTextOf(
    `https://${hostile}`,
    {
      access: "successful",
      code: hostile,
      fetched: true,
      exchange: {
        status: 200,
        ms: 1,
        endedAt: 0,
        bytes: 1,
        urls: ["https://a.example/", `https://u:p@b.example/${hostile}`],
      },
    },
    undefined,
    (_style, word) => word,
  );
  expect(line).not.toMatch(obeyed);
  expect(line).toContain("2 hops to https://b.example");
});

test.each([
  [bytesText(0), "0 B"],
  [bytesText(1_023), "1023 B"],
  [bytesText(1_536), "1.5 KiB"],
  [bytesText(1_048_575), "1.0 MiB"],
  [bytesText(64 * 2 ** 20), "64 MiB"],
  [bytesText(5e15), "4547 TiB"],
  [durationText(0), "0 ms"],
  [durationText(999.6), "1.0 s"],
  [durationText(59_949), "59.9 s"],
  [durationText(59_960), "1 min 00 s"],
  [durationText(3_599_600), "1 h 00 min"],
  [durationText(90_000_000), "25 h 00 min"],
  [numberText(1_234_567.4), "1,234,567"],
])("%s", (text, expected) => expect(text).toBe(expected));

const signal = new AbortController().signal;

test("the longest load is reported, and each slow load once", async () => {
  let now = 0;
  const ends = new Map<string, () => void>();
  const remote: RobotsSource = {
    isRemote: true,
    load: (origin) => new Promise((resolve) => ends.set(origin, () => resolve({} as SourcedRobots))),
    close: () => undefined,
  };
  const watch = new LoadWatch(() => now);
  const source = watch.watch(remote);
  const first = source.load("https://a.example", signal);
  now = 3_000;
  const second = source.load("https://b.example", signal);
  now = 4_999;
  expect([watch.longest(), watch.takeLong()]).toEqual([undefined, { loads: [], all: 2 }]);
  now = 6_000;
  expect(watch.longest()).toEqual({ origin: "https://a.example", ms: 6_000 });
  expect(watch.takeLong()).toEqual({ loads: [{ origin: "https://a.example", ms: 6_000 }], all: 2 });
  now = 9_000;
  expect(watch.takeLong()).toEqual({ loads: [{ origin: "https://b.example", ms: 6_000 }], all: 2 });
  ends.get("https://a.example")!();
  await first;
  expect(watch.longest()).toEqual({ origin: "https://b.example", ms: 6_000 });
  ends.get("https://b.example")!();
  await second;
  expect([watch.longest(), watch.takeLong()]).toEqual([undefined, { loads: [], all: 0 }]);
});

test("a failed load is no longer running, and saved files are not watched", async () => {
  const watch = new LoadWatch(() => 1e9);
  const failing: RobotsSource = { isRemote: true, load: () => Promise.reject(new Error("x")), close: () => undefined };
  await expect(watch.watch(failing).load("https://a.example", signal)).rejects.toThrow("x");
  expect(watch.takeLong().all).toBe(0);
  const saved: RobotsSource = { ...failing, isRemote: false };
  expect(watch.watch(saved)).toBe(saved);
});
