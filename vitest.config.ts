// One test run for the whole workspace: every folder of packages, apps and tooling is a project, and packages
// import one another's sources, so no build stands between an edit and its test.
import { existsSync, globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { defineConfig } from "vitest/config";
import { proofTests } from "./tooling/checks/src/proof-tests.ts";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;
/** Whether the command line names a file; `npm test -- FOLDER` names none. */
const isNamed = (file: string): boolean =>
  process.argv.slice(2).some((word) => word.includes(basename(file, ".test.ts")));

// Packages without I/O and global state: their test files share the processes, which saves an import of the package per file.
const pure: ReadonlySet<string> = new Set([
  "agents",
  "audit",
  "core",
  "diff",
  "logs",
  "page",
  "playground",
  "preferences",
  "robots-parser",
  "url",
  "verify",
]);

const conditions = ["@robots-stream/source", "node", "import", "module", "default"];

export default defineConfig({
  test: {
    // One more than there are cores, as most tests wait for sockets and processes: with as many, two cores stood idle a third of the time.
    maxWorkers: availableParallelism() + 1,
    // Tests of memory collect garbage themselves.
    execArgv: ["--expose-gc"],
    reporters: ["default", "./tooling/checks/src/reporter.ts"],
    coverage: { provider: "v8", include: ["packages/*/src/**", "apps/*/src/**"], exclude: ["**/*.test.ts"] },
    projects: globSync("{packages,apps,tooling}/*", { cwd: import.meta.dirname })
      .filter((folder) => existsSync(`${import.meta.dirname}/${folder}/package.json`))
      .toSorted()
      .map((folder) => ({
        resolve: { conditions },
        ssr: { resolve: { conditions } },
        test: {
          name: basename(folder),
          root: folder,
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: proofTests
            .filter((file) => file.startsWith(`${folder}/`) && !isThorough && !isNamed(file))
            .map((file) => file.slice(folder.length + 1)),
          environment: "node",
          isolate: !pure.has(basename(folder)),
          // No test answers from what another one fetched, or writes where the user keeps his.
          env: { ROBOTS_STREAM_CACHE: "none" },
          // Bounds for a machine that does much else; no test waits for them.
          testTimeout: isThorough ? 600_000 : 60_000,
          hookTimeout: 60_000,
        },
      })),
  },
});
