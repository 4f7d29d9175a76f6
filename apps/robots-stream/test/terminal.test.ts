// Tests runs on a pseudo terminal, which util-linux's `script` makes: the terminal's content during and after the run.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { createWriteStream, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { responseOf } from "@robots-stream/raw-servers";
import headless from "@xterm/headless";
import { afterAll, describe, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { appArguments, recordsOf, root } from "./run.ts";
import { RawServers } from "./servers.ts";

const hasScript = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;
const columns = 100;

const servers = new RawServers();
const folder = makeFolder();
afterAll(async () => {
  await servers.close();
});

interface OnTerminal {
  readonly child: ChildProcess;
  /** All bytes that were written to the terminal so far. */
  written(): string;
  /** The terminal's content after the process has ended, without trailing blank lines. */
  ended(): Promise<{ readonly code: number | null; readonly lines: readonly string[] }>;
}

/** Starts the app on a terminal, with its rows in the file `rows`. */
function startOnTerminal(args: readonly string[], variables: NodeJS.ProcessEnv = {}): OnTerminal {
  return startShell(`stty cols ${columns} rows 20; exec ${quoted(args)} > '${join(folder, "rows")}'`, variables);
}

/** The app and its arguments as words for a shell. */
function quoted(args: readonly string[]): string {
  return [process.execPath, ...appArguments, ...args].map((word) => `'${word}'`).join(" ");
}

function startShell(command: string, variables: NodeJS.ProcessEnv): OnTerminal {
  const env: NodeJS.ProcessEnv = { ...process.env, TERM: "xterm", CI: "", NO_COLOR: "1", FORCE_COLOR: undefined };
  const child = spawn("script", ["-qec", command, "/dev/null"], { cwd: root, env: { ...env, ...variables } });
  const screen = new headless.Terminal({ cols: columns, rows: 20, allowProposedApi: true });
  const closed = once(child, "close") as Promise<[number | null]>;
  let written = "";
  child.stdout.on("data", (chunk: Buffer) => {
    written += chunk.toString();
    screen.write(chunk);
  });
  return {
    child,
    written: () => written,
    async ended() {
      const [code] = await closed;
      await new Promise<void>((resolve) => screen.write("", resolve));
      const { active } = screen.buffer;
      const lines = Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true) ?? "");
      screen.dispose();
      return { code, lines: lines.slice(0, lines.findLastIndex((line) => line !== "") + 1) };
    },
  };
}

/** Resolves once `isThere` returns true for the content of the terminal. */
async function until(terminal: OnTerminal, isThere: (written: string) => boolean): Promise<void> {
  while (!isThere(terminal.written())) await once(terminal.child.stdout!, "data");
}

const saved = ["--agent", "bingbot", "--robots", "examples/robots", "--ordered"];
const somewhere = ["https://shop.example/shoes", "https://shop.example/cart/%1b[31m\u001b[31m", "mailto:x"];

