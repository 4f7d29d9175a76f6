// Starts the servers of a row and runs them until Ctrl-C; with --check, compares our client's outcomes with the expected ones.
import { parseArgs } from "node:util";
import { type CaseReport, runCase, shownExpected, shownOutcome } from "./run.ts";
import type { FaultCase, FaultRow, Scene } from "./row.ts";
import { documentOf } from "./document.ts";
import { rows } from "./rows.ts";

const usage = `usage: node tooling/faultlab/src/main.ts --list | --row N [--case TEXT] [--check] | --check
  --list        the rows, and how many cases each has
  --row N       start the servers of row N, print the URLs to request and the expected outcomes, and wait for Ctrl-C
  --case TEXT   only the cases of that row whose name contains TEXT
  --check       run our client against the servers instead, and print expected and actual outcomes;
                without --row for all rows. Exit code 1 if an outcome differs
  --markdown    the table of docs/FAULTS.md
`;

/** The maximum number of origins that are printed per case; of further origins, only the number is printed. */
const shownOrigins = 12;

async function main(args: readonly string[]): Promise<number> {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        list: { type: "boolean", default: false },
        row: { type: "string" },
        case: { type: "string", default: "" },
        check: { type: "boolean", default: false },
        markdown: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    }));
  } catch (error) {
    return misused((error as Error).message);
  }
  if (values.help) return print(usage);
  if (values.list) return print(rows.map(listed).join(""));
  if (values.markdown) return print(documentOf());
  if (values.row === undefined) return values.check ? check(rows, "") : misused("nothing to do");
  const row = rows.find(({ id }) => String(id) === values.row);
  if (row === undefined) return misused(`there is no row ${values.row}`);
  const cases = row.cases.filter(({ what }) => what.includes(values.case));
  if (cases.length === 0)
    return misused(`row ${row.id} has no case whose name contains ${JSON.stringify(values.case)}`);
  const missing = row.missing?.();
  if (missing !== undefined) return print(`row ${row.id} cannot be produced here: ${missing}\n`);
  return values.check ? check([row], values.case) : serve(row, cases);
}

function listed({ id, title, cases, missing }: FaultRow): string {
  const reason = missing?.();
  const count = cases.length === 1 ? "1 case" : `${cases.length} cases`;
  return `${String(id).padStart(4)}  ${title} (${count})${reason === undefined ? "" : `; not here: ${reason}`}\n`;
}

/** Starts the servers of these cases and runs them until a signal arrives. */
async function serve(row: FaultRow, cases: readonly FaultCase[]): Promise<number> {
  print(`row ${row.id}: ${row.title}\n${row.does}\n`);
  const scenes: Scene[] = [];
  for (const each of cases) {
    const scene = await each.open();
    scenes.push(scene);
    print(`\n${each.what}\n`);
    for (const [index, origin] of scene.origins.slice(0, shownOrigins).entries()) {
      const label = scene.labels?.[index];
      const expected = typeof each.expected === "function" ? each.expected(index) : each.expected;
      print(
        `  ${origin}/robots.txt${label === undefined ? "" : `  ${printable(label)}`}\n    → ${shownExpected(expected)}\n`,
      );
    }
    const more = scene.origins.length - shownOrigins;
    if (more > 0) print(`  … and ${more} more\n`);
    for (const note of scene.notes ?? []) print(`  ${note}\n`);
  }
  print("\nRequest them with curl or any other client. Ctrl-C ends the servers.\n");
  await new Promise((resolve) => {
    // A signal listener alone does not keep the process alive, and some scenes have no server, so a timer does.
    const alive = setInterval(() => undefined, 60_000);
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => {
        clearInterval(alive);
        resolve(undefined);
      });
    }
  });
  await Promise.all(scenes.map((scene) => scene.close()));
  return 0;
}

/** Number of rows that run concurrently; rows spend most of their time waiting. */
const rowsAtOnce = 6;

/** Runs each case and compares the outcomes. Afterwards the process ends by itself only if no handle is left open. */
async function check(wanted: readonly FaultRow[], name: string): Promise<number> {
  const queue = wanted.values();
  const reports = new Map<FaultRow, Promise<readonly (readonly [FaultCase, CaseReport])[]>>();
  let differ = 0;
  const start = (): void => {
    const { done, value: row } = queue.next();
    if (done === true) return;
    const cases = row.missing?.() === undefined ? row.cases.filter(({ what }) => what.includes(name)) : [];
    reports.set(row, Promise.all(cases.map(async (each) => [each, await runCase(each)] as const)));
  };
  for (let i = 0; i < rowsAtOnce; i++) start();
  for (const row of wanted) {
    const ended = await reports.get(row);
    start();
    const reason = row.missing?.();
    print(`row ${row.id}: ${row.title}${reason === undefined ? "" : ` (not here: ${reason})`}\n`);
    for (const [each, report] of ended ?? []) {
      differ += report.problems.length;
      print(`  ${each.what}\n${tellOutcomes(each, report)}`);
      for (const problem of report.problems) print(`    ✗ ${printable(problem)}\n`);
    }
  }
  print(differ === 0 ? "all as expected\n" : `${differ} differences\n`);
  return differ === 0 ? 0 : 1;
}

/** The text with the expected and the actual outcome, once per distinct pair. */
function tellOutcomes(each: FaultCase, { outcomes }: CaseReport): string {
  const pairs = new Map<string, number>();
  for (const [index, outcome] of outcomes.entries()) {
    const expected = typeof each.expected === "function" ? each.expected(index) : each.expected;
    const pair = `    expected ${shownExpected(expected)}\n    actual   ${shownOutcome(outcome)}`;
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return [...pairs].map(([pair, count]) => `${pair}${count === 1 ? "" : `  × ${count}`}\n`).join("");
}

/** The text with its control characters escaped; some labels contain control characters. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function misused(problem: string): number {
  process.stderr.write(`faultlab: ${problem}\n${usage}`);
  return 2;
}

process.exitCode = await main(process.argv.slice(2));
