// The versions of the runtime in, the sentence that refuses a version of Node out. The command's first file runs this on the Node that it
// refuses, so it uses no syntax newer than ES2018.

/** The versions of Node that have everything the packages use, as the manifests' `engines` says it. Odd versions are not supported. */
export const supportedNodes = "^22.19 || >=24";

/** The sentence; undefined for a supported version. Other runtimes state a version of Node that says nothing about them. */
export function oldNodeMessage(versions: NodeJS.Dict<string>): string | undefined {
  const { node = "", bun, deno } = versions;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  if (major >= 24 || (major === 22 && minor >= 19) || bun !== undefined || deno !== undefined) return undefined;
  return `this is Node ${node}, but Node 22.19 or a later 22, or Node 24 or later is needed`;
}
