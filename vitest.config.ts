// Runs the tests of the whole workspace. Every folder of packages, apps and tooling is a project; the tests of a folder that need processes
// of their own are a second project. Packages import one another's sources, so no build is needed between an edit and its test.
import { existsSync, globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { proofTests } from "./tooling/checks/src/proof-tests.ts";
import { IsolatedFirst } from "./tooling/checks/src/sequencer.ts";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;
/** The app whose tests in test/ need a broker; its other tests do not. */
const brokerApp = "apps/robots-stream-kafka";
const hasBroker = process.env["ROBOTS_STREAM_KAFKA_JARS"] !== undefined;
/** Whether the command line names this file; `npm test -- FOLDER` names no file. */
const isNamed = (file: string): boolean =>
  process.argv.slice(2).some((word) => word.includes(basename(file, ".test.ts")));

// Packages whose tests share no state. Their test files share processes, so that not every file starts a process and imports the package.
const shared: ReadonlySet<string> = new Set([
  "agents",
  "audit",
  "census",
  "core",
  "diff",
  "engine",
  "fetch",
  "logs",
  "page",
  "playground",
  "preferences",
  "robots-parser",
  "robots-stream",
  "url",
  "verify",
]);

/** Tests whose long forms take minutes. If they ran one after another in their package's process, they would outlast all other tests. */
const longest: readonly string[] = [
  "apps/robots-stream/test/resume.test.ts",
  "apps/robots-stream/test/secrets.test.ts",
  "packages/engine/src/stream/engine.test.ts",
  "packages/engine/src/formats/arrivals.test.ts",
  "packages/engine/src/formats/fuzz.test.ts",
  "packages/engine/src/formats/logs/plain-rows.test.ts",
  "packages/engine/src/formats/parquet/parquet.test.ts",
  "packages/engine/src/robots/archive/snapshot.test.ts",
  "packages/engine/src/sources/unpack.test.ts",
];

/** Tests in these packages that need a process of their own, because they replace functions of Node or import modules anew. */
const alone: readonly string[] = [
  ...(isThorough ? longest : []),
  "apps/robots-stream/test/clock.test.ts",
  "apps/robots-stream/test/resume.test.ts",
  "apps/robots-stream/test/self-check.test.ts",
];

const conditions = ["@robots-stream/source", "node", "import", "module", "default"];

/** The project of a folder's tests that match `include`; `isAlone`: each test file has its own process. */
const projectOf = (
  folder: string,
  include: readonly string[],
  exclude: readonly string[],
  isAlone = !shared.has(basename(folder)),
): TestProjectInlineConfiguration => ({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name: isAlone && shared.has(basename(folder)) ? `${basename(folder)}-alone` : basename(folder),
    root: folder,
    include: [...include],
    exclude: [...exclude],
    environment: "node",
    isolate: isAlone,
    // No test may use another test's cached fetches or write to the user's cache. With the compile cache, the many processes of the app do
    // not compile it again.
    env: { ROBOTS_STREAM_CACHE: "none", NODE_COMPILE_CACHE: `${import.meta.dirname}/.cache/compiled-tests` },
    // Generous, for a busy machine; no test waits for these limits.
    testTimeout: isThorough ? 600_000 : 60_000,
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 60_000,
  },
});

export default defineConfig({
  test: {
    // One worker more than there are cores, because most tests wait for sockets and processes: with one worker per core, the cores were idle
    // a third of the time.
    maxWorkers: availableParallelism() + 1,
    // Tests of memory trigger garbage collection themselves.
    execArgv: ["--expose-gc"],
    // In CI nobody reads the names of files that pass.
    reporters: [process.env["CI"] === undefined ? "default" : "minimal", "./tooling/checks/src/reporter.ts"],
    // A tenth of all tests start processes or wait for sockets. With the default of 300 ms, the output has a line for each of them.
    slowTestThreshold: 10_000,
    sequence: { sequencer: IsolatedFirst },
    coverage: { provider: "v8", include: ["packages/*/src/**", "apps/*/src/**"], exclude: ["**/*.test.ts"] },
    projects: globSync("{packages,apps,tooling}/*", { cwd: import.meta.dirname })
      .filter((folder) => existsSync(`${import.meta.dirname}/${folder}/package.json`))
      .toSorted()
      .flatMap((folder) => {
        const own = alone.filter((file) => file.startsWith(`${folder}/`)).map((file) => file.slice(folder.length + 1));
        const skipped = proofTests
          .filter((file) => file.startsWith(`${folder}/`) && !isThorough && !isNamed(file))
          .map((file) => file.slice(folder.length + 1));
        const broker = folder === brokerApp && !hasBroker ? ["test/**"] : [];
        const project = projectOf(folder, ["src/**/*.test.ts", "test/**/*.test.ts"], [...skipped, ...own, ...broker]);
        return own.length === 0 ? [project] : [project, projectOf(folder, own, skipped, true)];
      }),
  },
});
