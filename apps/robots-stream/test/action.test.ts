// Checks the form of the repository's GitHub Action and runs its steps as shell scripts in a temporary repository, with `npx` replaced.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { appArguments, root } from "./run.ts";

interface Step {
  readonly name: string;
  readonly if?: string;
  readonly shell: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: string;
}

interface Action {
  readonly name: string;
  readonly description: string;
  readonly inputs: Readonly<
    Record<string, { readonly description: string; readonly required: boolean; readonly default: string }>
  >;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const action = parse(readFileSync(join(root, "action.yml"), "utf8")) as Action;
const { steps } = action.runs;

test("action.yml is a composite action whose scripts get inputs only from the environment", () => {
  expect([action.runs.using, steps.map(({ shell }) => shell)]).toEqual(["composite", ["bash", "bash", "bash"]]);
  expect(action.description.length).toBeLessThan(200);
  const used = JSON.stringify(steps).match(/(?<=inputs\.)[a-z-]+/g);
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(action.inputs).toSorted());
  for (const { description, required, default: value } of Object.values(action.inputs)) {
    expect([typeof description, required, typeof value]).toEqual(["string", false, "string"]);
  }
  for (const { run, env } of steps) {
    expect(run).not.toContain("${{");
    for (const name of run.match(/(?<=\$\{?)[A-Z_]+/g)!) expect(env).toHaveProperty(name);
  }
});

describe.skipIf(process.platform === "win32")("the steps of the action", () => {
  let folder: string;
  const git = (...argv: readonly string[]): string => {
    const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"];
    return spawnSync("git", [...identity, ...argv], { cwd: folder, encoding: "utf8" }).stdout.trim();
  };
  let base: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "robots-stream-action-"));
    mkdirSync(join(folder, "bin"));
    mkdirSync(join(folder, "public"));
    const words = [process.execPath, ...appArguments].map((word) => `'${word}'`).join(" ");
    const npx = `#!/bin/sh\n[ "$1 $2" = "--yes robots-stream@1.2.3" ] || exit 64\nshift 2\nexec ${words} "$@"\n`;
    writeFileSync(join(folder, "bin/npx"), npx);
    chmodSync(join(folder, "bin/npx"), 0o755);
    writeFileSync(join(folder, "public/robots.txt"), "User-agent: *\nDisallow: /tmp\n");
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "first");
    base = git("rev-parse", "HEAD");
    writeFileSync(join(folder, "public/robots.txt"), "User-agent: *\nDisallow: /tmp\nDisallow: /shoes\n");
    writeFileSync(join(folder, "robots.test.txt"), "allow Googlebot /shoes\n");
    writeFileSync(join(folder, "sitemap.xml"), "<urlset><url><loc>https://a.example/hats</loc></url></urlset>");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs a step as GitHub's runner does: bash with the runner's flags, and each `${{ inputs.x }}` in the environment replaced. */
  function runStep(
    step: Step,
    inputs: Readonly<Record<string, string>>,
  ): { code: number | null; stdout: string; stderr: string } {
    const valueOf = (name: string): string => inputs[name] ?? action.inputs[name]!.default;
    const env = Object.fromEntries(
      Object.entries(step.env).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{\{ inputs\.([a-z-]+) \}\}/g, (_all, input: string) => valueOf(input)),
      ]),
    );
    const script = join(folder, "step.sh");
    writeFileSync(script, step.run);
    const { status, stdout, stderr } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: `${join(folder, "bin")}:${process.env["PATH"]}`, ROBOTS_STREAM_CACHE: "none", ...env },
    });
    return { code: status, stdout, stderr };
  }

  const common = { version: "1.2.3", robots: "public/robots.txt" };
  const [lint, compare, tests] = steps as [Step, Step, Step];

  test("the lint step annotates, and fails if the inputs say so", () => {
    writeFileSync(join(folder, "bad.txt"), "User-agent: *\nDisalow tmp\nDisallow: tmp\n");
    const { code, stdout } = runStep(lint, { ...common, robots: "bad.txt", "lint-fail-on": "warning" });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^::(?:error|warning) file=bad\.txt,line=/m);
    expect(runStep(lint, { ...common, robots: "bad.txt", "lint-fail-on": "" }).code).toBe(0);
  });

  test("the comparison with the base annotates a new line, and fails if the inputs say so", () => {
    const { code, stdout } = runStep(compare, { ...common, base, "fail-on": "newly-disallowed" });
    expect(code).toBe(1);
    expect(stdout).toContain("::error file=public/robots.txt,line=3,title=newly-disallowed::disallow: /shoes is new");
    expect(runStep(compare, { ...common, base, "fail-on": "newly-allowed" }).code).toBe(0);
    expect(runStep(compare, { ...common, base: "0".repeat(40) })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("nothing to compare") as string,
    });
    writeFileSync(join(folder, "robots.txt"), "User-agent: *\nDisallow: /\n");
    expect(runStep(compare, { ...common, robots: "robots.txt", base, "fail-on": "flips" }).code).toBe(1);
  });

  test("the test step annotates a failed decision test, and accepts a sitemap as a file of tests", () => {
    const { code, stdout } = runStep(tests, { ...common, tests: "robots.test.txt\nsitemap.xml" });
    expect(code).toBe(1);
    expect(stdout).toBe(
      "::error file=robots.test.txt,line=1,title=test failed::/shoes is disallowed for Googlebot: line 3 (disallow: /shoes)\n",
    );
    expect(runStep(tests, { ...common, tests: "sitemap.xml" }).code).toBe(0);
  });

  test("no input is executed as shell code", () => {
    const evil = '$(touch pwned)"; touch pwned; "';
    for (const step of steps)
      runStep(step, {
        ...common,
        robots: evil,
        base,
        tests: evil,
        agents: evil,
        "fail-on": evil,
        "lint-fail-on": evil,
      });
    expect(spawnSync("ls", [folder], { encoding: "utf8" }).stdout).not.toContain("pwned");
  });
});
