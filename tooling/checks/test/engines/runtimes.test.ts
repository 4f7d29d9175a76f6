// Compares the results of core and url in Deno and in Bun with those in Node.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bring, runtimes } from "../../src/alone/runtimes.ts";
import { runQuietly } from "../../src/process.ts";
import { checkout } from "../../src/workspace.ts";
import { answersOf } from "./answers.ts";
import { jobsOf } from "./jobs.ts";

test.each(runtimes.filter(({ packaged }) => packaged !== undefined))(
  "$name $version gives the same results as Node",
  async (runtime) => {
    const folder = mkdtempSync(join(tmpdir(), "runtimes-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { jobs } = jobsOf();
    writeFileSync(join(folder, "jobs.json"), JSON.stringify(jobs));
    const args = [...runtime.args, join(import.meta.dirname, "program.ts"), join(folder, "jobs.json")];
    const env = { ...process.env, DENO_DIR: folder, DENO_NO_UPDATE_CHECK: "1" };
    const said = await runQuietly(await bring(runtime, folder), args, { cwd: checkout, env });
    expect(JSON.parse(said)).toEqual(JSON.parse(JSON.stringify(answersOf(jobs))));
  },
);
