// Runs the steps of a tier, or the named steps; prints each step's time and a summary, and fails if a step fails.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findKafkaProblems } from "./alone/kafka.ts";
import { findSizeProblems } from "./alone/sizes.ts";
import { findSparkProblems } from "./alone/spark.ts";
import { findCommandProblems } from "./documented-commands.ts";
import { findFlagsTableProblems } from "./flags-table.ts";
import { findLinkProblems } from "./links.ts";
import { findLockfileProblems } from "./lockfile.ts";
import { longTestsOf, thorough } from "./proof-tests.ts";
import { runOpenly, runQuietly } from "./process.ts";
import { findSourceProblems } from "./sources.ts";
import { findReleaseProblems } from "./packed/release.ts";
import { findTarballProblems } from "./tarballs.ts";
import { findWorkflowProblems } from "./workflows.ts";
import { checkout, publishedPackagesOf } from "./workspace.ts";

/** The tier of a step: `npm run check` takes ten minutes; `npm run proof` has the steps that need other programs or more time. */
type Tier = "check" | "proof";

interface Step {
  readonly name: string;
  readonly tier?: "proof";
  readonly help: string;
  /** Returns the problems found, each as a sentence. Throws if the step cannot run. */
  run(root: string): readonly string[] | Promise<readonly string[]>;
}

const steps: readonly Step[] = [
  { name: "build", help: "every package compiles", run: (root) => node(root, ["scripts/dev.mjs", "build"]) },
  { name: "test", help: "every test passes", run: (root) => node(root, ["scripts/dev.mjs", "test"]) },
  { name: "types", help: "sources, tests and tools have no type errors", run: (root) => bin(root, "tsc", ["-b"]) },
  { name: "lint", help: "oxlint, with types", run: (root) => bin(root, "oxlint", ["--deny-warnings"]) },
  { name: "format", help: "oxfmt would change nothing", run: (root) => bin(root, "oxfmt", ["--check"]) },
  { name: "knip", help: "no unused file, export or dependency", run: (root) => bin(root, "knip", ["--no-progress"]) },
  { name: "publint", help: "every package is fit to publish", run: publint },
  {
    name: "docs",
    help: "every public name is documented, no link is broken",
    run: (root) => node(root, ["tooling/typedoc/src/docs.ts", "--check"]),
  },
  {
    name: "sizes",
    help: "core, page and the playground stay small; docs/PACKAGES.md has the sizes",
    run: findSizeProblems,
  },
  {
    name: "lockfile",
    help: "the lockfile is complete for every platform and contains no download address",
    run: lockfile,
  },
  { name: "flags", help: "docs/FLAGS.md lists the app's flags", run: findFlagsTableProblems },
  { name: "links", help: "links between documents lead to existing files and headings", run: findLinkProblems },
  {
    name: "commands",
    help: "commands in documents are run by a test or marked as not run",
    run: findCommandProblems,
  },
  {
    name: "sources",
    help: "no file names this machine or a registry; code files begin with a comment",
    run: findSourceProblems,
  },
  {
    name: "long",
    tier: "proof",
    help: "the long forms of tests, and tests that need other programs",
    run: testLongForms,
  },
  {
    name: "nodes",
    tier: "proof",
    help: "tests that depend on Node's version, on the oldest and the newest supported version",
    run: testOnOtherNodes,
  },
  {
    name: "spark",
    tier: "proof",
    help: "the Python package for Spark, installed from its wheel; needs Python and Java",
    run: findSparkProblems,
  },
  {
    name: "kafka",
    tier: "proof",
    help: "robots-stream-kafka against a real Apache Kafka; needs Java with keytool, Maven and redis-server",
    run: findKafkaProblems,
  },
  {
    name: "tarballs",
    tier: "proof",
    help: "the packed packages: types, runtimes and versions of Node that docs/PACKAGES.md names",
    run: findTarballProblems,
  },
  {
    name: "release",
    tier: "proof",
    help: "the next release is published to a registry on loopback; npx runs the command from there",
    run: findReleaseProblems,
  },
  {
    name: "workflows",
    tier: "proof",
    help: "actionlint finds nothing in the workflows and the action; needs Go",
    run: findWorkflowProblems,
  },
];

