// Tests the DuckDB recipes of docs/COOKBOOK.md: the commands write their files, and each query must print the table in the document.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { appArguments, root } from "./run.ts";

const page = readFileSync(join(root, "docs/COOKBOOK.md"), "utf8");
const [, section = ""] = page.split("\n## Rows and audits with DuckDB\n");
const blocks = [...section.split(/^## /mu)[0]!.matchAll(/^```(sh|sql|text)\n([\s\S]*?)^```$/gmu)].map(
  ([, language, body]) => ({ language, body: body! }),
);

const hasPython = spawnSync("python3", ["-c", "import venv, ensurepip"]).status === 0;
const folder = makeFolder();

/** A Python environment with DuckDB, and the program under the name that the document uses. */
beforeAll(() => {
  if (!hasPython) return;
  symlinkSync(join(root, "examples"), join(folder, "examples"));
  const words = [process.execPath, ...appArguments].map((word) => `'${word}'`).join(" ");
  writeFileSync(join(folder, "robots-stream"), `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(join(folder, "robots-stream"), 0o755);
  execFileSync("python3", ["-m", "venv", join(folder, "venv")]);
  const pip = ["-m", "pip", "--disable-pip-version-check", "install", "--quiet", "duckdb==2.0.0"];
  execFileSync(join(folder, "venv/bin/python"), pip, { stdio: ["ignore", "inherit", "inherit"] });
}, 300_000);

describe.skipIf(!hasPython && process.env["CI"] === undefined)("with DuckDB", () => {
  test("the recipes print what docs/COOKBOOK.md shows", { timeout: 120_000 }, () => {
    expect(hasPython, "Python with venv is not installed").toBe(true);
    const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}`, ROBOTS_STREAM_CACHE: "none" };
    const run = (program: string, args: readonly string[]): string =>
      execFileSync(program, args, { cwd: folder, env, encoding: "utf8" });
    let queries = 0;
    for (const [index, { language, body }] of blocks.entries()) {
      if (language === "sh") run("sh", ["-ec", body]);
      if (language !== "sql") continue;
      queries++;
      const printed = run(join(folder, "venv/bin/python"), [
        "-c",
        "import duckdb, sys; table = duckdb.sql(sys.argv[1]); table is not None and print(table)",
        body,
      ]);
      const shown = blocks[index + 1];
      if (shown?.language === "text") expect(printed.trim()).toBe(shown.body.trim());
    }
    expect(queries).toBe(4);
    const again = readFileSync(join(folder, "again.ndjson"), "utf8").trim().split("\n");
    expect(again).toHaveLength(8);
    expect(again[0]).toContain('"agent":"GPTBot"');
  });
});
