// Compares the results of core and url in Deno and in Bun with Node's results; returns one sentence for each engine that differs.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runQuietly } from "../process.ts";
import { jobsOf } from "./jobs.ts";

/** An engine other than Node. */
export interface Runtime {
  readonly name: string;
  readonly version: string;
  /** The npm package with the engine's binary for this platform, and the binary's path in it; undefined for unsupported platforms. */
  readonly packaged: { readonly name: string; readonly file: string } | undefined;
  /** The arguments before the module to run. */
  readonly args: readonly string[];
}

const platform = `${process.platform}-${process.arch}`;
const ending = process.platform === "win32" ? ".exe" : "";

/** The engines, besides Node, in which the packages are tested. */
export const runtimes: readonly Runtime[] = [
  {
    name: "Deno",
    version: "2.9.6",
    packaged: packageOf("@deno", "deno", {
      "linux-x64": "linux-x64-glibc",
      "linux-arm64": "linux-arm64-glibc",
      "darwin-x64": "darwin-x64",
      "darwin-arm64": "darwin-arm64",
      "win32-x64": "win32-x64",
      "win32-arm64": "win32-arm64",
    }),
    // The only permission is to read files, which loading the packages and the jobs needs.
    args: ["run", "--no-prompt", "--no-lock", "--no-remote", "--node-modules-dir=manual", "--allow-read"],
  },
  {
    name: "Bun",
    version: "1.4.5",
    packaged: packageOf("@oven", "bin/bun", {
      "linux-x64": "bun-linux-x64",
      "linux-arm64": "bun-linux-aarch64",
      "darwin-x64": "bun-darwin-x64",
      "darwin-arm64": "bun-darwin-aarch64",
      "win32-x64": "bun-windows-x64",
      "win32-arm64": "bun-windows-aarch64",
    }),
    args: ["--no-install"],
  },
];

function packageOf(scope: string, file: string, names: Readonly<Record<string, string>>): Runtime["packaged"] {
  const name = names[platform];
  return name === undefined ? undefined : { name: `${scope}/${name}`, file: file + ending };
}

/** Returns one sentence for each problem. Needs npx and the built packages core and url. */
export async function findRuntimeProblems(root: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "runtimes-"));
  try {
    const jobs = join(folder, "jobs.json");
    writeFileSync(jobs, JSON.stringify(jobsOf().jobs));
    const program = [join(import.meta.dirname, "program.ts"), jobs];
    const options = { cwd: root, env: { ...process.env, DENO_DIR: folder, DENO_NO_UPDATE_CHECK: "1" } };
    const expected = await runQuietly(process.execPath, program, options);
    const problems: string[] = [];
    for (const runtime of runtimes) {
      if (runtime.packaged === undefined) {
        console.log(`${runtime.name}: npm has no binary for ${platform}`);
        continue;
      }
      const said = await runQuietly(await bring(runtime, folder), [...runtime.args, ...program], options);
      if (said === expected) console.log(`${runtime.name} ${runtime.version} gives the same results as Node`);
      else problems.push(`${runtime.name} ${runtime.version} ${differenceOf(said, expected)}`);
    }
    return problems;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The path of an engine's binary in npx's cache; downloads it into the cache if it is missing. */
export async function bring({ name, version, packaged }: Runtime, folder: string): Promise<string> {
  const args = [
    "--yes",
    "--prefer-offline",
    `--package=${packaged?.name}@${version}`,
    "--",
    "node",
    "-p",
    "process.env.PATH",
  ];
  // Run outside the workspace, because npx inside a workspace first looks for the package there.
  const path = await runQuietly("npx", args, { cwd: folder });
  const place = dirname(path.split(process.platform === "win32" ? ";" : ":")[0] ?? "");
  const program = join(place, packaged?.name ?? "", packaged?.file ?? "");
  if (!existsSync(program)) throw new Error(`npx could not download ${name} ${version}: there is no ${program}`);
  return program;
}

/** A sentence about the first difference between two texts. */
export function differenceOf(said: string, expected: string): string {
  let at = 0;
  while (at < expected.length && said[at] === expected[at]) at++;
  const around = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
  return `returns ${around(said)} where Node returns ${around(expected)}`;
}
