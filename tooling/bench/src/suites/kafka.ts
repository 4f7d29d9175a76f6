// The Kafka app's CPU over a topic, against the sum of a bare loop of the same client library and of the command deciding the same records.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startBroker } from "../../../../apps/robots-stream-kafka/test/broker.ts";
import { Cluster, until } from "../../../../apps/robots-stream-kafka/test/cluster.ts";
import { medianOf } from "../measure.ts";
import type { Report, Row, SuiteOptions } from "../report.ts";
import { cli, runProgram } from "../whole-process.ts";

const app = fileURLToPath(new URL("../../../../apps/robots-stream-kafka/dist/cli.js", import.meta.url));
const loop = fileURLToPath(new URL("../../../../apps/robots-stream-kafka/test/loop.ts", import.meta.url));
const usageHook = new URL("../programs/usage-hook.mjs", import.meta.url).href;

/** Origins of the records, and rules of each robots.txt. */
const origins = 1_000;
const rules = 20;

/** Records of a message, and the ratio that is wanted. */
const cases = [
  { name: "1,000 lines a message", lines: 1_000, wanted: 1.15 },
  { name: "one record a message", lines: 1, wanted: null },
] as const;

/** Runs a program with its CPU time measured, and ends it by a signal once `isDone`; resolves to milliseconds. */
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
  return (JSON.parse(readFileSync(usageFile, "utf8")) as { readonly cpuMs: number }).cpuMs;
}

/** One text for each message. */
function messagesOf(records: number, lines: number): string[] {
  return Array.from({ length: Math.ceil(records / lines) }, (_, message) =>
    Array.from({ length: lines }, (_line, line) => {
      const at = message * lines + line;
      return `{"url":"https://site${(at * 7_919) % origins}.example/${at % 3 === 0 ? "private" : "shop"}/${at}/page.html?id=${at % 100}","n":${at}}`;
    }).join("\n"),
  );
}

/** Runs the suite; without Kafka's jars in ROBOTS_STREAM_KAFKA_JARS it has no rows. */
export async function runKafka(options: SuiteOptions): Promise<Report> {
  const note = "The bare loop reads and writes the same bytes with the same client library, and decides nothing.";
  if (process.env["ROBOTS_STREAM_KAFKA_JARS"] === undefined)
    return reportOf([], ["skipped: ROBOTS_STREAM_KAFKA_JARS names no folder with Kafka's jars"]);
  return reportOf(await measure(options), [note]);
}

async function measure({ quick, rounds, records: asked, wants, progress }: SuiteOptions): Promise<readonly Row[]> {
  const records = quick ? 2_000 : asked;
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-bench-"));
  const robots = join(folder, "robots");
  mkdirSync(robots);
  const text = `user-agent: *\ndisallow: /private\n${Array.from({ length: rules }, (_, at) => `disallow: /shop/*/x${at}$\n`).join("")}`;
  for (let at = 0; at < origins; at++) writeFileSync(join(robots, `site${at}.example.txt`), text);
  const broker = await startBroker();
  const cluster = new Cluster(broker.address);
  const rows: Row[] = [];
  try {
    for (const { name, lines, wanted } of cases) {
      if (!wants(name)) continue;
      const messages = messagesOf(records, lines);
      const from = await cluster.topic("bench", 4);
      const to = await cluster.topic("bench-out", 4);
      await cluster.write(
        from,
        messages.map((value, at) => ({ key: String(at), value, partition: at })),
      );
      const file = join(folder, "records.ndjson");
      writeFileSync(file, `${messages.join("\n")}\n`);
      const measured: { app: number; loop: number; command: number }[] = [];
      for (let round = 0; round < (quick ? 1 : rounds); round++) {
        progress(`${name}, round ${round + 1}`);
        const group = `bench-${lines}-${round}`;
        const isDone = async (): Promise<boolean> => {
          const [committed, ends] = [await cluster.committed(group, from), await cluster.ends(from)];
          return committed.every((offset, at) => offset === ends[at]);
        };
        const place = ["--brokers", broker.address, "--group", group, "--from", from, "--to", to];
        measured.push({
          loop: await cpuOf([loop, broker.address, from, to, String(messages.length)], folder),
          command: runProgram([cli, "--agent", "bingbot", "--robots", robots], file, join(folder, "out"), folder).cpuMs,
          app: await cpuOf([app, ...place, "--agent", "bingbot", "--robots", robots], folder, isDone),
        });
      }
      const median = (find: (each: (typeof measured)[number]) => number): number => medianOf(measured.map(find));
      const ratio = median((each) => each.app / (each.loop + each.command));
      rows.push({
        name,
        records,
        app: median((each) => each.app) / 1_000,
        loop: median((each) => each.loop) / 1_000,
        command: median((each) => each.command) / 1_000,
        ratio,
        verdict: wanted === null ? "" : ratio <= wanted ? "ok" : "ABOVE",
      });
    }
  } finally {
    await cluster.close();
    await broker.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
}

function reportOf(rows: readonly Row[], notes: readonly string[]): Report {
  return {
    suite: "kafka",
    title: "CPU seconds (user and system) of our processes for a topic, medians",
    columns: [
      { key: "name", heading: "messages" },
      { key: "records", heading: "records" },
      { key: "app", heading: "robots-stream-kafka" },
      { key: "loop", heading: "bare loop" },
      { key: "command", heading: "command, from a file" },
      { key: "ratio", heading: "app ÷ (loop + command)" },
      { key: "verdict", heading: "≤ 1.15" },
    ],
    rows,
    notes,
  };
}
