// Runs every suite as a process on small data, and checks that all rows appear; measured values are not compared with bounds. Only for
// `npm run proof`.
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bench, rowsOf } from "./run-bench.ts";
import { appCases } from "./suites/app.ts";
import { workloads } from "./suites/whole.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

test("core: every row, with equal decisions", { timeout: 600_000 }, () => {
  const [core] = rowsOf("core");
  expect(core!.rows).toHaveLength(20);
  expect(core!.rows.filter(({ compared }) => compared !== undefined)).toHaveLength(16);
  for (const row of core!.rows) {
    expect(row["ratio"]).toBeGreaterThan(0);
    if (row["compared"] !== undefined) expect(row).toMatchObject({ different: 0 });
  }
});

test("fetch: http and https, against node:http and, if installed, curl", { timeout: 600_000 }, () => {
  const [fetching] = rowsOf("fetch");
  const rows = fetching!.rows.map(({ name, other }) => `${name}: ${other}`);
  expect(rows.filter((row) => !row.includes("curl"))).toEqual([
    "http, 500 fetches: node:http(s), agent: false",
    "http, 500 fetches: 1 in 11 fails",
    "https, 500 fetches: node:http(s), agent: false",
  ]);
  for (const { ratio, MB } of fetching!.rows) expect(ratio ?? MB).toBeGreaterThan(0);
});

test("app: every input, with decisions like the script's", { timeout: 1_200_000 }, () => {
  const [app] = rowsOf("app", "--records", "500");
  expect(app!.rows.map(({ input }) => input)).toEqual(appCases.map(({ name }) => name));
  for (const { cpu, allowed } of app!.rows) for (const value of [cpu, allowed]) expect(value).toBeGreaterThan(0);
});

test("audit: a compressed log, all flags, a dense log", { timeout: 600_000 }, () => {
  const [audit] = rowsOf("audit");
  expect(audit!.rows.map((row) => row["audit"])).toEqual([
    "combined log",
    "history, candidate, verification, HTML",
    "dense log",
  ]);
  for (const { cpuMs } of audit!.rows) expect(cpuMs).toBeGreaterThan(0);
});

test("bounded: saved, requested and dead origins; every record gets its rows", { timeout: 600_000 }, () => {
  const [bounded] = rowsOf("bounded");
  expect(bounded!.rows.map(({ run, records, origins }) => [run, records, origins])).toEqual([
    ["saved, many origins", 1_000, 100],
    ["network, many origins", 300, 100],
    ["many crawlers, many origins", 5, 5],
    ["one in ten dead", 1_000, 10],
  ]);
  for (const { MB } of bounded!.rows) expect(MB).toBeGreaterThan(0);
});

test("whole: every workload of this version against itself", { timeout: 1_200_000 }, () => {
  const [whole] = rowsOf("whole", "--old", root, "--records", "500");
  expect(whole!.rows.map(({ row, rows, verdict }) => [row, rows, verdict])).toEqual(
    Object.keys(workloads).map((name) => [name, "equal", ""]),
  );
});

test("whole: a checkout that does not exist is an error", () => {
  const missing = bench("whole", "--old", `${root}/none`);
  expect(missing.status).toBe(1);
  expect(missing.stderr).toContain("--old: there is no ");
});
