// Finds lines of the project's text files that name a path of one machine or a registry, code files without an opening comment, and flags
// of the command in the packages.
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { projectFilesOf } from "./workspace.ts";

/** Hosts of package registries. No file may name them: users install from the registry that they have configured. */
const registryHosts = /\bregistry\.[a-z0-9-]+\.(?:org|com|io|dev)\b|\bnpm\.pkg\.github\.com\b/iu;
/** Home and temporary folders of one machine, as they occur in pasted error messages. */
const foreignPaths =
  /(?:^|[\s"'`(=:])(?:\/(?:home|Users)\/[\w.-]+\/\.\w|[A-Z]:\\Users\\|file:\/\/\/(?:home|Users|root)\b)/u;

const code = /\.(?:ts|mts|mjs|js)$/u;
const fixtures = /(?:^|\/)fixtures\//u;

/** Returns one sentence for each problem. */
export function findSourceProblems(root: string): readonly string[] {
  const local = localPaths(root);
  const flags = flagsIn(readFileSync(join(root, "docs/FLAGS.md"), "utf8"));
  return projectFilesOf(root).flatMap((file) => {
    const bytes = readFileSync(join(root, file));
    // Skip binary files: like git, this takes a file with a NUL in its first 8,000 bytes for binary.
    if (bytes.subarray(0, 8000).includes(0)) return [];
    const text = bytes.toString("utf8");
    return [...machineProblems(file, text, local), ...openingProblems(file, text), ...flagProblems(file, text, flags)];
  });
}

/** Problems of lines that contain a folder of one machine or the host of a registry. */
function machineProblems(file: string, text: string, local: readonly string[]): readonly string[] {
  return text.split("\n").flatMap((line, index) => {
    const found =
      local.find((path) => line.includes(path)) ?? foreignPaths.exec(line)?.[0] ?? registryHosts.exec(line)?.[0];
    return found === undefined ? [] : [`${file}:${index + 1}: holds ${JSON.stringify(found.trim())}`];
  });
}

/** The problem of a code file that lacks its opening comment. */
function openingProblems(file: string, text: string): readonly string[] {
  if (!code.test(file) || fixtures.test(file)) return [];
  const opening = text.startsWith("#!") ? text.slice(text.indexOf("\n") + 1) : text;
  return /^(?:\/\/ |\/\*\*? ?)\S*/u.test(opening) ? [] : [`${file}:1: does not open with a comment sentence`];
}

/** The flags that a text names, with their dashes. */
function flagsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(anyFlag));
}

const anyFlag = /(?<![\w-])--(?:[a-z][a-z-]*[a-z]|\$\{)/gu;

/** Problems of a package's source that names a flag of the command: its messages take the words of the caller (`caller-words.ts`). */
function flagProblems(file: string, text: string, flags: ReadonlySet<string>): readonly string[] {
  if (!/^packages\/[^/]+\/src\/.*\.ts$/u.test(file) || file.endsWith(".test.ts")) return [];
  return text.split("\n").flatMap((line, index) => {
    const found = line.match(anyFlag)?.find((each) => each === "--${" || flags.has(each));
    return found === undefined ? [] : [`${file}:${index + 1}: names the command's flag ${found}`];
  });
}

/**
 * Paths of this machine that no file may contain: the checkout, the folder `shared` beside it, and hidden entries of the home directory.
 */
function localPaths(root: string): readonly string[] {
  const home = homedir();
  return [root, `${dirname(root)}/shared`, `${home}/.`].filter((path) => path.split("/").length > 2);
}
