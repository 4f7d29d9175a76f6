// Lists the packages and the files of a checkout.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The fields of a package.json that the checks read. */
export interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly private?: boolean;
  readonly engines?: { readonly node?: string };
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** A package of the workspace; `folder` is relative to the checkout, with "/" as separator. */
export interface Package {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** The checkout that contains this file. */
export const checkout: string = resolve(import.meta.dirname, "../../..");

/** Folders that hold only generated or downloaded files. */
const made = new Set(["node_modules", "dist", "bin", ".git", ".cache", "coverage"]);

/** Reads a JSON file as the type that the caller expects. */
export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, "utf8")) as T;
}

/** Every package under packages/, apps/ and tooling/, sorted by folder. */
function packagesOf(root: string): readonly Package[] {
  return ["packages", "apps", "tooling"]
    .filter((parent) => existsSync(join(root, parent)))
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`))
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .toSorted()
    .map((folder) => ({ folder, manifest: readJson<Manifest>(join(root, folder, "package.json")) }));
}

/** The published packages. */
export function publishedPackagesOf(root: string): readonly Package[] {
  return packagesOf(root).filter(({ manifest }) => manifest.private !== true);
}

/** The published packages that programs can import. Packages that are only a command export nothing but their manifest. */
export function librariesOf(root: string): readonly Package[] {
  return publishedPackagesOf(root).filter(({ manifest }) =>
    Object.keys(manifest.exports ?? {}).some((name) => name !== "./package.json"),
  );
}

/** All files under a folder, relative to it, with "/" as separator; generated and downloaded files are left out. */
export function filesUnder(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      if (entry.isDirectory()) {
        return made.has(entry.name) ? [] : filesUnder(join(folder, entry.name)).map((file) => `${entry.name}/${file}`);
      }
      return entry.isFile() ? [entry.name] : [];
    })
    .toSorted();
}

/** The project's files: the files that git tracks or would add; without git, all files except generated ones. */
export function projectFilesOf(root: string): readonly string[] {
  try {
    const out = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 1 << 26,
      stdio: ["ignore", "pipe", "ignore"],
    });
    // git also lists a tracked file that is deleted in the working tree.
    return [...new Set(out.split("\0"))].filter((file) => file !== "" && existsSync(join(root, file))).toSorted();
  } catch {
    return filesUnder(root);
  }
}
