// Tests robots-stream-kafka against a real Apache Kafka: Maven downloads Kafka's jars, and the tests start a broker.
// Needs Java with keytool, and Maven; without redis-server, the tests that share a cache are skipped.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { runOpenly, runQuietly } from "../process.ts";
import { thorough } from "../proof-tests.ts";

const plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";

/** Why the tests cannot run on this machine; undefined if they can. */
function missingOf(): string | undefined {
  if (spawnSync("java", ["-version"]).status !== 0) return "Java from 17 on is missing (Debian: default-jre-headless)";
  if (spawnSync("keytool", ["-help"]).error !== undefined)
    return "keytool of Java is missing (Debian: default-jre-headless)";
  if (spawnSync("mvn", ["-v"]).status !== 0) return "Maven is missing (Debian: maven)";
  return undefined;
}

/** The folder with Kafka's jars; downloads the jars if they are missing. Rejects with Maven's output if the download fails. */
async function bringKafka(root: string): Promise<string> {
  const pom = join(root, "tooling/checks/src/alone/broker-pom.xml");
  const folder = join(root, ".cache/kafka");
  const jars = join(folder, "jars");
  const stamp = join(folder, "stamp");
  const wanted = createHash("sha256").update(readFileSync(pom)).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return jars;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const words = ["-B", "-q", "-f", pom, plugin, "-DincludeScope=runtime", `-DoutputDirectory=${jars}`];
  await runQuietly("mvn", words, { cwd: folder });
  writeFileSync(stamp, wanted);
  return jars;
}

/**
 * Returns one sentence for each problem. If Java or Maven is missing, prints that the tests are skipped; if the variable CI is set, the
 * missing program is a problem.
 */
export async function findKafkaProblems(root: string): Promise<readonly string[]> {
  const missing = missingOf();
  if (missing !== undefined) {
    console.log(`skipped: ${missing}`);
    return process.env["CI"] === undefined ? [] : [missing];
  }
  const jars = await bringKafka(root);
  const variables = { ROBOTS_STREAM_KAFKA_JARS: jars, ...thorough };
  const words = ["scripts/dev.mjs", "test", "apps/robots-stream-kafka/test"];
  return (await runOpenly(process.execPath, words, root, variables)) === 0 ? [] : ["the tests failed"];
}