function testLongForms(root: string): Promise<readonly string[]> {
  return node(root, ["scripts/dev.mjs", "test", ...longTestsOf(root)], thorough);
}

async function node(
  root: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Promise<readonly string[]> {
  const exitCode = await runOpenly(process.execPath, args, root, variables);
  return exitCode === 0 ? [] : [`${args.slice(0, 6).join(" ")} ended with exit code ${exitCode}`];
}

/**
 * The oldest and the newest supported Node, each with the tests whose results depend on Node itself: its Unicode version, HTTP,
 * streams and signals. Some projects run only the tests whose file names have the given prefixes. All other tests run only on the
 * Node version that runs the checks.
 */
const otherNodes: readonly (readonly [version: string, projects: readonly string[], files: readonly string[]])[] = [
  ["22.19.0", ["url", "logs", "fetch"], []],
  [
    "22.19.0",
    ["robots-stream", "engine"],
    ["src/", "test/bundled", "test/decide-stream", "test/inputs", "test/library", "test/stops"],
  ],
  ["26.10.0", ["url", "logs", "fetch"], []],
];

async function testOnOtherNodes(root: string): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const [version, projects, files] of otherNodes) {
    console.log(`Node ${version}: ${[...projects, ...files].join(", ")}`);
    // The asterisk includes the project of the tests that run alone (vitest.config.ts).
    const named = projects.flatMap((name) => ["--project", `${name}*`]);
    const vitest = ["node_modules/vitest/vitest.mjs", "run", "--reporter=minimal", ...named, ...files];
    problems.push(...(await node(root, ["scripts/dev.mjs", "on", version, ...vitest])));
  }
  return problems;
}

/** Runs a program of node_modules/.bin; all of these programs are JavaScript. */
function bin(root: string, name: string, args: readonly string[]): Promise<readonly string[]> {
  return node(root, [join("node_modules/.bin", name), ...args]);
}

async function publint(root: string): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { folder } of publishedPackagesOf(root)) {
    problems.push(...(await node(root, ["tooling/checks/node_modules/publint/src/cli.js", "run", folder, "--strict"])));
  }
  return problems;
}

async function lockfile(root: string): Promise<readonly string[]> {
  await runQuietly("pnpm", ["install", "--frozen-lockfile", "--lockfile-only", "--trust-lockfile"], { cwd: root });
  return findLockfileProblems(root);
}

async function runStep(step: Step, root: string): Promise<boolean> {
  console.log(`\n── ${step.name}: ${step.help}`);
  const start = performance.now();
  let problems: readonly string[];
  try {
    problems = await step.run(root);
  } catch (error) {
    problems = [error instanceof Error ? error.message : String(error)];
  }
  for (const problem of problems) console.log(problem);
  const ok = problems.length === 0;
  console.log(`${ok ? "ok" : "FAILED"}  ${step.name}  ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return ok;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true },
      without: { type: "string", multiple: true },
      tier: { type: "string", default: "check" satisfies Tier },
      root: { type: "string", default: checkout },
      list: { type: "boolean", default: false },
    },
  });
  const named = [...(values.only ?? []), ...(values.without ?? [])];
  const unknown = named.find((name) => !steps.some((step) => step.name === name));
  if (unknown !== undefined || values.list) {
    if (unknown !== undefined) console.log(`no step is called ${unknown}`);
    for (const { name, tier = "check", help } of steps) console.log(`${name.padEnd(10)}  ${tier}  ${help}`);
    return unknown === undefined ? 0 : 64;
  }
  // A step named on the command line runs whatever its tier.
  const chosen = steps.filter(
    ({ name, tier = "check" }) =>
      (values.only?.includes(name) ?? tier === values.tier) && !(values.without?.includes(name) ?? false),
  );
  const start = performance.now();
  const failed: string[] = [];
  for (const step of chosen) if (!(await runStep(step, values.root))) failed.push(step.name);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(
    failed.length === 0
      ? `\nall ${chosen.length} checks passed in ${seconds} s`
      : `\n${failed.length} of ${chosen.length} checks failed in ${seconds} s: ${failed.join(", ")}`,
  );
  return failed.length === 0 ? 0 : 1;
}

process.exitCode = await main();
