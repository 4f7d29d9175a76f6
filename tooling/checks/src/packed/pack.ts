// Packs the built packages and installs the tarballs with npm in an empty project, as a user gets them from the registry.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runQuietly } from "../process.ts";
import { publishedPackagesOf } from "../workspace.ts";

/** An empty project with the tarballs of all published packages in it. */
export interface PackedProject {
  readonly folder: string;
  /** The names of the tarballs in the folder. */
  readonly tarballs: readonly string[];
}

/**
 * Packs every published package into a new project, passes the project to `use`, and then removes the project. Needs pnpm on the PATH, and
 * built packages.
 */
export async function withPacked<T>(root: string, use: (project: PackedProject) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-tarballs-"));
  try {
    for (const each of publishedPackagesOf(root)) {
      await runQuietly("pnpm", ["pack", "--pack-destination", folder], { cwd: join(root, each.folder) });
    }
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
    return await use({ folder, tarballs: readdirSync(folder).filter((file) => file.endsWith(".tgz")) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installs the tarballs, and the registry packages `others`, into the project. */
export async function install({ folder, tarballs }: PackedProject, others: readonly string[] = []): Promise<void> {
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  await runQuietly("npm", [...args, ...tarballs.map((tarball) => `./${tarball}`), ...others], {
    cwd: folder,
    env: ownEnvironment(),
  });
}

/** The environment without npx's variables, so that npm runs as it does for a user. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const told =
    /^npm_(?:config_(?:allow_scripts|package|yes|prefer_offline|legacy_peer_deps|package_lock)$|package_|lifecycle_)/iu;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !told.test(name)));
}

/** The path of this version of Node; downloads it if it is missing. */
export async function nodeOf(root: string, version: string): Promise<string> {
  const said = await runQuietly(process.execPath, ["scripts/dev.mjs", "on", version, "-p", "process.execPath"], {
    cwd: root,
  });
  return said.trim();
}
