// Compares this checkout's app with that of another checkout, as whole processes over the same inputs, and checks that they write the same.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { base, writeFiles } from "../data/files.ts";
import { inTurns, medianOf } from "../measure.ts";
import { type Report, type Row, type SuiteOptions, judged, judgement, showSeconds, showWhole } from "../report.ts";
import { cliOf, comparisonOf, run, writtenIn } from "../whole-process.ts";

const one = ["--robots", "robots.txt"];
const bing = ["--agent", "bingbot"];
const field = ["--agent-field", "user_agent"];
const eight = ["--agent", "bingbot,Googlebot,GPTBot,CCBot,ClaudeBot,AhrefsBot,Applebot,Bytespider"];
/** Upper bound of the new version's memory, as a share of the old version's. */
const mostMemory = 1.3;

/** The workloads: the upper bound of the CPU ratio, and the command's arguments. */
export const workloads: Readonly<Record<string, readonly [most: number, args: readonly string[]]>> = {
  thin: [1.2, [...bing, ...one, "thin.ndjson"]],
  wide: [1.2, [...bing, ...one, "wide.ndjson"]],
  csv: [1.2, [...field, ...one, "quoted.csv"]],
  list: [1.2, [...bing, ...one, "urls.txt"]],
  combined: [1.2, [...field, "--base", base, ...one, "combined.log"]],
  vhost: [1.2, [...field, "--robots", "hosts", "vhost.log"]],
  audit: [1.2, ["audit", "--base", base, ...one, "-o", "json", "combined.log.gz"]],
  eight: [1.3, [...eight, ...one, "thin.ndjson"]],
  record: [1.3, ["--agents", "ai", "--rows", "record", ...one, "thin.ndjson"]],
  many: [1.3, [...bing, "--robots", "archive.ndjson", "many.ndjson"]],
  start: [1.05, [...bing, ...one, "ten.ndjson"]],
};
/** A start is short, so it is measured more often. */
const startsEach = 5;

export function runWhole(options: SuiteOptions): Report {
  const old = cliOf(resolve(options.old ?? ""));
  if (options.old === undefined || !existsSync(old)) throw new Error(`--old: there is no ${old}`);
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-bench-"));
  const rows: Row[] = [];
  try {
    for (const [name, [most, args]] of Object.entries(workloads)) {
      if (!options.wants(name)) continue;
      options.progress(`${name}: writing files`);
      writeFiles(args, folder, { count: options.records, seed: options.seed });
      const [newRows, oldRows] = [cliOf(), old].map((cli) => {
        run('"$@" < /dev/null > rows 2> /dev/null', [cli, ...args], folder);
        return writtenIn(join(folder, "rows"));
      });
      const isSame = newRows!.lines > 0 && newRows!.digest === oldRows!.digest;
      options.progress(`${name}: pairs`);
      const works = [cliOf(), old].map(
        (cli) => () => run('"$@" < /dev/null > /dev/null 2> /dev/null', [cli, ...args], folder),
      );
      const [ours, theirs] = inTurns(options.rounds * (name === "start" ? startsEach : 1), works);
      const memory = medianOf(ours!.map(({ MB }, at) => MB / theirs![at]!.MB));
      const compared = { row: name, ...comparisonOf(ours!, theirs!), memory };
      const row = judged({ ...compared, rows: isSame ? "equal" : "DIFFER" }, [
        ["cpu", "≤", most],
        ["memory", "≤", mostMemory],
      ]);
      rows.push(isSame ? row : { ...row, verdict: "DIFFER" });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    suite: "whole",
    title: `this version as a share of ${options.old}, ${options.records.toLocaleString("en")} records`,
    columns: [
      { key: "row" },
      { key: "cpu" },
      { key: "wall" },
      { key: "memory" },
      { key: "cpuMs", heading: "CPU", show: showSeconds },
      { key: "MB", show: showWhole },
      { key: "rows" },
      ...judgement.filter(({ key }) => key !== "who"),
    ],
    rows,
    notes: ["Medians of the ratios of interleaved pairs. Rows are compared without their order."],
  };
}
