// Compiles every published package into its dist/ and bundles the command. The compiler compiles again only the packages that changed.
// This file adds two things: at every start of the app it checks within milliseconds whether sources have changed, and it removes the
// output of deleted sources.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { workspaceFolders } from "./install.mjs";
import { withLock } from "./lock.mjs";
import { Failure, pathOf, runNode, say } from "./run.mjs";

const stamp = pathOf(".cache/built");
const bundler = "scripts/dev/bundle.mjs";
/** What a build runs after the compiler: a script, and the folder in which it runs. */
const bundles = [
  [bundler, "apps/robots-stream"],
  ["scripts/dev/bundle-commonjs.mjs", "packages/robots-parser"],
];

/** Compiles the packages and bundles the command. Throws a Failure if the sources do not compile. */
export async function buildWhenChanged() {
  if (isBuilt()) return;
  await withLock(async () => {
    if (isBuilt()) return;
    // Computed before the build, so that a source edited during the build causes another build in the next run.
    const wanted = fingerprint();
    const folders = publishedFolders();
    say(`building ${folders.join(", ")}`);
    for (const folder of folders) removeOrphans(folder);
    await run("node_modules/typescript/bin/tsc", ["-b", ...folders], ".");
    for (const [script, folder] of bundles) await run(script, [], folder);
    mkdirSync(pathOf(".cache"), { recursive: true });
    writeFileSync(stamp, wanted);
  });
}

async function run(script, args, folder) {
  const exitCode = await runNode(pathOf(script), args, { quiet: true, cwd: pathOf(folder) });
  if (exitCode !== 0) throw new Failure(`building failed (${script} ended with exit code ${exitCode})`);
}

/**
 * The folders that have a dist/ after a build. Private packages have none: tooling runs from its sources, and vite builds the playground.
 * @public A test imports it.
 */
export function publishedFolders() {
  return workspaceFolders().filter(
    (folder) => !JSON.parse(readFileSync(pathOf(`${folder}/package.json`), "utf8")).private,
  );
}

function isBuilt() {
  return (
    existsSync(stamp) &&
    readFileSync(stamp, "utf8") === fingerprint() &&
    publishedFolders().every((folder) => existsSync(pathOf(`${folder}/dist/.tsbuildinfo`))) &&
    existsSync(pathOf("apps/robots-stream/bin/cli.js"))
  );
}

/** A hash over the sizes and modification times of all sources, not over their contents, because every start of the app computes it. */
function fingerprint() {
  const hash = createHash("sha256");
  const add = (file) => {
    const { size, mtimeMs } = statSync(pathOf(file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  };
  for (const file of ["tsconfig.base.json", "pnpm-lock.yaml", ...bundles.map(([script]) => script)]) add(file);
  for (const folder of publishedFolders()) {
    add(`${folder}/package.json`);
    add(`${folder}/tsconfig.json`);
    for (const file of filesUnder(`${folder}/src`)) if (isSource(file)) add(`${folder}/src/${file}`);
  }
  return hash.digest("hex");
}

function isSource(file) {
  return /\.(?:ts|json)$/u.test(file) && !file.endsWith(".test.ts");
}

/** The files under a folder of the checkout, as paths relative to the checkout with "/" as separator. */
function filesUnder(folder) {
  const top = pathOf(folder);
  if (!existsSync(top)) return [];
  return readdirSync(top, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(top, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .toSorted();
}

/** Removes the output of deleted sources, which the compiler leaves behind and which would be published. */
function removeOrphans(folder) {
  const sources = new Set(filesUnder(`${folder}/src`).map((file) => file.replace(/\.(?:ts|json)$/u, "")));
  for (const file of filesUnder(`${folder}/dist`)) {
    const source = file.replace(/(?:\.d\.ts|\.js)(?:\.map)?$|\.json$/u, "");
    if (file !== ".tsbuildinfo" && !sources.has(source)) {
      rmSync(pathOf(`${folder}/dist/${file}`));
      // The compiler trusts its build information file; without the file it checks all output again.
      rmSync(pathOf(`${folder}/dist/.tsbuildinfo`), { force: true });
    }
  }
}
