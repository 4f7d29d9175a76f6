// Compares the CPU time of the Kafka app over a topic with the CPU time of a bare loop plus the CPU time of the command. The loop uses the
// same client library.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Report, type Row, type SuiteOptions, verdictAtMost } from "../report.ts";
import { cli } from "../whole-process.ts";

// The program that measures is in the app's folder, because the app has the client library.
const program = fileURLToPath(new URL("../../../../apps/robots-stream-kafka/test/bench.ts", import.meta.url));
const usageHook = new URL("../programs/usage-hook.mjs", import.meta.url).href;

/** Rows: records per message, and the upper bound of the ratio. */
const cases = [
  { name: "1,000 lines a message", lines: 1_000, wanted: 1.15 },
  { name: "one record a message", lines: 1, wanted: null },
] as const;

/** Runs the suite; the report has no rows if ROBOTS_STREAM_KAFKA_JARS names no folder with Kafka's jars. */
export function runKafka({ quick, rounds, records, wants, progress }: SuiteOptions): Report {
  if (process.env["ROBOTS_STREAM_KAFKA_JARS"] === undefined)
    return reportOf([], ["skipped: ROBOTS_STREAM_KAFKA_JARS names no folder with Kafka's jars"]);
  const rows = cases
    .filter(({ name }) => wants(name))
    .map(({ name, lines, wanted }): Row => {
      progress(name);
      const options = { records: quick ? 2_000 : records, rounds: quick ? 1 : rounds, lines: [lines], usageHook, cli };
      const child = spawnSync(process.execPath, [program, JSON.stringify(options)], { encoding: "utf8" });
      if (child.status !== 0) throw new Error(`${name}: ${child.stderr}`);
      const row = JSON.parse(child.stdout) as Readonly<Record<string, number>>;
      const verdict = verdictAtMost(row["ratio"]!, wanted);
      return { name, ...row, verdict };
    });
  return reportOf(rows, [
    "The bare loop reads and writes the same bytes with the same client library, and decides nothing.",
  ]);
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
