// Runs the named suites and prints their tables: the project's cost beside the cost of other programs, measured in the same run.
import { spawnSync } from "node:child_process";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Report, type Suite, type SuiteOptions, tableOf } from "./report.ts";

const suites: Readonly<Record<string, { readonly about: string; readonly load: () => Promise<Suite> }>> = {
  core: {
    about: "parsing and matching, against npm robots-parser",
    load: async () => (await import("./suites/core.ts")).runCore,
  },
  url: {
    about: "origin and target of a URL, against new URL()",
    load: async () => (await import("./suites/url.ts")).runUrl,
  },
  app: {
    about: "the whole process, against a plain script; many crawlers against one",
    load: async () => (await import("./suites/app.ts")).runApp,
  },
  audit: {
    about: "audits as whole processes, against gzip -dc; their memory",
    load: async () => (await import("./suites/audit.ts")).runAudit,
  },
  fetch: {
    about: "one fetch over http and https, against node:http and curl",
    load: async () => (await import("./suites/fetch.ts")).runFetch,
  },
  bounded: {
    about: "memory of the whole process over 100,000 origins; the delay caused by dead origins",
    load: async () => (await import("./suites/bounded.ts")).runBounded,
  },
  whole: {
    about: "whole runs of this version and of another checkout, with their gates; needs --old",
    load: async () => (await import("./suites/whole.ts")).runWhole,
  },
};

const usage = `usage: npm run bench -- [suite…] [flags]
${Object.entries(suites)
  .map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`)
  .join("\n")}
  --only TEXT     only rows whose name contains TEXT; may be repeated
  --rounds N      rounds per row (default 5)
  --records N     records of the inputs of whole processes (default 200,000)
  --seed N        seed of all generated data (default 1)
  --old CHECKOUT  for whole: a built checkout with which this one is compared
  --quick         small data and one short round: a smoke test, not a measurement
  --json          the values as JSON
`;

async function main(args: readonly string[]): Promise<number> {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        only: { type: "string", multiple: true, default: [] },
        rounds: { type: "string" },
        records: { type: "string" },
        seed: { type: "string", default: "1" },
        old: { type: "string" },
        quick: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return misused((error as Error).message);
  }
  const { values } = parsed;
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const unknown = parsed.positionals.find((name) => !Object.hasOwn(suites, name));
  if (unknown !== undefined) return misused(`there is no suite "${unknown}"`);
  if (parsed.positionals.includes("whole") && values.old === undefined) return misused("whole needs --old CHECKOUT");
  const numbers = {
    rounds: values.rounds ?? (values.quick ? "1" : "5"),
    records: values.records ?? (values.quick ? "2000" : "200000"),
    seed: values.seed,
  };
  for (const [flag, value] of Object.entries(numbers)) {
    if (!/^[1-9]\d{0,8}$/u.test(value)) return misused(`--${flag} takes a whole number from 1 on, not "${value}"`);
  }
  if (parsed.positionals.length !== 1) {
    const flags = [
      ...values.only.map((text) => `--only=${text}`),
      ...Object.entries(numbers).map(([flag, value]) => `--${flag}=${value}`),
      ...(values.old === undefined ? [] : [`--old=${values.old}`]),
      ...(values.quick ? ["--quick"] : []),
      ...(values.json ? ["--json"] : []),
    ];
    const all = Object.keys(suites).filter((name) => name !== "whole" || values.old !== undefined);
    return runApart(parsed.positionals.length === 0 ? all : parsed.positionals, flags, values.json);
  }
  const name = parsed.positionals[0]!;
  const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}, seed ${numbers.seed}`;
  if (!values.json) process.stdout.write(`${machine}${values.quick ? ", quick: no measurement" : ""}\n`);
  const options: SuiteOptions = {
    seed: Number(numbers.seed),
    quick: values.quick,
    rounds: Number(numbers.rounds),
    minRoundMs: values.quick ? 1 : 150,
    records: Number(numbers.records),
    old: values.old,
    wants: (row) => values.only.length === 0 || values.only.some((text) => row.includes(text)),
    progress: (what) => void process.stderr.write(`${name}: ${what}\n`),
  };
  const run = await suites[name]!.load();
  const measured = await run(options);
  const report = values.quick ? withoutVerdicts(measured) : measured;
  const { suite, rows, notes } = report;
  const json = { machine, quick: values.quick, reports: [{ suite, rows, notes }] };
  process.stdout.write(values.json ? showJson(json) : `\n${tableOf(report)}`);
  // The bounds of `whole` are gates. Rows that differ fail a quick run, too.
  return suite === "whole" && rows.some(({ verdict }) => verdict !== "ok" && verdict !== "") ? 1 : 0;
}

/** The report of a quick run: its small data says nothing about a bound. */
function withoutVerdicts(report: Report): Report {
  return { ...report, rows: report.rows.map((row) => (row["verdict"] === "DIFFER" ? row : { ...row, verdict: "" })) };
}

/** The output of `--json`. */
interface Json {
  readonly machine: string;
  readonly quick: boolean;
  readonly reports: readonly Pick<Report, "suite" | "rows" | "notes">[];
}

function showJson(json: Json): string {
  return `${JSON.stringify(json, undefined, 2)}\n`;
}

/** Runs each suite in its own process: V8's type feedback from one suite would slow down the next. */
function runApart(names: readonly string[], flags: readonly string[], isJson: boolean): number {
  const reports: Json[] = [];
  for (const [at, name] of names.entries()) {
    const command = [...process.execArgv, fileURLToPath(import.meta.url), name, ...flags];
    const child = spawnSync(process.execPath, command, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
    if (child.status !== 0) return child.status ?? 1;
    if (isJson) reports.push(JSON.parse(child.stdout) as Json);
    // The first line of a suite's output names the machine. This line is printed only for the first suite.
    else process.stdout.write(at === 0 ? child.stdout : child.stdout.slice(child.stdout.indexOf("\n") + 1));
  }
  const [first] = reports;
  if (first !== undefined)
    process.stdout.write(showJson({ ...first, reports: reports.flatMap((json) => json.reports) }));
  return 0;
}

function misused(problem: string): number {
  process.stderr.write(`bench: ${problem}\n${usage}`);
  return 2;
}

process.exitCode = await main(process.argv.slice(2));
