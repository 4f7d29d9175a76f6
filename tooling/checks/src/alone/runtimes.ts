// Names Deno and Bun, and brings their binaries from npm.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { runQuietly } from "../process.ts";

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
