// Lists the tests that run only in `npm run proof`, and the tests that have a long form there.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesUnder } from "./workspace.ts";

/**
 * Tests that run only if ROBOTS_STREAM_THOROUGH is set, as `npm run proof` does; vitest.config.ts excludes them otherwise. They take
 * minutes, or need programs that few machines have.
 */
export const proofTests: readonly string[] = [
  "apps/robots-stream/test/duckdb.test.ts",
  "apps/robots-stream/test/parallel.test.ts",
  "apps/robots-stream/test/steps.test.ts",
  "packages/fetch/test/redis.test.ts",
  "packages/fetch/test/redis-faults.test.ts",
  "packages/fetch/test/vsftpd.test.ts",
  "tooling/bench/src/suites.test.ts",
  "tooling/checks/src/alone/browser.test.ts",
  "tooling/checks/src/pages/audit-page.test.ts",
  "tooling/checks/src/pages/browser.test.ts",
  "tooling/checks/src/pages/playground.test.ts",
];

/**
 * The folder of the tests that need a Kafka broker. Only `npm run proof -- --only kafka` runs them, with Kafka's jars in
 * ROBOTS_STREAM_KAFKA_JARS.
 */
const brokerFolder = "apps/robots-stream-kafka/test/";

/** A test with a long form whose source does not contain ROBOTS_STREAM_THOROUGH, because the sizes of its rows are in other files. */
const longRows = "tooling/faultlab/src/rows.test.ts";

/** All tests that `npm run proof` runs: the lists above, and every test whose source contains ROBOTS_STREAM_THOROUGH. */
export function longTestsOf(root: string): readonly string[] {
  const tests = ["packages", "apps", "tooling"]
    .flatMap((parent) => filesUnder(join(root, parent)).map((file) => `${parent}/${file}`))
    .filter((file) => file.endsWith(".test.ts") && !file.startsWith(brokerFolder));
  const long = tests.filter((file) => readFileSync(join(root, file), "utf8").includes("ROBOTS_STREAM_THOROUGH"));
  return [...new Set([...proofTests, longRows, ...long])].toSorted();
}
