// Packs the built packages and installs them with npm in an empty project. Some supported versions of Node must import and run the packages
// there. On versions that are not supported, the command and the packages that need a newer Node must refuse to run.
import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type PackedProject, install, nodeOf, ownEnvironment, withPacked } from "./packed/pack.ts";
import { runQuietly, runToEnd } from "./process.ts";

/** A program that uses the installed packages and prints its results. */
const consumer = `
import { createRequire } from "node:module";
import { createMatcher, explain, parseRobotsTxt } from "@robots-stream/core";
import { lint } from "@robots-stream/core/lint";
import { parseTarget, robotsUrlOf } from "@robots-stream/url";
import { productTokenOf } from "@robots-stream/agents";
import { createRobotsClient } from "@robots-stream/fetch";
import robotsParser from "@robots-stream/robots-parser";
import { createSavedRobots, decideStream } from "robots-stream";
const required = createRequire(import.meta.url)("@robots-stream/robots-parser");
const { origin, target } = parseTarget("HTTPS://Example.com:443/private/x?y=1#z");
const decision = createMatcher(parseRobotsTxt("user-agent: *\\ndisallow: /private\\n"), productTokenOf("bingbot/2.0")).decideTarget(target);
const client = createRobotsClient();
await client.close();
const decisions = decideStream({ agents: "bingbot", robots: createSavedRobots("robots.txt"), input: ["https://example.com/private/x"] });
for await (const [{ allowed, line }] of decisions) console.log(allowed, line);
console.log([robotsParser, required].map((parser) => parser("/robots.txt", "user-agent: *\\ndisallow: /p").isAllowed("/p")).join(" "));
console.log([robotsUrlOf(origin), decision.allowed, decision.rule?.line, typeof explain(decision), lint("Disalow: /")[0].code].join(" "));
`;
const consumerSays = "false 2\nfalse false\nhttps://example.com/robots.txt false 2 string forgiven-typo";

const robotsTxt = "user-agent: *\ndisallow: /private\n";
const record = '{"url":"https://example.com/private/x"}\n';

/** A program that imports the entry points which need a supported Node, and prints the error of each import. */
const oldConsumer = `
const names = ["robots-stream", "@robots-stream/engine"].concat(
  ["", "/redis", "/sqlite", "/transports"].map((entry) => "@robots-stream/fetch" + entry),
);
for (const name of names) {
  await import(name).then(() => console.log(name, "was imported"), ({ code, message }) => console.log(name, code, message));
}
`;

/** The supported Node versions to test, the oldest first. */
const supported = ["22.19.0", "24.21.0", "26.10.0"];
/**
 * Node versions that must be refused: one of each even major version from 12, the first that can parse the command's first file, to 20; two
 * of 22 that are too old; and 23.
 */
const refused = ["12.22.12", "14.21.3", "16.20.2", "18.20.8", "20.19.5", "22.0.0", "22.18.0", "23.0.0"];

/** Returns one sentence for each problem. Needs npm, pnpm on the PATH, and built packages. */
export function findTarballProblems(root: string): Promise<readonly string[]> {
  return withPacked(root, async (project) => {
    const { folder, tarballs } = project;
    const problems = (await Promise.all(tarballs.map((tarball) => contentProblems(folder, tarball)))).flat();
    writeFileSync(join(folder, "consumer.mjs"), consumer);
    writeFileSync(join(folder, "old.mjs"), oldConsumer);
    writeFileSync(join(folder, "robots.txt"), robotsTxt);
    await install(project);
    for (const version of supported) problems.push(...(await useProblems(project, await nodeOf(root, version))));
    for (const version of refused) problems.push(...(await refusalProblems(project, await nodeOf(root, version))));
    return problems;
  });
}

/** Problems of a tarball's content: it must contain every file that users need, and no file that only the project needs. */
async function contentProblems(folder: string, tarball: string): Promise<readonly string[]> {
  const listing = await runQuietly("tar", ["-tzf", tarball], { cwd: folder });
  const files = listing.split("\n").map((line) => line.replace(/^package\//u, ""));
  const wanted = ["package.json", "README.md", "LICENSE"].filter((file) => !files.includes(file));
  const unwanted = files.filter((file) => /\.test\.|\/fixtures\/|tsbuildinfo|^test\//u.test(file));
  return [
    ...wanted.map((file) => `${tarball}: has no ${file}`),
    ...unwanted.map((file) => `${tarball}: holds ${file}`),
    ...(files.some((file) => file.startsWith("dist/")) ? [] : [`${tarball}: has no dist/`]),
  ];
}

async function useProblems({ folder }: PackedProject, node: string): Promise<readonly string[]> {
  const said = (await runQuietly(node, ["consumer.mjs"], { cwd: folder })).trim();
  const env = environmentOf(folder, node);
  const args = ["robots-stream", "--agent", "bingbot", "--robots", "robots.txt"];
  const decided = await runQuietly("npx", args, { cwd: folder, input: record, env });
  return [
    ...(said === consumerSays ? [] : [`${node}: the installed packages printed ${JSON.stringify(said)}`]),
    ...decidedProblems(node, decided),
  ];
}

function decidedProblems(who: string, said: string): readonly string[] {
  return said.includes('"allowed":false') && said.includes('"line":2')
    ? []
    : [`${who}: the installed app printed ${JSON.stringify(said)}`];
}

/** Problems of a refusal: on an old Node the command prints one sentence and exits as for wrong usage; imports throw the same sentence. */
async function refusalProblems({ folder }: PackedProject, node: string): Promise<readonly string[]> {
  const version = (await runQuietly(node, ["--version"], { cwd: folder })).trim().slice(1);
  const message = `this is Node ${version}, but Node 22.19 or a later 22, or Node 24 or later is needed`;
  const command = join(folder, "node_modules/.bin/robots-stream");
  const ended = runToEnd(command, ["--help"], { cwd: folder, env: environmentOf(folder, node) });
  const problems =
    ended.code === 2 && ended.stdout === "" && ended.stderr === `robots-stream: ${message}\n`
      ? []
      : [`Node ${version}: the command ended with ${JSON.stringify(ended)}`];
  // Node versions below 18 cannot parse the packages. For them, only the manifests state the supported versions, at install time.
  if (Number.parseInt(version, 10) < 18) return problems;
  const said = (await runQuietly(node, ["--no-warnings", "old.mjs"], { cwd: folder })).trim();
  for (const line of said.split("\n")) {
    if (!line.endsWith(`ERR_UNSUPPORTED_NODE robots-stream: ${message}`)) problems.push(`Node ${version}: ${line}`);
  }
  return problems;
}

/** The environment of a user whose `node` is the given one. */
function environmentOf(folder: string, node: string): NodeJS.ProcessEnv {
  const bin = mkdtempSync(join(folder, "node-"));
  symlinkSync(node, join(bin, "node"));
  return { ...ownEnvironment(), PATH: [bin, process.env["PATH"]].join(delimiter) };
}
