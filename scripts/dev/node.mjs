// The Node this runs on in, the same command run on a Node that fits out: a brought one where the machine's is too old.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { withLock } from "./lock.mjs";
import { Failure, pathOf, run, say } from "./run.mjs";

const broughtVersion = "24.21.0";
/** The platforms for which npm has a package that holds a Node. */
const platforms = new Set(["linux-x64", "linux-arm64", "win-x64", "win-arm64"]);
const remembered = pathOf(".cache/node");

/** Whether a Node version is one the packages support: 22 from 22.19 on, or 24 and later. */
export function isFitting(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major >= 24 || (major === 22 && minor >= 19);
}

/** Runs `script` on the brought Node and gives its exit code. Throws a Failure where no Node can be brought. */
export async function runOnFittingNode(script, args) {
  const node = rememberedNode() ?? (await withLock(async () => rememberedNode() ?? bringFittingNode()));
  return run(node, [script, ...args]);
}

/** Runs `script` on a Node of just this version and gives its exit code. Throws a Failure where it cannot be brought. */
export async function runOnNode(version, [script, ...args]) {
  const node = process.versions.node === version ? process.execPath : await withLock(async () => bringNode(version));
  return run(node, [script, ...args]);
}

/** Forgets a brought Node once the machine's own fits, so that ./robots-stream runs on the machine's. */
export function forgetBroughtNode() {
  if (existsSync(remembered) && readFileSync(remembered, "utf8").trim() !== process.execPath)
    rmSync(remembered, { force: true });
}

function rememberedNode() {
  if (!existsSync(remembered)) return undefined;
  const path = readFileSync(remembered, "utf8").trim();
  return existsSync(path) && isFitting(versionOf(path)) ? path : undefined;
}

function versionOf(node) {
  return spawnSync(node, ["--version"], { encoding: "utf8" }).stdout?.trim().slice(1) ?? "";
}

function bringFittingNode() {
  say(`Node ${process.versions.node} is too old: bringing Node ${broughtVersion} through npx (once)`);
  const path = bringNode(broughtVersion);
  mkdirSync(pathOf(".cache"), { recursive: true });
  writeFileSync(remembered, `${path}\n`);
  return path;
}

/** The path of a Node of this version out of npx's cache, which is filled where it is not there yet. */
function bringNode(version) {
  const platform = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  if (!platforms.has(platform)) {
    throw new Failure(
      `This runs on Node ${process.versions.node}, and npm has no package with Node ${version} for ${platform}.\n` +
        `Install Node ${version} and run this again.`,
    );
  }
  const args = [
    "--yes",
    "--prefer-offline",
    `--package=node-${platform}@${version}`,
    "--",
    "node",
    "-p",
    "process.execPath",
  ];
  // A second try: two checkouts that fill the same place in npx's cache at once can trip each other up.
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const { status, stdout } = spawnSync("npx", args, {
      cwd: pathOf("."),
      shell: process.platform === "win32",
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, npm_config_allow_scripts: `node-${platform}` },
    });
    const path = stdout?.trim().split("\n").at(-1) ?? "";
    if (status === 0 && existsSync(path) && versionOf(path) === version) return path;
  }
  throw new Failure(`npx could not bring Node ${version}. Install it and run this again.`);
}