describe.skipIf(!hasScript)("rows on a terminal", () => {
  const inputs = (): string => {
    const path = join(folder, "some.txt");
    writeFileSync(path, somewhere.join("\n"));
    return path;
  };
  const withoutTime = (lines: readonly string[]): readonly string[] =>
    lines.map((line) => line.replace(/ · [\d.]+ s$/, ""));
  const counts = "1 allowed, 1 disallowed, 1 undecided · 1 origin";

  test("a table, as wide as the terminal, with the counts below it", async () => {
    const terminal = startShell(`stty cols 80 rows 20; exec ${quoted([...saved, inputs()])}`, {});
    const { code, lines } = await terminal.ended();
    expect(withoutTime(lines)).toEqual([
      "✔ allowed     https://shop.example/shoes                no rule",
      "✘ disallowed  https://shop.example…art/%1b[31m\\x1b[31m  3  disallow: /cart",
      "– undecided   mailto:x                                  unsupported scheme",
      counts,
    ]);
    expect([code, terminal.written().includes("\u001b")]).toEqual([0, false]);
  });

  test("colours, and none for a dumb terminal", async () => {
    const colours = { NO_COLOR: undefined, CI: undefined };
    const args = quoted([...saved, inputs()]);
    const terminal = startShell(`stty cols 80 rows 20; exec ${args}`, colours);
    expect(withoutTime((await terminal.ended()).lines).at(-1)).toBe(counts);
    expect(terminal.written()).toContain("\u001b[31m✘ disallowed\u001b[39m");
    const dumb = startShell(`stty cols 80 rows 20; exec ${args}`, { ...colours, TERM: "dumb" });
    await dumb.ended();
    expect(dumb.written()).not.toContain("\u001b");
  });

  test("COLUMNS, --quiet, --output ndjson, and the data of --result-key", async () => {
    // COLUMNS is set last, because bash sets it after each program.
    const shown = async (width: number, ...args: string[]): Promise<readonly string[]> => {
      const command = `COLUMNS=${width} exec ${quoted([...saved, ...args, inputs()])}`;
      const terminal = startShell(`stty cols 80 rows 20; ${command}`, {});
      return (await terminal.ended()).lines;
    };
    expect(await shown(40, "--quiet", "--only", "disallowed")).toEqual([
      "✘ https://shop.exampl…rt/%1b[31m\\x1b[31m",
      "  disallowed  3  disallow: /cart",
    ]);
    for (const args of [
      ["-o", "ndjson"],
      ["--result-key", "robots"],
    ]) {
      const [first] = await shown(80, ...args);
      expect(first).toMatch(/^\{"url":"https:\/\/shop\.example\/shoes","robots":\{/);
    }
  });
});

describe.skipIf(!hasScript)("on a terminal", () => {
  test("progress is shown with messages above it, and is cleared at the end", async () => {
    const sockets: Socket[] = [];
    const slow = await servers.serve((socket) => void sockets.push(socket));
    const quick = await servers.serve((socket) => socket.end(responseOf(404, {}, "")));
    const urls = join(folder, "urls.txt");
    writeFileSync(urls, `${quick}/a\n${slow}/x\nno url at all\n`);
    const args = [
      "-a",
      "b",
      "--allow-private",
      "--cache",
      "none",
      "--timeout",
      "60",
      "--connect-timeout",
      "60",
      "--verbose",
      urls,
    ];
    const terminal = startOnTerminal(args);
    await until(terminal, (written) => / 1 in flight, parked \d+ B, all read/.test(written));
    while (sockets.length === 0) await wait(20);
    sockets[0]!.end(responseOf(200, {}, "User-agent: *\nDisallow: /x\n"));
    const { code, lines } = await terminal.ended();
    expect(lines.map((line) => line.replace(/[\d.]+ m?s\b/, "TIME"))).toEqual([
      `robots-stream: ${quick}: unavailable, http-404, TIME`,
      `robots-stream: ${slow}: successful, ok, status 200, TIME, 27 B`,
    ]);
    expect(code).toBe(0);
    expect(recordsOf(readFileSync(join(folder, "rows"), "utf8"))).toHaveLength(3);
    // The cursor must never be hidden, so that it need not be shown again.
    expect(terminal.written()).not.toContain("\u001B[?25l");
  });

  test.for([
    [[], /^1 allowed, 0 disallowed, 1 undecided · 1 origin · .* s$/],
    [["--quiet"], /^$/],
  ] as const)("the counts of a run with --output-file and %j", async ([flags, counts]) => {
    const [urls, robots] = [join(folder, "counted.txt"), join(folder, "counted-robots.txt")];
    writeFileSync(urls, "https://a.example/x\nhttp://[\n");
    writeFileSync(robots, "User-agent: *\nDisallow: /p\n");
    const rows = join(folder, "counted.ndjson");
    const terminal = startOnTerminal(["-a", "b", "--robots", robots, "--output-file", rows, ...flags, urls]);
    const { code, lines } = await terminal.ended();
    expect(code).toBe(0);
    expect(lines.at(-1) ?? "").toMatch(counts);
  });

  test("an audit of a pipe shows how far it has read, and ends with its counts", async () => {
    const [pipe, robots] = [join(folder, "log.pipe"), join(folder, "audit-robots.txt")];
    writeFileSync(robots, "User-agent: *\nDisallow: /p\n");
    execFileSync("mkfifo", [pipe]);
    const report = join(folder, "report.html");
    const flags = ["--base", "https://shop.example", "--robots", robots, "--output-file", report];
    const terminal = startOnTerminal(["audit", pipe, ...flags]);
    const writer = createWriteStream(pipe);
    const lineOf = (path: string): string =>
      `192.0.2.1 - - [02/Jan/2025:10:00:00 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "bingbot/2.0"\n`;
    writer.write(lineOf("/a").repeat(200));
    await until(terminal, (written) => /[1-9]\d* lines, .*\/s, [\d.]+ (?:Ki)?B/.test(written));
    writer.end(`${lineOf("/p")}no line of a log\n`);
    const { code, lines } = await terminal.ended();
    expect({ code, lines: lines.map((line) => line.replace(/[\d.]+ s$/, "TIME")) }).toEqual({
      code: 0,
      lines: ["202 lines, 201 requests by 1 crawler · 1 reject · 1 file · TIME"],
    });
    expect(readFileSync(report, "utf8")).toMatch(/^<!doctype html>/i);
  });

  test("Ctrl-C leaves a clean terminal", async () => {
    const never = await servers.serve(() => undefined);
    const urls = join(folder, "never.txt");
    writeFileSync(urls, `${never}/\n`);
    const terminal = startOnTerminal(["-a", "b", "--allow-private", "--cache", "none", "--timeout", "60", urls]);
    await until(terminal, (written) => written.includes("1 in flight"));
    terminal.child.stdin!.write("\u0003");
    const { code, lines } = await terminal.ended();
    expect(code).toBe(130);
    expect(lines.map((line) => line.replace(/^\^C/, "")).filter((line) => line !== "")).toEqual([
      "robots-stream: stopped by SIGINT after 0 records were decided; 1 record that was read is not decided",
      "robots-stream: this run cannot be resumed: a run with --checkpoint FILE can",
    ]);
  });

  test("no progress with --no-progress, --quiet, CI, TERM=dumb", async () => {
    const sockets: Socket[] = [];
    const slow = await servers.serve((socket) => void sockets.push(socket));
    const urls = join(folder, "slow.txt");
    writeFileSync(urls, `${slow}/x\n`);
    const args = ["-a", "b", "--allow-private", "--cache", "none", "--timeout", "60", urls];
    const terminals = [
      startOnTerminal(["--no-progress", ...args]),
      startOnTerminal(["--quiet", ...args]),
      startOnTerminal(args, { CI: "1" }),
      startOnTerminal(args, { TERM: "dumb" }),
    ];
    // Once this run shows progress, the other runs would have shown progress too.
    const other = startOnTerminal(args);
    await until(other, (written) => written.includes("1 in flight"));
    while (sockets.length < 5) await wait(20);
    await wait(600);
    for (const socket of sockets) socket.end(responseOf(200, {}, ""));
    for (const terminal of terminals) {
      expect(await terminal.ended()).toEqual({ code: 0, lines: [] });
      expect(terminal.written()).toBe("");
    }
    expect(await other.ended()).toEqual({ code: 0, lines: [] });
  });
});
