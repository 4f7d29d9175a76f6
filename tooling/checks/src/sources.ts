// The project's own text files in, what ties them to one machine and which code file lacks its opening sentence out.
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { projectFilesOf } from "./workspace.ts";

/** Hosts of package registries: a checkout must install from whichever its user has set. */
const registryHosts = /\bregistry\.[a-z0-9-]+\.(?:org|com|io|dev)\b|\bnpm\.pkg\.github\.com\b/iu;
/** Home and temporary folders of one machine, as in a pasted message. */
const foreignPaths =
  /(?:^|[\s"'`(=:])(?:\/(?:home|Users)\/[\w.-]+\/\.\w|[A-Z]:\\Users\\|file:\/\/\/(?:home|Users|root)\b)/u;

const code = /\.(?:ts|mts|mjs|js)$/u;
const fixtures = /(?:^|\/)fixtures\//u;

/** One sentence for each problem; empty when all is well. */
export function findSourceProblems(root: string): readonly string[] {
  const local = localPaths(root);
  return projectFilesOf(root).flatMap((file) => {
    const bytes = readFileSync(join(root, file));
    // Binary, by git's own test.
    if (bytes.subarray(0, 8000).includes(0)) return [];
    const text = bytes.toString("utf8");
    return [...machineProblems(file, text, local), ...openingProblems(file, text)];
  });
}

/** Lines that name a folder of this machine or a registry's host. */
export function machineProblems(file: string, text: string, local: readonly string[]): readonly string[] {
  return text.split("\n").flatMap((line, index) => {
    const found =
      local.find((path) => line.includes(path)) ?? foreignPaths.exec(line)?.[0] ?? registryHosts.exec(line)?.[0];
    return found === undefined ? [] : [`${file}:${index + 1}: holds ${JSON.stringify(found.trim())}`];
  });
}

/** A code file that does not open with a comment: what goes in, what comes out. */
export function openingProblems(file: string, text: string): readonly string[] {
  if (!code.test(file) || fixtures.test(file)) return [];
  const opening = text.startsWith("#!") ? text.slice(text.indexOf("\n") + 1) : text;
  return /^(?:\/\/ |\/\*\*? ?)\S*/u.test(opening) ? [] : [`${file}:1: does not open with a comment sentence`];
}

/** The places of this very checkout: nothing that is written down may depend on them. */
function localPaths(root: string): readonly string[] {
  const home = homedir();
  return [root, `${dirname(root)}/shared`, `${home}/.`].filter((path) => path.split("/").length > 2);
}
