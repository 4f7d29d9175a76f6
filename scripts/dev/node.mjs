// Runs a command on a supported Node; downloads a Node if the machine's is too old.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { withLock } from "./lock.mjs";
import { Failure, pathOf, run, say } from "./run.mjs";

const broughtVersion = "24.21.0";
/** The platforms for which npm has a package with a Node binary. */
const platforms = new Set(["linux-x64", "linux-arm64", "win-x64", "win-arm64"]);
const remembered = pathOf(".cache/node");

/** Whether the packages support a Node version: 22 from 22.19, and 24 or later. */
export function isFitting(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major >= 24 || (major === 22 && minor >= 19);
}

/** Runs `script` on the downloaded Node and resolves to its exit code. Throws a Failure if that Node cannot be downloaded. */
export async function runOnFittingNode(script, args) {
  const node = rememberedNode() ?? (await withLock(async () => rememberedNode() ?? bringFittingNode()));
  return run(node, [script, ...args]);
}

/** Runs `script` on exactly this version of Node and resolves to its exit code. Throws a Failure if it cannot be downloaded. */
export async function runOnNode(version, [script, ...args]) {
  const node = process.versions.node === version ? process.execPath : await withLock(async () => bringNode(version));
  return run(node, [script, ...args]);
}

/** Deletes the record of the downloaded Node once the machine's Node is supported, so that ./robots-stream uses the machine's Node. */
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
  say(`Node ${process.versions.node} is too old: downloading Node ${broughtVersion} through npx (once)`);
  const path = bringNode(broughtVersion);
  mkdirSync(pathOf(".cache"), { recursive: true });
  writeFileSync(remembered, `${path}\n`);
  return path;
}

/** The path of this version of Node in npx's cache; downloads it into the cache if it is missing. */
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
  // Try twice: two checkouts that fill the same entry of npx's cache at the same time can make each other fail.
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
  throw new Failure(`npx could not download Node ${version}. Install it and run this again.`);
}
