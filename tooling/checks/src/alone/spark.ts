// Tests integrations/spark as users install it: builds its wheel, installs it into a new environment, checks its types, and runs its tests
// with a local Spark. Needs Python with venv, and Java.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runOpenly, runQuietly } from "../process.ts";

/** Why the tests cannot run on this machine; undefined if they can. */
function missingOf(): string | undefined {
  if (spawnSync("python3", ["-c", "import venv, ensurepip, sys; sys.exit(sys.version_info < (3, 10))"]).status !== 0) {
    return "Python from 3.10 on with venv is missing (Debian: python3-venv)";
  }
  if (spawnSync("java", ["-version"]).status !== 0) return "Java from 17 on is missing (Debian: default-jre-headless)";
  return undefined;
}

/**
 * Returns one sentence for each problem. If Python or Java is missing, prints that the tests are skipped; if the variable CI is set, the
 * missing program is a problem.
 */
export async function findSparkProblems(root: string): Promise<readonly string[]> {
  const missing = missingOf();
  if (missing !== undefined) {
    console.log(`skipped: ${missing}`);
    return process.env["CI"] === undefined ? [] : [missing];
  }
  const project = join(root, "integrations/spark");
  const work = join(root, ".cache/spark");
  const venv = join(work, "venv");
  const build = join(work, "build");
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const python = join(venv, "bin/python");
  await runQuietly("python3", ["-m", "venv", venv], { cwd: work });
  const pip = ["-m", "pip", "--disable-pip-version-check", "install", "--quiet"];
  await runQuietly(python, [...pip, "-r", join(project, "requirements-test.txt")], { cwd: work });
  // The wheel contains the bundled command.
  if ((await runOpenly(process.execPath, ["scripts/dev.mjs", "build"], root)) !== 0)
    return ["the command was not built"];
  cpSync(project, build, { recursive: true });
  const command = join(build, "src/robots_stream_spark/_command");
  cpSync(join(root, "apps/robots-stream/bin"), join(command, "bin"), { recursive: true });
  cpSync(join(root, "apps/robots-stream/package.json"), join(command, "package.json"));
  const wheels = join(work, "wheels");
  await runQuietly(
    python,
    ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", wheels, build],
    {
      cwd: work,
    },
  );
  const wheel = readdirSync(wheels).find((name) => name.endsWith(".whl"))!;
  await runQuietly(python, [...pip, "--no-deps", join(wheels, wheel)], { cwd: work });
  const problems: string[] = [];
  const steps = [
    ["mypy", "--config-file", join(project, "pyproject.toml"), join(project, "src")],
    ["pytest", "-q", "-p", "no:cacheprovider", join(project, "tests")],
  ];
  for (const step of steps) {
    const variables = { ROBOTS_STREAM_NODE: process.execPath, PYTHONDONTWRITEBYTECODE: "1" };
    if ((await runOpenly(python, ["-m", ...step], work, variables)) !== 0) problems.push(`${step[0]} failed`);
  }
  return problems;
}
