// Lists the tests that `npm test` leaves out unless it names them, and finds the tests that have a long form.
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { filesUnder } from "./workspace.ts";

/**
 * Tests that run only if ROBOTS_STREAM_THOROUGH is set, as `npm run proof` does, or if the command line names their file; vitest.config.ts
 * excludes them otherwise. They take minutes, or need programs that few machines have.
 */
export const proofTests: readonly string[] = [
  "apps/robots-stream/test/duckdb.test.ts",
  "apps/robots-stream/test/steps.test.ts",
  "packages/fetch/test/redis.test.ts",
  "packages/fetch/test/redis-faults.test.ts",
  "packages/fetch/test/vsftpd.test.ts",
  "tooling/bench/src/suites.test.ts",
  "tooling/checks/test/engines/browser.test.ts",
  "tooling/checks/test/engines/runtimes.test.ts",
  "tooling/checks/test/pages/audit-page.test.ts",
  "tooling/checks/test/pages/browser.test.ts",
  "tooling/checks/test/pages/playground.test.ts",
];

/**
 * The folder of the tests that need a Kafka broker. Only the step `kafka` of `npm run proof` runs them, with Kafka's jars in
 * ROBOTS_STREAM_KAFKA_JARS.
 */
const brokerFolder = "apps/robots-stream-kafka/test/";

/** The variable that enables the long forms. Code asks only whether it is set: `npm run proof` sets it to "true", and any value counts. */
const variable = "ROBOTS_STREAM_THOROUGH";

/** What the environment of a run of long forms contains besides the usual variables. */
export const thorough: Readonly<Record<string, string>> = { [variable]: "true" };

/**
 * The tests of the step `long` of `npm run proof`: the list above, and every test that reads ROBOTS_STREAM_THOROUGH or imports a file
 * that reads it. Tests that need a broker are excluded.
 */
export function longTestsOf(root: string): readonly string[] {
  const texts = new Map(
    ["packages", "apps", "tooling"]
      .flatMap((parent) => filesUnder(join(root, parent)).map((file) => `${parent}/${file}`))
      .filter((file) => file.endsWith(".ts"))
      .map((file) => [file, readFileSync(join(root, file), "utf8")]),
  );
  const long = new Set(
    [...texts].filter(([, text]) => text.includes(`process.env["${variable}"]`)).map(([file]) => file),
  );
  // Importers of the files found so far, until there are no more.
  for (let before = 0; before < long.size;) {
    before = long.size;
    for (const [file, text] of texts) if (importsOf(file, text).some((other) => long.has(other))) long.add(file);
  }
  const tests = [...long].filter((file) => file.endsWith(".test.ts") && !file.startsWith(brokerFolder));
  return [...new Set([...proofTests, ...tests])].toSorted();
}

/** The files that a source imports by a relative path. */
function importsOf(file: string, text: string): readonly string[] {
  return [...text.matchAll(/(?:from|import) ?\(?"(\.[^"]+\.ts)"/gu)].map(([, path]) =>
    posix.join(posix.dirname(file), path!),
  );
}
