// Measures the CPU time that each of three programs needs for the records of a topic: the app, a bare loop of the same client library, and
// the command. The argument is the options as JSON; the output is rows as JSON.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startBroker } from "./broker.ts";
import { Cluster, until } from "./cluster.ts";

/** The options of the bench. */
interface Options {
  readonly records: number;
  readonly rounds: number;
  /** Records per message, one number for each row of the result. */
  readonly lines: readonly number[];
  /** A module that writes the CPU time of its process to the file that BENCH_USAGE_FILE names. */
  readonly usageHook: string;
  /** The path of the command. */
  readonly cli: string;
}

const app = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const loop = fileURLToPath(new URL("loop.ts", import.meta.url));

/** Number of origins, and number of rules in each robots.txt besides `disallow: /private`. */
const origins = 1_000;
const rules = 20;

const { records, rounds, lines: all, usageHook, cli } = JSON.parse(process.argv[2]!) as Options;

/**
 * Runs a program until it ends or, with `isDone`, until `isDone` resolves to true; a signal then ends the program. Resolves to its CPU time
 * in milliseconds.
 */
async function cpuOf(args: readonly string[], folder: string, isDone?: () => Promise<boolean>): Promise<number> {
  const usageFile = join(folder, "usage.json");
  rmSync(usageFile, { force: true });
  const child = spawn(process.execPath, ["--import", usageHook, ...args], {
    env: { ...process.env, BENCH_USAGE_FILE: usageFile },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  if (isDone !== undefined) {
    await until(isDone, "the end of the topic", 300_000);
    child.kill("SIGTERM");
  }
  const code = await ended;
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${stderr}`);
  return cpuIn(usageFile);
}

function cpuIn(usageFile: string): number {
  return (JSON.parse(readFileSync(usageFile, "utf8")) as { readonly cpuMs: number }).cpuMs;
}

/** Runs the command over a file; returns its CPU time in milliseconds. */
function cpuOfCommand(file: string, robots: string, folder: string): number {
  const usageFile = join(folder, "usage.json");
  const words = ["--import", usageHook, cli, "--agent", "bingbot", "--robots", robots, "--output", "ndjson"];
  const script = 'cat "$BENCH_INPUT" | "$@" > "$BENCH_OUTPUT"';
  const env = { ...process.env, BENCH_USAGE_FILE: usageFile, BENCH_INPUT: file, BENCH_OUTPUT: join(folder, "out") };
  const { status } = spawnSync("sh", ["-c", script, "sh", process.execPath, ...words], { env, stdio: "ignore" });
  if (status !== 0) throw new Error(`the command ended with ${status}`);
  return cpuIn(usageFile);
}

/** Makes one text for each message. */
function messagesOf(lines: number): string[] {
  return Array.from({ length: Math.ceil(records / lines) }, (_, message) =>
    Array.from({ length: lines }, (_line, line) => {
      const at = message * lines + line;
      return `{"url":"https://site${(at * 7_919) % origins}.example/${at % 3 === 0 ? "private" : "shop"}/${at}/page.html?id=${at % 100}","n":${at}}`;
    }).join("\n"),
  );
}

const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

const folder = mkdtempSync(join(tmpdir(), "robots-stream-bench-"));
const robots = join(folder, "robots");
mkdirSync(robots);
const text = `user-agent: *\ndisallow: /private\n${Array.from({ length: rules }, (_, at) => `disallow: /shop/*/x${at}$\n`).join("")}`;
for (let at = 0; at < origins; at++) writeFileSync(join(robots, `site${at}.example.txt`), text);
const broker = await startBroker();
const cluster = new Cluster(broker.address);
try {
  for (const lines of all) {
    const messages = messagesOf(lines);
    const from = await cluster.topic("bench", 4);
    const to = await cluster.topic("bench-out", 4);
    await cluster.write(
      from,
      messages.map((value, at) => ({ key: String(at), value, partition: at })),
    );
    const file = join(folder, "records.ndjson");
    writeFileSync(file, `${messages.join("\n")}\n`);
    const measured: { app: number; loop: number; command: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const group = `bench-${lines}-${round}`;
      const isDone = async (): Promise<boolean> => {
        const [committed, ends] = [await cluster.committed(group, from), await cluster.ends(from)];
        return committed.every((offset, at) => offset === ends[at]);
      };
      const place = ["--brokers", broker.address, "--group", group, "--from", from, "--to", to];
      measured.push({
        loop: await cpuOf([loop, broker.address, from, to, String(messages.length)], folder),
        command: cpuOfCommand(file, robots, folder),
        app: await cpuOf([app, ...place, "--agent", "bingbot", "--robots", robots], folder, isDone),
      });
    }
    const median = (find: (each: (typeof measured)[number]) => number): number => medianOf(measured.map(find));
    const row = {
      lines,
      records,
      app: median((each) => each.app) / 1_000,
      loop: median((each) => each.loop) / 1_000,
      command: median((each) => each.command) / 1_000,
      ratio: median((each) => each.app / (each.loop + each.command)),
    };
    process.stdout.write(`${JSON.stringify(row)}\n`);
  }
} finally {
  await cluster.close();
  await broker.close();
  rmSync(folder, { recursive: true, force: true });
}
