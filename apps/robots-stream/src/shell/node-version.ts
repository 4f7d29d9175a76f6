// The versions of the runtime in, the message out for a version of Node that is too old.

/** The oldest version of Node that has everything the program uses; the manifest's `engines` says the same. */
export const oldestNode: readonly [major: number, minor: number] = [22, 19];

/** The message; undefined where the program runs. Other runtimes state a version of Node that says nothing about them. */
export function oldNodeMessage(versions: NodeJS.Dict<string>): string | undefined {
  const { node = "", bun, deno } = versions;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  const [leastMajor, leastMinor] = oldestNode;
  const isOld = major < leastMajor || (major === leastMajor && minor < leastMinor);
  if (!isOld || bun !== undefined || deno !== undefined) return undefined;
  return `this is Node ${node}, and at least ${leastMajor}.${leastMinor} is needed`;
}
