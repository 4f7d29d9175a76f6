// Reads pnpm-lock.yaml and the installed manifests; finds problems that would make an install on another machine fail or differ.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "./workspace.ts";
import { readJson } from "./workspace.ts";

/** Returns one sentence for each problem. Needs installed packages. */
export function findLockfileProblems(root: string): readonly string[] {
  const lockfile = readFileSync(join(root, "pnpm-lock.yaml"), "utf8");
  return [...addressProblems(lockfile), ...missingPlatforms(lockfile, installedManifests(root))];
}

/** Problems of lines that contain a download address: a lockfile with addresses works in one network only. */
export function addressProblems(lockfile: string): readonly string[] {
  return lockfile.split("\n").flatMap((text, index) => {
    const found = /\btarball:|\bhttps?:\/\/|\bgit\+|(?<![\w-])file:/u.exec(text);
    // A deprecation notice is prose and may contain a link.
    if (found === null || /^ +deprecated:/u.test(text)) return [];
    return [`pnpm-lock.yaml:${index + 1}: contains a download address (${found[0]})`];
  });
}

/**
 * Optional dependencies (binaries for one platform each) that the lockfile lacks: pnpm drops an optional dependency that it cannot find.
 */
export function missingPlatforms(lockfile: string, manifests: readonly Manifest[]): readonly string[] {
  const locked = lockedPackages(lockfile);
  const lockedNames = new Set([...locked].map((key) => key.slice(0, key.lastIndexOf("@"))));
  // pnpm leaves packages of earlier lockfiles in its store.
  const current = manifests.filter(({ name, version }) => locked.has(`${name}@${version}`));
  return current.flatMap(({ name, version, optionalDependencies = {} }) =>
    Object.entries(optionalDependencies)
      // Most optional dependencies have an exact version. For a range, any version in the lockfile is accepted.
      .filter(([wanted, range]) => (/^\d/u.test(range) ? !locked.has(`${wanted}@${range}`) : !lockedNames.has(wanted)))
      .map(
        ([wanted, range]) => `pnpm-lock.yaml: ${name}@${version} names ${wanted}@${range}, which the lockfile lacks`,
      ),
  );
}

/** The keys of the lockfile's section `packages`: "name@version". */
function lockedPackages(lockfile: string): ReadonlySet<string> {
  const section = /^packages:\n([\s\S]*?)^\S/mu.exec(`${lockfile}\nend`)?.[1] ?? "";
  return new Set([...section.matchAll(/^ {2}'?([^\s'][^'\n]*?)'?:$/gmu)].map(([, key]) => key ?? ""));
}

/** The manifests of all packages that pnpm has installed. */
function installedManifests(root: string): readonly Manifest[] {
  const store = join(root, "node_modules/.pnpm");
  return readdirSync(store)
    .map((entry) => join(store, entry, "node_modules"))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder).flatMap((name) => (name.startsWith("@") ? scoped(folder, name) : [join(folder, name)])),
    )
    .map((folder) => join(folder, "package.json"))
    .filter((path) => existsSync(path))
    .map((path) => readJson<Manifest>(path));
}

function scoped(folder: string, scope: string): readonly string[] {
  return readdirSync(join(folder, scope)).map((name) => join(folder, scope, name));
}
