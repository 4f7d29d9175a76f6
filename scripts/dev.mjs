// Runs a repository command (cli, test, check, …) on a supported Node, after installing dependencies and building. Needs only Node and
// npm. All messages of this script, the install and the build go to stderr.
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { buildWhenChanged } from "./dev/build.mjs";
import { installWhenChanged } from "./dev/install.mjs";
import { forgetBroughtNode, isFitting, runOnFittingNode, runOnNode } from "./dev/node.mjs";
import { Failure, pathOf, runNode, runPnpm, say } from "./dev/run.mjs";

const vitest = pathOf("node_modules/vitest/vitest.mjs");

/** The commands with their requirements. `run` takes the remaining arguments and resolves to the exit code. */
const commands = {
  cli: { builds: true, help: "run the app, built from the sources; the arguments go to robots-stream", run: runCli },
  test: { builds: true, help: "all tests; arguments go to vitest", run: (args) => runNode(vitest, ["run", ...args]) },
  build: { builds: true, help: "compile every package into its dist/, and bundle the app", run: () => 0 },
  check: {
    builds: false,
    help: "tests, types, lint, format and more; --list names the steps, --only and --without select some",
    run: (args) => runCheck("check", args),
  },
  proof: {
    builds: true,
    help: "steps that take minutes or need other programs: long tests, other Nodes, Deno, Bun, tarballs; --list, --only, --without",
    run: (args) => runCheck("proof", args),
  },
  fuzz: {
    builds: true,
    help: "read a million damaged lines of each format, and long sequences of random bytes; a seed may follow",
    run: ([seed = "1", ...args]) => {
      Object.assign(process.env, {
        ROBOTS_STREAM_FUZZ_LINES: "1000000",
        ROBOTS_STREAM_FUZZ_RUNS: "20000",
        ROBOTS_STREAM_FUZZ_SEED: seed,
      });
      return runNode(vitest, [
        "run",
        "--project",
        "robots-stream",
        "--project",
        "engine",
        "test/damage",
        "src/formats/fuzz",
        ...args,
      ]);
    },
  },
  bench: {
    builds: true,
    help: "compare CPU time and memory with other programs",
    run: (args) => runNode(pathOf("tooling/bench/src/main.ts"), args, { flags: ["--expose-gc"] }),
  },
  docs: {
    builds: false,
    help: "write the packages' API as HTML into docs/api",
    run: (args) => runNode(pathOf("tooling/typedoc/src/docs.ts"), args),
  },
  playground: {
    builds: false,
    help: "serve the playground from the sources; with build: make its single file in apps/playground/dist",
    run: (args) => {
      const [words, flags] = args[0] === "build" ? [["build"], args.slice(1)] : [[], args];
      const config = pathOf("apps/playground/vite.config.ts");
      return runNode(pathOf("node_modules/vite/bin/vite.js"), [...words, "--config", config, ...flags]);
    },
  },
  pictures: {
    builds: true,
    help: "make pictures of the audit's page and the playground in Chromium: light, dark, phone; a folder may follow",
    run: (args) => runNode(pathOf("tooling/checks/test/pages/pictures.ts"), args),
  },
  format: {
    builds: true,
    help: "format every file and update the table in docs/FLAGS.md",
    run: async () =>
      (await runNode(pathOf("tooling/checks/src/flags-table.ts"), ["--write"])) ||
      (await runNode(pathOf("node_modules/oxfmt/bin/oxfmt"), [])),
  },
  on: {
    builds: false,
    help: "run a script on another version of Node: its number, the script, the script's arguments",
    run: ([version = "", ...args]) => runOnNode(version, args),
  },
  install: { builds: false, help: "install the packages of the lockfile", run: () => 0 },
  pnpm: { builds: false, installs: false, help: "the pinned pnpm, for changing dependencies", run: runPnpm },
};

/** Runs the steps of a tier. pnpm puts itself on the PATH for steps that need it. */
function runCheck(tier, args) {
  return runPnpm(["exec", process.execPath, pathOf("tooling/checks/src/check.ts"), "--tier", tier, ...args]);
}

/** Runs the app in this process, so that the app gets stdin, stdout and signals directly and sets the exit code itself. */
async function runCli(args) {
  const { enableCompileCache } = await import("node:module");
  enableCompileCache?.(pathOf(".cache/compiled"));
  const cli = pathOf("apps/robots-stream/bin/cli.js");
  if (!existsSync(cli)) throw new Failure("apps/robots-stream/src/cli.ts is missing, so there is no app to run");
  process.argv = [process.execPath, cli, ...args];
  await import(pathToFileURL(cli).href);
  return undefined;
}

async function main([name = "", ...args]) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    say(`usage: node scripts/dev.mjs <${Object.keys(commands).join("|")}> [arguments]`);
    for (const [each, { help }] of Object.entries(commands)) say(`  ${each.padEnd(8)} ${help}`);
    return 64;
  }
  if (!isFitting(process.versions.node))
    return runOnFittingNode(import.meta.filename ?? process.argv[1], [name, ...args]);
  forgetBroughtNode();
  if (command.installs !== false) await installWhenChanged();
  if (command.builds) await buildWhenChanged();
  return command.run(args);
}

try {
  const exitCode = await main(process.argv.slice(2));
  if (exitCode !== undefined) process.exitCode = exitCode;
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  say(error.message);
  // The app never exits with 70, so a failed build cannot be mistaken for a result.
  process.exitCode = 70;
}
