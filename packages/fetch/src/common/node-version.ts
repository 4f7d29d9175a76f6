// Returns the error message for a version of Node that is not supported. The command's first file runs this module on such versions, so the
// module uses no syntax newer than ES2018.

/** The supported versions of Node, as in `engines` of the manifests. Node 23 is left out: its first versions lack zstd. */
export const supportedNodes = "^22.19 || >=24";

/** The message; undefined for a supported version, and for Bun and Deno, whose `versions.node` is only the version that they imitate. */
export function oldNodeMessage(versions: NodeJS.Dict<string>): string | undefined {
  const { node = "", bun, deno } = versions;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  if (major >= 24 || (major === 22 && minor >= 19) || bun !== undefined || deno !== undefined) return undefined;
  return `this is Node ${node}, but Node 22.19 or a later 22, or Node 24 or later is needed`;
}
