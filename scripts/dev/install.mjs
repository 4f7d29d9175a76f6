// Installs node_modules so that they match the lockfile and the manifests. Does nothing if they match already.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { withLock } from "./lock.mjs";
import { Failure, pathOf, runPnpm, say } from "./run.mjs";

/** The stamp lies inside node_modules, so that it is removed together with them. */
const stamp = pathOf("node_modules/.installed");

/** The workspace folders that hold a package, relative to the checkout. */
export function workspaceFolders() {
  return ["packages", "apps", "tooling"]
    .filter((parent) => existsSync(pathOf(parent)))
    .flatMap((parent) => readdirSync(pathOf(parent)).map((name) => `${parent}/${name}`))
    .filter((folder) => existsSync(pathOf(`${folder}/package.json`)))
    .toSorted();
}

/** Installs exactly the lockfile's versions with the pinned pnpm. Throws a Failure if that fails. */
export async function installWhenChanged() {
  if (isInstalled()) return;
  await withLock(async () => {
    if (isInstalled()) return;
    const wanted = fingerprint();
    say("installing the packages of pnpm-lock.yaml");
    rmSync(stamp, { force: true });
    // With CI=true, pnpm does not prompt.
    const args = ["install", "--frozen-lockfile", "--trust-lockfile", "--prefer-offline"];
    const exitCode = await runPnpm(args, { quiet: true, env: { CI: "true" } });
    if (exitCode !== 0) {
      throw new Failure(
        `installing failed (pnpm ended with exit code ${exitCode}). After a change of dependencies, rewrite the lockfile with ` +
          '"node scripts/dev.mjs pnpm install --no-frozen-lockfile"',
      );
    }
    writeFileSync(stamp, wanted);
  });
}

function isInstalled() {
  return (
    existsSync(stamp) &&
    readFileSync(stamp, "utf8") === fingerprint() &&
    workspaceFolders().every((folder) => hasNoDependencies(folder) || existsSync(pathOf(`${folder}/node_modules`)))
  );
}

function fingerprint() {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`);
  const manifests = workspaceFolders().map((folder) => `${folder}/package.json`);
  for (const file of ["package.json", "pnpm-workspace.yaml", "pnpm-lock.yaml", ".npmrc", ...manifests]) {
    hash.update(`${file}\n`).update(readFileSync(pathOf(file)));
  }
  return hash.digest("hex");
}

function hasNoDependencies(folder) {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(
    readFileSync(pathOf(`${folder}/package.json`), "utf8"),
  );
  return Object.keys({ ...dependencies, ...devDependencies }).length === 0;
}
