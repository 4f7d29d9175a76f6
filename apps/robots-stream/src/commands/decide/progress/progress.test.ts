// A run's progress on an emulated terminal: its final content is compared.
import { PassThrough } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import headless from "@xterm/headless";
import { expect, onTestFinished, test } from "vitest";
import { type Terminal, createLiveLine } from "../../../cli/live-line.ts";
import { type ProgressView, progressLineOf } from "./progress-line.ts";
import { Progress, showsProgress } from "../../../cli/progress.ts";

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
